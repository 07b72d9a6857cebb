package planview_test

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/plumb-iac/plumb/internal/view"
	"github.com/plumb-iac/plumb/internal/view/planview"
	"github.com/plumb-iac/plumb/plan/planjson/plantest"
	"golang.org/x/tools/txtar"
)

var update = flag.Bool("update", false, "rewrite the expected texts in testdata")

// Each story is a plan and, as the file "want", the text of it.
func TestStories(t *testing.T) {
	stories, _ := filepath.Glob("testdata/*.txtar")
	if len(stories) == 0 {
		t.Fatal("no stories")
	}
	for _, name := range stories {
		t.Run(strings.TrimSuffix(filepath.Base(name), ".txtar"), func(t *testing.T) { story(t, name) })
	}
}

func story(t *testing.T, name string) {
	a, err := txtar.ParseFile(name)
	if err != nil {
		t.Fatal(err)
	}
	d, err := plantest.Parse(a)
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	if err := planview.Write(&b, d, planview.Options{}); err != nil {
		t.Fatal(err)
	}
	last := &a.Files[len(a.Files)-1]
	if last.Name != "want" {
		a.Files = append(a.Files, txtar.File{Name: "want"})
		last = &a.Files[len(a.Files)-1]
	}
	if *update {
		last.Data = []byte(b.String())
		if err := os.WriteFile(name, txtar.Format(a), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if b.String() != string(last.Data) {
		t.Errorf("got\n%s", b.String())
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
