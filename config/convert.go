package config

import (
	"errors"
	"fmt"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/plumb-iac/plumb/addr"
	"github.com/plumb-iac/plumb/diag"
	"github.com/zclconf/go-cty/cty"
)

// Diagnostics are hcl's diagnostics as plumb's. Values of references in a
// failing expression are not noted: that needs their marks.
func Diagnostics(in hcl.Diagnostics) diag.List {
	if len(in) == 0 {
		return nil
	}
	out := make(diag.List, 0, len(in))
	for _, d := range in {
		one := diag.Diag{Severity: diag.Error, Summary: d.Summary, Detail: d.Detail}
		if d.Severity == hcl.DiagWarning {
			one.Severity = diag.Warning
		}
		if d.Subject != nil {
			r := visible(RangeOf(*d.Subject))
			one.Subject = &r
		}
		if d.Context != nil {
			r := RangeOf(*d.Context)
			one.Context = &r
		}
		out = append(out, one)
	}
	return out
}

// visible widens an empty range by a character, so that there is something to
// point at.
func visible(r diag.Range) diag.Range {
	if r.Start.Byte == r.End.Byte {
		r.End.Column++
		r.End.Byte++
	}
	return r
}

// RangeOf is an hcl range as plumb's.
func RangeOf(r hcl.Range) diag.Range {
	return diag.Range{Filename: r.Filename, Start: pos(r.Start), End: pos(r.End)}
}

func pos(p hcl.Pos) diag.Pos { return diag.Pos{Line: p.Line, Column: p.Column, Byte: p.Byte} }

// place writes a range the way messages mention one: file:line,from-to.
func place(r diag.Range) string {
	s := fmt.Sprintf("%s:%d,%d-", r.Filename, r.Start.Line, r.Start.Column)
	if r.End.Line != r.Start.Line {
		s += fmt.Sprintf("%d,", r.End.Line)
	}
	return s + fmt.Sprint(r.End.Column)
}

// ErrorText writes a conversion error with the path inside the value where it
// happened: `[0].name: a number is required`.
func ErrorText(err error) string {
	var at cty.PathError
	if !errors.As(err, &at) || len(at.Path) == 0 {
		return err.Error()
	}
	var b strings.Builder
	for i, step := range at.Path {
		switch s := step.(type) {
		case cty.GetAttrStep:
			if i > 0 {
				b.WriteByte('.')
			}
			b.WriteString(s.Name)
		case cty.IndexStep:
			b.WriteString(indexText(s.Key))
		}
	}
	return b.String() + ": " + at.Error()
}

func indexText(key cty.Value) string {
	switch {
	case key.IsMarked() || !key.IsKnown() || key.IsNull():
		return "[...]"
	case key.Type() == cty.String:
		return "[" + addr.Quote(key.AsString()) + "]"
	case key.Type() == cty.Number:
		return "[" + key.AsBigFloat().Text('f', -1) + "]"
	}
	return "[...]"
}
