package lang

import (
	"sort"
	"strings"

	"github.com/plumb-iac/plumb/internal/lang/funcs"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/function"
)

// FuncOptions are what functions depend on besides their arguments.
type FuncOptions = funcs.Options

// Files is the file system as functions see it.
type Files = funcs.Files

// Functions are all functions of the language by name, each also as
// core::NAME.
func Functions(o FuncOptions) map[string]function.Function { return funcs.Table(o) }

// NamedSignature is a function with its signature.
type NamedSignature struct {
	Name string
	Signature
}

// Signatures are the signatures of the functions in a table, by name. The
// removed functions, which only explain themselves, are left out.
func Signatures(table map[string]function.Function) []NamedSignature {
	var out []NamedSignature
	for name, f := range table {
		switch short := strings.TrimPrefix(name, "core::"); short {
		case "list", "map":
		case "templatestring":
			s := SignatureOf(f)
			if !isPlainType(f.Params()[0].Type) {
				// The template is looked at before it is evaluated, which the
				// declared type of the parameter only serves to ask for.
				s.Parameters[0].Type, s.Return = cty.String, cty.String
			}
			out = append(out, NamedSignature{name, s})
		default:
			out = append(out, NamedSignature{name, SignatureOf(f)})
		}
	}
	sort.Slice(out, func(i, j int) bool { return out[i].Name < out[j].Name })
	return out
}
