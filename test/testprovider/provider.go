package testprovider

import (
	"context"
	"fmt"
	"os"

	"github.com/hashicorp/terraform-plugin-framework/action"
	aschema "github.com/hashicorp/terraform-plugin-framework/action/schema"
	"github.com/hashicorp/terraform-plugin-framework/datasource"
	dschema "github.com/hashicorp/terraform-plugin-framework/datasource/schema"
	"github.com/hashicorp/terraform-plugin-framework/ephemeral"
	eschema "github.com/hashicorp/terraform-plugin-framework/ephemeral/schema"
	"github.com/hashicorp/terraform-plugin-framework/function"
	"github.com/hashicorp/terraform-plugin-framework/list"
	lschema "github.com/hashicorp/terraform-plugin-framework/list/schema"
	"github.com/hashicorp/terraform-plugin-framework/provider"
	pschema "github.com/hashicorp/terraform-plugin-framework/provider/schema"
	"github.com/hashicorp/terraform-plugin-framework/providerserver"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/hashicorp/terraform-plugin-go/tfprotov5/tf5server"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6/tf6server"
	"google.golang.org/grpc"
)

// New makes the provider.
func New() provider.Provider { return keeper{&test{}} }

// New5 makes the provider without what protocol 5 does not have.
func New5() provider.Provider { return &test{} }

// keeper is the provider with its state store.
type keeper struct{ *test }

// Register5 and Register6 serve the provider in protocol 5 or 6.
func Register5(s *grpc.Server) {
	p := &tf5server.GRPCProviderPlugin{GRPCProvider: providerserver.NewProtocol5(New5()), Name: "test"}
	_ = p.GRPCServer(nil, s)
}

// Register6 serves the provider in protocol 6.
func Register6(s *grpc.Server) {
	p := &tf6server.GRPCProviderPlugin{GRPCProvider: providerserver.NewProtocol6(New()), Name: "test"}
	_ = p.GRPCServer(nil, s)
}

type test struct{}

func (*test) Metadata(_ context.Context, _ provider.MetadataRequest, resp *provider.MetadataResponse) {
	resp.TypeName = "test"
}

func (*test) Schema(_ context.Context, _ provider.SchemaRequest, resp *provider.SchemaResponse) {
	resp.Schema = pschema.Schema{Attributes: map[string]pschema.Attribute{
		"region": pschema.StringAttribute{Optional: true},
	}}
}

func (*test) Configure(ctx context.Context, req provider.ConfigureRequest, resp *provider.ConfigureResponse) {
	var config struct {
		Region types.String `tfsdk:"region"`
	}
	resp.Diagnostics.Append(req.Config.Get(ctx, &config)...)
	if config.Region.ValueString() == "nowhere" {
		resp.Diagnostics.AddError("Region refused", "There is no region of that name.")
	}
}

func (*test) Resources(context.Context) []func() resource.Resource {
	return []func() resource.Resource{func() resource.Resource { return &thing{} }}
}

func (*test) DataSources(context.Context) []func() datasource.DataSource {
	return []func() datasource.DataSource{func() datasource.DataSource { return echo{} }}
}

func (*test) EphemeralResources(context.Context) []func() ephemeral.EphemeralResource {
	return []func() ephemeral.EphemeralResource{func() ephemeral.EphemeralResource { return session{} }}
}

func (*test) Functions(context.Context) []func() function.Function {
	return []func() function.Function{func() function.Function { return twice{} }}
}

func (*test) ListResources(context.Context) []func() list.ListResource {
	return []func() list.ListResource{func() list.ListResource { return &things{} }}
}

func (*test) Actions(context.Context) []func() action.Action {
	return []func() action.Action{func() action.Action { return note{} }}
}

// echo returns what it was told.
type echo struct{}

func (echo) Metadata(_ context.Context, _ datasource.MetadataRequest, resp *datasource.MetadataResponse) {
	resp.TypeName = "test_echo"
}

func (echo) Schema(_ context.Context, _ datasource.SchemaRequest, resp *datasource.SchemaResponse) {
	resp.Schema = dschema.Schema{Attributes: map[string]dschema.Attribute{
		"say":  dschema.StringAttribute{Required: true},
		"said": dschema.StringAttribute{Computed: true},
	}}
}

func (echo) Read(ctx context.Context, req datasource.ReadRequest, resp *datasource.ReadResponse) {
	var d struct {
		Say  types.String `tfsdk:"say"`
		Said types.String `tfsdk:"said"`
	}
	resp.Diagnostics.Append(req.Config.Get(ctx, &d)...)
	d.Said = d.Say
	resp.Diagnostics.Append(resp.State.Set(ctx, d)...)
}

// session is an ephemeral token that can be closed.
type session struct{}

func (session) Metadata(_ context.Context, _ ephemeral.MetadataRequest, resp *ephemeral.MetadataResponse) {
	resp.TypeName = "test_session"
}

func (session) Schema(_ context.Context, _ ephemeral.SchemaRequest, resp *ephemeral.SchemaResponse) {
	resp.Schema = eschema.Schema{Attributes: map[string]eschema.Attribute{
		"token": eschema.StringAttribute{Computed: true, Sensitive: true},
	}}
}

func (session) Open(ctx context.Context, _ ephemeral.OpenRequest, resp *ephemeral.OpenResponse) {
	token := struct {
		Token types.String `tfsdk:"token"`
	}{types.StringValue("t-1")}
	resp.Diagnostics.Append(resp.Result.Set(ctx, token)...)
	resp.Diagnostics.Append(resp.Private.SetKey(ctx, "token", []byte(`"t-1"`))...)
}

func (session) Close(ctx context.Context, req ephemeral.CloseRequest, resp *ephemeral.CloseResponse) {
	kept, diags := req.Private.GetKey(ctx, "token")
	resp.Diagnostics.Append(diags...)
	resp.Diagnostics.AddWarning("Closed", string(kept))
}

// twice is a function; it refuses the empty string.
type twice struct{}

func (twice) Metadata(_ context.Context, _ function.MetadataRequest, resp *function.MetadataResponse) {
	resp.Name = "twice"
}

func (twice) Definition(_ context.Context, _ function.DefinitionRequest, resp *function.DefinitionResponse) {
	resp.Definition = function.Definition{
		Parameters: []function.Parameter{function.StringParameter{Name: "s"}},
		Return:     function.StringReturn{},
	}
}

func (twice) Run(ctx context.Context, req function.RunRequest, resp *function.RunResponse) {
	var s string
	if resp.Error = req.Arguments.Get(ctx, &s); resp.Error != nil {
		return
	}
	if s == "" {
		resp.Error = function.NewArgumentFuncError(0, "nothing to repeat")
		return
	}
	resp.Error = resp.Result.Set(ctx, s+s)
}

// things lists two things that always exist.
type things struct{}

func (*things) Metadata(_ context.Context, _ resource.MetadataRequest, resp *resource.MetadataResponse) {
	resp.TypeName = "test_thing"
}

func (*things) ListResourceConfigSchema(_ context.Context, _ list.ListResourceSchemaRequest, resp *list.ListResourceSchemaResponse) {
	resp.Schema = lschema.Schema{Attributes: map[string]lschema.Attribute{"prefix": lschema.StringAttribute{Optional: true}}}
}

func (*things) List(ctx context.Context, req list.ListRequest, stream *list.ListResultsStream) {
	stream.Results = func(push func(list.ListResult) bool) {
		for i := range 2 {
			found := req.NewListResult(ctx)
			found.DisplayName = fmt.Sprintf("thing %d", i)
			found.Diagnostics.Append(found.Identity.Set(ctx, identity{types.StringValue(fmt.Sprintf("id-%d", i))})...)
			if !push(found) {
				return
			}
		}
	}
}

// note is an action that reports progress.
type note struct{}

func (note) Metadata(_ context.Context, _ action.MetadataRequest, resp *action.MetadataResponse) {
	resp.TypeName = "test_note"
}

func (note) Schema(_ context.Context, _ action.SchemaRequest, resp *action.SchemaResponse) {
	resp.Schema = aschema.Schema{Attributes: map[string]aschema.Attribute{"text": aschema.StringAttribute{Required: true}}}
}

func (note) Invoke(ctx context.Context, req action.InvokeRequest, resp *action.InvokeResponse) {
	var config struct {
		Text types.String `tfsdk:"text"`
	}
	resp.Diagnostics.Append(req.Config.Get(ctx, &config)...)
	resp.SendProgress(action.InvokeProgressEvent{Message: "noting " + config.Text.ValueString()})
}

// misbehave does what the name of a thing asks for.
func misbehave(name string) {
	switch name {
	case "panic":
		fmt.Fprintln(os.Stderr, "something else first")
		panic("told to panic")
	case "exit":
		os.Exit(7)
	}
}
