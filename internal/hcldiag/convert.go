package hcldiag

import (
	"github.com/hashicorp/hcl/v2"
	"github.com/plumb-iac/plumb/diag"
)

// List is the diagnostics of the syntax library as plumb's.
func List(in hcl.Diagnostics) diag.List {
	if len(in) == 0 {
		return nil
	}
	out := make(diag.List, 0, len(in))
	for _, d := range in {
		out = append(out, One(d))
	}
	return out
}

// One is a single diagnostic of the syntax library as plumb's.
func One(d *hcl.Diagnostic) diag.Diag {
	out := diag.Diag{Severity: diag.Error, Summary: d.Summary, Detail: d.Detail}
	if d.Severity == hcl.DiagWarning {
		out.Severity = diag.Warning
	}
	out.Subject, out.Context = pointer(d.Subject), pointer(d.Context)
	return out
}

func pointer(r *hcl.Range) *diag.Range {
	if r == nil {
		return nil
	}
	out := RangeOf(*r)
	return &out
}

// RangeOf is a range of the syntax library as plumb's.
func RangeOf(r hcl.Range) diag.Range {
	return diag.Range{Filename: r.Filename, Start: pos(r.Start), End: pos(r.End)}
}

func pos(p hcl.Pos) diag.Pos { return diag.Pos{Line: p.Line, Column: p.Column, Byte: p.Byte} }
