package funcs

import (
	"regexp"
	"strings"

	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/function"
)

var texts = map[string]function.Function{
	"endswith":    test("str", "suffix", strings.HasSuffix),
	"replace":     replace,
	"startswith":  startsWith,
	"strcontains": test("str", "substr", strings.Contains),
}

// test makes a function that compares two strings.
func test(first, second string, is func(a, b string) bool) function.Function {
	return function.New(&function.Spec{
		Params:       []function.Parameter{{Name: first, Type: cty.String}, {Name: second, Type: cty.String}},
		Type:         function.StaticReturnType(cty.Bool),
		RefineResult: notNull,
		Impl: func(args []cty.Value, _ cty.Type) (cty.Value, error) {
			return cty.BoolVal(is(args[0].AsString(), args[1].AsString())), nil
		},
	})
}

// startsWith also decides for an unknown string whose beginning is known.
var startsWith = function.New(&function.Spec{
	Params:       []function.Parameter{{Name: "str", Type: cty.String, AllowUnknown: true}, {Name: "prefix", Type: cty.String}},
	Type:         function.StaticReturnType(cty.Bool),
	RefineResult: notNull,
	Impl: func(args []cty.Value, _ cty.Type) (cty.Value, error) {
		prefix := args[1].AsString()
		if args[0].IsKnown() {
			return cty.BoolVal(strings.HasPrefix(args[0].AsString(), prefix)), nil
		}
		known := args[0].Range().StringPrefix()
		switch {
		case strings.HasPrefix(known, prefix):
			return cty.True, nil
		case len(known) < len(prefix) && !strings.HasPrefix(prefix, known), len(known) >= len(prefix):
			return cty.False, nil
		}
		return cty.UnknownVal(cty.Bool), nil
	},
})

// replace takes a pattern between slashes as a regular expression.
var replace = function.New(&function.Spec{
	Params: []function.Parameter{
		{Name: "str", Type: cty.String},
		{Name: "substr", Type: cty.String},
		{Name: "replace", Type: cty.String},
	},
	Type:         function.StaticReturnType(cty.String),
	RefineResult: notNull,
	Impl: func(args []cty.Value, _ cty.Type) (cty.Value, error) {
		str, old, to := args[0].AsString(), args[1].AsString(), args[2].AsString()
		if len(old) > 1 && old[0] == '/' && old[len(old)-1] == '/' {
			re, err := regexp.Compile(old[1 : len(old)-1])
			if err != nil {
				return cty.UnknownVal(cty.String), err
			}
			return cty.StringVal(re.ReplaceAllString(str, to)), nil
		}
		return cty.StringVal(strings.ReplaceAll(str, old, to)), nil
	},
})
