package lang

import (
	"github.com/hashicorp/hcl/v2"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/function"
)

// Scope says what names and functions are worth. It is immutable; a nil Scope
// has neither names nor functions.
type Scope struct{ ctx *hcl.EvalContext }

// NewScope makes a scope of root names ("var", "local", "data", "aws_x", …)
// and functions. It keeps both maps, so the caller must not change them.
func NewScope(vars map[string]cty.Value, funcs map[string]function.Function) *Scope {
	return &Scope{&hcl.EvalContext{Variables: vars, Functions: funcs}}
}

// Child is s with more or shadowed root names. It costs one small allocation,
// so that every instance of a resource can have its own.
func (s *Scope) Child(vars map[string]cty.Value) *Scope {
	ctx := s.context().NewChild()
	ctx.Variables = vars
	return &Scope{ctx}
}

// WithFunctions is s with more functions, such as those of providers.
func (s *Scope) WithFunctions(funcs map[string]function.Function) *Scope {
	ctx := s.context().NewChild()
	ctx.Functions = funcs
	return &Scope{ctx}
}

// Lookup finds what a root name is worth in s.
func (s *Scope) Lookup(root string) (cty.Value, bool) {
	for ctx := s.context(); ctx != nil; ctx = ctx.Parent() {
		if v, ok := ctx.Variables[root]; ok {
			return v, true
		}
	}
	return cty.NilVal, false
}

// Has says whether s gives root name a value.
func (s *Scope) Has(root string) bool {
	_, ok := s.Lookup(root)
	return ok
}

// Function finds a function in s.
func (s *Scope) Function(name string) (function.Function, bool) {
	for ctx := s.context(); ctx != nil; ctx = ctx.Parent() {
		if f, ok := ctx.Functions[name]; ok {
			return f, true
		}
	}
	return function.Function{}, false
}

func (s *Scope) context() *hcl.EvalContext {
	if s == nil {
		return &hcl.EvalContext{}
	}
	return s.ctx
}
