package std

import (
	"context"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/action"
	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/ephemeral"
	"github.com/hashicorp/terraform-plugin-framework/function"
	"github.com/hashicorp/terraform-plugin-framework/provider"
	"github.com/hashicorp/terraform-plugin-framework/provider/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource"
)

// clock tells the time. Only certificates ask.
type clock func() time.Time

type std struct {
	version string
	now     clock
}

var (
	_ provider.ProviderWithFunctions          = std{}
	_ provider.ProviderWithEphemeralResources = std{}
	_ provider.ProviderWithActions            = std{}
)

// Metadata names the provider: every type of it begins with std_.
func (p std) Metadata(_ context.Context, _ provider.MetadataRequest, resp *provider.MetadataResponse) {
	resp.TypeName = "std"
	resp.Version = p.version
}

// Schema is empty: there is nothing to configure.
func (p std) Schema(_ context.Context, _ provider.SchemaRequest, resp *provider.SchemaResponse) {
	resp.Schema = schema.Schema{
		MarkdownDescription: "Files, random values, keys, certificates and commands. Built into plumb: no download, no configuration.",
	}
}

// Configure has nothing to do.
func (p std) Configure(context.Context, provider.ConfigureRequest, *provider.ConfigureResponse) {}

// Resources lists the managed resource types.
func (p std) Resources(context.Context) []func() resource.Resource {
	return []func() resource.Resource{
		func() resource.Resource { return fileResource{} },
		func() resource.Resource { return randomID{} },
		func() resource.Resource { return randomPet{} },
		func() resource.Resource { return randomPassword{} },
		func() resource.Resource { return randomUUID{} },
		func() resource.Resource { return tlsKey{} },
		func() resource.Resource { return tlsCert{now: p.now} },
		func() resource.Resource { return commandResource{} },
	}
}

// DataSources lists the data source types.
func (p std) DataSources(context.Context) []func() datasource.DataSource {
	return []func() datasource.DataSource{
		func() datasource.DataSource { return fileData{} },
		func() datasource.DataSource { return commandData{} },
	}
}

// EphemeralResources lists the types whose results are never stored.
func (p std) EphemeralResources(context.Context) []func() ephemeral.EphemeralResource {
	return []func() ephemeral.EphemeralResource{
		func() ephemeral.EphemeralResource { return passwordEphemeral{} },
		func() ephemeral.EphemeralResource { return commandEphemeral{} },
	}
}

// Actions lists what can be done without an object to keep.
func (p std) Actions(context.Context) []func() action.Action {
	return []func() action.Action{
		func() action.Action { return commandAction{} },
	}
}

// Functions lists the functions called as provider::std::NAME.
func (p std) Functions(context.Context) []func() function.Function {
	return []func() function.Function{
		func() function.Function { return slugFunction{} },
		func() function.Function { return shellQuoteFunction{} },
		func() function.Function { return certInfoFunction{} },
	}
}
