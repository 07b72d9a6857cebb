package engine_test

import (
	"strings"
	"testing"
	"testing/fstest"

	"github.com/plumb-iac/plumb/config"
	"github.com/plumb-iac/plumb/diag"
	"github.com/plumb-iac/plumb/engine"
	"github.com/plumb-iac/plumb/plan"
	"github.com/plumb-iac/plumb/provider/fake"
)

// TestGeneratedSources looks up the text at which a provider's complaint points.
func TestGeneratedSources(t *testing.T) {
	const script = "resource fake_disk\n  id string computed\n  name string required\n"
	made, err := fake.New(script)
	if err != nil {
		t.Fatal(err)
	}
	run := func(text string) (*engine.Engine, *plan.Document, diag.List) {
		tree, diags := config.Load(memory{fstest.MapFS{"main.tf": &fstest.MapFile{Data: []byte(text)}}}, ".", config.LoadOptions{})
		if diags.HasErrors() {
			t.Fatal(diags)
		}
		e := engine.New(engine.Options{Config: tree, Providers: only{made}})
		t.Cleanup(func() { _ = e.Close() })
		doc, diags := e.Plan(t.Context(), engine.PlanOptions{GenerateConfig: true})
		return e, doc, diags
	}
	e, doc, diags := run("resource \"fake_disk\" \"a\" {\n  name = \"a\"\n}\n")
	if diags.HasErrors() {
		t.Fatal(diags)
	}
	if _, diags = e.Apply(t.Context(), doc, engine.ApplyOptions{Store: &store{}}); diags.HasErrors() {
		t.Fatal(diags)
	}
	if err := made.Rescript(script + "  on validate fail \"no\"\n"); err != nil {
		t.Fatal(err)
	}
	_, doc, diags = run("import {\n  to = fake_disk.b\n  id = \"a-1\"\n}\n")
	if len(diags) != 1 || diags[0].Subject == nil {
		t.Fatalf("diagnostics: %v", diags)
	}
	src := engine.GeneratedSources(doc)[diags[0].Subject.Filename]
	if !strings.Contains(string(src), `name = "a"`) {
		t.Errorf("%s has the source %q", diags[0].Subject.Filename, src)
	}
}
