package addr

import (
	"errors"
	"testing"
)

// TestMalformed holds the names of mistakes against what tools match.
func TestMalformed(t *testing.T) {
	for text, want := range map[string]Malformed{
		"":                           {Mistake: "Variable name required", At: 1},
		"1a.b":                       {Mistake: "Variable name required", At: 1},
		".a":                         {Mistake: "Variable name required", At: 1},
		"a b":                        {Mistake: "Invalid character", At: 2},
		"ä b":                        {Mistake: "Invalid character", At: 2},
		"terraform_data/a":           {Mistake: "Invalid character", At: 15},
		"terraform_data.a.":          {Mistake: "Attribute name required", At: 18},
		"terraform_data..a":          {Mistake: "Attribute name required", At: 16},
		"terraform_data.a[":          {Mistake: "Index value required", At: 18},
		"terraform_data.a[x]":        {Mistake: "Index value required", At: 18},
		"terraform_data.a[-1]":       {Mistake: "Index value required", At: 18},
		"terraform_data.a[0":         {Mistake: "Unclosed index brackets", At: 19},
		`terraform_data.a["x"`:       {Mistake: "Unclosed index brackets", At: 21},
		`terraform_data.a["x`:        {Mistake: "Unclosed index brackets", At: 18},
		`terraform_data.a["${x}"]`:   {Mistake: "Invalid string literal", At: 19},
		"terraform_data":             {},
		"terraform_data.a.b":         {},
		"terraform_data.a[0].b":      {},
		`module["x"]`:                {},
		`terraform_data.a["x"]["y"]`: {},
	} {
		_, err := ParseTarget(text)
		var got *Malformed
		if !errors.As(err, &got) {
			t.Errorf("%q: %v", text, err)
			continue
		}
		want.Text = text
		if *got != want {
			t.Errorf("%q: got %q at %d, want %q at %d", text, got.Mistake, got.At, want.Mistake, want.At)
		}
	}
}
