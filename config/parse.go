package config

import (
	"fmt"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/hashicorp/hcl/v2/json"
)

// deepest is how many brackets may be open at one place. Parsers call themselves for
// each, and a stack that overflows ends the process: nothing recovers from that.
const deepest = 1000

// Parse parses a file in the syntax that its name says: JSON where that ends in
// .json, else the native one. It refuses what is nested too deeply to be parsed.
func Parse(name string, src []byte) (*hcl.File, hcl.Diagnostics) {
	if strings.HasSuffix(name, ".json") {
		return parseJSON(src, name)
	}
	return parseNative(src, name)
}

// parseNative and parseJSON parse a file that is not nested too deeply to be parsed.
func parseNative(src []byte, name string) (*hcl.File, hcl.Diagnostics) {
	if diags := TooDeep(src, name); diags.HasErrors() {
		return nothing(src), diags
	}
	return hclsyntax.ParseConfig(src, name, hcl.InitialPos)
}

func parseJSON(src []byte, name string) (*hcl.File, hcl.Diagnostics) {
	if at, deep := deepJSON(src); deep {
		return nothing(src), tooDeep(hcl.Range{Filename: name, Start: at, End: at})
	}
	return json.Parse(src, name)
}

// nothing is a file of which nothing is read.
func nothing(src []byte) *hcl.File { return &hcl.File{Body: hcl.EmptyBody(), Bytes: src} }

// TooDeep says that text in native syntax is nested too deeply to be parsed; it is
// empty when it is not.
func TooDeep(src []byte, name string) hcl.Diagnostics {
	if !maybeDeep(src) {
		return nil
	}
	tokens, _ := hclsyntax.LexConfig(src, name, hcl.InitialPos) // the parser tells what is wrong
	depth := 0
	for _, t := range tokens {
		switch t.Type {
		case hclsyntax.TokenOBrace, hclsyntax.TokenOBrack, hclsyntax.TokenOParen, hclsyntax.TokenTemplateInterp, hclsyntax.TokenTemplateControl:
			if depth++; depth > deepest {
				return tooDeep(t.Range)
			}
		case hclsyntax.TokenCBrace, hclsyntax.TokenCBrack, hclsyntax.TokenCParen, hclsyntax.TokenTemplateSeqEnd:
			depth = max(0, depth-1)
		}
	}
	return nil
}

// maybeDeep says whether there are enough brackets, be it in strings or comments, for
// a closer look to be worth the time.
func maybeDeep(src []byte) bool {
	depth := 0
	for _, c := range src {
		switch c {
		case '(', '[', '{':
			if depth++; depth > deepest {
				return true
			}
		case ')', ']', '}':
			depth = max(0, depth-1)
		}
	}
	return false
}

// deepJSON finds the first bracket that is nested too deeply.
func deepJSON(src []byte) (at hcl.Pos, deep bool) {
	depth, line, begin, quoted := 0, 1, 0, false
	for i := 0; i < len(src); i++ {
		switch c := src[i]; {
		case c == '\n':
			line, begin = line+1, i+1
		case quoted && c == '\\':
			i++
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == '[' || c == '{':
			if depth++; depth > deepest {
				return hcl.Pos{Line: line, Column: i - begin + 1, Byte: i}, true
			}
		case c == ']' || c == '}':
			depth = max(0, depth-1)
		}
	}
	return hcl.Pos{}, false
}

func tooDeep(at hcl.Range) hcl.Diagnostics {
	return hcl.Diagnostics{{
		Severity: hcl.DiagError, Summary: "Too deeply nested",
		Detail:  fmt.Sprintf("More than %d brackets are open at this place. What is nested so deeply was hardly written by hand: look into what generates it.", deepest),
		Subject: &at,
	}}
}
