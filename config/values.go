package config

import (
	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/ext/typeexpr"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/plumb-iac/plumb/internal/hcldiag"
	"github.com/plumb-iac/plumb/value"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/convert"
)

// TypeDefaults are the defaults of optional() attributes in a type constraint.
type TypeDefaults = typeexpr.Defaults

// stringOf is the text of a known, non-null, unmarked string.
func stringOf(v cty.Value) (string, bool) {
	if v == cty.NilVal || v.IsMarked() || !v.IsKnown() || v.IsNull() || v.Type() != cty.String {
		return "", false
	}
	return v.AsString(), true
}

// reservedVariables are the words that mean something else in module blocks.
var reservedVariables = map[string]bool{
	"source": true, "version": true, "providers": true, "count": true, "for_each": true,
	"lifecycle": true, "depends_on": true, "locals": true, "provider": true, "_": true, "ignore_nested_deprecations": true,
}

func (d *decoder) variable(b *hcl.Block, out *declared) {
	c := d.content(b.Body, schemaOf([]string{"description", "type", "default", "sensitive", "ephemeral", "nullable", "deprecated", "const"}, block("validation")))
	v := &Variable{Name: b.Labels[0], Type: cty.DynamicPseudoType, Literal: true, Nullable: true, Range: hcldiag.RangeOf(b.DefRange)}
	if !d.name(v.Name, b.LabelRanges[0], "Invalid variable name") {
		return
	}
	if reservedVariables[v.Name] {
		d.err(b.LabelRanges[0], "Invalid variable name", "The name \""+v.Name+"\" cannot be that of a variable: it has a meaning of its own in module blocks.")
		return
	}
	v.Description, v.DescriptionSet = d.text(c, "description")
	v.Sensitive, v.SensitiveSet = d.flag(c, "sensitive")
	v.Ephemeral, v.EphemeralSet = d.flag(c, "ephemeral")
	v.Deprecated, v.DeprecatedSet = d.deprecation(c, b)
	if nullable, set := d.flag(c, "nullable"); set {
		v.Nullable, v.NullableSet = nullable, true
	}
	if constant, set := d.flag(c, "const"); set {
		v.Const = &constant
		if constant && (v.Sensitive || v.Ephemeral) {
			d.err(c.Attributes["const"].NameRange, "Invalid const variable", "A variable that is known while the configuration is loaded cannot be sensitive or ephemeral.")
		}
	}
	if a, ok := c.Attributes["type"]; ok {
		v.TypeGiven = true
		v.Type, v.Defaults, v.Literal = d.variableType(a.Expr)
	}
	if a, ok := c.Attributes["default"]; ok {
		d.variableDefault(v, a)
	}
	for _, inner := range c.Blocks {
		v.Validations = append(v.Validations, d.validation(inner, v.Name))
	}
	out.variables = append(out.variables, v)
}

// deprecation reads a deprecated argument, which tells callers what to do.
func (d *decoder) deprecation(c *hcl.BodyContent, b *hcl.Block) (string, bool) {
	found := len(d.diags)
	text, set := d.text(c, "deprecated")
	if set && text == "" && !d.diags[found:].HasErrors() {
		d.err(b.LabelRanges[0], "Invalid `deprecated` value", "The text of deprecated is empty. It is shown to those who use this, and says what to use instead.")
	}
	return text, set
}

// variableType reads a type constraint. literal says that values given as
// text are strings of a primitive type.
func (d *decoder) variableType(e hcl.Expression) (ty cty.Type, defaults *TypeDefaults, literal bool) {
	if t, ok := e.(*hclsyntax.TemplateExpr); ok && t.IsStringLiteral() {
		d.quotedType(t)
		return cty.DynamicPseudoType, nil, false
	}
	switch hcl.ExprAsKeyword(e) {
	case "list":
		return cty.List(cty.DynamicPseudoType), nil, false
	case "map":
		return cty.Map(cty.DynamicPseudoType), nil, false
	}
	ty, defaults, diags := typeexpr.TypeConstraintWithDefaults(e)
	d.hcl(diags)
	if diags.HasErrors() {
		return cty.DynamicPseudoType, nil, false
	}
	return ty, defaults, ty.IsPrimitiveType()
}

func (d *decoder) quotedType(t *hclsyntax.TemplateExpr) {
	v, _ := t.Value(nil)
	word, _ := stringOf(v)
	instead := map[string]string{"string": "string", "list": "list(string)", "map": "map(string)"}[word]
	if instead == "" {
		d.err(t.Range(), "Invalid legacy variable type hint",
			"A type is written without quotes: string, number, bool, or a constructor such as list(string). Quotes belong to versions of the language before 0.12, and \""+word+"\" was none of its types.")
		return
	}
	d.err(t.Range(), "Invalid quoted type constraints",
		"A type is written without quotes: "+instead+". Quotes belong to versions of the language before 0.12.")
}

func (d *decoder) variableDefault(v *Variable, a *hcl.Attribute) {
	val, diags := a.Expr.Value(nil)
	d.hcl(diags)
	if diags.HasErrors() {
		v.Default = cty.DynamicVal
		return
	}
	v.Default, v.DefaultExpr = val, a.Expr
	d.fitDefault(v)
}

// fitDefault converts a variable's default to its type.
func (d *decoder) fitDefault(v *Variable) {
	if v.Default == cty.NilVal || !v.Default.IsKnown() {
		return
	}
	if v.Default.IsNull() && !v.Nullable && !d.override {
		d.err(v.DefaultExpr.Range(), "Invalid default value for variable", "The default cannot be null, as the variable has nullable = false.")
		v.Default = cty.DynamicVal
		return
	}
	val := v.Default
	if v.Defaults != nil && !val.IsNull() {
		val = v.Defaults.Apply(val)
	}
	val, err := convert.Convert(val, v.Type)
	if err != nil {
		d.err(v.DefaultExpr.Range(), "Invalid default value for variable", "The default does not fit the variable's type: "+value.ErrorText(err)+".")
		val = cty.UnknownVal(v.Type.WithoutOptionalAttributesDeep())
	}
	v.Default = val
}

// validation decodes a validation block, whose condition has to be about the
// variable.
func (d *decoder) validation(b *hcl.Block, name string) *Condition {
	cond := d.condition(b)
	if cond.Condition == nil {
		return cond
	}
	for _, t := range cond.Condition.Variables() {
		if t.RootName() != "var" || len(t) < 2 {
			continue
		}
		if step, ok := t[1].(hcl.TraverseAttr); ok && step.Name == name {
			return cond
		}
	}
	d.err(cond.Condition.Range(), "Invalid variable validation condition",
		"A condition of variable \""+name+"\" has to refer to var."+name+", or it would not be about the value given.")
	return cond
}

// condition decodes the blocks that state a condition.
func (d *decoder) condition(b *hcl.Block) *Condition {
	c := d.content(b.Body, schemaOf([]string{"!condition", "!error_message"}))
	cond := &Condition{Condition: expr(c, "condition"), ErrorMessage: expr(c, "error_message"), Range: hcldiag.RangeOf(b.DefRange)}
	if cond.Condition != nil && len(cond.Condition.Variables()) == 0 {
		d.err(cond.Condition.Range(), "Invalid "+b.Type+" expression",
			"The condition refers to nothing in the configuration, so its result would always be the same.")
	}
	return cond
}

func (d *decoder) localValues(b *hcl.Block, out *declared) {
	attrs, diags := b.Body.JustAttributes()
	d.hcl(diags)
	for _, name := range sortedKeys(attrs) {
		a := attrs[name]
		if d.name(name, a.NameRange, "Invalid local value name") {
			out.locals = append(out.locals, &Local{Name: name, Expr: a.Expr, Range: hcldiag.RangeOf(a.Range)})
		}
	}
}

func (d *decoder) output(b *hcl.Block, out *declared) {
	c := d.content(b.Body, schemaOf([]string{"description", "!value", "depends_on", "sensitive", "ephemeral", "deprecated", "type"}, block("precondition"), block("postcondition")))
	o := &Output{Name: b.Labels[0], Type: cty.NilType, Range: hcldiag.RangeOf(b.DefRange), Expr: expr(c, "value")}
	if !d.name(o.Name, b.LabelRanges[0], "Invalid output name") {
		return
	}
	o.Description, o.DescriptionSet = d.text(c, "description")
	o.Sensitive, o.SensitiveSet = d.flag(c, "sensitive")
	o.Ephemeral, _ = d.flag(c, "ephemeral")
	o.Deprecated, _ = d.deprecation(c, b)
	o.DependsOn = d.dependsOn(c)
	if a, ok := c.Attributes["type"]; ok {
		o.Type, o.Defaults, _ = d.variableType(a.Expr)
	}
	for _, inner := range c.Blocks {
		if inner.Type == "postcondition" {
			d.err(inner.TypeRange, "Postconditions are not allowed", "An output value can have preconditions; postconditions belong to resources.")
			continue
		}
		o.Preconditions = append(o.Preconditions, d.condition(inner))
	}
	out.outputs = append(out.outputs, o)
}
