package std

import (
	"context"
	"encoding/json"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/types"
)

// baselineKey is where the private data keeps what read printed right after the
// last create or update: the state already has what it prints now, and drift is
// the difference of the two.
const baselineKey = "baseline"

// baseline is a digest, because what read prints may be long.
func baseline(observed types.String) []byte {
	digest := ""
	if !observed.IsNull() {
		digest = sha256Hex([]byte(observed.ValueString()))
	}
	encoded, err := json.Marshal(digest)
	if err != nil { // a string always encodes
		return []byte(`""`)
	}
	return encoded
}

// input is an argument the object is made from.
type input struct {
	name        string
	prior, plan attr.Value
}

func changedInputs(prior, plan commandModel) []string {
	var changed []string
	for _, in := range []input{
		{"create", prior.Create, plan.Create},
		{"environment", prior.Environment, plan.Environment},
		{"stdin", prior.Stdin, plan.Stdin},
		{"working_dir", prior.WorkingDir, plan.WorkingDir},
		{"interpreter", prior.Interpreter, plan.Interpreter},
	} {
		if !in.prior.Equal(in.plan) {
			changed = append(changed, in.name)
		}
	}
	return changed
}

// ModifyPlan decides whether a command runs, and if so, that its results are
// not known yet.
func (commandResource) ModifyPlan(ctx context.Context, req resource.ModifyPlanRequest, resp *resource.ModifyPlanResponse) {
	if req.Plan.Raw.IsNull() {
		return
	}
	var plan commandModel
	resp.Diagnostics.Append(req.Plan.Get(ctx, &plan)...)
	if resp.Diagnostics.HasError() {
		return
	}
	if req.State.Raw.IsNull() {
		if plan.Read.IsNull() {
			plan.Observed = types.StringNull()
		}
		resp.Diagnostics.Append(resp.Plan.Set(ctx, plan)...)
		return
	}
	var prior commandModel
	resp.Diagnostics.Append(req.State.Get(ctx, &prior)...)
	recorded, diags := req.Private.GetKey(ctx, baselineKey)
	resp.Diagnostics.Append(diags...)
	if resp.Diagnostics.HasError() {
		return
	}
	reread := !plan.Read.Equal(prior.Read)
	changed := changedInputs(prior, plan)
	if drifted := recorded != nil && !reread && string(recorded) != string(baseline(prior.Observed)); drifted {
		changed = append(changed, "observed")
	}
	next, replace := plan.foresee(changed, reread)
	for _, name := range replace {
		resp.RequiresReplace.Append(path.Root(name))
	}
	resp.Diagnostics.Append(resp.Plan.Set(ctx, next)...)
}

// foresee plans the results of what changed: nothing runs, update runs, or the
// object is replaced because of the arguments named.
func (m commandModel) foresee(changed []string, reread bool) (commandModel, []string) {
	if len(changed) > 0 {
		m.Stdout, m.Stderr, m.ExitCode = types.StringUnknown(), types.StringUnknown(), types.Int64Unknown()
	}
	if len(changed) > 0 || reread {
		m.Observed = types.StringUnknown()
	}
	if m.Update.IsNull() {
		return m, changed
	}
	return m, nil
}
