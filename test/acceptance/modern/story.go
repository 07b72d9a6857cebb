package modern

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/datasource"
	dataschema "github.com/hashicorp/terraform-plugin-framework/datasource/schema"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/providerserver"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/stringplanmodifier"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/hashicorp/terraform-plugin-go/tfprotov5"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
	"github.com/plumb-iac/plumb/test/acceptance/cloud"
)

// Story5 gives the provider of the stories that are told of providers of either
// make. Package legacy has its twin.
func Story5(w *cloud.World) tfprotov5.ProviderServer {
	return providerserver.NewProtocol5(story(w))()
}

// Story6 is [Story5] over protocol 6.
func Story6(w *cloud.World) tfprotov6.ProviderServer {
	return providerserver.NewProtocol6(story(w))()
}

func story(w *cloud.World) *modern {
	thing := kind{name: "story_thing", schema: storyThing()}
	other := kind{name: "story_other", schema: storyThing()}
	source := storyThing()
	other.movers = []resource.StateMover{{SourceSchema: &source,
		StateMover: func(ctx context.Context, req resource.MoveStateRequest, resp *resource.MoveStateResponse) {
			if req.SourceTypeName != thing.name {
				return
			}
			resp.TargetState.Raw = req.SourceState.Raw
			id := text(req.SourceState.Raw, "id")
			if v := w.Get(thing.name, id); v != nil { // it is asked more than once
				w.Put(other.name, id, v)
				w.Delete(thing.name, id)
			}
			resp.Diagnostics.Append(resp.TargetPrivate.SetKey(ctx, "seal", seal(id))...)
		}}}
	return &modern{world: w, kinds: []kind{thing, other}, data: []func() datasource.DataSource{
		func() datasource.DataSource { return &count{world: w} }}}
}

func storyThing() schema.Schema {
	keep := []planmodifier.String{stringplanmodifier.UseStateForUnknown()}
	return schema.Schema{
		Attributes: with(map[string]schema.Attribute{
			"name":   schema.StringAttribute{Required: true},
			"zone":   schema.StringAttribute{Optional: true, PlanModifiers: []planmodifier.String{stringplanmodifier.RequiresReplace()}},
			"size":   schema.Int64Attribute{Optional: true},
			"made":   schema.StringAttribute{Computed: true, PlanModifiers: keep},
			"given":  schema.StringAttribute{Optional: true, Computed: true, PlanModifiers: keep},
			"secret": schema.StringAttribute{Optional: true, Sensitive: true},
			"once":   schema.StringAttribute{Optional: true, WriteOnly: true},
			"fail":   schema.StringAttribute{Optional: true},
		}),
		Blocks: map[string]schema.Block{
			"row": schema.ListNestedBlock{NestedObject: schema.NestedBlockObject{Attributes: map[string]schema.Attribute{
				"port": schema.Int64Attribute{Required: true},
				"note": schema.StringAttribute{Optional: true},
			}}},
		},
	}
}

// count is a data source: how many objects of a type there are.
type count struct{ world *cloud.World }

func (c *count) Metadata(_ context.Context, _ datasource.MetadataRequest, resp *datasource.MetadataResponse) {
	resp.TypeName = "story_count"
}

func (c *count) Schema(_ context.Context, _ datasource.SchemaRequest, resp *datasource.SchemaResponse) {
	resp.Schema = dataschema.Schema{Attributes: map[string]dataschema.Attribute{
		"id":     dataschema.StringAttribute{Computed: true},
		"kind":   dataschema.StringAttribute{Required: true},
		"number": dataschema.Int64Attribute{Computed: true},
	}}
}

func (c *count) Read(ctx context.Context, req datasource.ReadRequest, resp *datasource.ReadResponse) {
	var kind types.String
	resp.Diagnostics.Append(req.Config.GetAttribute(ctx, path.Root("kind"), &kind)...)
	if kind.ValueString() == "nothing" {
		resp.Diagnostics.AddError("No such kind", "There are no such things.")
		return
	}
	resp.State.Raw = req.Config.Raw
	resp.Diagnostics.Append(resp.State.SetAttribute(ctx, path.Root("id"), kind)...)
	resp.Diagnostics.Append(resp.State.SetAttribute(ctx, path.Root("number"), int64(len(c.world.IDs(kind.ValueString()))))...)
}

// Rename changes a thing behind the provider's back.
func Rename(w *cloud.World, id, name string) {
	stored, _ := w.Get("story_thing", id).(tftypes.Value)
	v, err := tftypes.Transform(stored, func(p *tftypes.AttributePath, v tftypes.Value) (tftypes.Value, error) {
		if p.Equal(tftypes.NewAttributePath().WithAttributeName("name")) {
			return tftypes.NewValue(tftypes.String, name), nil
		}
		return v, nil
	})
	if err != nil {
		panic(err) // the function gives values of the same type
	}
	w.Put("story_thing", id, v)
}

// Named is the name of a thing.
func Named(w *cloud.World, kind, id string) string {
	stored, _ := w.Get(kind, id).(tftypes.Value)
	return text(stored, "name")
}
