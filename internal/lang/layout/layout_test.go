package layout_test

import (
	"testing"

	"github.com/plumb-iac/plumb/internal/lang/layout"
)

// cases are source and canonical form, in the style of the incumbents.
var cases = map[string]struct{ src, want string }{
	"alignment":        {"a=1\nbb = 2\n", "a  = 1\nbb = 2\n"},
	"blank lines stay": {"x {\ny=1\n\n\n}\n", "x {\n  y = 1\n\n\n}\n"},
	"comments":         {"a = 1 # c\nbbb = 2 // d\n", "a   = 1 # c\nbbb = 2 // d\n"},
	"block comment":    {"/* block */ a=1\n", "/* block */ a = 1\n"},
	"object":           {"x = {\na=1\nbb=2\n\nccc=3\n}\n", "x = {\n  a  = 1\n  bb = 2\n\n  ccc = 3\n}\n"},
	"operators":        {"x = foo(1,2 , 3)\ny = a?b:c\nz = -1+2*3\nw = !x&&y||z\n", "x = foo(1, 2, 3)\ny = a ? b : c\nz = -1 + 2 * 3\nw = !x && y || z\n"},
	"for":              {"x = [for a in b:a]\ny = {for k,v in m:k=>v...}\n", "x = [for a in b : a]\ny = { for k, v in m : k => v... }\n"},
	"wrapped string":   {"x = \"${\"a\"}\"\ny = \"%{if true}a%{endif}\"\n", "x = \"a\"\ny = \"%{if true}a%{endif}\"\n"},
	"list":             {"x = [\n1,2,\n    3\n]\n", "x = [\n  1, 2,\n  3\n]\n"},
	"groups":           {"a = 1\n# one\nb = 2\n\nlonger = 3\n", "a = 1\n# one\nb = 2\n\nlonger = 3\n"},
	"traversals":       {"x = a[0]\ny = a . b\nz = a[ \"k\" ]\nq = a.*.b\n", "x = a[0]\ny = a.b\nz = a[\"k\"]\nq = a.*.b\n"},
	"empty":            {"", ""},
	"labels":           {"output o { value = \"${var.v}\" }\n", "output \"o\" { value = var.v }\n"},
	"spaced block":     {"resource   \"terraform_data\"   \"a\"{\ninput={a=1,b   =   2}\n  lifecycle{\ncreate_before_destroy=true\n    }\n  }\n", "resource \"terraform_data\" \"a\" {\n  input = { a = 1, b = 2 }\n  lifecycle {\n    create_before_destroy = true\n  }\n}\n"},
	"mixed locals":     {"locals{\n  x=1\n  longer_name=2\n  y = [1,2,\n3]\n # comment\n  z   = \"a${ upper( \"x\" ) }b\"\n}\n", "locals {\n  x           = 1\n  longer_name = 2\n  y = [1, 2,\n  3]\n  # comment\n  z = \"a${upper(\"x\")}b\"\n}\n"},
	"type":             {"variable \"v\" {type=string}\nvariable \"w\" { type    = \"string\" }\n", "variable \"v\" { type = string }\nvariable \"w\" { type = string }\n"},
	"old types":        {"variable \"a\" {\n type = \"list\"\n}\nvariable \"b\" {\n type = map\n}\n", "variable \"a\" {\n  type = list(string)\n}\nvariable \"b\" {\n  type = map(any)\n}\n"},
	"two sequences":    {"x = \"${a}${b}\"\n", "x = \"${a}${b}\"\n"},
	"text around":      {"x = \"${a} \"\n", "x = \"${a} \"\n"},
	"trim marker":      {"x = \"${~a}\"\n", "x = \"${~a}\"\n"},
	"nested template":  {"x = \"${f(\"${a}\")}\"\n", "x = f(\"${a}\")\n"},
	"several lines":    {"x = \"${\na +\n b\n}\"\n", "x = (a +\nb)\n"},
	"bracketed lines":  {"x = \"${f(\n a\n)}\"\n", "x = f(\n  a\n)\n"},
}

func TestFormat(t *testing.T) {
	for name, tt := range cases {
		t.Run(name, func(t *testing.T) {
			got, diags := layout.Format([]byte(tt.src), "main.tf")
			if diags.HasErrors() {
				t.Fatal(diags)
			}
			if string(got) != tt.want {
				t.Errorf("got:\n%s\nwant:\n%s", got, tt.want)
			}
			again, _ := layout.Format(got, "main.tf")
			if string(again) != string(got) {
				t.Errorf("LF1: formatting again gives:\n%s", again)
			}
		})
	}
}

func TestSyntaxErrorsChangeNothing(t *testing.T) {
	for _, src := range []string{"bad {", "b { a = 1 \n}\n", "x = <<EOT\n  keep\n EOT\nEOT\n"} {
		got, diags := layout.Format([]byte(src), "main.tf")
		if !diags.HasErrors() || string(got) != src {
			t.Errorf("%q gives %q with %v", src, got, diags)
		}
	}
}

func FuzzFormat(f *testing.F) {
	for _, c := range cases {
		f.Add(c.src)
	}
	f.Fuzz(func(t *testing.T, src string) {
		once, diags := layout.Format([]byte(src), "main.tf")
		if diags.HasErrors() {
			return
		}
		if _, diags := layout.Format(once, "main.tf"); diags.HasErrors() {
			t.Fatalf("%q becomes %q, which is not valid: %v", src, once, diags)
		}
	})
}
