package planfile

import (
	"github.com/plumb-iac/plumb/addr"
	"github.com/plumb-iac/plumb/plan"
)

func (d *decoder) document(row *documentRow) *plan.Document {
	doc := &plan.Document{
		Version: row.Version, LanguageVersion: row.LanguageVersion, Mode: row.Mode, Timestamp: row.Timestamp,
		Workspace: row.Workspace, Errored: row.Errored, Applyable: row.Applyable, Complete: row.Complete,
		SkipRefresh: row.SkipRefresh, Targets: d.targets(row.Targets), Excludes: d.targets(row.Excludes),
		Checks:    row.Checks,
		Variables: make(map[string]plan.Variable, len(row.Variables)),
	}
	for _, r := range row.Replace {
		doc.Replace = append(doc.Replace, d.instance(r))
	}
	for name, v := range row.Variables {
		doc.Variables[name] = plan.Variable{Value: d.value(v.Value), Shown: d.value(v.Shown), Ephemeral: v.Ephemeral, Set: v.Set, Default: v.Default}
	}
	for _, o := range row.Outputs {
		doc.Outputs = append(doc.Outputs, plan.OutputChange{Name: o.Name, Action: o.Action, Before: d.value(o.Before), After: d.value(o.After), Sensitive: o.Sensitive})
	}
	for _, r := range row.Relevant {
		doc.Relevant = append(doc.Relevant, plan.RelevantAttr{Resource: d.instance(r.Resource), Path: d.path(r.Path)})
	}
	for _, x := range row.Deferred {
		doc.Deferred = append(doc.Deferred, &plan.DeferredChange{Reason: x.Reason, Change: *d.change(&x.Change)})
	}
	for _, x := range row.Invocations {
		doc.Invocations = append(doc.Invocations, d.invocation(&x))
	}
	for _, x := range row.DeferredRuns {
		doc.DeferredInvocations = append(doc.DeferredInvocations, &plan.DeferredInvocation{Reason: x.Reason, Invocation: *d.invocation(&x.Invocation)})
	}
	return doc
}

func (d *decoder) change(row *changeRow) *plan.Change {
	c := &plan.Change{
		Addr: d.instance(row.Addr), Deposed: addr.DeposedKey(row.Deposed), Provider: d.provider(row.Provider),
		Action: row.Action, Reason: row.Reason, Before: d.value(row.Before), After: d.value(row.After),
		BeforeIdentity: d.bare(row.BeforeIdentity), AfterIdentity: d.bare(row.AfterIdentity),
		ReplacePaths: d.paths(row.ReplacePaths), Private: row.Private, Legacy: row.Legacy, GeneratedConfig: row.GeneratedConfig,
		CreateBeforeDestroy: row.CreateBeforeDestroy, SkipDestroy: row.SkipDestroy,
	}
	c.PrevAddr = c.Addr
	if row.PrevAddr != "" {
		c.PrevAddr = d.instance(row.PrevAddr)
	}
	for _, text := range row.Dependencies {
		r, err := addr.ParseConfigResource(text)
		d.fail(err)
		c.Dependencies = append(c.Dependencies, r)
	}
	if i := row.Importing; i != nil {
		c.Importing = &plan.Importing{ID: i.ID, Identity: d.bare(i.Identity), Unknown: i.Unknown}
	}
	return c
}

func (d *decoder) invocation(row *invocationRow) *plan.Invocation {
	at, err := addr.ParsePlannedAction(row.Addr)
	d.fail(err)
	x := &plan.Invocation{Addr: row.Addr, Type: row.Type, Name: row.Name, Module: at.Module, Provider: d.provider(row.Provider), Config: d.value(row.Config)}
	if t := row.Trigger; t != nil {
		x.Trigger = &plan.InvocationTrigger{Resource: d.instance(t.Resource), Event: t.Event, BlockIndex: t.BlockIndex, ActionIndex: t.ActionIndex, OnFailure: t.OnFailure}
	}
	return x
}

func (d *decoder) targets(texts []string) []addr.Target {
	var out []addr.Target
	for _, text := range texts {
		t, err := addr.ParsePattern(text)
		d.fail(err)
		out = append(out, t)
	}
	return out
}

func (d *decoder) instance(text string) addr.AbsInstance {
	i, err := addr.ParsePlanned(text)
	d.fail(err)
	return i
}

func (d *decoder) provider(text string) addr.ProviderConfig {
	if text == "" {
		return addr.ProviderConfig{}
	}
	p, err := addr.ParseProviderConfig(text)
	d.fail(err)
	return p
}
