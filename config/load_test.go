package config

import (
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/plumb-iac/plumb/addr"
	"github.com/plumb-iac/plumb/diag"
	"github.com/plumb-iac/plumb/internal/hcldiag"
	"github.com/plumb-iac/plumb/internal/settings"
	"github.com/plumb-iac/plumb/test/golden"
	"github.com/zclconf/go-cty/cty"
	"golang.org/x/tools/txtar"
)

// Each story is a txtar archive: files of a configuration and, as the file
// "want", the diagnostics and an outline of what was loaded. The first line of
// its comment may name a dialect.
func TestStories(t *testing.T) {
	golden.Stories(t, "testdata/load/*.txtar", func(_ *testing.T, a *txtar.Archive) string {
		var o LoadOptions
		if strings.HasPrefix(string(a.Comment), "opentofu") {
			o.Reading = ReadingOf(settings.OpenTofu)
		}
		tree, diags := Load(golden.FS(a), ".", o)
		return outline(tree, diags.With(CheckVersions(tree, "1.16.0")))
	})
}

func outline(tree *Tree, diags diag.List) string {
	var b strings.Builder
	for _, d := range diags {
		at := "-"
		if d.Subject != nil {
			at = d.Subject.String()
		}
		fmt.Fprintf(&b, "%s %s: %s\n\t%s\n", d.Severity, at, d.Summary, strings.ReplaceAll(d.Detail, "\n", "\n\t"))
	}
	for _, m := range tree.Modules() {
		fmt.Fprintf(&b, "module %q in %s\n", m.Path.String(), m.Dir)
		outlineModule(&b, m)
	}
	return b.String()
}

func outlineModule(b *strings.Builder, m *Module) {
	for _, name := range sortedKeys(m.Variables) {
		v := m.Variables[name]
		fmt.Fprintf(b, "  variable %s %s", name, v.Type.FriendlyName())
		if v.Default != cty.NilVal {
			fmt.Fprintf(b, " = %#v", v.Default)
		}
		fmt.Fprintln(b)
	}
	for _, name := range sortedKeys(m.Locals) {
		fmt.Fprintf(b, "  local %s at %s\n", name, m.Locals[name].Range)
	}
	for _, name := range sortedKeys(m.Outputs) {
		fmt.Fprintf(b, "  output %s sensitive=%v\n", name, m.Outputs[name].Sensitive)
	}
	for _, key := range sortedProviders(m) {
		fmt.Fprintf(b, "  provider %s = %s\n", key, m.ProviderSource(key.Name))
	}
	resources := map[string]*Resource{}
	for a, r := range m.Resources {
		resources[a.String()] = r
	}
	for _, name := range sortedKeys(resources) {
		r := resources[name]
		owner, key, source := ProviderFor(m, r.Provider.ProviderKey)
		from := "nowhere"
		if owner != nil {
			from = fmt.Sprintf("%q", owner.Path.String())
		}
		fmt.Fprintf(b, "  %s by %s of %s from %s\n", name, key, source, from)
		attrs, _ := r.Config.JustAttributes()
		for _, a := range sortedKeys(attrs) {
			fmt.Fprintf(b, "    %s at %s\n", a, hcldiag.RangeOf(attrs[a].Range).String())
		}
	}
	for _, mv := range m.Moved {
		fmt.Fprintf(b, "  moved %s to %s\n", mv.From.Target, mv.To.Target)
	}
	for _, r := range m.Removed {
		fmt.Fprintf(b, "  removed %s destroy=%v\n", r.From.Target, r.Destroy)
	}
	for _, i := range m.Imports {
		fmt.Fprintf(b, "  import %s\n", i.Resource)
	}
}

// Every directory is read once, however many calls lead to it.
func TestSharedDirectory(t *testing.T) {
	var root strings.Builder
	for i := range 1000 {
		fmt.Fprintf(&root, "module \"m%d\" {\n  source = \"./m\"\n}\n", i)
	}
	var child strings.Builder
	for i := range 20 {
		fmt.Fprintf(&child, "resource \"terraform_data\" \"r%d\" {\n  input = %d\n}\n", i, i)
	}
	files := &counting{MapFS: fstest.MapFS{
		"main.tf":   {Data: []byte(root.String())},
		"m/main.tf": {Data: []byte(child.String())},
	}}
	start := time.Now()
	tree, diags := Load(files, ".", LoadOptions{})
	if diags.HasErrors() || len(tree.Modules()) != 1001 {
		t.Fatal(diags, len(tree.Modules()))
	}
	if files.reads != 2 {
		t.Errorf("%d files read", files.reads)
	}
	if d := time.Since(start); d > 5*time.Second {
		t.Errorf("took %v", d)
	}
}

type counting struct {
	fstest.MapFS
	reads int
}

func (c *counting) ReadFile(name string) ([]byte, error) {
	c.reads++
	return c.MapFS.ReadFile(name)
}

var _ FS = fstest.MapFS{}

func FuzzLoad(f *testing.F) {
	stories, _ := filepath.Glob("testdata/*/*.txtar")
	for _, name := range stories {
		a, err := txtar.ParseFile(name)
		if err != nil {
			f.Fatal(err)
		}
		for _, file := range a.Files {
			if file.Name != "want" {
				f.Add(file.Data, strings.HasSuffix(file.Name, ".json"), false)
			}
		}
	}
	f.Fuzz(func(t *testing.T, src []byte, asJSON, override bool) {
		name := "main.tf"
		if override {
			name = "override.tf"
		}
		if asJSON {
			name += ".json"
		}
		files := fstest.MapFS{name: {Data: src}}
		if override {
			files["main.tf"] = &fstest.MapFile{Data: src, Mode: fs.ModePerm}
		}
		for _, r := range []Reading{{}, {TofuFiles: true, RemovedForgets: true, Enabled: true, AnyVariableEarly: true, PreventDestroyExpression: true}} {
			tree, diags := Load(files, ".", LoadOptions{Reading: r})
			outline(tree, diags.With(CheckVersions(tree, "1.16.0")))
		}
		files["a.tftest.hcl"] = &fstest.MapFile{Data: src}
		files["b.tftest.json"], files["mocks/c.tfmock.hcl"] = &fstest.MapFile{Data: src}, &fstest.MapFile{Data: src}
		_, _ = Load(files, ".", LoadOptions{Tests: true, TestDir: "mocks"})
		_, _ = ParseVarFile("x.tfvars", src)
		_, _ = ParseVarFile("x", src)
		_, _ = ParseManifest(src)
	})
}

func TestVarFiles(t *testing.T) {
	for _, c := range []struct{ name, src, want string }{
		{"a.tfvars", "a = 1\nb = [true]\n", "a b"},
		{"a.tfvars.json", `{"a": "${x}", "b": null}`, "a b"},
		{"env.txt", `{"a": 1}`, "a"},
		{"a.tfvars", "a = var.b\n", ""},
		{"a.tfvars", "block {\n}\n", ""},
	} {
		values, diags := ParseVarFile(c.name, []byte(c.src))
		if got := strings.Join(sortedKeys(values), " "); got != c.want {
			t.Errorf("%s %q: got %q, %v", c.name, c.src, got, diags)
		}
		if (c.want == "") != diags.HasErrors() && c.name == "a.tfvars" {
			t.Errorf("%s %q: %v", c.name, c.src, diags)
		}
	}
}

func TestManifest(t *testing.T) {
	m := NewManifest([]ManifestRecord{{Key: "a", Source: "./a", Dir: "a"}, {Key: "", Dir: "."}})
	const want = `{"Modules":[{"Key":"","Source":"","Dir":"."},{"Key":"a","Source":"./a","Dir":"a"}]}`
	if got := string(m.Bytes()); got != want {
		t.Error(got)
	}
	back, err := ParseManifest(m.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	if dir, diags := back.Resolve(addr.ModuleOf("a"), &ModuleCall{Source: "./a/"}, "."); dir != "a" || diags.HasErrors() {
		t.Error(dir, diags)
	}
	for source, summary := range map[string]string{"./b": "Module source has changed", "x": "Module source has changed"} {
		if _, diags := back.Resolve(addr.ModuleOf("a"), &ModuleCall{Source: source}, "."); diags[0].Summary != summary {
			t.Error(diags)
		}
	}
	if _, diags := back.Resolve(addr.ModuleOf("c"), &ModuleCall{Source: "./a"}, "."); diags[0].Summary != "Module not installed" {
		t.Error(diags)
	}
}

func TestSources(t *testing.T) {
	for source, want := range map[string]string{
		"./m": "./m", "./m/": "./m", "../m": "../m", "./": "./.", "hashicorp/consul/aws": "registry.terraform.io/hashicorp/consul/aws",
		"example.com/a/b/c": "example.com/a/b/c", "git::https://x/y.git": "git::https://x/y.git", "github.com/a/b": "github.com/a/b",
		"a/b/c//sub": "registry.terraform.io/a/b/c//sub",
	} {
		if got := NormalSource(source, ""); got != want {
			t.Errorf("%s: %s, want %s", source, got, want)
		}
	}
}
