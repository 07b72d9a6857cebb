package config

import (
	"bytes"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/plumb-iac/plumb/diag"
	"github.com/plumb-iac/plumb/internal/hcldiag"
	"github.com/zclconf/go-cty/cty"
)

// VarValue is a variable's value in a variable file.
type VarValue struct {
	Value cty.Value
	Range diag.Range
}

// ParseVarFile reads a file that gives values to variables.
func ParseVarFile(name string, src []byte) (map[string]VarValue, diag.List) {
	file, diags := VarFile(name, src)
	if file == nil || file.Body == nil {
		return nil, hcldiag.List(diags)
	}
	attrs, more := file.Body.JustAttributes()
	diags = append(diags, more...)
	values := make(map[string]VarValue, len(attrs))
	for _, key := range sortedKeys(attrs) {
		v, more := attrs[key].Expr.Value(nil)
		diags = append(diags, more...)
		if !more.HasErrors() {
			values[key] = VarValue{v, hcldiag.RangeOf(attrs[key].Range)}
		}
	}
	return values, hcldiag.List(diags)
}

// VarFile parses a file that gives values to variables. A name that ends in .json,
// and a file of an unknown kind that begins with a brace, are JSON.
func VarFile(name string, src []byte) (*hcl.File, hcl.Diagnostics) {
	if !strings.HasSuffix(name, ".tfvars") && bytes.HasPrefix(bytes.TrimSpace(src), []byte("{")) {
		return parseJSON(src, name)
	}
	return Parse(name, src)
}
