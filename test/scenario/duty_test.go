package scenario

import (
	"context"

	"github.com/plumb-iac/plumb/addr"
	"github.com/plumb-iac/plumb/diag"
	"github.com/plumb-iac/plumb/internal/contract"
	"github.com/plumb-iac/plumb/provider"
	"github.com/plumb-iac/plumb/value"
	"github.com/zclconf/go-cty/cty"
)

// owed holds what was said since the last time against the duties of the engine:
// every story keeps them, whatever it is about.
func (tl *teller) owed(applying bool) {
	tl.t.Helper()
	tl.world.mu.Lock()
	defer tl.world.mu.Unlock()
	var stored [][]byte
	for _, o := range tl.recovery.Snapshot.Objects() {
		stored = append(stored, o.Attrs)
	}
	for _, i := range tl.world.instances {
		for _, b := range contract.Owed(contract.Conversation{Applying: applying, Stored: stored, Calls: i.said}) {
			if tl.world.witness.durable != nil {
				tl.world.witness.accuse("%s %#v", b, i.said[b.Call])
				continue
			}
			tl.t.Errorf("%s: %s\n%#v", tl.story.run[len(tl.after)].text, b, i.said[b.Call])
		}
	}
	tl.world.hush()
}

// hush forgets what was said. That an instance was configured stays true.
func (w *world) hush() {
	for _, i := range w.instances {
		var kept []contract.Call
		for _, c := range i.said {
			if c.Op == "ConfigureProvider" {
				kept = append(kept, c)
			}
		}
		i.said = kept
	}
}

// say notes a call about an object of a managed type. The world's lock is held.
func (i *instance) say(op, typeName string, c contract.Call) {
	c.Op, c.Type = op, typeName
	if schemas, _ := i.Schemas(context.Background()); schemas != nil {
		if r, _ := schemas.Type(addr.Managed, typeName); r != nil {
			c.Schema = r.Block
		}
	}
	i.said = append(i.said, c)
}

// The answers carry private data that tells the moments apart, so that mixing them
// up is seen.

func (i *instance) Plan(ctx context.Context, req provider.PlanRequest) (provider.PlanResponse, diag.List) {
	return call(i, func() (provider.PlanResponse, diag.List) {
		res, diags := i.Provider.Plan(ctx, req)
		res.Private = []byte("first plan")
		if req.PlannedPrivate != nil {
			res.Private = []byte("final plan")
		}
		i.say("PlanResourceChange", req.TypeName, contract.Call{Prior: req.Prior.Cty(), Config: req.Config.Cty(), Proposed: req.Proposed.Cty(),
			Answer: plain(res.Planned), Sent: req.PriorPrivate, Given: res.Private, Offers: req.DeferralAllowed, Failed: diags.HasErrors() || res.Deferred != nil})
		return res, diags
	})
}

func (i *instance) Apply(ctx context.Context, req provider.ApplyRequest) (provider.ApplyResponse, diag.List) {
	return call(i, func() (provider.ApplyResponse, diag.List) {
		i.world.witness.asked(req)
		res, diags := i.Provider.Apply(ctx, req)
		i.world.witness.answered(res, diags.HasErrors())
		res.Private = []byte("applied")
		i.say("ApplyResourceChange", req.TypeName, contract.Call{Prior: req.Prior.Cty(), Config: req.Config.Cty(), Planned: req.Planned.Cty(),
			Answer: plain(res.New), Sent: req.Private, Given: res.Private, Failed: diags.HasErrors()})
		return res, diags
	})
}

func (i *instance) Read(ctx context.Context, req provider.ReadRequest) (provider.ReadResponse, diag.List) {
	return call(i, func() (provider.ReadResponse, diag.List) {
		res, diags := i.Provider.Read(ctx, req)
		i.world.witness.read(req.Prior.Cty(), plain(res.New))
		i.say("ReadResource", req.TypeName, contract.Call{Prior: req.Prior.Cty(), Answer: plain(res.New),
			Sent: req.Private, Given: res.Private, Offers: req.DeferralAllowed, Failed: diags.HasErrors() || res.Deferred != nil})
		return res, diags
	})
}

func (i *instance) ValidateResource(ctx context.Context, name string, v value.Bare) diag.List {
	return logged(i, func() diag.List {
		diags := i.Provider.ValidateResource(ctx, name, v)
		i.say("ValidateResourceConfig", name, contract.Call{Config: v.Cty(), Failed: diags.HasErrors()})
		return diags
	})
}

func (i *instance) UpgradeState(ctx context.Context, req provider.UpgradeRequest) (provider.UpgradeResponse, diag.List) {
	return call(i, func() (provider.UpgradeResponse, diag.List) {
		res, diags := i.Provider.UpgradeState(ctx, req)
		i.say("UpgradeResourceState", req.TypeName, contract.Call{Sent: req.JSON, Answer: plain(res.Upgraded), Failed: diags.HasErrors()})
		return res, diags
	})
}

func (i *instance) Move(ctx context.Context, req provider.MoveRequest) (provider.MoveResponse, diag.List) {
	return call(i, func() (provider.MoveResponse, diag.List) {
		res, diags := i.Provider.Move(ctx, req)
		i.say("MoveResourceState", req.TargetType, contract.Call{Answer: plain(res.Target), Given: res.Private, Failed: diags.HasErrors()})
		return res, diags
	})
}

func (i *instance) Import(ctx context.Context, req provider.ImportRequest) (provider.ImportResponse, diag.List) {
	return call(i, func() (provider.ImportResponse, diag.List) {
		res, diags := i.Provider.Import(ctx, req)
		c := contract.Call{Offers: req.DeferralAllowed, Failed: diags.HasErrors() || res.Deferred != nil || len(res.Imported) != 1}
		if !c.Failed {
			c.Answer = plain(res.Imported[0].State)
		}
		i.say("ImportResourceState", req.TypeName, c)
		return res, diags
	})
}

func (i *instance) Open(ctx context.Context, req provider.OpenRequest) (provider.OpenResponse, diag.List) {
	return call(i, func() (provider.OpenResponse, diag.List) {
		res, diags := i.Provider.Open(ctx, req)
		i.say("OpenEphemeralResource", req.TypeName, contract.Call{Given: res.Private, Failed: diags.HasErrors() || res.Deferred != nil})
		return res, diags
	})
}

func (i *instance) CloseEphemeral(ctx context.Context, name string, private []byte) diag.List {
	return logged(i, func() diag.List {
		diags := i.Provider.CloseEphemeral(ctx, name, private)
		i.say("CloseEphemeralResource", name, contract.Call{Sent: private, Failed: diags.HasErrors()})
		return diags
	})
}

// plain is the value of an answer; cty.NilVal where none came.
func plain(v value.Bare) cty.Value {
	if v.IsZero() {
		return cty.NilVal
	}
	return v.Cty()
}
