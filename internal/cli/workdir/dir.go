package workdir

import (
	"errors"
	"io/fs"
	"os"
	"runtime"

	"github.com/plumb-iac/plumb/addr"
	"github.com/plumb-iac/plumb/config"
	"github.com/plumb-iac/plumb/diag"
	"github.com/plumb-iac/plumb/internal/cli/inputs"
	"github.com/plumb-iac/plumb/internal/cli/session"
	"github.com/plumb-iac/plumb/internal/lockfile"
	"github.com/plumb-iac/plumb/internal/osfiles"
	"github.com/plumb-iac/plumb/internal/settings"
	"github.com/plumb-iac/plumb/provider"
	"github.com/plumb-iac/plumb/provider/assemble"
	"github.com/zclconf/go-cty/cty"
)

// Dir is a working directory as a command sees it.
type Dir struct {
	S *session.Session
	// Settings is the CLI configuration, Dialect how the language is read.
	Settings settings.CLI
	Dialect  settings.Dialect
	// Lock is the dependency lock file, LockText its text; nil where there is
	// none.
	Lock     *lockfile.File
	LockText []byte

	// Vars are the options that give variables values; nil for none.
	Vars *inputs.Flags

	// keepers and stores are the providers of state stores, and the stores that are
	// configured by the digests of their places.
	keepers map[addr.Provider]*assemble.Registry
	stores  map[uint64]provider.StateStore

	early    map[string]cty.Value
	manifest []byte
	crypt    crypt
}

// Open reads what the commands need to know of the present directory before
// anything else. Warnings about settings are shown at once.
func Open(s *session.Session) (*Dir, diag.List) {
	d := &Dir{S: s}
	var diags diag.List
	d.Settings, diags = settings.Load(osfiles.Disk{Base: s.Launch}, s.Environment, runtime.GOOS, addr.DefaultHost)
	s.Aside("There are some problems with the CLI configuration:", diags.Warnings())
	diags = diags.Errors()
	more := d.readLock()
	return d, diags.With(more).With(d.detect()).With(s.CheckWorkspace())
}

func (d *Dir) readLock() diag.List {
	d.Lock = lockfile.New()
	text, err := os.ReadFile(lockfile.Name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return diag.List{diag.Err("Failed to read the dependency lock file", err.Error()).By(diag.Operator)}
	}
	d.LockText = text
	d.S.AddSources(map[string][]byte{lockfile.Name: text})
	var diags diag.List
	d.Lock, diags = lockfile.Parse(lockfile.Name, text)
	return diags
}

// detect finds the dialect: what was asked for, or what the directory looks
// like, or in a directory that tells nothing the one that plumb was called as.
func (d *Dir) detect() diag.List {
	asked := d.S.Environment.Dialect()
	if asked == "" {
		asked = d.Settings.Dialect
	}
	if asked != "" {
		dialect, err := settings.ParseDialect(asked)
		if err != nil {
			return diag.List{diag.Err("Unknown dialect", err.Error()).By(diag.Operator)}
		}
		d.Dialect = dialect
		return nil
	}
	var providers []addr.Provider
	for _, l := range d.Lock.Locks() {
		providers = append(providers, l.Provider)
	}
	if len(providers) == 0 {
		providers = d.telling()
	}
	tofuFiles := config.HasTofuFiles(osfiles.Disk{}, ".")
	if called, ok := d.S.CalledAs(); ok && len(providers) == 0 && !tofuFiles {
		d.Dialect = called
		return nil
	}
	d.Dialect = settings.Detect(providers, tofuFiles)
	return nil
}

// telling are attached providers that tell the dialect where no lock file does, as
// in suites of acceptance tests that TF_ACC_PROVIDER_HOST has ask for OpenTofu.
// Those that are attached for both registries tell nothing.
func (d *Dir) telling() []addr.Provider {
	var providers []addr.Provider
	for _, a := range d.attached() {
		if a.Provider.Host == addr.DefaultHost {
			return nil
		}
		providers = append(providers, a.Provider)
	}
	return providers
}
