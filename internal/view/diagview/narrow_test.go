package diagview_test

import (
	"testing"

	"github.com/plumb-iac/plumb/diag"
	"github.com/plumb-iac/plumb/internal/view"
	"github.com/plumb-iac/plumb/internal/view/diagview"
)

const narrow = `╷
│ Error: Invalid value
│ 
│   on main.tf line 2, in resource "x" "y":
│    2:   a = upper("${var.name} and more ␛[2J", 
│       "second argument", 漢字)
│     ├────────────────
│     │ var.name is "a value of so many words 
│     │ that it takes more"
│ 
│ What can be done:
│ 
│   * choose another name, for example a shorter
│     one
│   * see
│     https://example.com/a/long/way/to/the/very/end/of/it
╵
`

// Within a terminal that is narrow, nothing but what cannot be broken crosses the
// edge of the box.
func TestNarrowBox(t *testing.T) {
	src := "resource \"x\" \"y\" {\n  a = upper(\"${var.name} and more \x1b[2J\", \"second argument\", 漢字)\n}\n"
	d := diag.Err("Invalid value", "What can be done:\n\n  * choose another name, for example a shorter one\n  * see https://example.com/a/long/way/to/the/very/end/of/it").At(at("main.tf", 2, 7, 31, 36))
	d.Values = []diag.ValueNote{{Traversal: "var.name", Statement: `is "a value of so many words that it takes more"`}}
	got := diagview.One(d, diagview.Options{Style: view.Style{Width: 48}, Source: func(string) []byte { return []byte(src) }})
	if got != narrow {
		t.Errorf("got\n%s", got)
	}
}
