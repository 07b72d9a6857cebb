package disk

import (
	"cmp"
	"context"
	"fmt"
	"runtime"

	"github.com/google/uuid"
	"github.com/plumb-iac/plumb/addr"
	"github.com/plumb-iac/plumb/config"
	"github.com/plumb-iac/plumb/diag"
	"github.com/plumb-iac/plumb/engine"
	"github.com/plumb-iac/plumb/internal/backend"
	"github.com/plumb-iac/plumb/internal/backend/local"
	"github.com/plumb-iac/plumb/internal/encryption"
	"github.com/plumb-iac/plumb/internal/install"
	"github.com/plumb-iac/plumb/internal/lang"
	"github.com/plumb-iac/plumb/internal/osfiles"
	"github.com/plumb-iac/plumb/internal/settings"
	"github.com/plumb-iac/plumb/provider/assemble"
	"github.com/plumb-iac/plumb/provider/builtin"
	"github.com/plumb-iac/plumb/provider/embedded"
	"github.com/plumb-iac/plumb/provider/process"
	"github.com/zclconf/go-cty/cty"
)

// load finds the dialect and reads the configuration with the modules that are
// installed.
func (d *Directory) load(context.Context) diag.List {
	diags := d.detect()
	manifest, more := install.ReadManifest(d.o.DataDir)
	if diags = diags.With(more); diags.HasErrors() {
		return diags
	}
	options := d.loading()
	options.Resolve = manifest.Resolve
	tree, found := config.Load(osfiles.Disk{Base: d.o.Dir}, ".", options)
	if unmet := config.CheckVersions(tree, engine.LanguageVersion); unmet.HasErrors() {
		return diags.With(unmet)
	}
	if diags = diags.With(found); diags.HasErrors() {
		return diags
	}
	d.tree = tree
	return diags.With(d.keep())
}

// detect finds the dialect: what was asked for, or what the directory looks like.
func (d *Directory) detect() diag.List {
	if d.o.Dialect != "" {
		dialect, err := settings.ParseDialect(d.o.Dialect)
		if err != nil {
			return diag.List{diag.Err("Unknown dialect", err.Error()).By(diag.Operator)}
		}
		d.dialect = dialect
		return nil
	}
	lock, _, diags := install.ReadLock(d.o.Dir)
	var providers []addr.Provider
	for _, l := range lock.Locks() {
		providers = append(providers, l.Provider)
	}
	d.dialect = settings.Detect(providers, config.HasTofuFiles(osfiles.Disk{}, d.o.Dir))
	return diags
}

func (d *Directory) loading() config.LoadOptions {
	return config.LoadOptions{
		Reading: config.ReadingOf(d.dialect),
		Early: config.Early{
			Workspace: d.o.Workspace, Cwd: d.o.Dir,
			Functions: lang.Functions(lang.FuncOptions{BaseDir: ".", Files: osfiles.Disk{Base: d.o.Dir}, Pure: true, Clock: d.o.Now}),
		},
	}
}

// keep finds the place of the state.
func (d *Directory) keep() diag.List {
	root := &d.tree.Root.Settings
	if at := root.Keeping(); at != nil && d.o.StateFile == "" {
		return diag.List{diag.Err("The state is kept elsewhere",
			"This configuration names a place for its state. A program that embeds the engine gives it a store of its own for that, or keeps the state in a file (Options.StateFile).").At(*at).By(diag.Operator)}
	}
	form := backend.Form{Version: engine.LanguageVersion}
	if o := (encryption.Options{Tree: d.tree, Load: d.loading()}); encryption.Configured(o) {
		how, diags := encryption.Read(o)
		if diags.HasErrors() {
			return diags
		}
		form.Encryption = how.State()
	}
	d.store = local.New(local.Options{Dir: d.o.Dir, State: d.o.StateFile, Form: form}).Store(d.o.Workspace)
	return nil
}

// assemble finds the programs of the providers that configuration and state need.
func (d *Directory) assemble(context.Context) diag.List {
	running := map[addr.Provider]bool{}
	for p := range d.o.Programs {
		running[p] = true
	}
	packages, diags := install.Locate(install.LocateRequest{
		Dir: d.o.Dir, DataDir: d.o.DataDir, Platform: runtime.GOOS + "_" + runtime.GOARCH,
		Required: install.Required(d.tree, install.InState(d.opened.Snapshot)), Running: running,
	})
	if diags.HasErrors() {
		return diags
	}
	programs := map[addr.Provider]string{}
	for p, pkg := range packages {
		programs[p] = pkg.Executable
	}
	d.providers = assemble.New(assemble.Options{
		Embedded: embedded.Providers(engine.Version, builtin.Options{
			NewID: uuid.NewString, RemoteState: d.remoteState,
			WithoutStore: !d.dialect.Yes(settings.DataStore), EmptiedLater: d.dialect.Yes(settings.NullInputUnknown),
		}),
		Programs: programs, Overrides: d.o.Programs, Environ: d.o.Env, Dir: d.o.Dir, Logger: d.o.Logger, CacheDir: process.CacheDir(),
	})
	return diags
}

// remoteState gives the outputs of a state in a file.
func (d *Directory) remoteState(ctx context.Context, _ addr.AbsInstance, name, workspace string, given cty.Value) (map[string]cty.Value, diag.List) {
	if name != "local" {
		return nil, diag.Errs("Invalid backend configuration", fmt.Sprintf("States that the backend %q keeps cannot be read by a program that embeds the engine, only those in files.", name))
	}
	argument := func(name string) string {
		if given.IsNull() || !given.Type().HasAttribute(name) || given.GetAttr(name).IsNull() || given.GetAttr(name).Type() != cty.String {
			return ""
		}
		return given.GetAttr(name).AsString()
	}
	from := local.New(local.Options{Dir: d.o.Dir, Path: argument("path"), WorkspaceDir: argument("workspace_dir")})
	return backend.Outputs(ctx, from.Store(cmp.Or(workspace, backend.DefaultWorkspace)))
}
