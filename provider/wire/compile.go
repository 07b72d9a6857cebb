package wire

import (
	"fmt"
	"math"

	"github.com/plumb-iac/plumb/provider/wire/tfplugin5"
	"github.com/plumb-iac/plumb/provider/wire/tfplugin6"
	"github.com/plumb-iac/plumb/schema"
	"github.com/zclconf/go-cty/cty"
	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/proto"
)

// compileSchema decodes and compiles one schema of either version. It gives
// nil and what is wrong when the schema makes no sense.
func compileSchema(p Protocol, raw []byte) (*schema.Resource, []string) {
	message, err := decodeSchema(p, raw)
	if err != nil {
		return nil, []string{err.Error()}
	}
	var b builder
	block := b.block("", message.GetBlock())
	if len(b.problems) > 0 {
		return nil, b.problems
	}
	return &schema.Resource{Version: message.GetVersion(), Block: block}, nil
}

func decodeSchema(p Protocol, raw []byte) (*tfplugin6.Schema, error) {
	if p == V5 {
		var v5 tfplugin5.Schema
		if err := proto.Unmarshal(raw, &v5); err != nil {
			return nil, err
		}
		return lift(&v5), nil
	}
	v6 := new(tfplugin6.Schema)
	return v6, proto.Unmarshal(raw, v6)
}

// actionSchema is the schema inside an encoded action schema.
func actionSchema(raw []byte) []byte {
	var inner []byte
	_ = eachField(raw, func(field protowire.Number, piece []byte) error {
		if field == 1 {
			inner = piece
		}
		return nil
	})
	return inner
}

// builder compiles a schema and collects what is wrong with it.
type builder struct{ problems []string }

func (b *builder) broken(name, why string) {
	b.problems = append(b.problems, name+": "+why)
}

func (b *builder) block(at string, m *tfplugin6.Schema_Block) *schema.Block {
	attrs := b.attributes(at, m.GetAttributes())
	taken := map[string]bool{}
	for _, a := range attrs {
		taken[a.Name] = true
	}
	var nested []*schema.Nested
	for _, n := range m.GetBlockTypes() {
		name := at + n.GetTypeName()
		if taken[n.GetTypeName()] {
			b.broken(name, "declared twice")
			continue
		}
		taken[n.GetTypeName()] = true
		nested = append(nested, b.nested(name, n))
	}
	if len(b.problems) > 0 {
		return nil
	}
	out := schema.NewBlock(attrs, nested)
	out.Description, out.Markdown = m.GetDescription(), markdown(m.GetDescriptionKind())
	out.Deprecated, out.DeprecationMessage = m.GetDeprecated(), m.GetDeprecationMessage()
	return out
}

// nestingRules say what makes a nested block type invalid.
var nestingRules = []struct {
	broken func(*tfplugin6.Schema_NestedBlock) bool
	say    string
}{
	{func(n *tfplugin6.Schema_NestedBlock) bool { return n.GetTypeName() == "" }, "a block type has no name"},
	{func(n *tfplugin6.Schema_NestedBlock) bool {
		return blockNestings[n.GetNesting()] == schema.InvalidNesting
	}, "unknown nesting mode"},
	{func(n *tfplugin6.Schema_NestedBlock) bool { return n.GetMinItems() < 0 || n.GetMaxItems() < 0 }, "a number of items cannot be negative"},
	{func(n *tfplugin6.Schema_NestedBlock) bool {
		return n.GetMaxItems() != 0 && n.GetMinItems() > n.GetMaxItems()
	}, "more items are required than are allowed"},
}

var blockNestings = map[tfplugin6.Schema_NestedBlock_NestingMode]schema.Nesting{
	tfplugin6.Schema_NestedBlock_SINGLE: schema.Single,
	tfplugin6.Schema_NestedBlock_GROUP:  schema.Group,
	tfplugin6.Schema_NestedBlock_LIST:   schema.List,
	tfplugin6.Schema_NestedBlock_SET:    schema.Set,
	tfplugin6.Schema_NestedBlock_MAP:    schema.Map,
}

var objectNestings = map[tfplugin6.Schema_Object_NestingMode]schema.Nesting{
	tfplugin6.Schema_Object_SINGLE: schema.Single,
	tfplugin6.Schema_Object_LIST:   schema.List,
	tfplugin6.Schema_Object_SET:    schema.Set,
	tfplugin6.Schema_Object_MAP:    schema.Map,
}

func (b *builder) nested(name string, m *tfplugin6.Schema_NestedBlock) *schema.Nested {
	for _, rule := range nestingRules {
		if rule.broken(m) {
			b.broken(name, rule.say)
		}
	}
	return &schema.Nested{
		Name:     m.GetTypeName(),
		Nesting:  blockNestings[m.GetNesting()],
		Block:    b.block(name+".", m.GetBlock()),
		MinItems: count(m.GetMinItems()),
		MaxItems: count(m.GetMaxItems()),
		Computed: m.GetBlock().GetComputed(),
	}
}

// attributeRules say what makes an attribute invalid.
var attributeRules = []struct {
	broken func(*tfplugin6.Schema_Attribute) bool
	say    string
}{
	{func(a *tfplugin6.Schema_Attribute) bool { return a.GetName() == "" }, "an attribute has no name"},
	{func(a *tfplugin6.Schema_Attribute) bool {
		return !a.GetOptional() && !a.GetRequired() && !a.GetComputed()
	}, "must set Optional, Required or Computed"},
	{func(a *tfplugin6.Schema_Attribute) bool { return a.GetOptional() && a.GetRequired() }, "cannot set both Optional and Required"},
	{func(a *tfplugin6.Schema_Attribute) bool { return a.GetComputed() && a.GetRequired() }, "cannot set both Computed and Required"},
	{func(a *tfplugin6.Schema_Attribute) bool { return len(a.GetType()) == 0 && a.GetNestedType() == nil }, "has no type"},
	{func(a *tfplugin6.Schema_Attribute) bool { return len(a.GetType()) != 0 && a.GetNestedType() != nil }, "has two types"},
	{func(a *tfplugin6.Schema_Attribute) bool {
		return a.GetNestedType() != nil && objectNestings[a.GetNestedType().GetNesting()] == schema.InvalidNesting
	}, "unknown nesting mode"},
}

func (b *builder) attributes(at string, ms []*tfplugin6.Schema_Attribute) []*schema.Attribute {
	var out []*schema.Attribute
	taken := map[string]bool{}
	for _, m := range ms {
		name := at + m.GetName()
		if taken[m.GetName()] {
			b.broken(name, "declared twice")
			continue
		}
		taken[m.GetName()] = true
		out = append(out, b.attribute(name, m))
	}
	return out
}

func (b *builder) attribute(name string, m *tfplugin6.Schema_Attribute) *schema.Attribute {
	for _, rule := range attributeRules {
		if rule.broken(m) {
			b.broken(name, rule.say)
		}
	}
	a := &schema.Attribute{
		Name:     m.GetName(),
		Required: m.GetRequired(), Optional: m.GetOptional(), Computed: m.GetComputed(),
		Sensitive: m.GetSensitive(), WriteOnly: m.GetWriteOnly(),
		Deprecated: m.GetDeprecated(), DeprecationMessage: m.GetDeprecationMessage(),
		Description: m.GetDescription(), Markdown: markdown(m.GetDescriptionKind()),
	}
	if n := m.GetNestedType(); n != nil {
		attrs := b.attributes(name+".", n.GetAttributes())
		if len(b.problems) == 0 {
			a.Nested = schema.NewObject(objectNestings[n.GetNesting()], attrs)
		}
		return a
	}
	a.Type = b.typeOf(name, m.GetType())
	return a
}

func (b *builder) typeOf(name string, raw []byte) cty.Type {
	if len(raw) == 0 {
		return cty.DynamicPseudoType
	}
	t, err := decodeType(raw)
	if err != nil {
		b.broken(name, "invalid type: "+err.Error())
		return cty.DynamicPseudoType
	}
	return t
}

func markdown(k tfplugin6.StringKind) bool { return k == tfplugin6.StringKind_MARKDOWN }

// count is a number of items; one beyond reason is no bound.
func count(n int64) int {
	if n < 0 || n > math.MaxInt32 {
		return 0
	}
	return int(n)
}

// addIdentity compiles an identity schema into a resource's.
func addIdentity(r *schema.Resource, raw []byte) []string {
	var m tfplugin6.ResourceIdentitySchema
	if err := proto.Unmarshal(raw, &m); err != nil {
		return []string{"identity: " + err.Error()}
	}
	var b builder
	var attrs []*schema.Attribute
	for _, a := range m.GetIdentityAttributes() {
		attrs = append(attrs, &schema.Attribute{
			Name: a.GetName(), Type: b.typeOf("identity."+a.GetName(), a.GetType()),
			Required: a.GetRequiredForImport(), Optional: a.GetOptionalForImport(),
			Computed:    !a.GetRequiredForImport() && !a.GetOptionalForImport(),
			Description: a.GetDescription(),
		})
	}
	if len(b.problems) == 0 {
		r.Identity, r.IdentityVersion = schema.NewObject(schema.Single, attrs), m.GetVersion()
	}
	return b.problems
}

// compileFunction decodes and compiles a function's signature.
func compileFunction(raw []byte) (*schema.Function, []string) {
	var m tfplugin6.Function
	if err := proto.Unmarshal(raw, &m); err != nil {
		return nil, []string{err.Error()}
	}
	var b builder
	f := &schema.Function{
		Return:  b.typeOf("result", m.GetReturn().GetType()),
		Summary: m.GetSummary(), Description: m.GetDescription(), DeprecationMessage: m.GetDeprecationMessage(),
	}
	for i, p := range m.GetParameters() {
		f.Parameters = append(f.Parameters, b.parameter(fmt.Sprintf("parameter %d", i), p))
	}
	if v := m.GetVariadicParameter(); v != nil {
		p := b.parameter("variadic parameter", v)
		f.Variadic = &p
	}
	return f, b.problems
}

func (b *builder) parameter(name string, m *tfplugin6.Function_Parameter) schema.Parameter {
	return schema.Parameter{
		Name: m.GetName(), Type: b.typeOf(name, m.GetType()),
		AllowNull: m.GetAllowNullValue(), AllowUnknown: m.GetAllowUnknownValues(),
		Description: m.GetDescription(),
	}
}
