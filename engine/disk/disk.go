package disk

import (
	"cmp"
	"context"
	"log/slog"
	"path/filepath"
	"runtime"
	"time"

	"github.com/google/uuid"
	"github.com/plumb-iac/plumb/addr"
	"github.com/plumb-iac/plumb/config"
	"github.com/plumb-iac/plumb/diag"
	"github.com/plumb-iac/plumb/engine"
	"github.com/plumb-iac/plumb/internal/backend"
	"github.com/plumb-iac/plumb/internal/osfiles"
	"github.com/plumb-iac/plumb/internal/provisioner"
	"github.com/plumb-iac/plumb/provider/assemble"
	"github.com/plumb-iac/plumb/state"
)

// Options say which directory, and how it is worked with. The zero value is the
// directory of the process with its default workspace.
type Options struct {
	// Dir is the directory with the root module, "" for that of the process. Names
	// of files in the configuration are relative to it, and programs start there.
	Dir string
	// DataDir is where init has put modules and providers; "" is .terraform in Dir.
	DataDir string
	// StateFile is where the state is kept instead of terraform.tfstate in Dir, or
	// of where the workspace has its own. It also stands for a backend block.
	StateFile string
	// Workspace is terraform.workspace; "" means default.
	Workspace string
	// Dialect is "terraform" or "opentofu"; "" is what the directory looks like.
	Dialect string
	// Programs are providers' programs that are run instead of installed ones.
	Programs map[addr.Provider]string
	// Env is the environment of providers and provisioners. In it they find
	// credentials, PATH and HOME: os.Environ() is what commands give them.
	Env []string
	// Logger gets what providers log; nil discards it.
	Logger *slog.Logger
	// Operation is what others read who find the state locked; "" means embedded.
	Operation string
	// LockTimeout is for how long a lock that another one has is waited for.
	// NoLock leaves the state unlocked, for looking at it.
	LockTimeout time.Duration
	NoLock      bool
	// Now is the clock; nil means time.Now.
	Now func() time.Time
}

// Directory is a working directory that is open. It is for one engine at a time.
type Directory struct {
	o         Options
	dialect   engine.Dialect
	tree      *config.Tree
	store     backend.Store
	opened    backend.Opened
	providers *assemble.Registry
	// lock is the id of the lock that is held, "" for none.
	lock string
}

// Open loads the configuration, takes the lock of the state, reads it and finds the
// providers. With errors there is no directory and nothing is left locked. Warnings
// tell of operations of an earlier run whose outcome is not known.
func Open(ctx context.Context, o Options) (*Directory, diag.List) {
	dir, err := filepath.Abs(o.Dir)
	if err != nil {
		return nil, diag.List{diag.Err("Failed to find the working directory", err.Error()+".").By(diag.Operator)}
	}
	o.Dir = dir
	o.DataDir = within(dir, cmp.Or(o.DataDir, ".terraform"))
	o.Workspace = cmp.Or(o.Workspace, backend.DefaultWorkspace)
	if o.Now == nil {
		o.Now = time.Now
	}
	d := &Directory{o: o}
	var diags diag.List
	for _, step := range []func(context.Context) diag.List{d.load, d.acquire, d.read, d.assemble} {
		if diags = diags.With(step(ctx)); diags.HasErrors() {
			return nil, diags.With(d.Close())
		}
	}
	return d, diags
}

func within(dir, path string) string {
	if filepath.IsAbs(path) {
		return path
	}
	return filepath.Join(dir, path)
}

// Config is the configuration.
func (d *Directory) Config() *config.Tree { return d.tree }

// State is the state: as it was found, then as the last apply left it, be it that it
// could not be stored.
func (d *Directory) State() *state.Snapshot { return d.opened.Snapshot }

// Engine gives options for [engine.New] that fit the directory. What is about the
// caller, such as the observer, is the caller's to add. The engine is to be closed
// before the directory.
func (d *Directory) Engine() engine.Options {
	provisioners := map[string]engine.Provisioner{}
	for name, p := range provisioner.All(provisioner.Options{Env: d.o.Env, GOOS: runtime.GOOS, Dir: d.o.Dir}) {
		provisioners[name] = p
	}
	return engine.Options{
		Config: d.tree, Dialect: d.dialect, Providers: d.providers, Provisioners: provisioners,
		Files: osfiles.Disk{Base: d.o.Dir}, Workspace: d.o.Workspace, WorkDir: d.o.Dir, Now: d.o.Now,
	}
}

// Apply gives options for [engine.Engine.Apply] that keep the state in its file. They
// are for one apply; another one asks again.
func (d *Directory) Apply() engine.ApplyOptions {
	o := engine.ApplyOptions{Store: (*kept)(d), Stored: d.opened.Stored}
	if d.opened.Journal != nil {
		o.Journal = d.opened.Journal
	}
	return o
}

// Close ends providers that wait and gives the lock back. It may be called again.
func (d *Directory) Close() diag.List {
	if d.providers != nil {
		d.providers.Close()
	}
	if d.opened.Journal != nil {
		_ = d.opened.Journal.Close() // what is in it is durable
	}
	if d.lock == "" {
		return nil
	}
	id := d.lock
	d.lock = ""
	return backend.UnlockDiag(d.store.Unlock(context.Background(), id), id)
}

// kept is the directory as the engine's store.
type kept Directory

// Write implements [engine.Store].
func (k *kept) Write(ctx context.Context, s *state.Snapshot) error {
	if err := k.store.Write(ctx, s); err != nil {
		k.opened.Snapshot = s // the journal has what differs from the stored one
		return err
	}
	k.opened.Applied(s)
	return nil
}

// Probe implements [engine.Prober].
func (k *kept) Probe(ctx context.Context) error { return k.store.Probe(ctx) }

// acquire takes the lock.
func (d *Directory) acquire(ctx context.Context) diag.List {
	if d.o.NoLock {
		return nil
	}
	info := backend.Claim(d.store, cmp.Or(d.o.Operation, "embedded"), engine.Version, d.o.Now())
	diags := backend.AcquireLock(ctx, d.store, info, d.o.LockTimeout, nil)
	if !diags.HasErrors() {
		d.lock = info.ID
	}
	return diags
}

// read reads the state and its journal.
func (d *Directory) read(ctx context.Context) diag.List {
	opened, diags := backend.Open(ctx, d.store, uuid.NewString())
	d.opened = opened
	return diags
}
