package format

import (
	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/hashicorp/hcl/v2/hclwrite"
	"github.com/plumb-iac/plumb/config"
	"github.com/plumb-iac/plumb/diag"
)

// Source gives a file's content in the canonical style.
func Source(src []byte, filename string) ([]byte, diag.List) {
	if _, diags := hclsyntax.ParseConfig(src, filename, hcl.InitialPos); diags.HasErrors() {
		return nil, config.Diagnostics(diags)
	}
	f, diags := hclwrite.ParseConfig(src, filename, hcl.InitialPos)
	if diags.HasErrors() {
		return nil, config.Diagnostics(diags)
	}
	modernise(f.Body(), nil)
	return hclwrite.Format(f.Bytes()), nil
}

// modernise rewrites what the language once needed and no longer does.
func modernise(body *hclwrite.Body, blockTypes []string) {
	isVariable := len(blockTypes) == 1 && blockTypes[0] == "variable"
	for name, attr := range body.Attributes() {
		tokens := attr.Expr().BuildTokens(nil)
		var better hclwrite.Tokens
		if isVariable && name == "type" {
			better = typeTokens(tokens)
		} else {
			better = unwrap(tokens)
		}
		if len(better) != len(tokens) {
			body.SetAttributeRaw(name, better)
		}
	}
	for _, block := range body.Blocks() {
		block.SetLabels(block.Labels())
		modernise(block.Body(), append(blockTypes, block.Type()))
	}
}

// unwrap makes EXPR of "${EXPR}".
func unwrap(tokens hclwrite.Tokens) hclwrite.Tokens {
	n := len(tokens)
	if n < 5 || tokens[0].Type != hclsyntax.TokenOQuote || tokens[1].Type != hclsyntax.TokenTemplateInterp ||
		tokens[n-2].Type != hclsyntax.TokenTemplateSeqEnd || tokens[n-1].Type != hclsyntax.TokenCQuote {
		return tokens
	}
	inside := tokens[2 : n-2]
	depth, multiline := 1, false
	for _, t := range inside {
		switch t.Type {
		case hclsyntax.TokenTemplateInterp, hclsyntax.TokenTemplateControl:
			depth++
		case hclsyntax.TokenTemplateSeqEnd:
			if depth--; depth == 0 {
				return tokens
			}
		case hclsyntax.TokenNewline:
			multiline = true
		}
	}
	if !multiline {
		return inside
	}
	out := hclwrite.Tokens{{Type: hclsyntax.TokenOParen, Bytes: []byte("(")}}
	out = append(out, inside...)
	return append(out, &hclwrite.Token{Type: hclsyntax.TokenCParen, Bytes: []byte(")")})
}

// typeWords are what older type constraints mean.
var typeWords = map[string]string{
	`"string"`: "string", `"bool"`: "bool", `"number"`: "number", `"any"`: "any",
	`"list"`: "list(string)", `"map"`: "map(string)",
	"list": "list(any)", "map": "map(any)", "set": "set(any)",
}

func typeTokens(tokens hclwrite.Tokens) hclwrite.Tokens {
	word, known := typeWords[string(hclwrite.Format(tokens.Bytes()))]
	if !known {
		return tokens
	}
	file, diags := hclwrite.ParseConfig([]byte("t = "+word), "", hcl.InitialPos)
	if diags.HasErrors() {
		return tokens
	}
	return file.Body().GetAttribute("t").Expr().BuildTokens(nil)
}
