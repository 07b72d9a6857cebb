package modern

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/resource/identityschema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
	"github.com/plumb-iac/plumb/test/acceptance/cloud"
)

// kind is a resource type as data. What it does not say is done as every
// well-behaved provider does it.
type kind struct {
	name   string
	schema schema.Schema
	// identity names the attribute that is the object's identity, "" for none.
	identity string
	modify   func(context.Context, resource.ModifyPlanRequest, *resource.ModifyPlanResponse)
	upgrade  map[int64]resource.StateUpgrader
	movers   []resource.StateMover
	validate func(context.Context, resource.ValidateConfigRequest, *resource.ValidateConfigResponse)
	// config is told what was configured, write-only values too.
	config func(context.Context, *cloud.World, tftypes.Value)
	// decides says that texts left open are "state" when the object is created
	// and "remade" when it is updated.
	decides bool
}

// object is a resource type that keeps its objects in a world.
type object struct {
	kind
	world *cloud.World
}

// known is an object that has an identity.
type known struct{ object }

func (k kind) in(w *cloud.World) func() resource.Resource {
	return func() resource.Resource {
		o := object{kind: k, world: w}
		if k.identity != "" {
			return &known{o}
		}
		return &o
	}
}

func (o *object) Metadata(_ context.Context, _ resource.MetadataRequest, resp *resource.MetadataResponse) {
	resp.TypeName = o.name
}

func (o *object) Schema(_ context.Context, _ resource.SchemaRequest, resp *resource.SchemaResponse) {
	resp.Schema = o.schema
}

func (o *object) ValidateConfig(ctx context.Context, req resource.ValidateConfigRequest, resp *resource.ValidateConfigResponse) {
	if o.validate != nil {
		o.validate(ctx, req, resp)
	}
}

func (o *object) ModifyPlan(ctx context.Context, req resource.ModifyPlanRequest, resp *resource.ModifyPlanResponse) {
	if o.modify != nil {
		o.modify(ctx, req, resp)
	}
}

func (o *object) UpgradeState(context.Context) map[int64]resource.StateUpgrader { return o.upgrade }

func (o *object) MoveState(context.Context) []resource.StateMover { return o.movers }

func (k *known) IdentitySchema(_ context.Context, _ resource.IdentitySchemaRequest, resp *resource.IdentitySchemaResponse) {
	resp.IdentitySchema = identityschema.Schema{Attributes: map[string]identityschema.Attribute{
		k.identity: identityschema.StringAttribute{RequiredForImport: true},
		"zone":     identityschema.StringAttribute{OptionalForImport: true},
	}}
}

func (o *object) Create(ctx context.Context, req resource.CreateRequest, resp *resource.CreateResponse) {
	if resp.Diagnostics.Append(fault("create-nothing", req.Plan.Raw)...); resp.Diagnostics.HasError() {
		return
	}
	id := o.world.NewID(o.name)
	raw := o.settle(req.Plan.Raw, id, "state")
	if o.config != nil {
		o.config(ctx, o.world, req.Config.Raw)
	}
	o.world.Put(o.name, id, raw)
	resp.State.Raw = raw
	resp.Diagnostics.Append(resp.Private.SetKey(ctx, "seal", seal(id))...)
	if resp.Identity != nil {
		resp.Diagnostics.Append(resp.Identity.SetAttribute(ctx, path.Root(o.identity), text(raw, o.identity))...)
	}
	resp.Diagnostics.Append(fault("create", raw)...)
}

func (o *object) Read(ctx context.Context, req resource.ReadRequest, resp *resource.ReadResponse) {
	id := text(req.State.Raw, "id")
	stored, found := o.world.Get(o.name, id).(tftypes.Value)
	if !found {
		resp.State.RemoveResource(ctx)
		if resp.Identity != nil && resp.Identity.Raw.IsNull() {
			// the framework insists on one even for what does not exist
			resp.Diagnostics.Append(resp.Identity.SetAttribute(ctx, path.Root(o.identity), id)...)
		}
		return
	}
	got, diags := req.Private.GetKey(ctx, "seal")
	resp.Diagnostics.Append(diags...)
	if string(got) != string(seal(id)) {
		resp.Diagnostics.AddError("Private state is lost", fmt.Sprintf("read %s with %q", id, got))
	}
	if stored.Type().Equal(req.State.Raw.Type()) {
		resp.State.Raw = stored
	}
	if resp.Identity != nil {
		resp.Diagnostics.Append(resp.Identity.SetAttribute(ctx, path.Root(o.identity), text(stored, o.identity))...)
	}
}

func (o *object) Update(ctx context.Context, req resource.UpdateRequest, resp *resource.UpdateResponse) {
	id := text(req.State.Raw, "id")
	got, _ := req.Private.GetKey(ctx, "seal")
	if string(got) != string(seal(id)) {
		resp.Diagnostics.AddError("Private state is lost", fmt.Sprintf("update %s with %q", id, got))
		return
	}
	raw := o.settle(req.Plan.Raw, id, "remade")
	if o.config != nil {
		o.config(ctx, o.world, req.Config.Raw)
	}
	resp.Diagnostics.Append(fault("update", raw)...)
	resp.Diagnostics.Append(fault("update-careless", raw)...)
	if resp.Diagnostics.HasError() {
		return
	}
	o.world.Put(o.name, id, raw)
	resp.State.Raw = raw
}

func (o *object) Delete(_ context.Context, req resource.DeleteRequest, resp *resource.DeleteResponse) {
	resp.Diagnostics.Append(fault("delete", req.State.Raw)...)
	if !resp.Diagnostics.HasError() {
		o.world.Delete(o.name, text(req.State.Raw, "id"))
	}
}

func (o *object) ImportState(ctx context.Context, req resource.ImportStateRequest, resp *resource.ImportStateResponse) {
	id := req.ID
	if o.identity != "" && id == "" {
		var name string
		resp.Diagnostics.Append(req.Identity.GetAttribute(ctx, path.Root(o.identity), &name)...)
		id = o.named(name)
	}
	if id == "" {
		resp.Diagnostics.AddError("Unexpected Import Identifier", "There is nothing to import by that.")
		return
	}
	resp.Diagnostics.Append(resp.State.SetAttribute(ctx, path.Root("id"), id)...)
	resp.Diagnostics.Append(resp.Private.SetKey(ctx, "seal", seal(id))...)
}

// named finds an object by its identity.
func (o *object) named(name string) string {
	for _, id := range o.world.IDs(o.name) {
		if v, ok := o.world.Get(o.name, id).(tftypes.Value); ok && text(v, o.identity) == name {
			return id
		}
	}
	return ""
}

// settle decides everything that the plan left open; word is the text of types that
// decide by the stage.
func (o *object) settle(planned tftypes.Value, id, word string) tftypes.Value {
	v, err := tftypes.Transform(planned, func(p *tftypes.AttributePath, v tftypes.Value) (tftypes.Value, error) {
		if v.IsKnown() {
			return v, nil
		}
		if o.decides && v.Type().Is(tftypes.String) && !p.Equal(tftypes.NewAttributePath().WithAttributeName("id")) {
			return tftypes.NewValue(tftypes.String, word), nil
		}
		if o.decides && v.Type().Is(tftypes.Object{}) {
			return tftypes.NewValue(v.Type(), map[string]tftypes.Value{"v": tftypes.NewValue(tftypes.String, word)}), nil
		}
		return decide(p, v.Type(), id), nil
	})
	if err != nil {
		panic(err) // the function gives values of the same type
	}
	return v
}

func decide(p *tftypes.AttributePath, t tftypes.Type, id string) tftypes.Value {
	name := ""
	if steps := p.Steps(); len(steps) > 0 {
		if n, ok := steps[len(steps)-1].(tftypes.AttributeName); ok {
			name = string(n)
		}
	}
	switch {
	case name == "id":
		return tftypes.NewValue(t, id)
	case t.Is(tftypes.String):
		return tftypes.NewValue(t, "made "+name)
	case t.Is(tftypes.Number):
		return tftypes.NewValue(t, 7)
	case t.Is(tftypes.Bool):
		return tftypes.NewValue(t, true)
	case t.Is(tftypes.List{}), t.Is(tftypes.Set{}):
		return tftypes.NewValue(t, []tftypes.Value{})
	case t.Is(tftypes.Map{}):
		return tftypes.NewValue(t, map[string]tftypes.Value{})
	}
	return tftypes.NewValue(t, nil)
}

// fault is what the configuration asked to go wrong: an attribute fail names the
// stage.
func fault(stage string, raw tftypes.Value) diag.Diagnostics {
	var diags diag.Diagnostics
	if text(raw, "fail") == stage {
		diags.AddError("Fault in "+stage, "The configuration asked for it.")
	}
	return diags
}

// text is a string attribute of an object; "" where there is none.
func text(object tftypes.Value, name string) string {
	var attrs map[string]tftypes.Value
	if object.IsNull() || !object.IsKnown() || object.As(&attrs) != nil {
		return ""
	}
	var s string
	if v, ok := attrs[name]; ok && v.IsKnown() && !v.IsNull() && v.Type().Is(tftypes.String) {
		_ = v.As(&s)
	}
	return s
}

// seal is the private state of an object.
func seal(id string) []byte {
	out, _ := json.Marshal(map[string]string{"id": id})
	return out
}
