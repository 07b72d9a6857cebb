package lang

import (
	"github.com/hashicorp/hcl/v2"
	"github.com/plumb-iac/plumb/diag"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/function"
)

// Scope says what names and functions are worth. It is immutable; a nil Scope
// has neither names nor functions.
type Scope struct {
	ctx *hcl.EvalContext
	// without are references and calls that lead nowhere, as was reported.
	without map[diag.Range]bool
}

// NewScope makes a scope of root names ("var", "local", "data", "aws_x", …)
// and functions. It keeps both maps, so the caller must not change them.
func NewScope(vars map[string]cty.Value, funcs map[string]function.Function) *Scope {
	return &Scope{ctx: &hcl.EvalContext{Variables: vars, Functions: funcs}}
}

// Child is s with more or shadowed root names. It costs one small allocation,
// so that every instance of a resource can have its own.
func (s *Scope) Child(vars map[string]cty.Value) *Scope {
	ctx := s.context().NewChild()
	ctx.Variables = vars
	return s.with(ctx)
}

// Without is s for expressions some of whose references ([Ref.Full]) or calls
// ([FuncRef.Range]) lead nowhere. An expression with one of them is worth an
// unknown value and makes no more errors: they were reported.
func (s *Scope) Without(refs map[diag.Range]bool) *Scope {
	if len(refs) == 0 {
		return s
	}
	return &Scope{s.context(), refs}
}

func (s *Scope) with(ctx *hcl.EvalContext) *Scope {
	if s == nil {
		return &Scope{ctx: ctx}
	}
	return &Scope{ctx, s.without}
}

// lacks says whether the expression has something that s is without.
func (s *Scope) lacks(x *Expr) bool {
	if s == nil || len(s.without) == 0 {
		return false
	}
	for i := range x.refs {
		if s.without[x.refs[i].Full] {
			return true
		}
	}
	for _, f := range x.calls {
		if s.without[f.Range] {
			return true
		}
	}
	return false
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
