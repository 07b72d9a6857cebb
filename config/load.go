package config

import (
	"errors"
	"io/fs"
	"maps"
	"path"
	"slices"

	"github.com/plumb-iac/plumb/addr"
	"github.com/plumb-iac/plumb/diag"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/function"
)

// FS reads configuration files. os.ReadFile and os.ReadDir have its shape.
type FS interface {
	ReadFile(name string) ([]byte, error)
	ReadDir(name string) ([]fs.DirEntry, error)
}

// Resolver finds the directory of the module that call, at path, asks for.
type Resolver func(path addr.Module, call *ModuleCall, parentDir string) (string, diag.List)

// LoadOptions say how to load.
type LoadOptions struct {
	// Resolve finds the directories of child modules; nil means [LocalOnly].
	Resolve Resolver
	Reading Reading
	// RootOnly leaves the modules that the root calls alone.
	RootOnly bool
	// Query reads query files (*.tfquery.hcl) of the root module, too.
	Query bool
	// Tests reads the test files of the root module, and the modules that they
	// run; TestDir is where they are besides its directory, "" for
	// [DefaultTestDir].
	Tests   bool
	TestDir string
	// Early is what expressions that have to be known while loading, such as
	// a module's source, may refer to.
	Early Early
}

// Reading is how files are read where the two dialects of the language differ.
type Reading struct {
	// TofuFiles reads *.tofu files, which shadow the *.tf file of their name.
	TofuFiles bool
	// VersionsFromTofuFiles ignores required_version outside *.tofu files.
	VersionsFromTofuFiles bool
	// RemovedForgets makes a removed block without a lifecycle block forget
	// its objects instead of destroying them.
	RemovedForgets bool
	// Enabled allows lifecycle.enabled.
	Enabled bool
	// PreventDestroyExpression allows references in lifecycle.prevent_destroy.
	PreventDestroyExpression bool
	// RootImports allows import blocks in the root module only.
	RootImports bool
	// AnyVariableEarly allows variables in early expressions that are not
	// declared const.
	AnyVariableEarly bool
	// DefaultHost is the registry of provider addresses without a host; ""
	// means [addr.DefaultHost].
	DefaultHost string
}

// Early is what early expressions may use.
type Early struct {
	// Variables are values of root variables, converted or not.
	Variables map[string]cty.Value
	Functions map[string]function.Function
	Workspace string
	// Cwd is path.cwd.
	Cwd string
}

// Load reads the configuration in dir and all modules it calls. The tree is
// never nil; where there are errors it is the best partial one.
func Load(files FS, dir string, o LoadOptions) (*Tree, diag.List) {
	if o.Resolve == nil {
		o.Resolve = LocalOnly
	}
	if o.TestDir == "" {
		o.TestDir = DefaultTestDir
	}
	if o.Reading.DefaultHost == "" {
		o.Reading.DefaultHost = addr.DefaultHost
	}
	l := &loader{fs: files, opts: o, kinds: newDispatch(kinds()), sources: map[string][]byte{}, dirs: map[string]*Module{}}
	tree := l.tree(path.Clean(dir))
	if o.Tests {
		tree.Tests = l.tests(tree.Root)
	}
	l.diags = withoutMissing(l.diags)
	if o.RootOnly || l.diags.HasErrors() {
		return tree, l.diags
	}
	var tested diag.List
	for _, t := range tree.Trees()[1:] {
		tested = tested.With(validateProviders(t, o.Reading))
	}
	return tree, l.diags.With(validateProviders(tree, o.Reading)).With(tested.Once())
}

// tree reads the module in a directory and all that it calls.
func (l *loader) tree(dir string) *Tree {
	root := *l.dir(dir, nil)
	root.Children = map[string]*Module{}
	l.children(&root, newEarlyScope(&root, nil, l.opts))
	return &Tree{Root: &root, Sources: l.sources}
}

// withoutMissing leaves out that modules are not installed when there is something
// else to mend first: installing would have failed on it.
func withoutMissing(l diag.List) diag.List {
	missing := func(d diag.Diag) bool { return d.Summary == summaryNotInstalled }
	others := slices.DeleteFunc(slices.Clone(l), missing)
	if others.HasErrors() {
		return others
	}
	return l
}

// Empty says whether no configuration file was read at all.
func (t *Tree) Empty() bool { return len(t.Sources) == 0 }

// Module finds the module at path; nil when there is none.
func (t *Tree) Module(path addr.Module) *Module { return t.Root.Descendant(path) }

// Modules are all modules, parents before children, siblings by name.
func (t *Tree) Modules() []*Module {
	var all []*Module
	var visit func(*Module)
	visit = func(m *Module) {
		all = append(all, m)
		for _, name := range sortedKeys(m.Children) {
			visit(m.Children[name])
		}
	}
	visit(t.Root)
	return all
}

// LocalOnly resolves modules with a local path and no others.
func LocalOnly(_ addr.Module, call *ModuleCall, parentDir string) (string, diag.List) {
	if IsLocalSource(call.Source) {
		return path.Join(parentDir, slashed(call.Source)), nil
	}
	return "", notInstalled(call)
}

type loader struct {
	fs      FS
	opts    LoadOptions
	kinds   *dispatch
	sources map[string][]byte
	// dirs holds what each directory declares; modules called several times
	// share it.
	dirs  map[string]*Module
	diags diag.List
}

// dir reads the declarations of a directory, once: of the root module or of the
// one that call calls.
func (l *loader) dir(dir string, call *ModuleCall) *Module {
	if m, ok := l.dirs[dir]; ok {
		return m
	}
	entries, err := l.fs.ReadDir(dir)
	if err != nil {
		l.diags = l.diags.Append(unreadable(dir, err, call))
	}
	isRoot := call == nil
	d := &decoder{reading: l.opts.Reading, root: isRoot, kinds: l.kinds}
	names := moduleFiles(entries, l.opts.Reading.TofuFiles, isRoot && l.opts.Query)
	decls := make([]*declared, 0, len(names))
	for _, name := range names {
		decls = append(decls, d.file(l, path.Join(dir, name), name))
	}
	m := assemble(d, dir, decls)
	l.dirs[dir] = m
	l.diags = l.diags.With(d.diags)
	return m
}

func unreadable(dir string, err error, call *ModuleCall) diag.Diag {
	d := diag.Err("Unreadable module directory", "The directory "+dir+" cannot be read: "+err.Error()+".")
	if errors.Is(err, fs.ErrNotExist) {
		d.Detail = "The directory " + dir + " does not exist."
	}
	if call != nil {
		d = d.At(call.SourceRange)
	}
	return d
}

// children loads the modules that m calls.
func (l *loader) children(m *Module, scope *earlyScope) {
	m.Calls = scope.resolveCalls(l, m)
	if l.opts.RootOnly {
		return
	}
	for _, name := range sortedKeys(m.Calls) {
		call := m.Calls[name]
		if call.Source == "" {
			continue
		}
		at := m.Path.Child(name)
		dir, diags := l.opts.Resolve(at, call, m.Dir)
		l.diags = l.diags.With(diags)
		if dir == "" || diags.HasErrors() {
			continue
		}
		dir = path.Clean(slashed(dir))
		if l.recursive(m, call, dir) {
			continue
		}
		child := *l.dir(dir, call)
		child.Path, child.Parent, child.Call = at, m, call
		child.Children = map[string]*Module{}
		m.Children[name] = &child
		inner := newEarlyScope(&child, scope, l.opts)
		l.diags = l.diags.With(inner.constants())
		l.children(&child, inner)
	}
}

// recursive refuses a module that calls itself, directly or not.
func (l *loader) recursive(m *Module, call *ModuleCall, dir string) bool {
	for a := m; a != nil; a = a.Parent {
		if a.Dir == dir {
			l.diags = l.diags.Append(diag.Err("Recursive module call",
				"The module in "+dir+" calls itself through this block, so the configuration would have no end. Move what both need into a module of its own.").At(call.Range))
			return true
		}
	}
	return false
}

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }

// Descendant is the module below m at a path relative to it; nil when there is
// none.
func (m *Module) Descendant(path addr.Module) *Module {
	for _, name := range path.Names() {
		if m = m.Children[name]; m == nil {
			return nil
		}
	}
	return m
}
