package lang

import (
	"bytes"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/plumb-iac/plumb/diag"
	"github.com/plumb-iac/plumb/value"
	"github.com/zclconf/go-cty/cty"
)

// RangeOf is a source range of the syntax library as the engine's own.
func RangeOf(r hcl.Range) diag.Range {
	return diag.Range{Filename: r.Filename, Start: posOf(r.Start), End: posOf(r.End)}
}

func posOf(p hcl.Pos) diag.Pos { return diag.Pos{Line: p.Line, Column: p.Column, Byte: p.Byte} }

func rangePtr(r *hcl.Range) *diag.Range {
	if r == nil {
		return nil
	}
	out := RangeOf(*r)
	return &out
}

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
	out := diag.Diag{
		Severity: diag.Error,
		Summary:  d.Summary,
		Detail:   d.Detail,
		Subject:  rangePtr(d.Subject),
		Context:  rangePtr(d.Context),
	}
	if d.Severity == hcl.DiagWarning {
		out.Severity = diag.Warning
	}
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

// ErrorText is the text of an error of a conversion, with the path to the
// offending part in front when there is one.
func ErrorText(err error) string {
	pe, ok := err.(cty.PathError)
	if !ok || len(pe.Path) == 0 {
		return err.Error()
	}
	var b bytes.Buffer
	b.WriteString(value.PathString(pe.Path))
	b.WriteString(": ")
	b.WriteString(pe.Error())
	return b.String()
}
