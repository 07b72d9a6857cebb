package planfile

import (
	"github.com/plumb-iac/plumb/addr"
	"github.com/plumb-iac/plumb/plan"
)

func (e *encoder) document(d *plan.Document) *documentRow {
	row := &documentRow{
		Version: d.Version, LanguageVersion: d.LanguageVersion, Mode: d.Mode, Timestamp: d.Timestamp,
		Workspace: d.Workspace, Errored: d.Errored, Applyable: d.Applyable, Complete: d.Complete,
		SkipRefresh: d.SkipRefresh, Targets: targetTexts(d.Targets), Excludes: targetTexts(d.Excludes),
		Checks: d.Checks,
	}
	for _, r := range d.Replace {
		row.Replace = append(row.Replace, r.String())
	}
	if len(d.Variables) > 0 {
		row.Variables = make(map[string]variableRow, len(d.Variables))
	}
	for name, v := range d.Variables {
		row.Variables[name] = variableRow{e.value(v.Value), e.value(v.Shown), v.Ephemeral, v.Set, v.Default}
	}
	for _, o := range d.Outputs {
		row.Outputs = append(row.Outputs, outputRow{o.Name, o.Action, e.value(o.Before), e.value(o.After), o.Sensitive})
	}
	for _, r := range d.Relevant {
		row.Relevant = append(row.Relevant, relevantRow{r.Resource.String(), e.path(r.Path)})
	}
	for _, x := range d.Deferred {
		row.Deferred = append(row.Deferred, deferredRow{x.Reason, *e.change(&x.Change)})
	}
	for _, x := range d.Invocations {
		row.Invocations = append(row.Invocations, e.invocation(x))
	}
	for _, x := range d.DeferredInvocations {
		row.DeferredRuns = append(row.DeferredRuns, deferredRunRow{x.Reason, e.invocation(&x.Invocation)})
	}
	return row
}

func providerText(p addr.ProviderConfig) string {
	if p.Provider.IsZero() {
		return ""
	}
	return p.String()
}

func targetTexts(ts []addr.Target) []string {
	var out []string
	for _, t := range ts {
		out = append(out, t.String())
	}
	return out
}

func (e *encoder) change(c *plan.Change) *changeRow {
	row := &changeRow{
		Addr: c.Addr.String(), Deposed: string(c.Deposed), Provider: providerText(c.Provider),
		Action: c.Action, Reason: c.Reason, Before: e.value(c.Before), After: e.value(c.After),
		BeforeIdentity: e.bare(c.BeforeIdentity), AfterIdentity: e.bare(c.AfterIdentity),
		ReplacePaths: e.paths(c.ReplacePaths), Private: c.Private, Legacy: c.Legacy, GeneratedConfig: c.GeneratedConfig,
		CreateBeforeDestroy: c.CreateBeforeDestroy, SkipDestroy: c.SkipDestroy,
	}
	if c.Moved() {
		row.PrevAddr = c.PrevAddr.String()
	}
	for _, d := range c.Dependencies {
		row.Dependencies = append(row.Dependencies, d.String())
	}
	if i := c.Importing; i != nil {
		row.Importing = &importingRow{i.ID, e.bare(i.Identity), i.Unknown}
	}
	return row
}

func (e *encoder) invocation(x *plan.Invocation) invocationRow {
	row := invocationRow{Addr: x.Addr, Type: x.Type, Name: x.Name, Provider: providerText(x.Provider), Config: e.value(x.Config)}
	if t := x.Trigger; t != nil {
		row.Trigger = &triggerRow{t.Resource.String(), t.Event, t.BlockIndex, t.ActionIndex, t.OnFailure}
	}
	return row
}
