// Package modern owns a provider on terraform-plugin-framework, in two forms: all
// of it over protocol 6, and without nested attributes over protocol 5.
//
// It must never know which program calls it.
//
// Invariants:
//
//	M1. Every object carries private state; it is an error when that is lost.
//	M2. An attribute named fail makes the stage fail that it names.
//
// Read first: [Server6], kind, object.
package modern

import (
	"context"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/action"
	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/ephemeral"
	"github.com/hashicorp/terraform-plugin-framework/function"
	"github.com/hashicorp/terraform-plugin-framework/list"
	"github.com/hashicorp/terraform-plugin-framework/provider"
	"github.com/hashicorp/terraform-plugin-framework/provider/schema"
	"github.com/hashicorp/terraform-plugin-framework/providerserver"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/hashicorp/terraform-plugin-go/tfprotov5"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/plumb-iac/plumb/test/acceptance/cloud"
)

// Server6 serves all of the provider.
func Server6(w *cloud.World) func() (tfprotov6.ProviderServer, error) {
	return providerserver.NewProtocol6WithError(keeping{&modern{world: w, kinds: append(flat(), nested()...)}})
}

// Old6 serves the provider as it was before [Server6]: the types that changed
// since, in their first version.
func Old6(w *cloud.World) func() (tfprotov6.ProviderServer, error) {
	return providerserver.NewProtocol6WithError(&modern{world: w, kinds: []kind{versionedFirst()}})
}

// Server5 serves what protocol 5 can express.
func Server5(w *cloud.World) func() (tfprotov5.ProviderServer, error) {
	return providerserver.NewProtocol5WithError(&modern{world: w, kinds: flat()})
}

// Beside5 serves the provider as a part of another, whose configuration it has to
// share.
func Beside5(w *cloud.World) func() tfprotov5.ProviderServer {
	return providerserver.NewProtocol5(&modern{world: w, kinds: flat(), beside: true})
}

// Beside6 is Beside5 over protocol 6.
func Beside6(w *cloud.World) func() tfprotov6.ProviderServer {
	return providerserver.NewProtocol6(&modern{world: w, kinds: append(flat(), nested()...), beside: true})
}

type modern struct {
	world *cloud.World
	kinds []kind
	// beside says that the configuration is that of another provider.
	beside bool
	// data are its data sources, if not the usual one.
	data []func() datasource.DataSource
}

// settings is the configuration of the provider.
type settings struct {
	Region types.String `tfsdk:"region"`
	Token  types.String `tfsdk:"token"`
	Wait   types.Bool   `tfsdk:"wait"`
}

func (m *modern) Metadata(_ context.Context, _ provider.MetadataRequest, resp *provider.MetadataResponse) {
	resp.TypeName, resp.Version = "modern", "1.0.0"
}

func (m *modern) Schema(_ context.Context, _ provider.SchemaRequest, resp *provider.SchemaResponse) {
	resp.Schema = schema.Schema{Attributes: map[string]schema.Attribute{
		"region": schema.StringAttribute{Optional: true},
	}}
	if m.beside {
		return
	}
	resp.Schema = schema.Schema{Attributes: map[string]schema.Attribute{
		"region": schema.StringAttribute{Optional: true},
		"token":  schema.StringAttribute{Optional: true, Sensitive: true},
		"wait":   schema.BoolAttribute{Optional: true, Description: "Defer everything, as with a region that is not known yet."},
	}}
}

func (m *modern) Configure(ctx context.Context, req provider.ConfigureRequest, resp *provider.ConfigureResponse) {
	if m.beside {
		return
	}
	var s settings
	resp.Diagnostics.Append(req.Config.Get(ctx, &s)...)
	if s.Region.ValueString() == "nowhere" {
		resp.Diagnostics.AddError("No such region", "nowhere is not a region.")
	}
	resp.DataSourceData = s.Region.ValueString()
	if (s.Wait.ValueBool() || s.Region.IsUnknown()) && req.ClientCapabilities.DeferralAllowed {
		resp.Deferred = &provider.Deferred{Reason: provider.DeferredReasonProviderConfigUnknown}
	}
}

func (m *modern) Resources(context.Context) []func() resource.Resource {
	var out []func() resource.Resource
	for _, k := range m.kinds {
		out = append(out, k.in(m.world))
	}
	return out
}

func (m *modern) DataSources(context.Context) []func() datasource.DataSource {
	if m.data != nil {
		return m.data
	}
	return []func() datasource.DataSource{func() datasource.DataSource { return &lookup{world: m.world} }}
}

func (m *modern) EphemeralResources(context.Context) []func() ephemeral.EphemeralResource {
	return []func() ephemeral.EphemeralResource{func() ephemeral.EphemeralResource { return &token{world: m.world} }}
}

func (m *modern) Functions(context.Context) []func() function.Function {
	return []func() function.Function{
		func() function.Function { return glue{} },
		func() function.Function { return describe{} },
	}
}

func (m *modern) Actions(context.Context) []func() action.Action {
	return []func() action.Action{func() action.Action { return &ping{world: m.world} }}
}

func (m *modern) ListResources(context.Context) []func() list.ListResource {
	if !slices.ContainsFunc(m.kinds, func(k kind) bool { return k.identity != "" }) {
		return nil
	}
	return []func() list.ListResource{func() list.ListResource { return &listing{world: m.world} }}
}
