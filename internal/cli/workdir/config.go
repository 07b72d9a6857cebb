package workdir

import (
	"cmp"
	"context"
	"io/fs"
	"path"
	"sort"

	"github.com/plumb-iac/plumb/config"
	"github.com/plumb-iac/plumb/diag"
	"github.com/plumb-iac/plumb/internal/install"
	"github.com/plumb-iac/plumb/internal/lang"
	"github.com/plumb-iac/plumb/internal/osfiles"
	"github.com/plumb-iac/plumb/internal/settings"
	"github.com/zclconf/go-cty/cty"
)

// ConfigOptions say what of the configuration to load.
type ConfigOptions struct {
	// Early are values of variables for what has to be known while loading.
	Early map[string]cty.Value
	// Dir is where the root module is, "" for the working directory.
	Dir string
	// RootOnly leaves modules alone.
	RootOnly bool
	// AnyVersion takes a configuration that requires a version of the language
	// that is not offered: it is looked at, or what was made of it.
	AnyVersion bool
	// Query reads query files, too.
	Query bool
	// Tests reads test files, too, in TestDir as well as beside the root module.
	Tests   bool
	TestDir string
	// Sources and Manifest are the configuration inside a saved plan; nil for
	// what is in the directory.
	Sources  map[string][]byte
	Manifest []byte
}

// Config loads the configuration and makes its files known to the session.
func (d *Dir) Config(o ConfigOptions) (*config.Tree, diag.List) {
	if o.Early != nil {
		d.early = o.Early
	}
	manifest, diags := d.readManifest(o)
	if diags.HasErrors() {
		return nil, diags
	}
	load := d.loadOptions()
	load.RootOnly, load.Resolve, load.Query = o.RootOnly, manifest.Resolve, o.Query
	load.Tests, load.TestDir = o.Tests, o.TestDir
	var files config.FS = osfiles.Disk{}
	if o.Sources != nil {
		files = inside(o.Sources)
	}
	tree, more := config.Load(files, cmp.Or(o.Dir, "."), load)
	d.S.AddSources(tree.Sources)
	if !o.AnyVersion {
		more = d.offered(tree, more)
	}
	return tree, diags.With(more)
}

// offered reports the versions of the language that the configuration requires and plumb
// does not offer. Whatever else was found may only follow from that, so it is left out.
func (d *Dir) offered(tree *config.Tree, found diag.List) diag.List {
	if unmet := config.CheckVersions(tree, d.S.Language); unmet.HasErrors() {
		return unmet
	}
	return found
}

func (d *Dir) loadOptions() config.LoadOptions {
	workspace, _ := d.S.Workspace()
	return config.LoadOptions{
		Reading: config.ReadingOf(d.Dialect),
		Early: config.Early{
			Variables: d.early, Workspace: workspace, Cwd: d.S.Launch,
			Functions: lang.Functions(lang.FuncOptions{BaseDir: ".", Files: osfiles.Disk{}, Pure: true, Clock: d.S.Now}),
		},
	}
}

func (d *Dir) readManifest(o ConfigOptions) (*config.Manifest, diag.List) {
	if o.Sources == nil {
		m, diags := install.ReadManifest(d.S.Environment.DataDir())
		d.manifest = m.Bytes()
		return m, diags
	}
	if o.Manifest == nil {
		return config.NewManifest(nil), nil
	}
	d.manifest = o.Manifest
	m, err := config.ParseManifest(o.Manifest)
	if err != nil {
		return nil, diag.List{diag.Err("The saved plan cannot be used", "Its module manifest is damaged: "+err.Error()+".").By(diag.Operator)}
	}
	return m, nil
}

// Manifest is the module manifest that the configuration was loaded with.
func (d *Dir) Manifest() []byte { return d.manifest }

// InstallOptions say how to install modules.
type InstallOptions struct {
	Early   map[string]cty.Value
	Upgrade bool
	// TestDir is where test files are, "" for the default.
	TestDir string
	Observe func(install.Event)
}

// Install loads the configuration and installs the modules that it calls.
func (d *Dir) Install(ctx context.Context, o InstallOptions) (*config.Tree, diag.List) {
	d.early = o.Early
	load := d.loadOptions()
	load.Tests, load.TestDir = true, o.TestDir
	tree, diags := install.InstallModules(ctx, install.ModuleRequest{
		Files: osfiles.Disk{}, Dir: ".", DataDir: d.S.Environment.DataDir(), Load: load,
		CheckCalls: d.Dialect.Yes(settings.InitChecksCalls), Upgrade: o.Upgrade,
		Sources: d.Sources(nil), Env: d.S.Env, Observe: o.Observe,
	})
	if tree != nil {
		d.S.AddSources(tree.Sources)
		diags = d.offered(tree, diags)
	}
	return tree, diags
}

// CopyModule fills the directory, which has to be empty, with the files of a
// module.
func (d *Dir) CopyModule(ctx context.Context, source string, observe func(install.Event)) diag.List {
	return install.CopyModule(ctx, install.CopyRequest{
		Source: source, Dir: ".", DataDir: d.S.Environment.DataDir(), DefaultHost: config.ReadingOf(d.Dialect).DefaultHost,
		Sources: d.Sources(nil), Env: d.S.Env, Observe: observe,
	})
}

// ChecksWorkspace says whether a plan is for its own workspace only.
func (d *Dir) ChecksWorkspace() bool { return d.Dialect.Yes(settings.WorkspacePlanChecked) }

// inside are files by name: the configuration in a saved plan.
type inside map[string][]byte

// ReadFile implements config.FS.
func (f inside) ReadFile(name string) ([]byte, error) {
	if src, ok := f[path.Clean(name)]; ok {
		return src, nil
	}
	return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
}

// ReadDir implements config.FS. A plan has files, not directories: one without
// any was there when the plan was made, and nothing in it was read.
func (f inside) ReadDir(name string) ([]fs.DirEntry, error) {
	name = path.Clean(name)
	var out []fs.DirEntry
	for file, src := range f {
		if path.Dir(file) == name {
			out = append(out, entry{path.Base(file), int64(len(src))})
		}
	}
	sort.Slice(out, func(i, j int) bool { return out[i].Name() < out[j].Name() })
	return out, nil
}

// entry is a file of inside.
type entry struct {
	name string
	size int64
}

// Name implements fs.DirEntry.
func (e entry) Name() string { return e.name }

// IsDir implements fs.DirEntry.
func (e entry) IsDir() bool { return false }

// Type implements fs.DirEntry.
func (e entry) Type() fs.FileMode { return 0 }

// Info implements fs.DirEntry.
func (e entry) Info() (fs.FileInfo, error) {
	return nil, &fs.PathError{Op: "stat", Path: e.name, Err: fs.ErrInvalid}
}

// ConsoleShowsEachLine says whether piped expressions are all shown.
func (d *Dir) ConsoleShowsEachLine() bool { return d.Dialect.Yes(settings.ConsoleEachLine) }

// GraphsWhole says whether a graph shows all declarations unless asked otherwise.
func (d *Dir) GraphsWhole() bool { return d.Dialect.Yes(settings.GraphWhole) }
