package diag

import (
	"sort"
	"strconv"
	"strings"

	"github.com/zclconf/go-cty/cty"
)

// Severity tells errors from warnings.
type Severity uint8

// The severities. Nothing of plumb's own is Unspecified: it is for what a
// provider says without telling how bad it is, which is shown and stops nothing.
const (
	Unspecified Severity = iota
	Error
	Warning
)

// String is the word of JSON output.
func (s Severity) String() string {
	switch s {
	case Error:
		return "error"
	case Warning:
		return "warning"
	}
	return "unknown"
}

// Blame says who has to act.
type Blame uint8

// The parties: the author of the configuration, a provider's developers, the
// person or system that runs plumb, or plumb itself.
const (
	Author Blame = iota
	Provider
	Operator
	Engine
)

// String is the party's name.
func (b Blame) String() string {
	return [...]string{"author", "provider", "operator", "engine"}[b]
}

// Pos is a place in a source file.
type Pos struct {
	// Line and Column count from 1, Column in Unicode characters; Byte counts
	// from 0.
	Line, Column, Byte int
}

// Range is a part of a source file; End is exclusive.
type Range struct {
	Filename   string
	Start, End Pos
}

// String is the range as messages mention a place: FILE:LINE,COLUMN-COLUMN, or where it
// ends on another line FILE:LINE,COLUMN-LINE,COLUMN.
func (r Range) String() string {
	end := strconv.Itoa(r.End.Column)
	if r.End.Line != r.Start.Line {
		end = strconv.Itoa(r.End.Line) + "," + end
	}
	return r.Filename + ":" + strconv.Itoa(r.Start.Line) + "," + strconv.Itoa(r.Start.Column) + "-" + end
}

// ValueNote says what a reference in the failing expression is worth: "var.x"
// and "is \"a\"". Sensitive values are named, not shown.
type ValueNote struct {
	Traversal string
	Statement string
}

// Call describes the function call that failed.
type Call struct {
	// Name is the function as it was called.
	Name string
	// Signature is the JSON form of the function's signature, where known.
	Signature []byte
}

// Comparison is an equality that does not hold.
type Comparison struct {
	// Left and Right are the sides as indented JSON.
	Left, Right string
	// Warning says why the sides can never be equal, where that is so.
	Warning string
}

// Code identifies a kind of diagnostic, for example "PC017". Empty where the
// kind has not been given one.
type Code string

// FoundByCheck is the code of what check blocks find: each run finds it anew.
const FoundByCheck Code = "check"

// Diag is one diagnostic.
type Diag struct {
	Code     Code
	Severity Severity
	// Summary is terse and fixed; Detail explains, with the values involved and
	// what to do.
	Summary, Detail string
	// Subject is what the diagnostic is about; Context is a wider part of the
	// source to show around it.
	Subject, Context *Range
	// Address is the object concerned ("with ADDRESS"), Attribute a path inside
	// it for when there is no source to point to.
	Address   string
	Attribute string
	// Path is Attribute as steps, for finding the source that set it.
	Path   cty.Path
	Blame  Blame
	Values []ValueNote
	Call   *Call
	// Unknown and Sensitive say that the problem is caused by such a value.
	Unknown, Sensitive bool
	// Checked is the address of the object whose own condition failed, where that
	// is what the diagnostic says.
	Checked string
	// Compared are the sides of an equality that should have been true.
	Compared *Comparison
	// Group collects similar warnings when it is not empty.
	Group string
}

// List is diagnostics in the order they were found. A nil List is empty.
type List []Diag

// HasErrors says whether any diagnostic is an error.
func (l List) HasErrors() bool {
	for i := range l {
		if l[i].Severity == Error {
			return true
		}
	}
	return false
}

// Append gives l with more diagnostics.
func (l List) Append(more ...Diag) List { return append(l, more...) }

// With gives l with another list behind it.
func (l List) With(o List) List { return append(l, o...) }

// Once leaves out what was said before: the same words about the same place and
// object.
func (l List) Once() List {
	type said struct {
		severity                 Severity
		summary, detail, address string
		at                       Range
	}
	seen := make(map[said]bool, len(l))
	var out List
	for _, d := range l {
		what := said{severity: d.Severity, summary: d.Summary, detail: d.Detail, address: d.Address}
		if d.Subject != nil {
			what.at = *d.Subject
		}
		if !seen[what] {
			out = append(out, d)
		}
		seen[what] = true
	}
	return out
}

// Errors are the errors alone.
func (l List) Errors() List { return l.where(func(d *Diag) bool { return d.Severity == Error }) }

// Warnings are the warnings alone.
func (l List) Warnings() List { return l.where(func(d *Diag) bool { return d.Severity == Warning }) }

// NoErrors is what is left without the errors.
func (l List) NoErrors() List { return l.where(func(d *Diag) bool { return d.Severity != Error }) }

// Without leaves out the diagnostics with a code.
func (l List) Without(c Code) List { return l.where(func(d *Diag) bool { return d.Code != c }) }

func (l List) where(keep func(*Diag) bool) List {
	var out List
	for i := range l {
		if keep(&l[i]) {
			out = append(out, l[i])
		}
	}
	return out
}

// Sorted is l in the order people see: warnings before errors, then without
// source before with source, then file, position.
func (l List) Sorted() List {
	out := append(List(nil), l...)
	sort.SliceStable(out, func(i, j int) bool { return less(&out[i], &out[j]) })
	return out
}

func less(a, b *Diag) bool {
	switch {
	case a.Severity != b.Severity:
		return a.Severity == Warning
	case (a.Subject == nil) != (b.Subject == nil):
		return a.Subject == nil
	case a.Subject == nil:
		return false
	case (a.Subject.Filename == "") != (b.Subject.Filename == ""):
		return b.Subject.Filename == "" // one without a file adds to those before it
	case a.Subject.Filename != b.Subject.Filename:
		return lessFile(a.Subject.Filename, b.Subject.Filename)
	}
	if x, y := a.Subject.Start.Byte, b.Subject.Start.Byte; x != y {
		return x < y
	}
	return lessAddress(a.Address, b.Address)
}

// lessAddress compares numbers by their value, so that x[2] comes before x[10].
func lessAddress(a, b string) bool {
	for a != "" && b != "" {
		x, y := leading(a), leading(b)
		switch m, n := strings.TrimLeft(a[:x], "0"), strings.TrimLeft(b[:y], "0"); {
		case x == 0 || y == 0:
			if a[0] != b[0] {
				return a[0] < b[0]
			}
			x, y = 1, 1
		case m != n:
			return len(m) < len(n) || len(m) == len(n) && m < n
		}
		a, b = a[x:], b[y:]
	}
	return len(a) < len(b)
}

// leading is how many digits a text begins with.
func leading(s string) int { return len(s) - len(strings.TrimLeft(s, "0123456789")) }

// lessFile puts shallower paths first.
func lessFile(a, b string) bool {
	if n, m := depth(a), depth(b); n != m {
		return n < m
	}
	return a < b
}

func depth(name string) int {
	n := 0
	for _, c := range name {
		if c == '/' || c == '\\' {
			n++
		}
	}
	return n
}

// Err is an error without a source position.
func Err(summary, detail string) Diag {
	return Diag{Severity: Error, Summary: summary, Detail: detail}
}

// Errs is a list of one error without a source position.
func Errs(summary, detail string) List { return List{Err(summary, detail)} }

// Warn is a warning without a source position.
func Warn(summary, detail string) Diag {
	return Diag{Severity: Warning, Summary: summary, Detail: detail}
}

// At gives d with subject r.
func (d Diag) At(r Range) Diag { d.Subject = &r; return d }

// For gives d with the object's address.
func (d Diag) For(address string) Diag { d.Address = address; return d }

// By gives d with the party to blame.
func (d Diag) By(b Blame) Diag { d.Blame = b; return d }
