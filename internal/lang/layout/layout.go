package layout

import (
	"bytes"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/hashicorp/hcl/v2/hclwrite"
	"github.com/plumb-iac/plumb/config"
	"github.com/plumb-iac/plumb/diag"
	"github.com/plumb-iac/plumb/internal/lang"
)

// Format gives source in canonical form. Source with syntax errors is not
// changed.
func Format(src []byte, filename string) ([]byte, diag.List) {
	if hd := config.TooDeep(src, filename); hd.HasErrors() {
		return src, lang.Diags(hd)
	}
	if _, hd := hclsyntax.ParseConfig(src, filename, hcl.InitialPos); hd.HasErrors() {
		return src, lang.Diags(hd)
	}
	f, hd := hclwrite.ParseConfig(src, filename, hcl.InitialPos)
	if hd.HasErrors() {
		return src, lang.Diags(hd)
	}
	body(f.Body(), "")
	return f.Bytes(), nil
}

// body rewrites the contents of a block of the given type.
func body(b *hclwrite.Body, block string) {
	for name, attr := range b.Attributes() {
		tokens := attr.Expr().BuildTokens(nil)
		if block == "variable" && name == "type" {
			b.SetAttributeRaw(name, typeTokens(tokens))
			continue
		}
		b.SetAttributeRaw(name, unwrap(tokens))
	}
	for _, inner := range b.Blocks() {
		inner.SetLabels(inner.Labels())
		body(inner.Body(), inner.Type())
	}
}

// typeTokens rewrites types as they were written before types had a syntax.
func typeTokens(tokens hclwrite.Tokens) hclwrite.Tokens {
	switch {
	case len(tokens) == 1 && tokens[0].Type == hclsyntax.TokenIdent:
		switch word := string(tokens[0].Bytes); word {
		case "list", "map", "set":
			return typeCall(word, "any")
		}
	case len(tokens) == 3 && tokens[0].Type == hclsyntax.TokenOQuote && tokens[1].Type == hclsyntax.TokenQuotedLit:
		switch word := string(tokens[1].Bytes); word {
		case "string":
			return hclwrite.Tokens{ident(word)}
		case "list", "map":
			return typeCall(word, "string")
		}
	}
	return unwrap(tokens)
}

func typeCall(kind, element string) hclwrite.Tokens {
	return hclwrite.Tokens{
		ident(kind),
		{Type: hclsyntax.TokenOParen, Bytes: []byte("(")},
		ident(element),
		{Type: hclsyntax.TokenCParen, Bytes: []byte(")")},
	}
}

func ident(word string) *hclwrite.Token {
	return &hclwrite.Token{Type: hclsyntax.TokenIdent, Bytes: []byte(word)}
}

// unwrap takes an expression out of a string that consists of it alone:
// "${x}" becomes x.
func unwrap(tokens hclwrite.Tokens) hclwrite.Tokens {
	n := len(tokens)
	if n < 5 || tokens[0].Type != hclsyntax.TokenOQuote || tokens[n-1].Type != hclsyntax.TokenCQuote ||
		!is(tokens[1], hclsyntax.TokenTemplateInterp, "${") || !is(tokens[n-2], hclsyntax.TokenTemplateSeqEnd, "}") {
		return tokens
	}
	inside := tokens[2 : n-2]
	multiline, whole := survey(inside)
	if !whole {
		return tokens
	}
	inside = trim(inside)
	if len(inside) == 0 {
		return tokens
	}
	if multiline {
		// A newline ends an argument unless something is open.
		out := hclwrite.Tokens{{Type: hclsyntax.TokenOParen, Bytes: []byte("(")}}
		out = append(out, inside...)
		return append(out, &hclwrite.Token{Type: hclsyntax.TokenCParen, Bytes: []byte(")")})
	}
	return inside
}

func is(t *hclwrite.Token, typ hclsyntax.TokenType, text string) bool {
	return t.Type == typ && string(t.Bytes) == text
}

// survey says whether the tokens are one expression, rather than the end of one
// sequence and the start of another, and whether a newline stands in them
// outside of all brackets.
func survey(tokens hclwrite.Tokens) (multiline, whole bool) {
	quotes, braces := 0, 0
	for _, t := range trim(tokens) {
		switch t.Type {
		case hclsyntax.TokenOQuote, hclsyntax.TokenOHeredoc:
			quotes++
		case hclsyntax.TokenCQuote, hclsyntax.TokenCHeredoc:
			quotes--
			if quotes < 0 {
				return false, false
			}
		case hclsyntax.TokenTemplateInterp, hclsyntax.TokenTemplateControl:
			if quotes == 0 {
				return false, false
			}
		case hclsyntax.TokenOBrace, hclsyntax.TokenOBrack, hclsyntax.TokenOParen:
			braces++
		case hclsyntax.TokenCBrace, hclsyntax.TokenCBrack, hclsyntax.TokenCParen:
			braces--
		case hclsyntax.TokenTemplateSeqEnd:
			if quotes == 0 {
				return false, false
			}
		case hclsyntax.TokenNewline, hclsyntax.TokenComment:
			ends := bytes.HasSuffix(t.Bytes, []byte("\n")) // a comment to the end of its line has its newline
			multiline = multiline || ends && braces == 0 && quotes == 0
		}
	}
	return multiline, true
}

// trim takes newlines off both ends.
func trim(tokens hclwrite.Tokens) hclwrite.Tokens {
	for len(tokens) > 0 && tokens[0].Type == hclsyntax.TokenNewline {
		tokens = tokens[1:]
	}
	for len(tokens) > 0 && tokens[len(tokens)-1].Type == hclsyntax.TokenNewline {
		tokens = tokens[:len(tokens)-1]
	}
	return tokens
}
