package lang

import (
	"fmt"
	"sort"

	"github.com/hashicorp/hcl/v2"
	"github.com/plumb-iac/plumb/diag"
	"github.com/plumb-iac/plumb/value"
	"github.com/zclconf/go-cty/cty"
)

// Causes says what a diagnostic is caused by. Unknown, sensitive and ephemeral
// values are noise in a note unless they are the cause.
type Causes struct{ Unknown, Sensitive, Ephemeral bool }

// Notes say what each reference in the expression is worth in s.
func (x *Expr) Notes(s *Scope, because Causes) []diag.ValueNote {
	if x == nil || s == nil {
		return nil
	}
	return notes(x.tree, s.ctx, because)
}

// Annotate gives d with the notes of x, and with the flags of its causes.
func (x *Expr) Annotate(d diag.Diag, s *Scope, because Causes) diag.Diag {
	d.Values = x.Notes(s, because)
	d.Unknown, d.Sensitive = because.Unknown, because.Sensitive
	return d
}

func notes(e hcl.Expression, ctx *hcl.EvalContext, because Causes) []diag.ValueNote {
	var out []diag.ValueNote
	seen := map[string]bool{}
	for _, t := range e.Variables() {
		v, t, ok := readable(t, ctx)
		if !ok {
			continue
		}
		text := TraversalText(t)
		if seen[text] {
			continue
		}
		seen[text] = true
		if s := statement(v, because); s != "" {
			out = append(out, diag.ValueNote{Traversal: text, Statement: s})
		}
	}
	sort.Slice(out, func(i, j int) bool { return out[i].Traversal < out[j].Traversal })
	return out
}

// readable finds the longest part of a traversal that has a value. A root name
// alone is no news.
func readable(t hcl.Traversal, ctx *hcl.EvalContext) (cty.Value, hcl.Traversal, bool) {
	for ; len(t) > 1; t = t[:len(t)-1] {
		if v, hd := t.TraverseAbs(ctx); !hd.HasErrors() {
			return v, t, true
		}
	}
	return cty.NilVal, nil, false
}

// statement says what a value is, "" when there is nothing to say.
func statement(v cty.Value, because Causes) string {
	switch kinds := value.TopMarks(v) & (value.Sensitive | value.Ephemeral); {
	case kinds&value.Sensitive != 0 && !because.Sensitive, kinds&value.Ephemeral != 0 && !because.Ephemeral && !because.Sensitive:
		return ""
	case kinds == value.Sensitive|value.Ephemeral:
		return "has an ephemeral, sensitive value"
	case kinds == value.Sensitive:
		return "has a sensitive value"
	case kinds == value.Ephemeral:
		return "has an ephemeral value"
	}
	v, _ = value.Peel(v)
	if v.IsKnown() {
		return "is " + Compact(v)
	}
	if v.Type() == cty.DynamicPseudoType {
		if because.Unknown {
			return "will be known only after apply"
		}
		return ""
	}
	if because.Unknown {
		return fmt.Sprintf("is a %s, known only after apply", v.Type().FriendlyName())
	}
	return "is a " + v.Type().FriendlyName()
}

// Compact describes a value in few words: `"a"`, `5`, `list of string with 2
// elements`, `object with 1 attribute "x"`.
func Compact(v value.V) string {
	switch kinds := value.TopMarks(v); {
	case kinds&value.Sensitive != 0:
		return "(sensitive value)"
	case kinds&value.Ephemeral != 0:
		return "(ephemeral value)"
	}
	v, _ = value.Peel(v)
	t := v.Type()
	switch {
	case v.IsNull():
		return "null"
	case !v.IsKnown():
		return "(not yet known)"
	case t == cty.Bool && v.True():
		return "true"
	case t == cty.Bool:
		return "false"
	case t == cty.Number:
		return v.AsBigFloat().Text('g', 10)
	case t == cty.String:
		return fmt.Sprintf("%q", v.AsString())
	case t.IsCollectionType() || t.IsTupleType():
		return counted(t.FriendlyName(), v.LengthInt())
	case t.IsObjectType():
		return attributes(t)
	}
	return t.FriendlyName()
}

func counted(name string, n int) string {
	switch n {
	case 0:
		return "empty " + name
	case 1:
		return name + " with 1 element"
	}
	return fmt.Sprintf("%s with %d elements", name, n)
}

func attributes(t cty.Type) string {
	atys := t.AttributeTypes()
	switch len(atys) {
	case 0:
		return "object with no attributes"
	case 1:
		for name := range atys {
			return fmt.Sprintf("object with 1 attribute %q", name)
		}
	}
	return fmt.Sprintf("object with %d attributes", len(atys))
}

// Annotate gives each diagnostic about x that has no notes yet its notes,
// chosen by what the diagnostic says it is caused by.
func Annotate(l diag.List, x *Expr, s *Scope) diag.List {
	for i := range l {
		if l[i].Values == nil {
			l[i].Values = x.Notes(s, Causes{Unknown: l[i].Unknown, Sensitive: l[i].Sensitive})
		}
	}
	return l
}
