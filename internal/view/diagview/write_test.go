package diagview_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/plumb-iac/plumb/diag"
	"github.com/plumb-iac/plumb/internal/view"
	"github.com/plumb-iac/plumb/internal/view/diagview"
	"github.com/plumb-iac/plumb/plan/planjson/jsonout"
)

const mainTF = "resource \"x\" \"y\" {\n  a = var.b + 1\n  c = [\n    1,\n  ]\n}\n"

func source(name string) []byte {
	if name == "main.tf" {
		return []byte(mainTF)
	}
	return nil
}

func at(file string, line, column, from, to int) diag.Range {
	return diag.Range{Filename: file, Start: diag.Pos{Line: line, Column: column, Byte: from}, End: diag.Pos{Line: line, Column: column + to - from, Byte: to}}
}

var subject = at("main.tf", 2, 7, 23, 28)

func TestWrite(t *testing.T) {
	full := diag.Err("Invalid operand", "Unsuitable value for left operand: a number is required, and this sentence is long enough to wrap.\n\n  kept = \"as it is, however long the line may become in the end, without any break\"").At(subject).For("x.y")
	full.Values = []diag.ValueNote{{Traversal: "var.c", Statement: "is 1"}, {Traversal: "var.b", Statement: `is "z"`}, {Traversal: "var.c", Statement: "is 1"}}
	full.Call = &diag.Call{Name: "f", Signature: []byte(`{"parameters":[{"name":"a"}],"variadic_parameter":{"name":"rest"}}`)}
	several := diag.Err("Several lines", "").At(diag.Range{Filename: "main.tf", Start: diag.Pos{Line: 3, Column: 7, Byte: 39}, End: diag.Pos{Line: 5, Column: 4, Byte: 53}})
	similar := diag.List{
		diag.Err("An error", "Is last."), diag.Warn("Deprecated", "First.").At(at("main.tf", 2, 3, 19, 20)),
		diag.Warn("Deprecated", "Second.").At(at("main.tf", 3, 3, 35, 36)), diag.Warn("Deprecated", "Third.").At(at("z/main.tf", 3, 3, 35, 36)),
		diag.Warn("Check block assertion failed", "One.").At(subject), diag.Warn("Check block assertion failed", "Two.").At(subject),
	}
	for name, c := range map[string]struct {
		in   diag.List
		o    diagview.Options
		want string
	}{
		"full": {diag.List{full}, diagview.Options{Source: source}, `╷
│ Error: Invalid operand
│ 
│   with x.y,
│   on main.tf line 2, in resource "x" "y":
│    2:   a = var.b + 1
│     ├────────────────
│     │ while calling f(a, rest...)
│     │ var.b is "z"
│     │ var.c is 1
│ 
│ Unsuitable value for left operand: a number is required, and this sentence
│ is long enough to wrap.
│ 
│   kept = "as it is, however long the line may become in the end, without any break"
╵
`},
		"neither error nor warning": {diag.List{{Summary: "By the way", Detail: "Nothing is wrong."}}, diagview.Options{}, `╷
│ By the way
│ 
│ Nothing is wrong.
╵
`},
		"several lines": {diag.List{several}, diagview.Options{Source: source}, `╷
│ Error: Several lines
│ 
│   on main.tf line 3, in resource "x" "y":
│    3:   c = [
│    4:     1,
│    5:   ]
│ 
╵
`},
		"as wide as the incumbents": {diag.Errs("Unsupported attribute", "This object has no argument, nested block, or exported attribute named \"nope\"."), diagview.Options{Plain: true}, `
Error: Unsupported attribute

This object has no argument, nested block, or exported attribute named
"nope".
`},
		"no source": {diag.List{full}, diagview.Options{Plain: true}, `
Error: Invalid operand

  with x.y,
  on main.tf line 2:
  (source code not available)

Unsuitable value for left operand: a number is required, and this sentence is
long enough to wrap.

  kept = "as it is, however long the line may become in the end, without any break"
`},
		"similar": {similar, diagview.Options{}, `╷
│ Warning: Deprecated
│ 
│   on main.tf line 2:
│   (source code not available)
│ 
│ First.
│ 
│ (and 2 more similar warnings elsewhere)
╵
╷
│ Warning: Check block assertion failed
│ 
│   on main.tf line 2:
│   (source code not available)
│ 
│ One.
╵
╷
│ Warning: Check block assertion failed
│ 
│   on main.tf line 2:
│   (source code not available)
│ 
│ Two.
╵
╷
│ Error: An error
│ 
│ Is last.
╵
`},
		"compact": {similar[1:4], diagview.Options{Compact: true}, `
Warnings:

- Deprecated
  on main.tf line 2 (and 2 more)

To see the full warning notes, run Plumb without -compact-warnings.
`},
		"control characters": {diag.Errs("Bad \x1b[31m", "a\rb\x07\tc\r\n\x1b[2K\x1b[31mred\x1b[0m"), diagview.Options{}, "╷\n│ Error: Bad ␛[31m\n│ \n│ a\n│ b␇\tc\n│ red\n╵\n"},
		"address only":       {diag.List{diag.Err("Gone", "Text.").For("x.y")}, diagview.Options{}, "╷\n│ Error: Gone\n│ \n│   with x.y,\n│ \n│ Text.\n╵\n"},
	} {
		t.Run(name, func(t *testing.T) {
			var b strings.Builder
			if err := diagview.Write(&b, c.in, c.o); err != nil {
				t.Fatal(err)
			}
			if b.String() != c.want {
				t.Errorf("got\n%s", b.String())
			}
		})
	}
}

func TestColour(t *testing.T) {
	got := diagview.One(diag.Warn("W", ""), diagview.Options{Style: view.Style{Color: true}})
	if want := "\x1b[33m╷\x1b[0m\n\x1b[33m│\x1b[0m \x1b[1m\x1b[33mWarning: \x1b[0m\x1b[1mW\x1b[0m\n"; !strings.HasPrefix(got, want) {
		t.Errorf("%q", got)
	}
}

func TestJSON(t *testing.T) {
	d := diag.Err("S", "D").At(subject).For("x.y")
	d.Values = []diag.ValueNote{{Traversal: "var.b", Statement: "is 1"}}
	d.Call = &diag.Call{Name: "f", Signature: []byte(`{"description":"D","parameters":[{"name":"x","is_nullable":true,"type":["list","string"]}],"variadic_parameter":{"name":"rest","type":"number"},"return_type":"bool"}`)}
	var b bytes.Buffer
	w := jsonout.New(&b)
	diagview.WriteJSON(w, &d, diagview.QuotesOf(source))
	want := `{"severity":"error","summary":"S","detail":"D","address":"x.y","range":{"filename":"main.tf","start":{"line":2,"column":7,"byte":23},"end":{"line":2,"column":12,"byte":28}},` +
		`"snippet":{"context":"resource \"x\" \"y\"","code":"  a = var.b + 1","start_line":2,"highlight_start_offset":4,"highlight_end_offset":9,` +
		`"values":[{"traversal":"var.b","statement":"is 1"}],"function_call":{"called_as":"f","signature":{"name":"f","params":[{"name":"x","type":["list","string"]}],"variadic_param":{"name":"rest","type":"number"},"return_type":"bool"}}}}` + "\n"
	if b.String() != want || w.Err() != nil {
		t.Errorf("got  %swant %s%v", b.String(), want, w.Err())
	}
}

func TestValidate(t *testing.T) {
	var b strings.Builder
	if err := diagview.Validate(&b, nil, nil); err != nil || b.String() != "{\n  \"format_version\": \"1.0\",\n  \"valid\": true,\n  \"error_count\": 0,\n  \"warning_count\": 0,\n  \"diagnostics\": []\n}\n" {
		t.Error(b.String(), err)
	}
}

// Ranges that do not fit the source must not panic.
func TestWildRanges(t *testing.T) {
	for _, r := range []diag.Range{at("main.tf", 9, 9, 999, 9999), at("main.tf", 0, 0, -5, -9), at("main.tf", 1, 1, 30, 3)} {
		_ = diagview.One(diag.Err("S", "D").At(r), diagview.Options{Source: source})
	}
}
