package encryption

import (
	"math/big"
	"reflect"

	"github.com/hashicorp/hcl/v2"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/convert"
)

// aliasArgument names what a key provider keeps, so that it may be renamed.
const aliasArgument = "encrypted_metadata_alias"

// parameter is an argument that a block may have.
type parameter struct {
	name     string
	required bool
}

func required(name string) parameter { return parameter{name, true} }

func optional(name string) parameter { return parameter{name, false} }

// arguments are the arguments of a key provider or a method. Its methods report
// what is wrong, once.
type arguments struct {
	b      *builder
	attrs  map[string]*hcl.Attribute
	at     hcl.Range
	before int
	// spoilt says that something is missing whose error was told before.
	spoilt bool
}

// arguments reads the bodies of a declaration.
func (b *builder) arguments(d *declaration, ps ...parameter) *arguments {
	a := &arguments{b: b, attrs: map[string]*hcl.Attribute{}, at: d.at, before: len(b.diags.Errors())}
	schema := &hcl.BodySchema{}
	for _, p := range ps {
		schema.Attributes = append(schema.Attributes, hcl.AttributeSchema{Name: p.name})
	}
	for _, body := range d.bodies {
		c, diags := body.Content(schema)
		b.hcl(diags)
		for n, attr := range c.Attributes {
			a.attrs[n] = attr
		}
	}
	for _, p := range ps {
		if p.required && a.attrs[p.name] == nil {
			b.err(d.at, "Missing required argument", `The argument "`+p.name+`" is required, but no definition was found.`)
		}
	}
	return a
}

// ok says that nothing was wrong since the arguments were read.
func (a *arguments) ok() bool { return !a.spoilt && len(a.b.diags.Errors()) == a.before }

// value is an argument converted to a type; false where it is not set, or null.
func (a *arguments) value(n string, t cty.Type) (cty.Value, bool) {
	attr := a.attrs[n]
	if attr == nil {
		return cty.NilVal, false
	}
	return a.b.value(attr, t)
}

// value evaluates an argument.
func (b *builder) value(attr *hcl.Attribute, t cty.Type) (cty.Value, bool) {
	ctx, ok := b.scope(attr.Expr)
	if !ok {
		return cty.NilVal, false
	}
	v, diags := attr.Expr.Value(ctx)
	if b.hcl(diags); diags.HasErrors() {
		return cty.NilVal, false
	}
	v, _ = v.UnmarkDeep() // a passphrase may be sensitive or ephemeral: here it is meant to be used
	v, err := convert.Convert(v, t)
	switch {
	case err != nil:
		b.err(attr.Expr.Range(), "Unsuitable value type", "Unsuitable value: "+err.Error())
		return cty.NilVal, false
	case !v.IsWhollyKnown():
		b.err(attr.Expr.Range(), "Dynamic value in static context", "The value is not known before everything else is, which encryption needs.")
		return cty.NilVal, false
	}
	return v, !v.IsNull()
}

// scope is what the expression refers to.
func (b *builder) scope(e hcl.Expression) (*hcl.EvalContext, bool) {
	var rest []hcl.Traversal
	found := map[string]map[string]cty.Value{}
	ok := true
	for _, at := range e.Variables() {
		if at.RootName() != "key_provider" {
			rest = append(rest, at)
			continue
		}
		n, known := b.reference(at)
		if ok = ok && known; !known {
			continue
		}
		if found[n.kind] == nil {
			found[n.kind] = map[string]cty.Value{}
		}
		found[n.kind][n.name] = cty.CapsuleVal(keyProvider, &n)
	}
	ctx, diags := b.options.Tree.EarlyContext(rest, b.options.Load)
	b.diags = b.diags.With(diags)
	if !ok || diags.HasErrors() {
		return nil, false
	}
	if len(found) > 0 {
		kinds := map[string]cty.Value{}
		for kind, names := range found {
			kinds[kind] = cty.ObjectVal(names)
		}
		ctx.Variables["key_provider"] = cty.ObjectVal(kinds)
	}
	return ctx, true
}

// keyProvider is the type of a reference to a key provider.
var keyProvider = cty.Capsule("key provider", reflect.TypeFor[name]())

// keys is the key provider that an argument refers to; nil for none.
func (a *arguments) keys(n string) *provider {
	v, set := a.value(n, cty.DynamicPseudoType)
	if !set {
		return nil
	}
	if v.Type() != keyProvider {
		a.b.err(a.attrs[n].Expr.Range(), "Expected key_provider value", "The argument refers to a key provider, as in key_provider.pbkdf2.main, and this is a "+v.Type().FriendlyName()+".")
		return nil
	}
	p := a.b.provider(*v.EncapsulatedValue().(*name))
	a.spoilt = a.spoilt || p == nil
	return p
}

func (a *arguments) text(n, otherwise string) string {
	if v, set := a.value(n, cty.String); set {
		return v.AsString()
	}
	return otherwise
}

func (a *arguments) number(n string, otherwise int) int {
	v, set := a.value(n, cty.Number)
	if !set {
		return otherwise
	}
	i, accuracy := v.AsBigFloat().Int64()
	if accuracy != big.Exact || int64(int(i)) != i {
		a.b.err(a.attrs[n].Expr.Range(), "Unsuitable value type", "Unsuitable value: value must be a whole number")
		return otherwise
	}
	return int(i)
}

// bytes is a list of numbers.
func (a *arguments) bytes(n string) []byte {
	v, set := a.value(n, cty.List(cty.Number))
	if !set {
		return nil
	}
	out := make([]byte, 0, v.LengthInt())
	for it := v.ElementIterator(); it.Next(); {
		_, x := it.Element()
		i, accuracy := int64(-1), big.Exact
		if !x.IsNull() {
			i, accuracy = x.AsBigFloat().Int64()
		}
		if accuracy != big.Exact || i < 0 || i > 255 {
			a.b.err(a.attrs[n].Expr.Range(), "Unsuitable value type", "Unsuitable value: value must be a whole number, between 0 and 255 inclusive")
			return nil
		}
		out = append(out, byte(i))
	}
	return out
}

// command is a program with its arguments.
func (a *arguments) command(n string) []string {
	v, set := a.value(n, cty.List(cty.String))
	if !set {
		if attr := a.attrs[n]; attr != nil && a.ok() {
			a.b.err(attr.Expr.Range(), "Unsuitable value type", "Unsuitable value: a command is needed")
		}
		return nil
	}
	var out []string
	for it := v.ElementIterator(); it.Next(); {
		_, x := it.Element()
		if x.IsNull() {
			a.b.err(a.attrs[n].Expr.Range(), "Unsuitable value type", "Unsuitable value: no part of a command may be null")
			return nil
		}
		out = append(out, x.AsString())
	}
	if len(out) == 0 || out[0] == "" {
		a.b.err(a.attrs[n].Expr.Range(), "Unsuitable value type", "Unsuitable value: a command has at least the name of a program")
		return nil
	}
	return out
}

// alias is the name under which a key provider keeps its data.
func (a *arguments) alias(otherwise string) string {
	if text := a.text(aliasArgument, ""); text != "" {
		return text
	}
	return otherwise
}

// truth is an argument that is true or false.
func (b *builder) truth(attr *hcl.Attribute) bool {
	v, set := b.value(attr, cty.Bool)
	return set && v.True()
}
