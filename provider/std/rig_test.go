package std

import (
	"context"
	"fmt"
	"maps"
	"math/big"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

// rig plays the engine against the provider's protocol server: it proposes,
// plans, applies, reads and imports, and holds every answer to the contract.
type rig struct {
	t      *testing.T
	server tfprotov6.ProviderServer
	schema *tfprotov6.GetProviderSchemaResponse
}

// values are attributes in Go's own types: string, int, bool, []any, values,
// nil for null, unknown for unknown.
type values = map[string]any

type unknownMark struct{}

var unknown = unknownMark{}

// object is a managed object between two calls.
type object struct {
	kind     string
	value    tftypes.Value
	private  []byte
	identity *tfprotov6.ResourceIdentityData
}

func (o object) attrs() values { return plainOf(o.value).(values) }

func (o object) text(name string) string {
	s, _ := o.attrs()[name].(string)
	return s
}

// planned is an answer to a plan.
type planned struct {
	object
	replace []string
}

func newRig(t *testing.T) *rig { return newRigAt(t, time.Now) }

func newRigAt(t *testing.T, now clock) *rig {
	t.Helper()
	server := serve(std{version: "test", now: now})()
	schema, err := server.GetProviderSchema(context.Background(), &tfprotov6.GetProviderSchemaRequest{})
	if err != nil {
		t.Fatal(err)
	}
	r := &rig{t: t, server: server, schema: schema}
	r.clean(schema.Diagnostics)
	return r
}

func (r *rig) must(err error) {
	r.t.Helper()
	if err != nil {
		r.t.Fatal(err)
	}
}

func complaints(diags []*tfprotov6.Diagnostic) string {
	var lines []string
	for _, d := range diags {
		at := ""
		if d.Attribute != nil {
			at = d.Attribute.String() + ": "
		}
		lines = append(lines, at+d.Summary+": "+d.Detail)
	}
	return strings.Join(lines, "\n")
}

func (r *rig) clean(diags []*tfprotov6.Diagnostic) {
	r.t.Helper()
	if len(diags) > 0 {
		r.t.Fatalf("unexpected diagnostics:\n%s", complaints(diags))
	}
}

func (r *rig) resource(kind string) *tfprotov6.Schema {
	r.t.Helper()
	s := r.schema.ResourceSchemas[kind]
	if s == nil {
		r.t.Fatalf("no resource type %s", kind)
	}
	return s
}

func (r *rig) encode(v tftypes.Value) *tfprotov6.DynamicValue {
	r.t.Helper()
	d, err := tfprotov6.NewDynamicValue(v.Type(), v)
	r.must(err)
	return &d
}

func (r *rig) decode(d *tfprotov6.DynamicValue, t tftypes.Type) tftypes.Value {
	r.t.Helper()
	if d == nil {
		return tftypes.NewValue(t, nil)
	}
	v, err := d.Unmarshal(t)
	r.must(err)
	return v
}

// validate gives what the provider says about a configuration.
func (r *rig) validate(kind string, config values) string {
	r.t.Helper()
	resp, err := r.server.ValidateResourceConfig(context.Background(), &tfprotov6.ValidateResourceConfigRequest{
		TypeName: kind, Config: r.encode(valueOf(r.resource(kind).ValueType(), config)),
	})
	r.must(err)
	return complaints(resp.Diagnostics)
}

func (r *rig) none(kind string) object {
	return object{kind: kind, value: tftypes.NewValue(r.resource(kind).ValueType(), nil)}
}

// plan proposes config for an object that may not exist yet; nil is a destroy.
func (r *rig) plan(prior object, config values) planned {
	r.t.Helper()
	schema := r.resource(prior.kind)
	t := schema.ValueType()
	wanted := tftypes.NewValue(t, nil)
	if config != nil {
		wanted = valueOf(t, config)
	}
	resp, err := r.server.PlanResourceChange(context.Background(), &tfprotov6.PlanResourceChangeRequest{
		TypeName:         prior.kind,
		PriorState:       r.encode(prior.value),
		ProposedNewState: r.encode(propose(schema, prior.value, wanted)),
		Config:           r.encode(wanted),
		PriorPrivate:     prior.private,
		PriorIdentity:    prior.identity,
	})
	r.must(err)
	r.clean(resp.Diagnostics)
	out := planned{object: object{kind: prior.kind, value: r.decode(resp.PlannedState, t), private: resp.PlannedPrivate, identity: resp.PlannedIdentity}}
	for _, at := range resp.RequiresReplace {
		out.replace = append(out.replace, fmt.Sprint(at.Steps()[0]))
	}
	slices.Sort(out.replace)
	r.judgePlan(schema, prior.value, wanted, out.value)
	return out
}

// propose is the configuration with what was computed before in its gaps.
func propose(schema *tfprotov6.Schema, prior, config tftypes.Value) tftypes.Value {
	if config.IsNull() || prior.IsNull() {
		return config
	}
	was, wants := members(prior), members(config)
	for _, a := range schema.Block.Attributes {
		if a.Computed && wants[a.Name].IsNull() {
			wants[a.Name] = was[a.Name]
		}
	}
	return tftypes.NewValue(config.Type(), wants)
}

// judgePlan holds a planned value to the contract.
func (r *rig) judgePlan(schema *tfprotov6.Schema, prior, config, plan tftypes.Value) {
	r.t.Helper()
	if config.IsNull() {
		if !plan.IsNull() {
			r.t.Fatalf("a destroy plans %v", plainOf(plan))
		}
		return
	}
	was, wants, plans := map[string]tftypes.Value{}, members(config), members(plan)
	if !prior.IsNull() {
		was = members(prior)
	}
	for _, a := range schema.Block.Attributes {
		want, got := wants[a.Name], plans[a.Name]
		switch {
		case !want.IsNull() && got.Equal(want), want.IsNull() && a.Computed:
		case want.IsNull() && got.IsNull():
		case !prior.IsNull() && got.Equal(was[a.Name]):
		default:
			r.t.Errorf("%s is configured as %v and planned as %v", a.Name, plainOf(want), plainOf(got))
		}
	}
}

// tryApply applies a plan and gives what the provider complains about.
func (r *rig) tryApply(prior object, plan planned, config values) (object, string) {
	r.t.Helper()
	t := r.resource(prior.kind).ValueType()
	wanted := tftypes.NewValue(t, nil)
	if config != nil {
		wanted = valueOf(t, config)
	}
	resp, err := r.server.ApplyResourceChange(context.Background(), &tfprotov6.ApplyResourceChangeRequest{
		TypeName:        prior.kind,
		PriorState:      r.encode(prior.value),
		PlannedState:    r.encode(plan.value),
		Config:          r.encode(wanted),
		PlannedPrivate:  plan.private,
		PlannedIdentity: plan.identity,
	})
	r.must(err)
	next := object{kind: prior.kind, value: r.decode(resp.NewState, t), private: resp.Private, identity: resp.NewIdentity}
	said := complaints(resp.Diagnostics)
	if said == "" {
		r.judgeApply(plan.value, next.value)
	}
	if !next.value.IsFullyKnown() {
		r.t.Errorf("%s: unknown values after apply: %v", prior.kind, next.attrs())
	}
	return next, said
}

// judgeApply: what was planned and known came true.
func (r *rig) judgeApply(plan, result tftypes.Value) {
	r.t.Helper()
	if plan.IsNull() != result.IsNull() {
		r.t.Fatalf("planned %v, got %v", plainOf(plan), plainOf(result))
	}
	if plan.IsNull() {
		return
	}
	got := members(result)
	for name, want := range members(plan) {
		if want.IsFullyKnown() && !want.Equal(got[name]) {
			r.t.Errorf("%s was planned as %v and became %v", name, plainOf(want), plainOf(got[name]))
		}
	}
}

func (r *rig) apply(prior object, plan planned, config values) object {
	r.t.Helper()
	next, said := r.tryApply(prior, plan, config)
	if said != "" {
		r.t.Fatalf("apply: %s", said)
	}
	return next
}

// create takes a new object through validate, plan and apply.
func (r *rig) create(kind string, config values) object {
	r.t.Helper()
	if said := r.validate(kind, config); said != "" {
		r.t.Fatalf("validate: %s", said)
	}
	none := r.none(kind)
	return r.apply(none, r.plan(none, config), config)
}

// update plans and applies a change that must not replace the object.
func (r *rig) update(prior object, config values) object {
	r.t.Helper()
	plan := r.plan(prior, config)
	if len(plan.replace) > 0 {
		r.t.Fatalf("replaced because of %v", plan.replace)
	}
	return r.apply(prior, plan, config)
}

func (r *rig) destroy(o object) {
	r.t.Helper()
	r.apply(o, r.plan(o, nil), nil)
}

// settledOn fails unless planning config again changes nothing.
func (r *rig) settledOn(o object, config values) {
	r.t.Helper()
	if plan := r.plan(o, config); !plan.value.Equal(o.value) || len(plan.replace) > 0 {
		r.t.Errorf("%s: a second plan is not empty:\n was %v\n now %v\n replace %v", o.kind, o.attrs(), plan.attrs(), plan.replace)
	}
}

// read refreshes; the second result is false when the object is gone.
func (r *rig) read(o object) (object, bool) {
	r.t.Helper()
	resp, err := r.server.ReadResource(context.Background(), &tfprotov6.ReadResourceRequest{
		TypeName: o.kind, CurrentState: r.encode(o.value), Private: o.private, CurrentIdentity: o.identity,
	})
	r.must(err)
	r.clean(resp.Diagnostics)
	next := object{kind: o.kind, value: r.decode(resp.NewState, o.value.Type()), private: resp.Private, identity: resp.NewIdentity}
	return next, !next.value.IsNull()
}

// tryImport imports without the read that follows.
func (r *rig) tryImport(kind, id string) (object, string) {
	r.t.Helper()
	resp, err := r.server.ImportResourceState(context.Background(), &tfprotov6.ImportResourceStateRequest{TypeName: kind, ID: id})
	r.must(err)
	if len(resp.Diagnostics) > 0 {
		return object{}, complaints(resp.Diagnostics)
	}
	got := resp.ImportedResources[0]
	return object{kind: kind, value: r.decode(got.State, r.resource(kind).ValueType()), private: got.Private, identity: got.Identity}, ""
}

// imported imports and reads.
func (r *rig) imported(kind, id string) object {
	r.t.Helper()
	o, said := r.tryImport(kind, id)
	if said != "" {
		r.t.Fatalf("import: %s", said)
	}
	o, there := r.read(o)
	if !there {
		r.t.Fatalf("import: %s %s is not there", kind, id)
	}
	return o
}

// move carries an object of another provider's type over.
func (r *rig) move(kind, provider, source, state string) object {
	r.t.Helper()
	resp, err := r.server.MoveResourceState(context.Background(), &tfprotov6.MoveResourceStateRequest{
		SourceProviderAddress: provider, SourceTypeName: source, TargetTypeName: kind,
		SourceState: &tfprotov6.RawState{JSON: []byte(state)},
	})
	r.must(err)
	r.clean(resp.Diagnostics)
	return object{kind: kind, value: r.decode(resp.TargetState, r.resource(kind).ValueType())}
}

// data reads a data source and gives what the provider complains about.
func (r *rig) data(kind string, config values) (values, string) {
	r.t.Helper()
	t := r.schema.DataSourceSchemas[kind].ValueType()
	encoded := r.encode(valueOf(t, config))
	valid, err := r.server.ValidateDataResourceConfig(context.Background(), &tfprotov6.ValidateDataResourceConfigRequest{TypeName: kind, Config: encoded})
	r.must(err)
	if len(valid.Diagnostics) > 0 {
		return nil, complaints(valid.Diagnostics)
	}
	resp, err := r.server.ReadDataSource(context.Background(), &tfprotov6.ReadDataSourceRequest{TypeName: kind, Config: encoded})
	r.must(err)
	if len(resp.Diagnostics) > 0 {
		return nil, complaints(resp.Diagnostics)
	}
	return plainOf(r.decode(resp.State, t)).(values), ""
}

// members is a copy, which As does not promise.
func members(v tftypes.Value) map[string]tftypes.Value {
	out := map[string]tftypes.Value{}
	if err := v.As(&out); err != nil {
		panic(err)
	}
	return maps.Clone(out)
}

// valueOf builds a value of type t; missing attributes are null.
func valueOf(t tftypes.Type, v any) tftypes.Value {
	if v == nil {
		return tftypes.NewValue(t, nil)
	}
	if v == unknown {
		return tftypes.NewValue(t, tftypes.UnknownValue)
	}
	switch t := t.(type) {
	case tftypes.Object:
		out := map[string]tftypes.Value{}
		for name, at := range t.AttributeTypes {
			out[name] = valueOf(at, v.(values)[name])
		}
		for name := range v.(values) {
			if _, there := out[name]; !there {
				panic("no attribute " + name)
			}
		}
		return tftypes.NewValue(t, out)
	case tftypes.Map:
		out := map[string]tftypes.Value{}
		for name, element := range v.(values) {
			out[name] = valueOf(t.ElementType, element)
		}
		return tftypes.NewValue(t, out)
	case tftypes.List:
		return tftypes.NewValue(t, elementsOf(t.ElementType, v.([]any)))
	}
	if t.Is(tftypes.DynamicPseudoType) {
		return dynamicOf(v)
	}
	return tftypes.NewValue(t, v)
}

func elementsOf(t tftypes.Type, list []any) []tftypes.Value {
	out := make([]tftypes.Value, len(list))
	for i, element := range list {
		out[i] = valueOf(t, element)
	}
	return out
}

// dynamicOf gives a value the type its literal would have in a configuration.
func dynamicOf(v any) tftypes.Value {
	switch v := v.(type) {
	case string:
		return tftypes.NewValue(tftypes.String, v)
	case int:
		return tftypes.NewValue(tftypes.Number, v)
	case bool:
		return tftypes.NewValue(tftypes.Bool, v)
	case unknownMark:
		return tftypes.NewValue(tftypes.DynamicPseudoType, tftypes.UnknownValue)
	case []any:
		out, kinds := make([]tftypes.Value, len(v)), make([]tftypes.Type, len(v))
		for i, element := range v {
			out[i] = dynamicOf(element)
			kinds[i] = out[i].Type()
		}
		return tftypes.NewValue(tftypes.Tuple{ElementTypes: kinds}, out)
	}
	panic(fmt.Sprintf("no literal for %T", v))
}

// plainOf is the reverse of valueOf; whole numbers are ints.
func plainOf(v tftypes.Value) any {
	switch {
	case v.IsNull():
		return nil
	case !v.IsKnown():
		return unknown
	}
	switch v.Type().(type) {
	case tftypes.Object, tftypes.Map:
		out := values{}
		for name, member := range members(v) {
			out[name] = plainOf(member)
		}
		return out
	case tftypes.List, tftypes.Tuple, tftypes.Set:
		var list []tftypes.Value
		if err := v.As(&list); err != nil {
			panic(err)
		}
		out := make([]any, len(list))
		for i, element := range list {
			out[i] = plainOf(element)
		}
		return out
	}
	return scalarOf(v)
}

func scalarOf(v tftypes.Value) any {
	switch {
	case v.Type().Is(tftypes.String):
		var s string
		_ = v.As(&s)
		return s
	case v.Type().Is(tftypes.Bool):
		var b bool
		_ = v.As(&b)
		return b
	}
	var n big.Float
	_ = v.As(&n)
	whole, _ := n.Int64()
	return int(whole)
}
