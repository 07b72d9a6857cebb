package verify

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/plumb-iac/plumb/diag"
	"github.com/plumb-iac/plumb/schema"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/convert"
	ctyjson "github.com/zclconf/go-cty/cty/json"
)

// parse reads a given argument: text for primitive types, JSON for others.
func parse(text string, t cty.Type) (cty.Value, error) {
	if t.IsPrimitiveType() {
		return convert.Convert(cty.StringVal(text), t)
	}
	implied, err := ctyjson.ImpliedType([]byte(text))
	if err != nil {
		return cty.NilVal, err
	}
	v, err := ctyjson.Unmarshal([]byte(text), implied)
	if err != nil || t == cty.DynamicPseudoType {
		return v, err
	}
	return convert.Convert(v, t)
}

func firstLine(s string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(s), "\n")
	return line
}

// fixed are the given arguments of a type as values of its schema.
func (x *examination) fixed(name string, b *schema.Block) (map[string]cty.Value, diag.List) {
	out := map[string]cty.Value{}
	var diags diag.List
	for _, arg := range slices.Sorted(maps.Keys(x.Given[name])) {
		t, err := cty.NilType, error(nil)
		if a := b.Attributes[arg]; a != nil {
			t = a.Type
		} else if n := b.Blocks[arg]; n != nil {
			t = n.Type()
		}
		if t == cty.NilType {
			err = fmt.Errorf("there is no such argument")
		} else {
			out[arg], err = parse(x.Given[name][arg], t)
		}
		if err != nil {
			diags = diags.Append(diag.Err("Invalid argument given", fmt.Sprintf("The value given for %s cannot be used: %s.", arg, err)).By(diag.Operator))
		}
	}
	return out, diags
}
