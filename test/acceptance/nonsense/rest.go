package nonsense

import (
	"context"
	"time"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

// GetMetadata implements tfprotov6.ProviderServer.
func (p *Provider) GetMetadata(context.Context, *tfprotov6.GetMetadataRequest) (*tfprotov6.GetMetadataResponse, error) {
	return &tfprotov6.GetMetadataResponse{
		Resources:          []tfprotov6.ResourceMetadata{{TypeName: "nonsense_thing"}, {TypeName: "nonsense_other"}},
		DataSources:        []tfprotov6.DataSourceMetadata{{TypeName: "nonsense_thing"}},
		EphemeralResources: []tfprotov6.EphemeralResourceMetadata{{TypeName: "nonsense_thing"}},
		ListResources:      []tfprotov6.ListResourceMetadata{{TypeName: "nonsense_thing"}},
		Actions:            []tfprotov6.ActionMetadata{{TypeName: "nonsense_act"}},
		Functions:          []tfprotov6.FunctionMetadata{{Name: "same"}},
	}, nil
}

// GetProviderSchema implements tfprotov6.ProviderServer.
func (p *Provider) GetProviderSchema(context.Context, *tfprotov6.GetProviderSchemaRequest) (*tfprotov6.GetProviderSchemaResponse, error) {
	p.leave("schema", false)
	empty := &tfprotov6.Schema{Block: &tfprotov6.SchemaBlock{}}
	things := map[string]*tfprotov6.Schema{"nonsense_thing": schema(), "nonsense_other": schema()}
	resp := &tfprotov6.GetProviderSchemaResponse{
		Diagnostics:              p.fails("schema", false),
		ServerCapabilities:       &tfprotov6.ServerCapabilities{MoveResourceState: true},
		Provider:                 empty,
		ResourceSchemas:          things,
		DataSourceSchemas:        map[string]*tfprotov6.Schema{"nonsense_thing": schema()},
		EphemeralResourceSchemas: map[string]*tfprotov6.Schema{"nonsense_thing": schema()},
		ListResourceSchemas:      map[string]*tfprotov6.Schema{"nonsense_thing": empty},
		ActionSchemas:            map[string]*tfprotov6.ActionSchema{"nonsense_act": {Schema: empty}},
		Functions: map[string]*tfprotov6.Function{"same": {
			Parameters: []*tfprotov6.FunctionParameter{{Name: "s", Type: tftypes.String}}, Return: &tfprotov6.FunctionReturn{Type: tftypes.String}}},
	}
	if p.at("schema") && p.Kind == "required and computed" {
		things["nonsense_thing"].Block.Attributes[1].Computed = true
	}
	return resp, nil
}

func schema() *tfprotov6.Schema {
	return &tfprotov6.Schema{Block: &tfprotov6.SchemaBlock{
		Attributes: []*tfprotov6.SchemaAttribute{
			{Name: "id", Type: tftypes.String, Computed: true}, {Name: "name", Type: tftypes.String, Required: true},
			{Name: "size", Type: tftypes.Number, Optional: true}, {Name: "note", Type: tftypes.String, Computed: true}},
		BlockTypes: []*tfprotov6.SchemaNestedBlock{{TypeName: "part", Nesting: tfprotov6.SchemaNestedBlockNestingModeList,
			Block: &tfprotov6.SchemaBlock{Attributes: []*tfprotov6.SchemaAttribute{{Name: "v", Type: tftypes.String, Optional: true}}}}},
	}}
}

// GetResourceIdentitySchemas implements tfprotov6.ProviderServer.
func (p *Provider) GetResourceIdentitySchemas(context.Context, *tfprotov6.GetResourceIdentitySchemasRequest) (*tfprotov6.GetResourceIdentitySchemasResponse, error) {
	one := &tfprotov6.ResourceIdentitySchema{IdentityAttributes: []*tfprotov6.ResourceIdentitySchemaAttribute{{Name: "id", Type: tftypes.String, RequiredForImport: true}}}
	return &tfprotov6.GetResourceIdentitySchemasResponse{IdentitySchemas: map[string]*tfprotov6.ResourceIdentitySchema{"nonsense_thing": one, "nonsense_other": one}}, nil
}

// ValidateProviderConfig implements tfprotov6.ProviderServer.
func (p *Provider) ValidateProviderConfig(_ context.Context, req *tfprotov6.ValidateProviderConfigRequest) (*tfprotov6.ValidateProviderConfigResponse, error) {
	return &tfprotov6.ValidateProviderConfigResponse{PreparedConfig: req.Config}, nil
}

// ConfigureProvider implements tfprotov6.ProviderServer.
func (p *Provider) ConfigureProvider(context.Context, *tfprotov6.ConfigureProviderRequest) (*tfprotov6.ConfigureProviderResponse, error) {
	p.leave("configure", false)
	return &tfprotov6.ConfigureProviderResponse{Diagnostics: p.fails("configure", false)}, nil
}

// StopProvider implements tfprotov6.ProviderServer.
func (p *Provider) StopProvider(context.Context, *tfprotov6.StopProviderRequest) (*tfprotov6.StopProviderResponse, error) {
	return &tfprotov6.StopProviderResponse{}, nil
}

// ValidateDataResourceConfig implements tfprotov6.ProviderServer.
func (p *Provider) ValidateDataResourceConfig(context.Context, *tfprotov6.ValidateDataResourceConfigRequest) (*tfprotov6.ValidateDataResourceConfigResponse, error) {
	return &tfprotov6.ValidateDataResourceConfigResponse{}, nil
}

// ReadDataSource implements tfprotov6.ProviderServer.
func (p *Provider) ReadDataSource(_ context.Context, req *tfprotov6.ReadDataSourceRequest) (*tfprotov6.ReadDataSourceResponse, error) {
	p.leave("data", false)
	return &tfprotov6.ReadDataSourceResponse{State: p.spoil("data", filled(req.Config)), Diagnostics: p.fails("data", false)}, nil
}

// filled is a configuration with what is computed.
func filled(config *tfprotov6.DynamicValue) tftypes.Value {
	attrs := attributes(decode(config))
	attrs["id"], attrs["note"] = text("found"), text("found")
	return object(attrs)
}

// ValidateEphemeralResourceConfig implements tfprotov6.ProviderServer.
func (p *Provider) ValidateEphemeralResourceConfig(context.Context, *tfprotov6.ValidateEphemeralResourceConfigRequest) (*tfprotov6.ValidateEphemeralResourceConfigResponse, error) {
	return &tfprotov6.ValidateEphemeralResourceConfigResponse{}, nil
}

// OpenEphemeralResource implements tfprotov6.ProviderServer. Where renewing is the
// stage, it wants to be renewed at once; what is named slow takes its time.
func (p *Provider) OpenEphemeralResource(_ context.Context, req *tfprotov6.OpenEphemeralResourceRequest) (*tfprotov6.OpenEphemeralResourceResponse, error) {
	p.leave("open", false)
	resp := &tfprotov6.OpenEphemeralResourceResponse{Result: p.spoil("open", filled(req.Config)), Diagnostics: p.fails("open", false)}
	if name := word(attributes(decode(req.Config)), "name"); p.at("renew") && name == "slow" {
		time.Sleep(2500 * time.Millisecond)
	} else if p.at("renew") {
		resp.RenewAt = time.Now()
	}
	return resp, nil
}

// RenewEphemeralResource implements tfprotov6.ProviderServer.
func (p *Provider) RenewEphemeralResource(context.Context, *tfprotov6.RenewEphemeralResourceRequest) (*tfprotov6.RenewEphemeralResourceResponse, error) {
	p.leave("renew", false)
	return &tfprotov6.RenewEphemeralResourceResponse{Diagnostics: p.fails("renew", false)}, nil
}

// CloseEphemeralResource implements tfprotov6.ProviderServer.
func (p *Provider) CloseEphemeralResource(context.Context, *tfprotov6.CloseEphemeralResourceRequest) (*tfprotov6.CloseEphemeralResourceResponse, error) {
	p.leave("close", false)
	return &tfprotov6.CloseEphemeralResourceResponse{Diagnostics: p.fails("close", false)}, nil
}

// GetFunctions implements tfprotov6.ProviderServer.
func (p *Provider) GetFunctions(ctx context.Context, _ *tfprotov6.GetFunctionsRequest) (*tfprotov6.GetFunctionsResponse, error) {
	resp, err := p.GetProviderSchema(ctx, nil)
	return &tfprotov6.GetFunctionsResponse{Functions: resp.Functions}, err
}

// CallFunction implements tfprotov6.ProviderServer: it gives its argument back.
func (p *Provider) CallFunction(_ context.Context, req *tfprotov6.CallFunctionRequest) (*tfprotov6.CallFunctionResponse, error) {
	p.leave("function", false)
	resp := &tfprotov6.CallFunctionResponse{Result: req.Arguments[0]}
	if !p.at("function") {
		return resp, nil
	}
	list := tftypes.List{ElementType: tftypes.String}
	switch p.Kind {
	case "error":
		return &tfprotov6.CallFunctionResponse{Error: &tfprotov6.FunctionError{Text: "it would not"}}, nil
	case "error of an argument that is not there":
		n := int64(7)
		return &tfprotov6.CallFunctionResponse{Error: &tfprotov6.FunctionError{Text: "it would not", FunctionArgument: &n}}, nil
	case "wrong type":
		resp.Result = encode(list, tftypes.NewValue(list, []tftypes.Value{text("a")}))
	case "unknown":
		resp.Result = encode(tftypes.String, tftypes.NewValue(tftypes.String, tftypes.UnknownValue))
	case "null":
		resp.Result = encode(tftypes.String, tftypes.NewValue(tftypes.String, nil))
	case "garbage", "no value":
		resp.Result = p.spoil("function", tftypes.NewValue(thing, nil))
	}
	return resp, nil
}

// ValidateListResourceConfig implements tfprotov6.ProviderServer.
func (p *Provider) ValidateListResourceConfig(context.Context, *tfprotov6.ValidateListResourceConfigRequest) (*tfprotov6.ValidateListResourceConfigResponse, error) {
	return &tfprotov6.ValidateListResourceConfigResponse{}, nil
}

// ListResource implements tfprotov6.ProviderServer: there is one object.
func (p *Provider) ListResource(context.Context, *tfprotov6.ListResourceRequest) (*tfprotov6.ListResourceServerStream, error) {
	return &tfprotov6.ListResourceServerStream{Results: func(push func(tfprotov6.ListResourceResult) bool) {
		p.leave("list", false)
		r := tfprotov6.ListResourceResult{DisplayName: "one", Identity: p.identity("list", "thing-a"), Diagnostics: p.fails("list", false)}
		if p.at("list") && p.Kind == "no identity" {
			r.Identity = nil
		}
		push(r)
	}}, nil
}

// ValidateActionConfig implements tfprotov6.ProviderServer.
func (p *Provider) ValidateActionConfig(context.Context, *tfprotov6.ValidateActionConfigRequest) (*tfprotov6.ValidateActionConfigResponse, error) {
	return &tfprotov6.ValidateActionConfigResponse{}, nil
}

// PlanAction implements tfprotov6.ProviderServer.
func (p *Provider) PlanAction(context.Context, *tfprotov6.PlanActionRequest) (*tfprotov6.PlanActionResponse, error) {
	p.leave("plan action", false)
	return &tfprotov6.PlanActionResponse{Diagnostics: p.fails("plan action", false)}, nil
}

// InvokeAction implements tfprotov6.ProviderServer.
func (p *Provider) InvokeAction(context.Context, *tfprotov6.InvokeActionRequest) (*tfprotov6.InvokeActionServerStream, error) {
	return &tfprotov6.InvokeActionServerStream{Events: func(push func(tfprotov6.InvokeActionEvent) bool) {
		if !push(tfprotov6.InvokeActionEvent{Type: tfprotov6.ProgressInvokeActionEventType{Message: "at it"}}) {
			return
		}
		p.leave("invoke", false)
		if p.at("invoke") && p.Kind == "no end" {
			return
		}
		push(tfprotov6.InvokeActionEvent{Type: tfprotov6.CompletedInvokeActionEventType{Diagnostics: p.fails("invoke", false)}})
	}}, nil
}
