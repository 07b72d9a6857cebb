package lang

import (
	"encoding/json"

	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/function"
)

// Signature describes how a function is called, for machine-readable output.
type Signature struct {
	Description string      `json:"description,omitempty"`
	Summary     string      `json:"summary,omitempty"`
	Return      cty.Type    `json:"return_type"`
	Parameters  []Parameter `json:"parameters,omitempty"`
	Variadic    *Parameter  `json:"variadic_parameter,omitempty"`
}

// Parameter is one parameter of a signature.
type Parameter struct {
	Name        string   `json:"name,omitempty"`
	Description string   `json:"description,omitempty"`
	Nullable    bool     `json:"is_nullable,omitempty"`
	Type        cty.Type `json:"type"`
}

// SignatureOf reads a function's signature.
func SignatureOf(f function.Function) Signature {
	s := Signature{Description: f.Description(), Return: returnType(f)}
	for _, p := range f.Params() {
		s.Parameters = append(s.Parameters, parameter(p))
	}
	if v := f.VarParam(); v != nil {
		p := parameter(*v)
		s.Variadic = &p
	}
	return s
}

// JSON is the signature as JSON.
func (s Signature) JSON() ([]byte, error) { return json.Marshal(s) }

func parameter(p function.Parameter) Parameter {
	t := p.Type
	if !isPlainType(t) {
		t = cty.DynamicPseudoType
	}
	return Parameter{Name: p.Name, Description: p.Description, Nullable: p.AllowNull, Type: t}
}

// isPlainType says whether t can be written as JSON; types that only steer the
// decoding of arguments cannot.
func isPlainType(t cty.Type) bool {
	if t.IsCapsuleType() {
		return false
	}
	if t.IsCollectionType() {
		return isPlainType(t.ElementType())
	}
	return true
}

// returnType is the type a function returns when nothing is known of its
// arguments.
func returnType(f function.Function) cty.Type {
	params := f.Params()
	args := make([]cty.Type, 0, len(params))
	for _, p := range params {
		args = append(args, p.Type)
	}
	if v := f.VarParam(); v != nil {
		args = append(args, v.Type)
	}
	t, err := f.ReturnType(args)
	if err != nil || !isPlainType(t) {
		return cty.DynamicPseudoType
	}
	return t
}
