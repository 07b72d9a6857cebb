package builtin

import (
	"context"
	"fmt"

	"github.com/plumb-iac/plumb/diag"
	"github.com/plumb-iac/plumb/provider"
	"github.com/plumb-iac/plumb/value"
	"github.com/zclconf/go-cty/cty"
)

// ValidateResource implements provider.Managed. The schema does not say that what
// is computed cannot be set.
func (p *Provider) ValidateResource(_ context.Context, typeName string, config value.Bare) diag.List {
	diags := managed(typeName)
	if diags.HasErrors() {
		return diags
	}
	for _, name := range []string{"id", "output"} {
		if v := config.Cty().GetAttr(name); !v.IsKnown() || !v.IsNull() {
			diags = diags.Append(at(diag.Err(fmt.Sprintf("%q attribute is read-only", name),
				"It is computed from what the other arguments say, so it cannot be given a value."), cty.GetAttrPath(name)))
		}
	}
	return diags
}

// Read implements provider.Managed: the stored object is the object.
func (p *Provider) Read(_ context.Context, req provider.ReadRequest) (provider.ReadResponse, diag.List) {
	if diags := managed(req.TypeName); diags != nil {
		return provider.ReadResponse{}, diags
	}
	return provider.ReadResponse{New: req.Prior, Private: req.Private, Identity: req.Identity}, nil
}

// Plan implements provider.Managed.
func (p *Provider) Plan(_ context.Context, req provider.PlanRequest) (provider.PlanResponse, diag.List) {
	if diags := managed(req.TypeName); diags != nil {
		return provider.PlanResponse{}, diags
	}
	out := provider.PlanResponse{Planned: req.Proposed, Private: req.PriorPrivate, Identity: req.PriorIdentity}
	if proposed := req.Proposed.Cty(); !proposed.IsNull() {
		planned, replace := p.planData(req.Prior.Cty(), proposed, req.Config.Cty())
		out.Planned, out.RequiresReplace = bare(planned), replace
	}
	return out, nil
}

// planData predicts an object and says what about it needs a new one. prior is
// null for a creation. The output follows the type of the input, too, also where both
// are null; a trigger that was null and is null has not changed.
func (p *Provider) planData(prior, proposed, config cty.Value) (cty.Value, []cty.Path) {
	create := prior.IsNull()
	input, trigger := proposed.GetAttr("input"), proposed.GetAttr("triggers_replace")
	store := storeIn(proposed)
	planned := map[string]cty.Value{"input": input, "triggers_replace": trigger}
	var replace []cty.Path
	if create {
		planned["id"], planned["output"] = p.newID, follow(input)
		if p.hasStore() {
			planned["store"] = planStore(p.noStore, store, storeIn(config))
		}
		return cty.ObjectVal(planned), nil
	}
	planned["id"], planned["output"] = prior.GetAttr("id"), prior.GetAttr("output")
	if !input.RawEquals(prior.GetAttr("input")) {
		planned["output"] = p.changed(input)
	}
	if !same(trigger, prior.GetAttr("triggers_replace")) {
		replace = append(replace, cty.GetAttrPath("triggers_replace"))
	}
	if !p.hasStore() {
		return cty.ObjectVal(planned), replace
	}
	planned["store"] = planStore(storeIn(prior), store, storeIn(config))
	if replacesStore(storeIn(prior), planned["store"]) {
		replace = append(replace, cty.GetAttrPath("store").GetAttr("input"))
	}
	return cty.ObjectVal(planned), replace
}

// follow is the output to expect of a changed input. A null keeps its type, as the
// state does.
func follow(input cty.Value) cty.Value {
	if input.IsNull() {
		return input
	}
	return cty.UnknownVal(input.Type())
}

// changed is the output to expect of an input that was another one before.
func (p *Provider) changed(input cty.Value) cty.Value {
	if input.IsNull() && p.options.EmptiedLater {
		return cty.DynamicVal
	}
	return follow(input)
}

// hasStore says whether objects have a store block.
func (p *Provider) hasStore() bool { return p.noStore != cty.NilVal }

// same says whether two values are; nulls are, whatever their types.
func same(a, b cty.Value) bool {
	if a.IsNull() || b.IsNull() {
		return a.IsNull() && b.IsNull()
	}
	return a.RawEquals(b)
}

// Apply implements provider.Managed.
func (p *Provider) Apply(_ context.Context, req provider.ApplyRequest) (provider.ApplyResponse, diag.List) {
	if diags := managed(req.TypeName); diags != nil {
		return provider.ApplyResponse{New: req.Prior, Private: req.Private, Identity: req.Identity}, diags
	}
	out := provider.ApplyResponse{New: req.Planned, Private: req.Private, Identity: req.Identity}
	if planned := req.Planned.Cty(); !planned.IsNull() {
		out.New = bare(p.applyData(planned, req.Config.Cty()))
	}
	return out, nil
}

// applyData makes what is unknown in a planned object known.
func (p *Provider) applyData(planned, config cty.Value) cty.Value {
	id, input, output := planned.GetAttr("id"), planned.GetAttr("input"), planned.GetAttr("output")
	if !id.IsKnown() {
		id = cty.StringVal(p.options.NewID())
	}
	if !output.IsKnown() {
		output = input
	}
	made := map[string]cty.Value{
		"id": id, "input": input, "output": output,
		"triggers_replace": planned.GetAttr("triggers_replace"),
	}
	if p.hasStore() {
		made["store"] = applyStore(storeIn(planned), storeIn(config))
	}
	return cty.ObjectVal(made)
}
