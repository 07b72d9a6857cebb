package config

import (
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/hashicorp/hcl/v2/json"
	"github.com/plumb-iac/plumb/addr"
	"github.com/plumb-iac/plumb/internal/hcldiag"
	"github.com/zclconf/go-cty/cty"
)

// reference is the expression that stands where a reference is expected. The JSON
// syntax writes it as a string, which is that expression and no template.
func (d *decoder) reference(e hcl.Expression) hcl.Expression {
	if !json.IsJSONExpression(e) || len(e.Variables()) > 0 {
		return e
	}
	v, _ := e.Value(nil)
	text, ok := stringOf(v)
	if !ok {
		return e
	}
	start := e.Range().Start
	start.Byte++
	start.Column++
	inner, diags := hclsyntax.ParseExpression([]byte(text), e.Range().Filename, start)
	d.hcl(diags)
	if diags.HasErrors() {
		return e
	}
	return inner
}

// traversal reads a static absolute reference, quoted or not.
func (d *decoder) traversal(e hcl.Expression) (hcl.Traversal, bool) {
	if t, ok := d.quoted(e, "references"); ok {
		return t, t != nil
	}
	t, diags := hcl.AbsTraversalForExpr(e)
	d.hcl(diags)
	return t, !diags.HasErrors()
}

// relative reads a reference relative to an object, quoted or not.
func (d *decoder) relative(e hcl.Expression) (hcl.Traversal, bool) {
	if t, ok := d.quoted(e, "references"); ok {
		return relativeTo(t), t != nil
	}
	t, diags := hcl.RelTraversalForExpr(e)
	d.hcl(diags)
	return t, !diags.HasErrors()
}

// relativeTo makes the root of an absolute traversal its first attribute.
func relativeTo(t hcl.Traversal) hcl.Traversal {
	if len(t) == 0 {
		return nil
	}
	root, ok := t[0].(hcl.TraverseRoot)
	if !ok {
		return t
	}
	out := hcl.Traversal{hcl.TraverseAttr{Name: root.Name, SrcRange: root.SrcRange}}
	return append(out, t[1:]...)
}

// quoted reads what ("references", "keywords") stands inside a quoted string of
// the native syntax, the form of the language's early versions. ok is false when e
// is no such string.
func (d *decoder) quoted(e hcl.Expression, what string) (t hcl.Traversal, ok bool) {
	tmpl, isTemplate := e.(*hclsyntax.TemplateExpr)
	if !isTemplate || !tmpl.IsStringLiteral() {
		return nil, false
	}
	v, diags := tmpl.Value(nil)
	if diags.HasErrors() {
		return nil, false
	}
	start := tmpl.Range().Start
	start.Column++
	start.Byte++
	t, diags = hclsyntax.ParseTraversalAbs([]byte(v.AsString()), e.Range().Filename, start)
	d.hcl(diags)
	if diags.HasErrors() {
		return nil, true
	}
	d.warn(e.Range(), "Quoted "+what+" are deprecated",
		"They are written without quotes. Versions of the language before 0.12 needed them, and a later one will refuse them; remove the quotes.")
	return t, true
}

// dependsOn reads a list of references.
func (d *decoder) dependsOn(c *hcl.BodyContent) []hcl.Traversal {
	a, ok := c.Attributes["depends_on"]
	if !ok {
		return nil
	}
	items, diags := hcl.ExprList(a.Expr)
	d.hcl(diags)
	out := make([]hcl.Traversal, 0, len(items))
	for _, item := range items {
		if t, ok := d.traversal(item); ok {
			out = append(out, t)
		}
	}
	return out
}

// traversalText writes a traversal as an address. ok is false when it has a
// step that no address has.
func traversalText(t hcl.Traversal) (text string, ok bool) {
	var b strings.Builder
	for i, step := range t {
		switch s := step.(type) {
		case hcl.TraverseRoot:
			b.WriteString(s.Name)
		case hcl.TraverseAttr:
			if i > 0 {
				b.WriteByte('.')
			}
			b.WriteString(s.Name)
		case hcl.TraverseIndex:
			key, ok := indexText(s.Key)
			if !ok {
				return "", false
			}
			b.WriteString(key)
		default:
			return "", false
		}
	}
	return b.String(), true
}

// indexText writes a known key as an index of an address.
func indexText(key cty.Value) (text string, ok bool) {
	switch {
	case key.IsNull() || !key.IsKnown():
		return "", false
	case key.Type() == cty.String:
		return "[" + addr.Quote(key.AsString()) + "]", true
	case key.Type() == cty.Number:
		return "[" + key.AsBigFloat().Text('f', -1) + "]", true
	}
	return "", false
}

// endpoint reads the address of a module, resource or an instance of one.
func (d *decoder) endpoint(a *hcl.Attribute) (MoveEndpoint, bool) {
	out := MoveEndpoint{Range: hcldiag.RangeOf(a.Expr.Range())}
	t, diags := hcl.AbsTraversalForExpr(a.Expr)
	d.hcl(diags)
	if diags.HasErrors() {
		return out, false
	}
	var ok bool
	out.Target, ok = d.target(t)
	return out, ok
}

// notTypes are words that begin a reference to something else than a resource.
var notTypes = map[string]bool{
	"var": true, "local": true, "path": true, "terraform": true, "self": true, "each": true,
	"count": true, "output": true, "provider": true, "lazy": true, "arg": true, "template": true,
	"run": true, "check": true, "action": true, "locals": true,
}

func (d *decoder) target(t hcl.Traversal) (addr.Target, bool) {
	if word := t.RootName(); notTypes[word] {
		d.err(t.SourceRange(), "Invalid address", "The word \""+word+"\" has a meaning of its own and cannot begin an address. If it is the name of a resource type, write resource."+word+" instead.")
		return addr.Target{}, false
	}
	text, ok := traversalText(t)
	if !ok {
		d.err(t.SourceRange(), "Invalid address", "An address consists of names and of instance keys that are constant strings or whole numbers.")
		return addr.Target{}, false
	}
	target, err := addr.ParseTarget(text)
	if err != nil {
		d.err(t.SourceRange(), "Invalid address", sentence(err.Error()))
		return addr.Target{}, false
	}
	return target, true
}

// sentence makes an error's text a sentence.
func sentence(s string) string {
	if s == "" {
		return s
	}
	s = strings.ToUpper(s[:1]) + s[1:]
	if last := s[len(s)-1]; last != '.' && last != '!' && last != '?' {
		s += "."
	}
	return s
}

const providerForm = "A provider configuration is written as its provider's local name, with a dot and the alias behind it where it has one."

// providerRef reads NAME, NAME.ALIAS or, where the alias has instances,
// NAME.ALIAS[KEY].
func (d *decoder) providerRef(e hcl.Expression) (ProviderRef, bool) {
	ref := ProviderRef{Range: hcldiag.RangeOf(e.Range())}
	base := hcl.UnwrapExpression(e)
	if key, ok := base.(*hclsyntax.ObjectConsKeyExpr); ok {
		base = key.Wrapped
	}
	if v, hd := base.Value(nil); !hd.HasErrors() && v.Type() != cty.String {
		d.err(e.Range(), "Invalid provider configuration reference", providerForm)
		return ref, false
	}
	base = d.reference(base)
	if ix, ok := base.(*hclsyntax.IndexExpr); ok {
		ref.Key, base = ix.Key, ix.Collection
	}
	t, ok := d.traversal(base)
	if !ok {
		return ref, false
	}
	if ix, isIndex := t[len(t)-1].(hcl.TraverseIndex); isIndex && len(t) == 3 && ref.Key == nil {
		ref.Key, t = hcl.StaticExpr(ix.Key, ix.SrcRange), t[:2]
	}
	ref.Name = t.RootName()
	switch alias := t[len(t)-1].(type) {
	case hcl.TraverseRoot:
		return ref, d.localName(ref.Name, t.SourceRange())
	case hcl.TraverseAttr:
		if len(t) == 2 {
			ref.Alias = alias.Name
			return ref, d.localName(ref.Name, t.SourceRange())
		}
	}
	d.err(t.SourceRange(), "Invalid provider configuration reference", providerForm)
	return ref, false
}

// localName checks a provider's local name.
func (d *decoder) localName(name string, at hcl.Range) bool {
	lower := strings.ToLower(name)
	switch {
	case !addr.ValidProviderPart(lower):
		d.err(at, "Invalid provider local name", "\""+name+"\" is not a valid local name for a provider: it consists of letters, digits and single dashes between them.")
		return false
	case lower != name:
		d.err(at, "Invalid provider local name", "Local names of providers are written in lower case: \""+lower+"\" instead of \""+name+"\".")
		return false
	}
	return true
}

// dotted writes the names that a reference begins with: var.a, aws_vpc.main.id.
func dotted(t hcl.Traversal) string {
	s := t.RootName()
	for _, step := range t[1:] {
		attr, ok := step.(hcl.TraverseAttr)
		if !ok {
			break
		}
		s += "." + attr.Name
	}
	return s
}
