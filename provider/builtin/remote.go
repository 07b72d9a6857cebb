package builtin

import (
	"context"
	"fmt"

	"github.com/plumb-iac/plumb/addr"
	"github.com/plumb-iac/plumb/diag"
	"github.com/plumb-iac/plumb/provider"
	"github.com/plumb-iac/plumb/value"
	"github.com/zclconf/go-cty/cty"
)

// defaultWorkspace is the workspace that every backend has.
const defaultWorkspace = "default"

// ValidateData implements provider.DataReader.
func (p *Provider) ValidateData(_ context.Context, typeName string, config value.Bare) diag.List {
	if typeName != remoteType {
		return absent("data source", typeName)
	}
	c := config.Cty()
	var diags diag.List
	if !objectLike(c.GetAttr("defaults")) {
		diags = diags.Append(at(diag.Err("Invalid default values",
			"The defaults are an object that has an attribute for each output."), cty.GetAttrPath("defaults")))
	}
	backend := c.GetAttr("backend")
	switch {
	case !backend.IsKnown() || backend.IsNull():
	case !objectLike(c.GetAttr("config")):
		diags = diags.Append(at(diag.Err("Invalid backend configuration", fmt.Sprintf(
			"The configuration of the backend %q is an object that has an attribute for each of its arguments.", backend.AsString())), cty.GetAttrPath("config")))
	case p.options.CheckBackend != nil:
		diags = diags.With(p.options.CheckBackend(backend.AsString(), c.GetAttr("config")))
	}
	return diags
}

// objectLike says whether v is or may become an object or a map, or is absent.
func objectLike(v cty.Value) bool {
	t := v.Type()
	return v.IsNull() || t == cty.DynamicPseudoType || t.IsObjectType() || t.IsMapType()
}

// ReadData implements provider.DataReader.
func (p *Provider) ReadData(ctx context.Context, req provider.ReadDataRequest) (provider.ReadDataResponse, diag.List) {
	diags := p.ValidateData(ctx, req.TypeName, req.Config)
	if diags.HasErrors() {
		return provider.ReadDataResponse{}, diags
	}
	config := req.Config.Cty()
	if !config.IsWhollyKnown() {
		return provider.ReadDataResponse{State: bare(withOutputs(config, cty.DynamicVal))}, diags
	}
	outputs, more := p.outputs(ctx, req.Object, config)
	diags = diags.With(more)
	if more.HasErrors() {
		return provider.ReadDataResponse{}, diags
	}
	return provider.ReadDataResponse{State: bare(withOutputs(config, outputs))}, diags
}

// outputs reads the state that config names.
func (p *Provider) outputs(ctx context.Context, object addr.AbsInstance, config cty.Value) (cty.Value, diag.List) {
	workspace := defaultWorkspace
	if w := config.GetAttr("workspace"); !w.IsNull() {
		workspace = w.AsString()
	}
	var found map[string]cty.Value
	var diags diag.List
	if read := p.options.RemoteState; read != nil {
		found, diags = read(ctx, object, config.GetAttr("backend").AsString(), workspace, config.GetAttr("config"))
	}
	if diags.HasErrors() {
		return cty.NilVal, diags
	}
	if found == nil {
		return cty.NilVal, diags.Append(at(diag.Err("Unable to find remote state", fmt.Sprintf(
			"The backend has no state in workspace %q. A configuration has one after its first apply.", workspace)), cty.GetAttrPath("workspace")))
	}
	return merged(config.GetAttr("defaults"), found), diags
}

// merged is the object of the outputs found, and of the defaults of others.
func merged(defaults cty.Value, found map[string]cty.Value) cty.Value {
	attrs := make(map[string]cty.Value, len(found))
	if !defaults.IsNull() {
		for it := defaults.ElementIterator(); it.Next(); {
			k, v := it.Element()
			attrs[k.AsString()] = v
		}
	}
	for name, v := range found {
		attrs[name] = value.Strip(v).Cty()
	}
	return cty.ObjectVal(attrs)
}

// withOutputs is the data source's result.
func withOutputs(config, outputs cty.Value) cty.Value {
	return cty.ObjectVal(map[string]cty.Value{
		"backend": config.GetAttr("backend"), "workspace": config.GetAttr("workspace"),
		"config": config.GetAttr("config"), "defaults": config.GetAttr("defaults"),
		"outputs": outputs,
	})
}
