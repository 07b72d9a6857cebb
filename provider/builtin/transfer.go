package builtin

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/plumb-iac/plumb/diag"
	"github.com/plumb-iac/plumb/provider"
	"github.com/plumb-iac/plumb/value"
	"github.com/zclconf/go-cty/cty"
)

// UpgradeState implements provider.Managed. The schema has had one version;
// attributes came, so that they may be missing, and those of a later program
// are left out.
func (p *Provider) UpgradeState(_ context.Context, req provider.UpgradeRequest) (provider.UpgradeResponse, diag.List) {
	if diags := managed(req.TypeName); diags != nil {
		return provider.UpgradeResponse{}, diags
	}
	if req.JSON == nil {
		return provider.UpgradeResponse{}, unreadable("state of a terraform_data object", fmt.Errorf("it is in the form of version 0.11, which knew no terraform_data"))
	}
	v, err := decode(req.JSON, p.schemas.data.Block.Type())
	if err != nil {
		return provider.UpgradeResponse{}, unreadable("state of a terraform_data object", err)
	}
	return provider.UpgradeResponse{Upgraded: v, AsStored: true}, nil
}

// UpgradeIdentity implements provider.Importer.
func (p *Provider) UpgradeIdentity(_ context.Context, req provider.UpgradeIdentityRequest) (value.Bare, diag.List) {
	if diags := managed(req.TypeName); diags != nil {
		return value.Bare{}, diags
	}
	v, err := decode(req.JSON, p.schemas.data.Identity.Type())
	if err != nil {
		return value.Bare{}, unreadable("identity of a terraform_data object", err)
	}
	return v, nil
}

func unreadable(what string, err error) diag.List {
	return diag.List{diag.Err("Unreadable stored object", fmt.Sprintf(
		"The stored %s cannot be read: %s. It was written by another program or changed by hand.", what, err)).By(diag.Operator)}
}

// decode reads a stored object. What the type does not have is removed only
// when there is something.
func decode(raw []byte, t cty.Type) (value.Bare, error) {
	v, err := value.FromJSON(raw, t)
	if err == nil {
		return v, nil
	}
	if v, again := value.FromJSON(prune(raw, t), t); again == nil {
		return v, nil
	}
	return value.Bare{}, err
}

// prune removes the properties that an object type does not have, at any depth.
func prune(raw json.RawMessage, t cty.Type) json.RawMessage {
	var properties map[string]json.RawMessage
	if !t.IsObjectType() || json.Unmarshal(raw, &properties) != nil || properties == nil {
		return raw
	}
	for name, of := range properties {
		if !t.HasAttribute(name) {
			delete(properties, name)
			continue
		}
		properties[name] = prune(of, t.AttributeType(name))
	}
	out, err := json.Marshal(properties)
	if err != nil {
		return raw
	}
	return out
}

// Import implements provider.Importer: any id is one of an object that holds
// nothing yet.
func (p *Provider) Import(_ context.Context, req provider.ImportRequest) (provider.ImportResponse, diag.List) {
	if diags := managed(req.TypeName); diags != nil {
		return provider.ImportResponse{}, diags
	}
	id := cty.StringVal(req.ID)
	if given := req.Identity.Cty(); !req.Identity.IsZero() && !given.IsNull() {
		id = given.GetAttr("id")
	}
	stub := provider.Imported{TypeName: dataType, State: bare(p.object(id, cty.NullVal(cty.DynamicPseudoType))), Identity: req.Identity}
	return provider.ImportResponse{Imported: []provider.Imported{stub}}, nil
}

// object is a terraform_data object that holds nothing.
func (p *Provider) object(id, trigger cty.Value) cty.Value {
	none := cty.NullVal(cty.DynamicPseudoType)
	attrs := map[string]cty.Value{"id": id, "input": none, "output": none, "triggers_replace": trigger}
	if p.hasStore() {
		attrs["store"] = p.noStore
	}
	return cty.ObjectVal(attrs)
}

// nullResource is what is read of a stored null_resource.
type nullResource struct {
	ID       string             `json:"id"`
	Triggers map[string]*string `json:"triggers"`
}

// Move implements provider.Importer: a null_resource becomes a terraform_data
// with the same id, and its triggers are those of the replacement.
func (p *Provider) Move(_ context.Context, req provider.MoveRequest) (provider.MoveResponse, diag.List) {
	if diags := managed(req.TargetType); diags != nil {
		return provider.MoveResponse{}, diags
	}
	from := req.SourceProvider
	if req.SourceType != "null_resource" || from.Namespace != "hashicorp" || from.Type != "null" {
		return provider.MoveResponse{}, diag.List{diag.Err("Unsupported move", fmt.Sprintf(
			"A terraform_data object can be made of a null_resource of the provider hashicorp/null, but not of a %s of %s. Remove the moved block, or write a removed and an import block instead.",
			req.SourceType, from.Display())).By(diag.Author)}
	}
	var source nullResource
	if err := json.Unmarshal(req.SourceJSON, &source); err != nil {
		return provider.MoveResponse{}, unreadable("state of a null_resource", err)
	}
	target := p.object(cty.StringVal(source.ID), triggers(source.Triggers))
	return provider.MoveResponse{Target: bare(target)}, nil
}

// triggers are the triggers of a null_resource as the object that they are in a
// configuration, so that moving does not replace.
func triggers(of map[string]*string) cty.Value {
	if of == nil {
		return cty.NullVal(cty.DynamicPseudoType)
	}
	attrs := make(map[string]cty.Value, len(of))
	for name, text := range of {
		attrs[name] = cty.NullVal(cty.String)
		if text != nil {
			attrs[name] = cty.StringVal(*text)
		}
	}
	return cty.ObjectVal(attrs)
}

// GenerateConfig implements provider.Importer; the provider does not offer it,
// because the schema alone is enough.
func (p *Provider) GenerateConfig(_ context.Context, typeName string, _ value.Bare) (value.Bare, diag.List) {
	return value.Bare{}, absent("generator of configuration for", typeName)
}
