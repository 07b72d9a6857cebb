package lang

import (
	"fmt"

	"github.com/hashicorp/hcl/v2"
	"github.com/plumb-iac/plumb/addr"
	"github.com/plumb-iac/plumb/diag"
	"github.com/plumb-iac/plumb/internal/hcldiag"
	"github.com/zclconf/go-cty/cty"
)

// shape is how a reference that starts with a certain word goes on.
type shape struct {
	kind RefKind
	// read reads the rest; it reports through the reader.
	read func(*refReader)
	// mode is the kind of resource for typed references.
	mode addr.Mode
	// needs says in words what must follow the word, for two-name references.
	needs string
}

// shapes are the words with a meaning of their own; everything else is the
// type of a managed resource.
var shapes = map[string]shape{
	"var":       {kind: RefVar, read: (*refReader).attribute},
	"local":     {kind: RefLocal, read: (*refReader).attribute},
	"each":      {kind: RefEach, read: (*refReader).attribute},
	"count":     {kind: RefCount, read: (*refReader).attribute},
	"path":      {kind: RefPath, read: (*refReader).attribute},
	"terraform": {kind: RefTerraform, read: (*refReader).attribute},
	"tofu":      {kind: RefTerraform, read: (*refReader).attribute},
	"self":      {kind: RefSelf, read: (*refReader).bare},
	"caller":    {kind: RefCaller, read: (*refReader).bare},
	"module":    {kind: RefModule, read: (*refReader).module},
	"resource":  {kind: RefResource, read: (*refReader).typed, mode: addr.Managed, needs: "the resource type and the resource name"},
	"data":      {kind: RefResource, read: (*refReader).typed, mode: addr.Data, needs: "the data source type and the resource name"},
	"ephemeral": {kind: RefResource, read: (*refReader).typed, mode: addr.Ephemeral, needs: "the ephemeral resource type and the resource name"},
	"list":      {kind: RefResource, read: (*refReader).typed, mode: addr.List, needs: "the list resource type and the list resource name"},
	"action":    {kind: RefAction, read: (*refReader).typed, needs: "the action type and the action name"},
	"template":  {read: (*refReader).reserved},
	"lazy":      {read: (*refReader).reserved},
	"arg":       {read: (*refReader).reserved},
}

// testShapes are the further words of test files.
var testShapes = map[string]shape{
	"output": {kind: RefOutput, read: (*refReader).attribute},
	"run":    {kind: RefRun, read: (*refReader).attribute},
	"check":  {kind: RefCheck, read: (*refReader).attribute},
	"plan":   {read: (*refReader).reserved},
	"state":  {read: (*refReader).reserved},
}

// ParseRef resolves a traversal that starts at a root name.
func ParseRef(t hcl.Traversal) (Ref, diag.List) { return parseRef(t, false) }

// ParseTestRef is [ParseRef] with the names that only test files have:
// output, run and check.
func ParseTestRef(t hcl.Traversal) (Ref, diag.List) { return parseRef(t, true) }

func parseRef(t hcl.Traversal, testing bool) (Ref, diag.List) {
	if t.IsRelative() || len(t) == 0 {
		return Ref{}, diag.Errs("Invalid reference", "A reference must start with the name of an object.")
	}
	r := &refReader{t: t, root: t.RootName()}
	s, known := shapes[r.root]
	if !known && testing {
		s, known = testShapes[r.root]
	}
	if !known {
		s = shape{kind: RefResource, read: (*refReader).resourceType, mode: addr.Managed}
	}
	r.shape = s
	r.ref = Ref{Kind: s.kind, Root: r.root, Full: hcldiag.RangeOf(t.SourceRange())}
	s.read(r)
	if len(r.diags) > 0 {
		r.ref.Kind = RefInvalid
		return r.ref, r.diags
	}
	return r.ref, nil
}

type refReader struct {
	t     hcl.Traversal
	root  string
	shape shape
	ref   Ref
	diags diag.List
}

// name reads step i as an attribute name.
func (r *refReader) name(i int) (string, bool) {
	if i >= len(r.t) {
		return "", false
	}
	a, ok := r.t[i].(hcl.TraverseAttr)
	return a.Name, ok
}

// end closes the reference: its first n steps name the object.
func (r *refReader) end(n int) {
	r.ref.Range = hcldiag.RangeOf(hcl.RangeBetween(r.t[0].SourceRange(), r.t[n-1].SourceRange()))
	r.ref.Remaining = r.t[n:]
}

func (r *refReader) fail(at hcl.Range, detail string) {
	r.diags = r.diags.Append(diag.Err("Invalid reference", detail).At(hcldiag.RangeOf(at)))
}

func (r *refReader) bare() { r.end(1) }

func (r *refReader) attribute() {
	name, ok := r.name(1)
	switch {
	case ok:
		r.ref.Name = name
		r.end(2)
	case len(r.t) < 2:
		r.fail(r.t.SourceRange(), fmt.Sprintf("The %q object cannot be accessed directly. Instead, access one of its attributes.", r.root))
	default:
		r.fail(r.t[1].SourceRange(), fmt.Sprintf("The %q object does not support this operation.", r.root))
	}
}

func (r *refReader) typed() {
	typ, ok1 := r.name(1)
	name, ok2 := r.name(2)
	if !ok1 || !ok2 {
		r.fail(r.t.SourceRange(), fmt.Sprintf("The %q object must be followed by two attribute names: %s.", r.root, r.shape.needs))
		return
	}
	r.ref.Resource = addr.Resource{Mode: r.shape.mode, Type: typ, Name: name}
	r.key(3)
}

func (r *refReader) resourceType() {
	name, ok := r.name(1)
	if !ok {
		r.fail(r.t.SourceRange(), "A reference to a resource type must be followed by at least one attribute access, specifying the resource name.")
		return
	}
	r.ref.Resource = addr.Resource{Mode: addr.Managed, Type: r.root, Name: name}
	r.key(2)
}

func (r *refReader) module() {
	name, ok := r.name(1)
	if !ok {
		r.attribute()
		return
	}
	r.ref.Name = name
	if !r.key(2) {
		return
	}
	n := len(r.t) - len(r.ref.Remaining)
	if out, ok := r.name(n); ok {
		r.ref.Output = out
		r.end(n + 1)
	}
}

// key reads a constant instance key at step i, if one stands there, and ends
// the reference.
func (r *refReader) key(i int) bool {
	if i < len(r.t) {
		if ix, ok := r.t[i].(hcl.TraverseIndex); ok {
			key, ok := instanceKey(ix.Key)
			if !ok {
				r.diags = r.diags.Append(diag.Err("Invalid index key",
					"An instance is selected by a whole number or by a string.").At(hcldiag.RangeOf(ix.SrcRange)))
				return false
			}
			r.ref.Key, r.ref.HasKey = key, true
			r.end(i + 1)
			return true
		}
	}
	r.end(i)
	return true
}

func (r *refReader) reserved() {
	r.diags = r.diags.Append(diag.Err("Reserved symbol name", fmt.Sprintf(
		"The name %q is kept for a later version of the language. If a resource type has this name, write it as resource.%s.", r.root, r.root),
	).At(hcldiag.RangeOf(r.t[0].SourceRange())))
}

// instanceKey is the instance key of a constant index.
func instanceKey(v cty.Value) (addr.InstanceKey, bool) {
	if v.IsNull() || !v.IsKnown() {
		return addr.NoKey, false
	}
	switch v.Type() {
	case cty.String:
		return addr.StringKey(v.AsString()), true
	case cty.Number:
		n, acc := v.AsBigFloat().Int64()
		if acc != 0 || n < 0 || int64(int(n)) != n {
			return addr.NoKey, false
		}
		return addr.IntKey(int(n)), true
	}
	return addr.NoKey, false
}

func keyText(v cty.Value) string {
	if k, ok := instanceKey(v); ok {
		s := k.String()
		return s[1 : len(s)-1]
	}
	if v.Type() == cty.Number && v.IsKnown() && !v.IsNull() {
		return v.AsBigFloat().Text('f', -1)
	}
	return "…"
}
