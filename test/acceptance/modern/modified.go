package modern

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/providerserver"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	schemadefaults "github.com/hashicorp/terraform-plugin-framework/resource/schema/defaults"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/objectdefault"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/objectplanmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/stringdefault"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/stringplanmodifier"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/hashicorp/terraform-plugin-go/tfprotov5"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/plumb-iac/plumb/test/acceptance/cloud"
)

// A Modification is a hand that a provider has in its plans. It comes in two
// forms, for a text and for an object {v}, which say the same.
type Modification struct {
	// Name is part of the names of types, Title what the framework calls it.
	Name, Title string

	text          []planmodifier.String
	object        []planmodifier.Object
	textDefault   schemadefaults.String
	objectDefault schemadefaults.Object
	modify        func(p path.Path, object bool) modifier
}

type modifier = func(context.Context, resource.ModifyPlanRequest, *resource.ModifyPlanResponse)

var boxed = map[string]attr.Type{"v": types.StringType}

func box(v types.String) types.Object {
	return types.ObjectValueMust(boxed, map[string]attr.Value{"v": v})
}

// Modifications are the columns of the tables of plan modifiers.
func Modifications() []Modification {
	return []Modification{
		{Name: "none", Title: "left alone"},
		{Name: "keep", Title: "UseStateForUnknown",
			text: []planmodifier.String{stringplanmodifier.UseStateForUnknown()}, object: []planmodifier.Object{objectplanmodifier.UseStateForUnknown()}},
		{Name: "default", Title: "Default",
			textDefault: stringdefault.StaticString("default"), objectDefault: objectdefault.StaticValue(box(types.StringValue("default")))},
		{Name: "set", Title: "ModifyPlan: new", modify: setting(types.StringValue("new"), box(types.StringValue("new")))},
		{Name: "unknown", Title: "ModifyPlan: unknown", modify: setting(types.StringUnknown(), types.ObjectUnknown(boxed))},
		{Name: "replace", Title: "RequiresReplace",
			text: []planmodifier.String{stringplanmodifier.RequiresReplace()}, object: []planmodifier.Object{objectplanmodifier.RequiresReplace()}},
		{Name: "replaceif", Title: "RequiresReplaceIf: config",
			text:   []planmodifier.String{stringplanmodifier.RequiresReplaceIf(ifConfig, "", "")},
			object: []planmodifier.Object{objectplanmodifier.RequiresReplaceIf(ifConfigBoxed, "", "")}},
		{Name: "replaceset", Title: "RequiresReplaceIfConfigured",
			text: []planmodifier.String{stringplanmodifier.RequiresReplaceIfConfigured()}, object: []planmodifier.Object{objectplanmodifier.RequiresReplaceIfConfigured()}},
		{Name: "both", Title: "UseStateForUnknown, RequiresReplace",
			text:   []planmodifier.String{stringplanmodifier.UseStateForUnknown(), stringplanmodifier.RequiresReplace()},
			object: []planmodifier.Object{objectplanmodifier.UseStateForUnknown(), objectplanmodifier.RequiresReplace()}},
	}
}

// setting gives a ModifyPlan that overrules whatever was planned.
func setting(text types.String, object types.Object) func(path.Path, bool) modifier {
	return func(p path.Path, isObject bool) modifier {
		return func(ctx context.Context, req resource.ModifyPlanRequest, resp *resource.ModifyPlanResponse) {
			switch {
			case req.Plan.Raw.IsNull():
			case isObject:
				resp.Diagnostics.Append(resp.Plan.SetAttribute(ctx, p, object)...)
			default:
				resp.Diagnostics.Append(resp.Plan.SetAttribute(ctx, p, text)...)
			}
		}
	}
}

func ifConfig(_ context.Context, req planmodifier.StringRequest, resp *stringplanmodifier.RequiresReplaceIfFuncResponse) {
	resp.RequiresReplace = req.PlanValue.ValueString() == "config"
}

func ifConfigBoxed(_ context.Context, req planmodifier.ObjectRequest, resp *objectplanmodifier.RequiresReplaceIfFuncResponse) {
	v, _ := req.PlanValue.Attributes()["v"].(types.String)
	resp.RequiresReplace = v.ValueString() == "config"
}

// modified are the types on which modifications are tried, one for each form of an
// attribute and each modification: "modern_FORM_NAME". The attribute is v; that
// inside an object is box.v.
func modified(nested bool, modifications []Modification) []kind {
	var out []kind
	for _, m := range modifications {
		for form, a := range m.attributes(nested) {
			name, at, isObject := "v", path.Root("v"), form == "object"
			if form == "inside" {
				name, at = "box", path.Root("box").AtName("v")
			}
			k := kind{name: "modern_" + form + "_" + m.Name, decides: true, schema: schema.Schema{Attributes: with(map[string]schema.Attribute{
				"name": schema.StringAttribute{Required: true}, "other": schema.StringAttribute{Optional: true}, name: a})}}
			if m.modify != nil {
				k.modify = m.modify(at, isObject)
			}
			out = append(out, k)
		}
	}
	return out
}

// attributes are the forms of an attribute with a modification.
func (m Modification) attributes(nested bool) map[string]schema.Attribute {
	text := func(optional, computed bool) schema.StringAttribute {
		a := schema.StringAttribute{Optional: optional, Computed: computed, PlanModifiers: m.text}
		if computed {
			a.Default = m.textDefault
		}
		return a
	}
	out := map[string]schema.Attribute{"computed": text(false, true), "optional": text(true, false), "either": text(true, true)}
	if nested {
		inner := map[string]schema.Attribute{"v": schema.StringAttribute{Optional: true, Computed: true}}
		out["object"] = schema.SingleNestedAttribute{Optional: true, Computed: true, Attributes: inner, PlanModifiers: m.object, Default: m.objectDefault}
		out["inside"] = schema.SingleNestedAttribute{Required: true, Attributes: map[string]schema.Attribute{
			"v": text(true, true), "w": schema.StringAttribute{Required: true}}}
	}
	return out
}

// plainly are the modifications without what they do: the types are those of
// before they were written.
func plainly() []Modification {
	var out []Modification
	for _, m := range Modifications() {
		out = append(out, Modification{Name: m.Name})
	}
	return out
}

// Modified6 serves a provider of the types on which modifications are tried;
// Plain6 the same types without any. Modified5 and Plain5 serve those without
// nested attributes.
func Modified6(w *cloud.World) tfprotov6.ProviderServer {
	return providerserver.NewProtocol6(&modern{world: w, kinds: modified(true, Modifications())})()
}

// Plain6 serves the types of [Modified6] without their modifications.
func Plain6(w *cloud.World) tfprotov6.ProviderServer {
	return providerserver.NewProtocol6(&modern{world: w, kinds: modified(true, plainly())})()
}

// Modified5 is [Modified6] without nested attributes.
func Modified5(w *cloud.World) tfprotov5.ProviderServer {
	return providerserver.NewProtocol5(&modern{world: w, kinds: modified(false, Modifications())})()
}

// Plain5 is [Plain6] without nested attributes.
func Plain5(w *cloud.World) tfprotov5.ProviderServer {
	return providerserver.NewProtocol5(&modern{world: w, kinds: modified(false, plainly())})()
}
