package planview_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/plumb-iac/plumb/internal/view"
	"github.com/plumb-iac/plumb/internal/view/planview"
	"github.com/plumb-iac/plumb/plan/planjson/plantest"
	"github.com/plumb-iac/plumb/test/golden"
	"golang.org/x/tools/txtar"
)

// Each story is a plan and, as the file "want", the text of it.
func TestStories(t *testing.T) {
	golden.Stories(t, "testdata/*.txtar", func(t *testing.T, a *txtar.Archive) string {
		d, err := plantest.Parse(a)
		if err != nil {
			t.Fatal(err)
		}
		var b strings.Builder
		if err := planview.Write(&b, d, planview.Options{}); err != nil {
			t.Fatal(err)
		}
		return b.String()
	})
}

// A program that was called by another name says that one wherever it says its own, and
// nothing else changes but where lines are broken.
func TestNamed(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	said := 0
	for _, file := range files {
		a, err := txtar.ParseFile(file)
		if err != nil {
			t.Fatal(err)
		}
		text := func(name string) string {
			d, err := plantest.Parse(a)
			if err != nil {
				t.Fatal(file, err)
			}
			var b strings.Builder
			if err := planview.Write(&b, d, planview.Options{Style: view.Style{Name: name}}); err != nil {
				t.Fatal(file, err)
			}
			return strings.Join(strings.Fields(b.String()), " ")
		}
		own := text("")
		said += strings.Count(own, "Plumb")
		if got, want := text("Terraform"), strings.ReplaceAll(own, "Plumb", "Terraform"); got != want {
			t.Errorf("%s:\n%s\nwant\n%s", file, got, want)
		}
	}
	if said < 20 {
		t.Errorf("the stories say the name %d times", said)
	}
}

// What is sensitive must not be shown, however it is wrapped.
func TestSecretsStaySecret(t *testing.T) {
	for _, after := range []string{
		`{"free": {"!": "hush"}}`, `{"free": {"a": [{"!": "hush"}]}}`, `{"list": [{"!": "hush"}]}`,
		`{"token": "hush"}`, `{"tags": {"k": {"!": "hush"}}}`, `{"!": {"name": "hush"}}`, `{"item": [{"!": {"k": "hush"}}]}`,
		`{"free": {"!": "[\"hush\"]"}}`, `{"free": {"!": "hush\nhush"}}`,
	} {
		a := txtar.Parse([]byte("-- schema.json --\n" + secretSchema + "\n-- plan.json --\n" +
			`{"changes": [{"address": "t.a", "action": "update", "before": {"free": "x"}, "after": ` + after + `}],
			  "outputs": {"o": {"action": "create", "after": {"!": "hush"}, "sensitive": true}}}`))
		d, err := plantest.Parse(a)
		if err != nil {
			t.Fatal(after, err)
		}
		var b strings.Builder
		_ = planview.Write(&b, d, planview.Options{Style: view.Style{Color: true}})
		if strings.Contains(b.String(), "hush") {
			t.Errorf("%s is shown:\n%s", after, b.String())
		}
	}
}

const secretSchema = `{"attributes": {"name": {}, "free": {"type": "dynamic"}, "token": {"flags": ["sensitive"]},
 "list": {"type": ["list", "string"]}, "tags": {"type": ["map", "string"]}},
 "blocks": {"item": {"nesting": "list", "attributes": {"k": {}}}}}`
