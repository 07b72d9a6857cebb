package modern

import (
	"context"
	"fmt"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/action"
	actionschema "github.com/hashicorp/terraform-plugin-framework/action/schema"
	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/datasource"
	dataschema "github.com/hashicorp/terraform-plugin-framework/datasource/schema"
	"github.com/hashicorp/terraform-plugin-framework/ephemeral"
	ephemeralschema "github.com/hashicorp/terraform-plugin-framework/ephemeral/schema"
	"github.com/hashicorp/terraform-plugin-framework/function"
	"github.com/hashicorp/terraform-plugin-framework/list"
	listschema "github.com/hashicorp/terraform-plugin-framework/list/schema"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
	"github.com/plumb-iac/plumb/test/acceptance/cloud"
)

// lookup is a data source: an object of a type, by its id.
type lookup struct {
	world  *cloud.World
	region string
}

type looked struct {
	Kind   types.String `tfsdk:"kind"`
	ID     types.String `tfsdk:"id"`
	Name   types.String `tfsdk:"name"`
	Region types.String `tfsdk:"region"`
	All    types.List   `tfsdk:"all"`
}

func (l *lookup) Metadata(_ context.Context, _ datasource.MetadataRequest, resp *datasource.MetadataResponse) {
	resp.TypeName = "modern_lookup"
}

func (l *lookup) Schema(_ context.Context, _ datasource.SchemaRequest, resp *datasource.SchemaResponse) {
	resp.Schema = dataschema.Schema{Attributes: map[string]dataschema.Attribute{
		"kind":   dataschema.StringAttribute{Required: true},
		"id":     dataschema.StringAttribute{Optional: true},
		"name":   dataschema.StringAttribute{Computed: true, Sensitive: true},
		"region": dataschema.StringAttribute{Computed: true},
		"all":    dataschema.ListAttribute{Computed: true, ElementType: types.StringType},
	}}
}

func (l *lookup) Configure(_ context.Context, req datasource.ConfigureRequest, _ *datasource.ConfigureResponse) {
	l.region, _ = req.ProviderData.(string)
}

func (l *lookup) Read(ctx context.Context, req datasource.ReadRequest, resp *datasource.ReadResponse) {
	var d looked
	resp.Diagnostics.Append(req.Config.Get(ctx, &d)...)
	d.Region, d.Name = types.StringValue(l.region), types.StringNull()
	if id := d.ID.ValueString(); id != "" {
		v, found := l.world.Get(d.Kind.ValueString(), id).(tftypes.Value)
		if !found {
			resp.Diagnostics.AddAttributeError(path.Root("id"), "No such object", fmt.Sprintf("There is no %s %s.", d.Kind.ValueString(), id))
			return
		}
		d.Name = types.StringValue(text(v, "name"))
	}
	all, diags := types.ListValueFrom(ctx, types.StringType, l.world.IDs(d.Kind.ValueString()))
	resp.Diagnostics.Append(diags...)
	d.All = all
	resp.Diagnostics.Append(resp.State.Set(ctx, &d)...)
}

// token is an ephemeral resource.
type token struct{ world *cloud.World }

func (t *token) Metadata(_ context.Context, _ ephemeral.MetadataRequest, resp *ephemeral.MetadataResponse) {
	resp.TypeName = "modern_token"
}

func (t *token) Schema(_ context.Context, _ ephemeral.SchemaRequest, resp *ephemeral.SchemaResponse) {
	resp.Schema = ephemeralschema.Schema{Attributes: map[string]ephemeralschema.Attribute{
		"user":  ephemeralschema.StringAttribute{Required: true},
		"value": ephemeralschema.StringAttribute{Computed: true},
	}}
}

func (t *token) Open(ctx context.Context, req ephemeral.OpenRequest, resp *ephemeral.OpenResponse) {
	var user string
	resp.Diagnostics.Append(req.Config.GetAttribute(ctx, path.Root("user"), &user)...)
	if user == "nobody" {
		resp.Diagnostics.AddAttributeError(path.Root("user"), "No token for nobody", "Ask for somebody.")
		return
	}
	resp.Diagnostics.Append(resp.Result.SetAttribute(ctx, path.Root("user"), user)...)
	resp.Diagnostics.Append(resp.Result.SetAttribute(ctx, path.Root("value"), "token of "+user)...)
	resp.Diagnostics.Append(resp.Private.SetKey(ctx, "user", seal(user))...)
	t.world.Put("token", user, true)
}

func (t *token) Close(ctx context.Context, req ephemeral.CloseRequest, resp *ephemeral.CloseResponse) {
	got, diags := req.Private.GetKey(ctx, "user")
	resp.Diagnostics.Append(diags...)
	for _, user := range t.world.IDs("token") {
		if string(got) == string(seal(user)) {
			t.world.Delete("token", user)
			t.world.Happen("closed " + user)
		}
	}
}

// glue is a function of many strings.
type glue struct{}

func (glue) Metadata(_ context.Context, _ function.MetadataRequest, resp *function.MetadataResponse) {
	resp.Name = "glue"
}

func (glue) Definition(_ context.Context, _ function.DefinitionRequest, resp *function.DefinitionResponse) {
	resp.Definition = function.Definition{
		Parameters:        []function.Parameter{function.StringParameter{Name: "separator"}},
		VariadicParameter: function.StringParameter{Name: "parts", AllowNullValue: true},
		Return:            function.StringReturn{},
	}
}

func (glue) Run(ctx context.Context, req function.RunRequest, resp *function.RunResponse) {
	var separator string
	var parts []*string
	resp.Error = function.ConcatFuncErrors(resp.Error, req.Arguments.Get(ctx, &separator, &parts))
	if separator == "" {
		resp.Error = function.NewArgumentFuncError(0, "a separator must not be empty")
		return
	}
	var out []string
	for _, p := range parts {
		if p != nil {
			out = append(out, *p)
		}
	}
	resp.Error = function.ConcatFuncErrors(resp.Error, resp.Result.Set(ctx, strings.Join(out, separator)))
}

// describe is a function of anything.
type describe struct{}

func (describe) Metadata(_ context.Context, _ function.MetadataRequest, resp *function.MetadataResponse) {
	resp.Name = "describe"
}

func (describe) Definition(_ context.Context, _ function.DefinitionRequest, resp *function.DefinitionResponse) {
	resp.Definition = function.Definition{
		Parameters: []function.Parameter{function.DynamicParameter{Name: "value", AllowNullValue: true}},
		Return:     function.ObjectReturn{AttributeTypes: describedTypes},
	}
}

func (describe) Run(ctx context.Context, req function.RunRequest, resp *function.RunResponse) {
	var v types.Dynamic
	resp.Error = function.ConcatFuncErrors(resp.Error, req.Arguments.Get(ctx, &v))
	name := "null"
	if u := v.UnderlyingValue(); u != nil {
		name = u.Type(ctx).String()
	}
	resp.Error = function.ConcatFuncErrors(resp.Error, resp.Result.Set(ctx, types.ObjectValueMust(describedTypes,
		described(name, v.IsNull()))))
}

// ping is an action.
type ping struct{ world *cloud.World }

func (p *ping) Metadata(_ context.Context, _ action.MetadataRequest, resp *action.MetadataResponse) {
	resp.TypeName = "modern_ping"
}

func (p *ping) Schema(_ context.Context, _ action.SchemaRequest, resp *action.SchemaResponse) {
	resp.Schema = actionschema.Schema{Attributes: map[string]actionschema.Attribute{
		"host":  actionschema.StringAttribute{Required: true},
		"times": actionschema.Int64Attribute{Optional: true},
	}}
}

func (p *ping) Invoke(ctx context.Context, req action.InvokeRequest, resp *action.InvokeResponse) {
	var host string
	resp.Diagnostics.Append(req.Config.GetAttribute(ctx, path.Root("host"), &host)...)
	resp.SendProgress(action.InvokeProgressEvent{Message: "pinging " + host})
	if host == "down" {
		resp.Diagnostics.AddError("Host is down", "down did not answer.")
		return
	}
	p.world.Happen("pinged " + host)
}

// listing finds things.
type listing struct{ world *cloud.World }

func (l *listing) Metadata(_ context.Context, _ resource.MetadataRequest, resp *resource.MetadataResponse) {
	resp.TypeName = "modern_known"
}

func (l *listing) ListResourceConfigSchema(_ context.Context, _ list.ListResourceSchemaRequest, resp *list.ListResourceSchemaResponse) {
	resp.Schema = listschema.Schema{Attributes: map[string]listschema.Attribute{
		"prefix": listschema.StringAttribute{Optional: true},
	}}
}

func (l *listing) List(ctx context.Context, req list.ListRequest, stream *list.ListResultsStream) {
	var prefix types.String
	if diags := req.Config.GetAttribute(ctx, path.Root("prefix"), &prefix); diags.HasError() {
		stream.Results = list.ListResultsStreamDiagnostics(diags)
		return
	}
	stream.Results = func(push func(list.ListResult) bool) {
		for _, id := range l.world.IDs("modern_known") {
			v, ok := l.world.Get("modern_known", id).(tftypes.Value)
			name := text(v, "name")
			if !ok || !strings.HasPrefix(name, prefix.ValueString()) {
				continue
			}
			r := req.NewListResult(ctx)
			r.DisplayName = "the thing " + name
			r.Diagnostics.Append(r.Identity.SetAttribute(ctx, path.Root("name"), name)...)
			if req.IncludeResource {
				r.Resource.Raw = v
			}
			if !push(r) {
				return
			}
		}
	}
}

var describedTypes = map[string]attr.Type{"type": types.StringType, "null": types.BoolType}

func described(name string, null bool) map[string]attr.Value {
	return map[string]attr.Value{"type": types.StringValue(name), "null": types.BoolValue(null)}
}
