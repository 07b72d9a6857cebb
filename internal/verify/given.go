package verify

import (
	"strings"

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
