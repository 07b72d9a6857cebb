package config

import (
	"github.com/hashicorp/hcl/v2"
	"github.com/plumb-iac/plumb/addr"
	"github.com/plumb-iac/plumb/diag"
	"github.com/plumb-iac/plumb/internal/hcldiag"
	"github.com/zclconf/go-cty/cty"
)

// override merges the declarations of an override file into those that exist.
func (a *assembler) override(f *declared) {
	m := a.m
	for i := range f.settings {
		a.overrideSettings(&f.settings[i])
	}
	for _, p := range f.providers {
		switch base := m.Providers[p.Key]; {
		case base != nil:
			m.Providers[p.Key] = overrideProvider(base, p)
		case p.Key.Alias == "":
			m.Providers[p.Key] = p // what it changes is the implied, empty configuration
		default:
			a.missing(p.Range, "Missing base provider configuration for override", "provider configuration "+p.Key.String())
		}
	}
	for _, v := range f.variables {
		if base := m.Variables[v.Name]; base != nil {
			m.Variables[v.Name] = a.overrideVariable(base, v)
		} else {
			a.missing(v.Range, "Missing base variable declaration to override", "variable \""+v.Name+"\"")
		}
	}
	for _, l := range f.locals {
		if m.Locals[l.Name] != nil {
			m.Locals[l.Name] = l
		} else {
			a.missing(l.Range, "Missing base local value definition to override", "local value \""+l.Name+"\"")
		}
	}
	for _, o := range f.outputs {
		if base := m.Outputs[o.Name]; base != nil {
			m.Outputs[o.Name] = overrideOutput(base, o)
		} else {
			a.missing(o.Range, "Missing base output definition to override", "output \""+o.Name+"\"")
		}
	}
	for _, c := range f.calls {
		if base := m.Calls[c.Name]; base != nil {
			m.Calls[c.Name] = a.overrideCall(base, c)
		} else {
			a.missing(c.Range, "Missing module call to override", "module call \""+c.Name+"\"")
		}
	}
	for _, r := range f.resources {
		if base := m.Resources[r.Addr]; base != nil {
			m.Resources[r.Addr] = a.overrideResource(base, r)
		} else {
			a.missing(r.Range, overridesNothing(r.Addr.Mode), modeWord(r.Addr.Mode)+" "+r.Addr.String())
		}
	}
	for _, x := range f.actions {
		a.diags = a.diags.Append(diag.Err("Cannot override 'action' blocks", "An action block belongs into a normal file, not into an override file.").At(x.Range))
	}
}

// overridesNothing is the summary of an override of a resource that is not there.
func overridesNothing(m addr.Mode) string {
	switch m {
	case addr.Data:
		return "Missing data resource to override"
	case addr.Ephemeral:
		return "Missing ephemeral resource to override"
	}
	return "Missing resource to override"
}

func (a *assembler) missing(at diag.Range, summary, what string) {
	a.diags = a.diags.Append(diag.Err(summary, "There is no "+what+" in the module's normal files. An override file changes what they declare and adds nothing.").At(at))
}

func (a *assembler) overrideSettings(s *settingsBlock) {
	into := &a.m.Settings
	if len(s.RequiredVersions) > 0 {
		into.RequiredVersions = s.RequiredVersions
	}
	if len(s.CompatibleWith) > 0 {
		into.CompatibleWith = s.CompatibleWith
	}
	for _, r := range s.required {
		into.Required[r.Name] = r
	}
	for _, b := range s.backends {
		into.Backend, into.Cloud, into.Store = b, nil, nil
	}
	for _, b := range s.clouds {
		into.Cloud, into.Backend, into.Store = b, nil, nil
	}
	for _, b := range s.stores {
		into.Store, into.Backend, into.Cloud = b, nil, nil
	}
	for _, p := range s.meta {
		into.Meta[p.Provider] = p
	}
	for _, b := range s.encryptions {
		into.Encryption = overlay(into.Encryption, b.Body)
	}
}

func overrideProvider(base, o *Provider) *Provider {
	p := *base
	p.Config = overlay(base.Config, o.Config)
	if o.ForEach != nil {
		p.ForEach = o.ForEach
	}
	if o.Version.Text != "" {
		p.Version = o.Version
	}
	return &p
}

func (a *assembler) overrideVariable(base, o *Variable) *Variable {
	v := *base
	if o.DescriptionSet {
		v.Description, v.DescriptionSet = o.Description, true
	}
	if o.SensitiveSet {
		v.Sensitive, v.SensitiveSet = o.Sensitive, true
	}
	if o.EphemeralSet {
		v.Ephemeral, v.EphemeralSet = o.Ephemeral, true
	}
	if o.NullableSet {
		v.Nullable, v.NullableSet = o.Nullable, true
	}
	if o.DeprecatedSet {
		v.Deprecated, v.DeprecatedSet = o.Deprecated, true
	}
	if o.Const != nil {
		v.Const = o.Const
	}
	if o.TypeGiven {
		v.Type, v.Defaults, v.Literal, v.TypeGiven = o.Type, o.Defaults, o.Literal, true
	}
	if o.Default != cty.NilVal {
		v.Default, v.DefaultExpr = o.Default, o.DefaultExpr
	}
	for _, c := range o.Validations {
		a.diags = a.diags.Append(diag.Err("Can't override validation blocks", "Validation blocks belong beside the variable's declaration, not into an override file.").At(c.Range))
	}
	d := *a.decoder
	d.override, d.diags = false, nil
	d.fitDefault(&v)
	a.diags = a.diags.With(unfit(d.diags, &v, o))
	return &v
}

// unfit places what is wrong with the default of v, a variable that the block o of
// an override file changed, at that block: neither is wrong by itself.
func unfit(diags diag.List, v, o *Variable) diag.List {
	for i := range diags {
		diags[i].Detail += " This block of an override file made it so; the default is at " + hcldiag.RangeOf(v.DefaultExpr.Range()).String() + "."
		diags[i].Subject = &o.Range
	}
	return diags
}

func overrideOutput(base, o *Output) *Output {
	v := *base
	if o.DescriptionSet {
		v.Description, v.DescriptionSet = o.Description, true
	}
	if o.SensitiveSet {
		v.Sensitive, v.SensitiveSet = o.Sensitive, true
	}
	if o.Expr != nil {
		v.Expr = o.Expr
	}
	if o.Type != cty.NilType {
		v.Type, v.Defaults = o.Type, o.Defaults
	}
	if o.Deprecated != "" {
		v.Deprecated = o.Deprecated
	}
	v.Ephemeral = v.Ephemeral || o.Ephemeral
	if len(o.Preconditions) > 0 {
		v.Preconditions = o.Preconditions
	}
	if len(o.DependsOn) > 0 {
		v.DependsOn = o.DependsOn
	}
	return &v
}

func (a *assembler) overrideCall(base, o *ModuleCall) *ModuleCall {
	c := *base
	if o.SourceExpr != nil {
		c.SourceExpr, c.SourceRange = o.SourceExpr, o.SourceRange
		// A constraint is about the source beside it.
		c.VersionExpr = o.VersionExpr
	}
	if o.VersionExpr != nil {
		c.VersionExpr = o.VersionExpr
	}
	c.Count, c.ForEach = overrideRepetition(base.Count, base.ForEach, o.Count, o.ForEach)
	if o.Enabled != nil {
		c.Enabled = o.Enabled
	}
	if o.Explicit {
		c.Providers, c.Explicit = o.Providers, true
	}
	c.Config = overlay(base.Config, o.Config)
	c.Body = overlay(base.Body, o.Body)
	a.noDependsOn(o.DependsOn)
	return &c
}

func (a *assembler) noDependsOn(written []hcl.Traversal) {
	if len(written) > 0 {
		a.diags = a.diags.Append(diag.Err("Unsupported override", "An override file cannot change depends_on.").At(hcldiag.RangeOf(written[0].SourceRange())))
	}
}

func (a *assembler) overrideResource(base, o *Resource) *Resource {
	r := *base
	r.Count, r.ForEach = overrideRepetition(base.Count, base.ForEach, o.Count, o.ForEach)
	if o.Enabled != nil {
		r.Enabled = o.Enabled
	}
	if o.ProviderSet {
		r.Provider, r.ProviderSet = o.Provider, true
	}
	if o.Connection != nil {
		r.Connection = overlay(base.Connection, o.Connection)
	}
	if len(o.Provisioners) > 0 {
		r.Provisioners = o.Provisioners
	}
	r.Lifecycle = overrideLifecycle(base.Lifecycle, o.Lifecycle)
	r.Config = overlay(base.Config, o.Config)
	a.noDependsOn(o.DependsOn)
	return &r
}

func overrideLifecycle(l, o Lifecycle) Lifecycle {
	if o.CreateBeforeDestroySet {
		l.CreateBeforeDestroy, l.CreateBeforeDestroySet = o.CreateBeforeDestroy, true
	}
	if o.PreventDestroy != nil {
		l.PreventDestroy = o.PreventDestroy
	}
	if o.DestroySet {
		l.Destroy, l.DestroySet = o.Destroy, true
	}
	if o.IgnoreAll || len(o.IgnoreChanges) > 0 {
		l.IgnoreAll, l.IgnoreChanges = o.IgnoreAll, o.IgnoreChanges
	}
	if len(o.ReplaceTriggeredBy) > 0 {
		l.ReplaceTriggeredBy = o.ReplaceTriggeredBy
	}
	if len(o.Preconditions) > 0 {
		l.Preconditions = o.Preconditions
	}
	if len(o.Postconditions) > 0 {
		l.Postconditions = o.Postconditions
	}
	if len(o.ActionTriggers) > 0 {
		l.ActionTriggers = o.ActionTriggers
	}
	return l
}

// overrideRepetition lets count in an override replace for_each and the other
// way round.
func overrideRepetition(count, each, newCount, newEach hcl.Expression) (hcl.Expression, hcl.Expression) {
	switch {
	case newCount != nil:
		return newCount, nil
	case newEach != nil:
		return nil, newEach
	}
	return count, each
}
