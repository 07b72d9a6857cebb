package modern

import (
	"context"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/booldefault"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/int64default"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/int64planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/listdefault"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/mapdefault"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/objectdefault"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/setdefault"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/stringdefault"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/stringplanmodifier"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
	"github.com/plumb-iac/plumb/test/acceptance/cloud"
)

// id is decided once, when the object is created.
func id() schema.StringAttribute {
	return schema.StringAttribute{Computed: true, PlanModifiers: []planmodifier.String{stringplanmodifier.UseStateForUnknown()}}
}

func with(attrs map[string]schema.Attribute) map[string]schema.Attribute {
	attrs["id"] = id()
	return attrs
}

var pair = map[string]attr.Type{"key": types.StringType, "size": types.Int64Type}

// flat are the types without nested attributes.
func flat() []kind {
	return []kind{plain(), blocks(), defaults(), planned(), secret(), versioned(), moved(), identified(), faulty()}
}

// plain has an attribute of every type.
func plain() kind {
	return kind{name: "modern_plain", schema: schema.Schema{Attributes: with(map[string]schema.Attribute{
		"bool":     schema.BoolAttribute{Optional: true},
		"int32":    schema.Int32Attribute{Optional: true},
		"int64":    schema.Int64Attribute{Optional: true},
		"float32":  schema.Float32Attribute{Optional: true},
		"float64":  schema.Float64Attribute{Optional: true},
		"number":   schema.NumberAttribute{Optional: true},
		"string":   schema.StringAttribute{Optional: true},
		"dynamic":  schema.DynamicAttribute{Optional: true},
		"list":     schema.ListAttribute{Optional: true, ElementType: types.StringType},
		"set":      schema.SetAttribute{Optional: true, ElementType: types.Int64Type},
		"map":      schema.MapAttribute{Optional: true, ElementType: types.BoolType},
		"object":   schema.ObjectAttribute{Optional: true, AttributeTypes: pair},
		"objects":  schema.SetAttribute{Optional: true, ElementType: types.ObjectType{AttrTypes: pair}},
		"lists":    schema.MapAttribute{Optional: true, ElementType: types.ListType{ElemType: types.NumberType}},
		"revision": schema.Int64Attribute{Computed: true},
	})}}
}

// blocks has blocks of every nesting, one in another.
func blocks() kind {
	inner := schema.NestedBlockObject{
		Attributes: map[string]schema.Attribute{
			"name": schema.StringAttribute{Required: true},
			"port": schema.Int64Attribute{Optional: true, Computed: true, Default: int64default.StaticInt64(80)},
			"made": schema.StringAttribute{Computed: true},
		},
		Blocks: map[string]schema.Block{
			"tag": schema.SetNestedBlock{NestedObject: schema.NestedBlockObject{Attributes: map[string]schema.Attribute{
				"key":   schema.StringAttribute{Required: true},
				"value": schema.StringAttribute{Optional: true},
			}}},
		},
	}
	return kind{name: "modern_blocks", schema: schema.Schema{
		Attributes: with(map[string]schema.Attribute{}),
		Blocks: map[string]schema.Block{
			"one": schema.SingleNestedBlock{Attributes: map[string]schema.Attribute{
				"name": schema.StringAttribute{Optional: true},
				"size": schema.Int64Attribute{Optional: true},
			}},
			"row": schema.ListNestedBlock{NestedObject: inner},
			"rule": schema.SetNestedBlock{NestedObject: schema.NestedBlockObject{Attributes: map[string]schema.Attribute{
				"name":  schema.StringAttribute{Required: true},
				"ports": schema.ListAttribute{Optional: true, ElementType: types.Int64Type},
			}}},
		},
	}}
}

// defaults has a default of every form.
func defaults() kind {
	two := []attr.Value{types.StringValue("a"), types.StringValue("b")}
	return kind{name: "modern_defaults", schema: schema.Schema{Attributes: with(map[string]schema.Attribute{
		"bool":   schema.BoolAttribute{Optional: true, Computed: true, Default: booldefault.StaticBool(true)},
		"int":    schema.Int64Attribute{Optional: true, Computed: true, Default: int64default.StaticInt64(3)},
		"string": schema.StringAttribute{Optional: true, Computed: true, Default: stringdefault.StaticString("")},
		"list":   schema.ListAttribute{Optional: true, Computed: true, ElementType: types.StringType, Default: listdefault.StaticValue(types.ListValueMust(types.StringType, two))},
		"set":    schema.SetAttribute{Optional: true, Computed: true, ElementType: types.StringType, Default: setdefault.StaticValue(types.SetValueMust(types.StringType, two))},
		"map":    schema.MapAttribute{Optional: true, Computed: true, ElementType: types.StringType, Default: mapdefault.StaticValue(types.MapValueMust(types.StringType, map[string]attr.Value{}))},
		"object": schema.ObjectAttribute{Optional: true, Computed: true, AttributeTypes: pair, Default: objectdefault.StaticValue(types.ObjectValueMust(pair, map[string]attr.Value{"key": types.StringValue("k"), "size": types.Int64Null()}))},
	})}}
}

// planned has plan modifiers of every form.
func planned() kind {
	return kind{name: "modern_planned",
		schema: schema.Schema{Attributes: with(map[string]schema.Attribute{
			"name":     schema.StringAttribute{Required: true},
			"zone":     schema.StringAttribute{Optional: true, PlanModifiers: []planmodifier.String{stringplanmodifier.RequiresReplace()}},
			"size":     schema.Int64Attribute{Optional: true, Computed: true, PlanModifiers: []planmodifier.Int64{int64planmodifier.RequiresReplaceIfConfigured(), int64planmodifier.UseStateForUnknown()}},
			"shout":    schema.StringAttribute{Computed: true},
			"revision": schema.StringAttribute{Computed: true},
			"wait":     schema.BoolAttribute{Optional: true},
		})},
		modify:   shout,
		validate: quiet,
	}
}

// shout knows an attribute before it exists, refuses some plans and defers
// others.
func shout(ctx context.Context, req resource.ModifyPlanRequest, resp *resource.ModifyPlanResponse) {
	if req.Plan.Raw.IsNull() {
		resp.Diagnostics.AddWarning("Destruction considered", "The object will be gone.")
		return
	}
	var name types.String
	resp.Diagnostics.Append(req.Plan.GetAttribute(ctx, path.Root("name"), &name)...)
	if name.IsUnknown() {
		return
	}
	if name.ValueString() == "unplannable" {
		resp.Diagnostics.AddAttributeError(path.Root("name"), "Cannot plan this", "unplannable is not to be planned.")
	}
	resp.Diagnostics.Append(resp.Plan.SetAttribute(ctx, path.Root("shout"), strings.ToUpper(name.ValueString()))...)
	var wait types.Bool
	resp.Diagnostics.Append(req.Plan.GetAttribute(ctx, path.Root("wait"), &wait)...)
	if wait.ValueBool() && req.ClientCapabilities.DeferralAllowed {
		resp.Deferred = &resource.Deferred{Reason: resource.DeferredReasonAbsentPrereq}
	}
}

func quiet(ctx context.Context, req resource.ValidateConfigRequest, resp *resource.ValidateConfigResponse) {
	var name types.String
	resp.Diagnostics.Append(req.Config.GetAttribute(ctx, path.Root("name"), &name)...)
	if strings.Contains(name.ValueString(), "!") {
		resp.Diagnostics.AddAttributeError(path.Root("name"), "Invalid name", "Names are quiet.")
	}
}

// secret has what must not be seen, and what must not be kept.
func secret() kind {
	return kind{name: "modern_secret",
		schema: schema.Schema{
			Attributes: with(map[string]schema.Attribute{
				"password": schema.StringAttribute{Optional: true, WriteOnly: true},
				"version":  schema.Int64Attribute{Optional: true},
				"key":      schema.StringAttribute{Optional: true, Sensitive: true},
				"made":     schema.StringAttribute{Computed: true, Sensitive: true},
			}),
		},
		config: func(_ context.Context, w *cloud.World, config tftypes.Value) {
			w.Happen("password " + text(config, "password"))
		},
	}
}

// versionedFirst is a type as it was once.
func versionedFirst() kind {
	return kind{name: "modern_versioned", schema: schema.Schema{Attributes: with(map[string]schema.Attribute{
		"name": schema.StringAttribute{Required: true},
		"size": schema.StringAttribute{Optional: true},
	})}}
}

// versioned is that type two versions later.
func versioned() kind {
	before := versionedFirst().schema
	type old struct {
		ID   types.String `tfsdk:"id"`
		Name types.String `tfsdk:"name"`
		Size types.String `tfsdk:"size"`
	}
	type current struct {
		ID    types.String `tfsdk:"id"`
		Title types.String `tfsdk:"title"`
		Sizes types.List   `tfsdk:"sizes"`
	}
	return kind{name: "modern_versioned",
		schema: schema.Schema{Version: 2, Attributes: with(map[string]schema.Attribute{
			"title": schema.StringAttribute{Required: true},
			"sizes": schema.ListAttribute{Optional: true, ElementType: types.StringType},
		})},
		upgrade: map[int64]resource.StateUpgrader{0: {PriorSchema: &before,
			StateUpgrader: func(ctx context.Context, req resource.UpgradeStateRequest, resp *resource.UpgradeStateResponse) {
				var o old
				resp.Diagnostics.Append(req.State.Get(ctx, &o)...)
				sizes := types.ListValueMust(types.StringType, []attr.Value{o.Size})
				resp.Diagnostics.Append(resp.State.Set(ctx, current{o.ID, o.Name, sizes})...)
			}}},
	}
}

// moved takes objects of another type over.
func moved() kind {
	source := versionedFirst().schema
	return kind{name: "modern_moved",
		schema: schema.Schema{Attributes: with(map[string]schema.Attribute{
			"name": schema.StringAttribute{Required: true},
			"from": schema.StringAttribute{Computed: true, PlanModifiers: []planmodifier.String{stringplanmodifier.UseStateForUnknown()}},
		})},
		movers: []resource.StateMover{{SourceSchema: &source,
			StateMover: func(ctx context.Context, req resource.MoveStateRequest, resp *resource.MoveStateResponse) {
				if req.SourceTypeName != "modern_versioned" || req.SourceSchemaVersion != 0 || !strings.HasSuffix(req.SourceProviderAddress, "/modern") {
					return
				}
				for _, name := range []string{"id", "name"} {
					var s types.String
					resp.Diagnostics.Append(req.SourceState.GetAttribute(ctx, path.Root(name), &s)...)
					resp.Diagnostics.Append(resp.TargetState.SetAttribute(ctx, path.Root(name), s)...)
				}
				resp.Diagnostics.Append(resp.TargetState.SetAttribute(ctx, path.Root("from"), req.SourceTypeName)...)
				seal, diags := req.SourcePrivate.GetKey(ctx, "seal")
				resp.Diagnostics.Append(diags...)
				resp.Diagnostics.Append(resp.TargetPrivate.SetKey(ctx, "seal", seal)...)
			}}},
	}
}

// identified has an identity beside its id.
func identified() kind {
	return kind{name: "modern_known", identity: "name",
		schema: schema.Schema{Attributes: with(map[string]schema.Attribute{
			"name": schema.StringAttribute{Required: true, PlanModifiers: []planmodifier.String{stringplanmodifier.RequiresReplace()}},
			"size": schema.Int64Attribute{Optional: true},
		})},
	}
}

// faulty goes wrong where the configuration says.
func faulty() kind {
	return kind{name: "modern_faulty", schema: schema.Schema{Attributes: with(map[string]schema.Attribute{
		"name": schema.StringAttribute{Required: true},
		"fail": schema.StringAttribute{Optional: true},
	})}}
}

// nested are the types with nested attributes.
func nested() []kind {
	leaf := schema.NestedAttributeObject{Attributes: map[string]schema.Attribute{
		"name": schema.StringAttribute{Required: true},
		"size": schema.Int64Attribute{Optional: true, Computed: true, Default: int64default.StaticInt64(1)},
		"made": schema.StringAttribute{Computed: true},
	}}
	deep := schema.NestedAttributeObject{Attributes: map[string]schema.Attribute{
		"name":   schema.StringAttribute{Required: true},
		"leaves": schema.MapNestedAttribute{Optional: true, NestedObject: leaf},
	}}
	return []kind{{name: "modern_nested", schema: schema.Schema{Attributes: with(map[string]schema.Attribute{
		"one":  schema.SingleNestedAttribute{Optional: true, Attributes: leaf.Attributes},
		"list": schema.ListNestedAttribute{Optional: true, NestedObject: leaf},
		"set": schema.SetNestedAttribute{Optional: true, NestedObject: schema.NestedAttributeObject{Attributes: map[string]schema.Attribute{
			"name":   schema.StringAttribute{Required: true},
			"secret": schema.StringAttribute{Optional: true, Sensitive: true},
		}}},
		"map":  schema.MapNestedAttribute{Optional: true, NestedObject: leaf},
		"deep": schema.ListNestedAttribute{Optional: true, NestedObject: deep},
		"given": schema.SingleNestedAttribute{Optional: true, Computed: true, Attributes: map[string]schema.Attribute{
			"x": schema.StringAttribute{Optional: true, Computed: true},
		}},
	})}}}
}
