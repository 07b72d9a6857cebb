package lang

import (
	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/plumb-iac/plumb/diag"
	"github.com/plumb-iac/plumb/internal/hcldiag"
)

// Diags are diagnostics of the syntax library as the engine's own, with notes
// on what the references in the failing expression are worth.
func Diags(hd hcl.Diagnostics) diag.List {
	if len(hd) == 0 {
		return nil
	}
	out := make(diag.List, 0, len(hd))
	for _, d := range hd {
		out = append(out, oneDiag(d))
	}
	return out
}

func oneDiag(d *hcl.Diagnostic) diag.Diag {
	out := hcldiag.One(d)
	if d.Expression == nil || d.EvalContext == nil {
		return out
	}
	out.Values = notes(d.Expression, d.EvalContext, Causes{})
	if extra, ok := hcl.DiagnosticExtra[hclsyntax.FunctionCallDiagExtra](d); ok {
		out.Call = callOf(extra.CalledFunctionName(), &Scope{ctx: d.EvalContext})
	}
	return out
}

func callOf(name string, s *Scope) *diag.Call {
	if name == "" {
		return nil
	}
	call := &diag.Call{Name: name}
	if f, ok := s.Function(name); ok {
		call.Signature, _ = SignatureOf(f).JSON()
	}
	return call
}
