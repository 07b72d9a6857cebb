package config

import (
	"strings"
	"testing"
	"testing/fstest"
)

// TestNesting loads what would overflow the stack of a parser, and what would not.
func TestNesting(t *testing.T) {
	const many = 20_000
	deep := strings.Repeat("[", many) + strings.Repeat("]", many)
	apart := strings.Repeat("[]", many)
	for _, c := range []struct {
		name, file, source string
		deep               bool
	}{
		{"lists", "main.tf", "locals {\n  a = " + deep + "\n}", true},
		{"parentheses", "main.tf", "locals {\n  a = " + strings.ReplaceAll(strings.ReplaceAll(deep, "[", "("), "]", ")") + "\n}", true},
		{"templates", "main.tf", "locals {\n  a = " + strings.Repeat(`"${`, many) + "\n}", true},
		{"blocks", "main.tf", strings.Repeat("a {\n", many), true},
		{"JSON", "main.tf.json", `{"locals": {"a": ` + deep + `}}`, true},
		{"in a string", "main.tf", "locals {\n  a = \"" + deep + "\"\n}", false},
		{"in a comment", "main.tf", "# " + deep, false},
		{"in a JSON string", "main.tf.json", `{"locals": {"a": "` + deep + `\""}}`, false},
		{"side by side", "main.tf", "locals {\n  a = \"" + apart + "\"\n}", false},
		{"deep enough", "main.tf", "locals {\n  a = " + strings.Repeat("[", 500) + strings.Repeat("]", 500) + "\n}", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, diags := Load(fstest.MapFS{c.file: &fstest.MapFile{Data: []byte(c.source)}}, ".", LoadOptions{})
			if got := diags.HasErrors() && diags.Errors()[0].Summary == "Too deeply nested"; got != c.deep {
				t.Errorf("too deep: %v, want %v (%v)", got, c.deep, diags)
			}
			OutlineOf([]byte(c.source), c.file).Around(len(c.source) / 2)
		})
	}
	if _, diags := ParseVarFile("x.tfvars", []byte("a = "+deep)); !diags.HasErrors() {
		t.Error("a variable file is not too deep")
	}
}
