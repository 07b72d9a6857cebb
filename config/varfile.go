package config

import (
	"bytes"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/hashicorp/hcl/v2/json"
	"github.com/plumb-iac/plumb/diag"
	"github.com/zclconf/go-cty/cty"
)

// VarValue is a variable's value in a variable file.
type VarValue struct {
	Value cty.Value
	Range diag.Range
}

// ParseVarFile reads a file that gives values to variables. A name that ends in
// .json, and a file of an unknown kind that begins with a brace, are JSON.
func ParseVarFile(name string, src []byte) (map[string]VarValue, diag.List) {
	file, diags := parseVars(name, src)
	if file == nil || file.Body == nil {
		return nil, Diagnostics(diags)
	}
	attrs, more := file.Body.JustAttributes()
	diags = append(diags, more...)
	values := make(map[string]VarValue, len(attrs))
	for _, key := range sortedKeys(attrs) {
		v, more := attrs[key].Expr.Value(nil)
		diags = append(diags, more...)
		if !more.HasErrors() {
			values[key] = VarValue{v, RangeOf(attrs[key].Range)}
		}
	}
	return values, Diagnostics(diags)
}

func parseVars(name string, src []byte) (*hcl.File, hcl.Diagnostics) {
	known := strings.HasSuffix(name, ".tfvars")
	if strings.HasSuffix(name, ".json") || !known && bytes.HasPrefix(bytes.TrimSpace(src), []byte("{")) {
		return json.Parse(src, name)
	}
	return hclsyntax.ParseConfig(src, name, hcl.InitialPos)
}

// AutoVarFile says whether a variable file is read without being asked for:
// terraform.tfvars, *.auto.tfvars and their JSON forms.
func AutoVarFile(name string) bool {
	if IgnoredFile(name) {
		return false
	}
	name = strings.TrimSuffix(name, ".json")
	return name == "terraform.tfvars" || strings.HasSuffix(name, ".auto.tfvars")
}

// SortVarFiles puts the names of automatic variable files into the order in
// which they are read, later ones winning.
func SortVarFiles(names []string) []string {
	rank := map[string]string{}
	for _, n := range names {
		switch {
		case n == "terraform.tfvars":
			rank["0"] = n
		case n == "terraform.tfvars.json":
			rank["1"] = n
		case AutoVarFile(n):
			rank["2"+n] = n
		}
	}
	out := make([]string, 0, len(rank))
	for _, r := range sortedKeys(rank) {
		out = append(out, rank[r])
	}
	return out
}

// ParseVarText reads a variable's value given as text, on the command line or
// in the environment: literally, or as an expression where the type asks for
// one.
func ParseVarText(v *Variable, text string) (cty.Value, diag.List) {
	if v == nil || v.Literal {
		return cty.StringVal(text), nil
	}
	e, diags := hclsyntax.ParseExpression([]byte(text), "<value for var."+v.Name+">", hcl.InitialPos)
	if diags.HasErrors() {
		return cty.DynamicVal, Diagnostics(diags)
	}
	val, diags := e.Value(nil)
	return val, Diagnostics(diags)
}
