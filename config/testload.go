package config

import (
	"errors"
	"io/fs"
	"path"
	"slices"
	"sort"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/plumb-iac/plumb/addr"
	"github.com/plumb-iac/plumb/diag"
)

// isTestFile says whether a name is that of a file of tests.
func isTestFile(name string, tofu bool) bool {
	name, isJSON := strings.CutSuffix(name, ".json")
	if !isJSON {
		name = strings.TrimSuffix(name, ".hcl")
	}
	return strings.HasSuffix(name, ".tftest") || tofu && strings.HasSuffix(name, ".tofutest")
}

// testShadowed says whether a .tofutest file stands in for the .tftest file name.
func testShadowed(name string, has map[string]bool) bool {
	for _, end := range []string{".hcl", ".json"} {
		if stem, ok := strings.CutSuffix(name, ".tftest"+end); ok {
			return has[stem+".tofutest"+end]
		}
	}
	return false
}

// tests reads the test files of the root module: those beside it and those in the
// directory of tests.
func (l *loader) tests(root *Module) []*TestFile {
	sub := path.Clean(slashed(l.opts.TestDir))
	if !fs.ValidPath(sub) {
		l.diags = l.diags.Append(diag.Err("Invalid testing directory", "The directory of tests is inside of the working directory and is named by its path from there; "+l.opts.TestDir+" is not.").By(diag.Operator))
		return nil
	}
	names := l.testNames(root.Dir, "")
	if sub != "." {
		names = append(names, l.testNames(path.Join(root.Dir, sub), l.opts.TestDir)...)
	}
	sort.Strings(names)
	names = slices.Compact(names)
	var out []*TestFile
	for _, name := range names {
		d := &decoder{reading: l.opts.Reading, root: true}
		f := d.testFile(l, root, name)
		l.diags = l.diags.With(d.diags)
		if f != nil {
			out = append(out, f)
		}
	}
	before := l.diags
	l.diags = nil
	for _, f := range out {
		l.testModules(root, f)
	}
	l.diags = before.With(l.diags.Once()) // several runs may have one module
	return out
}

// testNames are the paths of the test files in a directory. asked is the
// directory of tests as it was asked for, "" for the root module's.
func (l *loader) testNames(dir, asked string) []string {
	entries, err := l.fs.ReadDir(dir)
	switch {
	case err == nil || asked == "":
	case !errors.Is(err, fs.ErrNotExist):
		l.diags = l.diags.Append(diag.Err("Unreadable test directory", "The directory "+dir+" cannot be read: "+err.Error()+"."))
	case asked != DefaultTestDir:
		l.diags = l.diags.Append(diag.Warn("Test directory does not exist", "Requested test directory "+asked+" does not exist.").By(diag.Operator))
	}
	has := map[string]bool{}
	for _, e := range entries {
		if !e.IsDir() && !IgnoredFile(e.Name()) {
			has[e.Name()] = true
		}
	}
	tofu := l.opts.Reading.TofuFiles
	var out []string
	for name := range has {
		if isTestFile(name, tofu) && !(tofu && testShadowed(name, has)) {
			out = append(out, path.Join(dir, name))
		}
	}
	return out
}

// beside reads a file beside the modules and parses it.
func (d *decoder) beside(l *loader, name string) hcl.Body {
	src, err := l.fs.ReadFile(name)
	if err != nil {
		d.diags = d.diags.Append(diag.Err("Failed to read file", "The file "+name+" cannot be read: "+err.Error()+"."))
		return nil
	}
	l.sources[name] = src
	return d.parse(name, src)
}

// testModules loads the other modules that the runs of a file name. Each is the
// root of a tree of its own.
func (l *loader) testModules(root *Module, f *TestFile) {
	for _, r := range f.Runs {
		if r.Module == nil || l.opts.RootOnly {
			continue
		}
		more := newEarlyScope(root, nil, l.opts).resolveCall(r.Module)
		l.diags = l.diags.With(more)
		if r.Module.Source == "" || more.HasErrors() {
			continue
		}
		at := f.Path().Child(r.Name)
		dir, more := l.opts.Resolve(at, r.Module, root.Dir)
		l.diags = l.diags.With(more)
		if dir == "" || more.HasErrors() {
			continue
		}
		r.Tree = l.testTree(at, path.Clean(slashed(dir)), r.Module)
	}
}

// Path is the path below which the modules of the file's runs are installed:
// "test.FILE", with the file's directories and without its extension.
func (f *TestFile) Path() addr.Module {
	stem := f.Name
	for _, end := range []string{".tftest.hcl", ".tftest.json", ".tofutest.hcl", ".tofutest.json"} {
		stem = strings.TrimSuffix(stem, end)
	}
	names := append([]string{"test"}, strings.Split(strings.Trim(stem, "./"), "/")...)
	return addr.ModuleOf(names...)
}

func (l *loader) testTree(at addr.Module, dir string, call *ModuleCall) *Tree {
	o := l.opts
	o.Tests, o.Query = false, false
	o.Resolve = func(p addr.Module, call *ModuleCall, parentDir string) (string, diag.List) {
		return l.opts.Resolve(addr.ModuleOf(append(at.Names(), p.Names()...)...), call, parentDir)
	}
	if _, err := l.fs.ReadDir(dir); err != nil {
		l.diags = l.diags.Append(unreadable(dir, err, call))
		return nil
	}
	inner := &loader{fs: l.fs, opts: o, kinds: l.kinds, sources: l.sources, dirs: map[string]*Module{}}
	tree := inner.tree(dir)
	l.diags = l.diags.With(inner.diags)
	return tree
}
