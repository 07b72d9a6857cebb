package nonsense

import (
	"context"
	"os"
	"strings"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

// ValidateResourceConfig implements tfprotov6.ProviderServer.
func (p *Provider) ValidateResourceConfig(context.Context, *tfprotov6.ValidateResourceConfigRequest) (*tfprotov6.ValidateResourceConfigResponse, error) {
	p.leave("validate", false)
	return &tfprotov6.ValidateResourceConfigResponse{Diagnostics: p.fails("validate", false)}, nil
}

// UpgradeResourceState implements tfprotov6.ProviderServer.
func (p *Provider) UpgradeResourceState(_ context.Context, req *tfprotov6.UpgradeResourceStateRequest) (*tfprotov6.UpgradeResourceStateResponse, error) {
	p.leave("upgrade", false)
	v, err := req.RawState.Unmarshal(thing)
	if err != nil {
		return nil, err
	}
	if diags := p.fails("upgrade", false); diags != nil {
		return &tfprotov6.UpgradeResourceStateResponse{Diagnostics: diags}, nil
	}
	return &tfprotov6.UpgradeResourceStateResponse{UpgradedState: p.spoil("upgrade", v)}, nil
}

// ReadResource implements tfprotov6.ProviderServer.
func (p *Provider) ReadResource(_ context.Context, req *tfprotov6.ReadResourceRequest) (*tfprotov6.ReadResourceResponse, error) {
	p.leave("read", false)
	if diags := p.fails("read", false); diags != nil {
		return &tfprotov6.ReadResourceResponse{Diagnostics: diags}, nil
	}
	v := decode(req.CurrentState)
	id := word(attributes(v), "id")
	if !p.exists(id) {
		v = tftypes.NewValue(thing, nil)
	}
	return &tfprotov6.ReadResourceResponse{NewState: p.spoil("read", v), NewIdentity: p.identity("read", id)}, nil
}

// identity is that of an object, or nonsense.
func (p *Provider) identity(stage, id string) *tfprotov6.ResourceIdentityData {
	v := tftypes.NewValue(identity, map[string]tftypes.Value{"id": text(id)})
	if p.at(stage) && p.Kind == "wrong identity" {
		odd := tftypes.Object{AttributeTypes: map[string]tftypes.Type{"key": tftypes.String}}
		return &tfprotov6.ResourceIdentityData{IdentityData: encode(odd, tftypes.NewValue(odd, map[string]tftypes.Value{"key": text(id)}))}
	}
	return &tfprotov6.ResourceIdentityData{IdentityData: encode(identity, v)}
}

// PlanResourceChange implements tfprotov6.ProviderServer.
func (p *Provider) PlanResourceChange(_ context.Context, req *tfprotov6.PlanResourceChangeRequest) (*tfprotov6.PlanResourceChangeResponse, error) {
	p.leave("plan", false)
	prior, planned := attributes(decode(req.PriorState)), attributes(decode(req.ProposedNewState))
	resp := &tfprotov6.PlanResourceChangeResponse{Diagnostics: p.fails("plan", false), PlannedIdentity: req.PriorIdentity}
	if planned == nil {
		resp.PlannedState = req.ProposedNewState
		return resp, nil
	}
	if prior == nil {
		unknown := tftypes.NewValue(tftypes.String, tftypes.UnknownValue)
		planned["id"], planned["note"] = unknown, unknown
	}
	resp.PlannedState = p.spoil("plan", object(planned))
	if p.at("plan") && p.Kind == "replaces what is not there" {
		resp.RequiresReplace = []*tftypes.AttributePath{tftypes.NewAttributePath().WithAttributeName("nothing")}
	}
	if p.at("plan") && p.Kind == "replaces" {
		resp.RequiresReplace = []*tftypes.AttributePath{tftypes.NewAttributePath().WithAttributeName("size")}
	}
	return resp, nil
}

// ApplyResourceChange implements tfprotov6.ProviderServer.
func (p *Provider) ApplyResourceChange(_ context.Context, req *tfprotov6.ApplyResourceChangeRequest) (*tfprotov6.ApplyResourceChangeResponse, error) {
	p.Deeds.Add(1)
	defer p.Deeds.Done()
	prior, planned := attributes(decode(req.PriorState)), attributes(decode(req.PlannedState))
	stage := "update"
	switch {
	case planned == nil:
		stage = "delete"
	case prior == nil:
		stage = "create"
	}
	p.leave(stage, false)
	if diags := p.fails(stage, false); diags != nil {
		return &tfprotov6.ApplyResourceChangeResponse{NewState: req.PriorState, Diagnostics: diags, NewIdentity: req.PlannedIdentity}, nil
	}
	resp := &tfprotov6.ApplyResourceChangeResponse{}
	if stage == "delete" {
		if err := os.Remove(p.file(word(prior, "id"))); err != nil {
			return nil, err
		}
		resp.NewState = p.spoil(stage, decode(req.PlannedState))
	} else {
		if prior == nil {
			planned["id"], planned["note"] = text("thing-"+word(planned, "name")), text("made")
		}
		if err := p.put(planned); err != nil {
			return nil, err
		}
		resp.NewState, resp.NewIdentity = p.spoil(stage, object(planned)), p.identity(stage, word(planned, "id"))
	}
	p.leave(stage, true)
	resp.Diagnostics = p.fails(stage, true)
	return resp, nil
}

// ImportResourceState implements tfprotov6.ProviderServer.
func (p *Provider) ImportResourceState(_ context.Context, req *tfprotov6.ImportResourceStateRequest) (*tfprotov6.ImportResourceStateResponse, error) {
	p.leave("import", false)
	if diags := p.fails("import", false); diags != nil {
		return &tfprotov6.ImportResourceStateResponse{Diagnostics: diags}, nil
	}
	if p.at("import") && p.Kind == "none" {
		return &tfprotov6.ImportResourceStateResponse{}, nil
	}
	in := &tfprotov6.ImportedResource{TypeName: "nonsense_thing", Identity: p.identity("import", req.ID)}
	if p.at("import") && p.Kind == "another type" {
		in.TypeName = "nonsense_other"
	}
	in.State = p.spoil("import", object(map[string]tftypes.Value{"id": text(req.ID), "name": text(strings.TrimPrefix(req.ID, "thing-")),
		"size": tftypes.NewValue(tftypes.Number, nil), "note": text("made"), "part": tftypes.NewValue(tftypes.List{ElementType: part}, []tftypes.Value{})}))
	return &tfprotov6.ImportResourceStateResponse{ImportedResources: []*tfprotov6.ImportedResource{in}}, nil
}

// MoveResourceState implements tfprotov6.ProviderServer.
func (p *Provider) MoveResourceState(_ context.Context, req *tfprotov6.MoveResourceStateRequest) (*tfprotov6.MoveResourceStateResponse, error) {
	p.leave("move", false)
	if diags := p.fails("move", false); diags != nil {
		return &tfprotov6.MoveResourceStateResponse{Diagnostics: diags}, nil
	}
	v, err := req.SourceState.Unmarshal(thing)
	if err != nil {
		return nil, err
	}
	return &tfprotov6.MoveResourceStateResponse{TargetState: p.spoil("move", v), TargetIdentity: p.identity("move", word(attributes(v), "id"))}, nil
}

// UpgradeResourceIdentity implements tfprotov6.ProviderServer.
func (p *Provider) UpgradeResourceIdentity(_ context.Context, req *tfprotov6.UpgradeResourceIdentityRequest) (*tfprotov6.UpgradeResourceIdentityResponse, error) {
	v, err := req.RawIdentity.Unmarshal(identity)
	if err != nil {
		return nil, err
	}
	return &tfprotov6.UpgradeResourceIdentityResponse{UpgradedIdentity: &tfprotov6.ResourceIdentityData{IdentityData: encode(identity, v)}}, nil
}

// GenerateResourceConfig implements tfprotov6.ProviderServer; it is not announced.
func (p *Provider) GenerateResourceConfig(_ context.Context, req *tfprotov6.GenerateResourceConfigRequest) (*tfprotov6.GenerateResourceConfigResponse, error) {
	return &tfprotov6.GenerateResourceConfigResponse{Config: req.State}, nil
}
