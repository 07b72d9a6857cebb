package planview_test

import (
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
