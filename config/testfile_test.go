package config

import (
	"fmt"
	"strings"
	"testing"

	"github.com/plumb-iac/plumb/internal/settings"
	"github.com/plumb-iac/plumb/test/golden"
	"golang.org/x/tools/txtar"
)

// Each story is a configuration with test files; its "want" has the diagnostics
// and an outline of the tests.
func TestTestFiles(t *testing.T) {
	golden.Stories(t, "testdata/tests/*.txtar", func(_ *testing.T, a *txtar.Archive) string {
		o := LoadOptions{Tests: true}
		words := strings.Fields(string(a.Comment))
		if len(words) > 0 && words[0] == "opentofu" {
			o.Reading = ReadingOf(settings.OpenTofu)
		}
		if len(words) > 1 {
			o.TestDir = words[1]
		}
		tree, diags := Load(golden.FS(a), ".", o)
		var b strings.Builder
		b.WriteString(outline(tree, diags))
		for _, f := range tree.Tests {
			outlineTests(&b, f)
		}
		return b.String()
	})
}

func outlineTests(b *strings.Builder, f *TestFile) {
	fmt.Fprintf(b, "file %s as %s parallel=%v\n", f.Name, f.Path().Key(), f.Parallel)
	outlineValues(b, "  ", f.Values)
	for _, name := range sortedKeys(f.Declared) {
		fmt.Fprintf(b, "  declares %s\n", name)
	}
	providers := map[string]string{}
	for key := range f.Providers {
		providers[key.String()] = "provider"
	}
	for key, m := range f.Mocks {
		text := fmt.Sprintf("mock during=%d", m.During)
		types := map[string]*MockType{}
		for k, one := range m.Types {
			types[k.Mode.Prefix()+k.Type] = one
		}
		for _, name := range sortedKeys(types) {
			text += fmt.Sprintf("\n    %s during=%d at %s", name, types[name].During, types[name].Range)
		}
		for _, o := range m.Overrides {
			text += fmt.Sprintf("\n    override %s during=%d", o.Target, o.During)
		}
		providers[key.String()] = text
	}
	for _, key := range sortedKeys(providers) {
		fmt.Fprintf(b, "  %s %s\n", key, providers[key])
	}
	outlineOverrides(b, "  ", f.Overrides)
	for _, r := range f.Runs {
		outlineRun(b, r)
	}
}

func outlineRun(b *strings.Builder, r *TestRun) {
	fmt.Fprintf(b, "  run %s plan=%v parallel=%v key=%q asserts=%d\n", r.Name, r.PlanOnly, r.Parallel, r.StateKey, len(r.Asserts))
	if o := r.Options; o.RefreshOnly || o.SkipRefresh || len(o.Targets)+len(o.Replace) > 0 {
		fmt.Fprintf(b, "    options %+v %v %v %v\n", o.RefreshOnly, o.SkipRefresh, o.Targets, o.Replace)
	}
	outlineValues(b, "    ", r.Values)
	for _, p := range r.Providers {
		fmt.Fprintf(b, "    provider %s = %s\n", p.Child, p.Parent)
	}
	for _, e := range r.ExpectFailures {
		text, _ := traversalText(e.Traversal)
		fmt.Fprintf(b, "    expects %s\n", text)
	}
	if r.Module != nil {
		fmt.Fprintf(b, "    module %s installed=%v\n", r.Module.Source, r.Tree != nil)
	}
	outlineOverrides(b, "    ", r.Overrides)
}

func outlineValues(b *strings.Builder, indent string, values map[string]*TestValue) {
	for _, name := range sortedKeys(values) {
		fmt.Fprintf(b, "%svalue %s at %s\n", indent, name, values[name].Range)
	}
}

func outlineOverrides(b *strings.Builder, indent string, list []*Override) {
	for _, o := range list {
		fmt.Fprintf(b, "%soverride %s module=%v during=%d values=%v\n", indent, o.Target, o.OfModule(), o.During, o.Values != nil)
	}
}
