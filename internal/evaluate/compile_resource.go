package evaluate

import (
	"fmt"

	"github.com/hashicorp/hcl/v2"
	"github.com/plumb-iac/plumb/addr"
	"github.com/plumb-iac/plumb/config"
	"github.com/plumb-iac/plumb/diag"
	"github.com/plumb-iac/plumb/internal/lang"
	"github.com/plumb-iac/plumb/provider"
	"github.com/plumb-iac/plumb/schema"
)

// resource compiles a resource, data or ephemeral block.
func (c *compiler) resource(s *Site, cfg *config.Resource) {
	r := &ResourceDecl{Config: cfg, Addr: addr.ConfigResource{Module: s.Module.Config.Path, Resource: cfg.Addr}}
	s.Resource = r
	r.Repetition = c.repetition(s, cfg.Count, cfg.ForEach, cfg.Enabled)
	c.dependsOn(s, cfg.DependsOn)
	r.Preconditions = c.rules(s, cfg.Lifecycle.Preconditions)
	withSelf(s, func() { r.Postconditions = c.rules(s, cfg.Lifecycle.Postconditions) })
	r.PreventDestroy = c.preventDestroy(s, cfg.Lifecycle.PreventDestroy)
	for _, e := range cfg.Lifecycle.ReplaceTriggeredBy {
		c.trigger(s, e)
	}
	withSelf(s, func() { c.actionTriggers(s, cfg.Lifecycle.ActionTriggers) })
	c.listing(s, cfg)
	var source addr.Provider
	r.Provider, source = c.meant(s.Module.Config, cfg.Provider.ProviderKey, cfg.TypeRange)
	r.Selection = c.selection(s, cfg.Provider)
	r.Schema = c.resourceSchema(source, cfg)
	if r.Schema == nil {
		s.broken = true
		return
	}
	r.Meta = c.meta(s.Module, source)
	if cfg.Config == nil {
		r.Generated = c.generates
		return
	}
	r.Body = c.body(s, cfg.Config, r.Schema.Block)
	c.ignoreChanges(r)
	withSelf(s, func() {
		for _, p := range cfg.Provisioners {
			c.provisioner(s, p)
		}
	})
}

// resourceSchema finds the type's schema and reports what is wrong with it.
func (c *compiler) resourceSchema(source addr.Provider, cfg *config.Resource) *schema.Resource {
	schemas := c.schemasOf(source)
	if schemas == nil {
		return nil
	}
	found, diags := schemas.Type(cfg.Addr.Mode, cfg.Addr.Type)
	c.diags = c.diags.With(diags)
	if found == nil && !diags.HasErrors() {
		c.report(unknownType(source, schemas, cfg))
	}
	return found
}

// schemasOf gives a provider's schemas, nil when they cannot be had; that is
// reported once for each provider.
func (c *compiler) schemasOf(source addr.Provider) provider.Schemas {
	if c.missing[source] {
		return nil
	}
	schemas, diags := c.opts.Schemas(source)
	c.diags = c.diags.With(diags)
	if diags.HasErrors() || schemas == nil {
		c.missing[source] = true
		return nil
	}
	return schemas
}

// meant gives the site of the provider configuration that user, in m, means by
// key. One that is configured nowhere, since nobody calls the module that is to be
// passed it, is looked for in the root module, and reported there.
func (c *compiler) meant(m *config.Module, key config.ProviderKey, user diag.Range) (*Site, addr.Provider) {
	owner, at, source := config.ProviderFor(m, key)
	if owner == nil {
		owner = c.Tree.Root
	}
	return c.provider(owner, at, source, user), source
}

// provider gives the site of a provider configuration that something uses. What
// nothing uses has none, so it is neither checked nor started; but blocks with
// for_each do, since their keys are fixed before anything is used.
func (c *compiler) provider(owner *config.Module, key config.ProviderKey, source addr.Provider, user diag.Range) *Site {
	s := c.configuration(owner, key, source, user)
	s.Provider.Used = true
	return s
}

// configuration gives the site of a provider configuration, made when it is
// first asked for.
func (c *compiler) configuration(owner *config.Module, key config.ProviderKey, source addr.Provider, user diag.Range) *Site {
	at := addr.ProviderConfig{Module: owner.Path, Provider: source, Alias: key.Alias}
	if s := c.providers[at]; s != nil {
		return s
	}
	m := c.Module(owner.Path)
	s := c.site(Provider, m, localName(at))
	c.providers[at] = s
	cfg := owner.Providers[key]
	s.Provider = &ProviderDecl{Addr: at, Config: cfg, Range: user}
	body := hcl.EmptyBody()
	if cfg != nil {
		body, s.Provider.Range = cfg.Config, cfg.Range
	} else if key.Alias != "" && !(c.opts.Alone && owner.Expects(key)) {
		c.report(noProviderConfig(owner, key, user))
	}
	if schemas := c.schemasOf(source); schemas != nil {
		s.Provider.Schema = schemas.Provider()
		if s.Provider.Schema == nil {
			s.Provider.Schema = &schema.Resource{Block: schema.Empty}
		}
		if cfg != nil {
			c.guard(s, func() { s.Provider.Repetition = c.repetition(s, nil, cfg.ForEach, nil) })
			s.broken = s.faulty
		}
		if cfg != nil && !cfg.Mock {
			c.guard(s, func() { s.Provider.Body = c.body(s, body, s.Provider.Schema.Block) })
		}
	}
	return s
}

// stored makes the site of a provider configuration that the state names: of a
// block in that module or in a caller, or else the implied default.
func (c *compiler) stored(at addr.ProviderConfig) {
	key := at.Key
	at.Key = addr.NoKey
	for path := at.Module; ; path, _ = path.Parent() {
		at.Module = path
		if c.providers[at] != nil || c.block(at) || path.IsRoot() {
			break
		}
	}
	if c.providers[at] != nil || at.Alias != "" || !key.IsNone() {
		return
	}
	root := c.Tree.Root
	c.provider(root, config.ProviderKey{Name: at.Provider.Type}, at.Provider, root.Settings.Range)
}

// block makes the site of a provider block. It says whether there is the block.
func (c *compiler) block(at addr.ProviderConfig) bool {
	m := c.byPath[at.Module]
	if m == nil {
		return false
	}
	for _, key := range sortedProviders(m.Config.Providers) {
		if key.Alias == at.Alias && m.Config.ProviderSource(key.Name) == at.Provider {
			c.provider(m.Config, key, at.Provider, m.Config.Providers[key].Range)
			return true
		}
	}
	return false
}

// localName is the provider address inside its module.
func localName(p addr.ProviderConfig) string {
	p.Module = addr.Root
	return p.String()
}

func (c *compiler) provisioner(s *Site, cfg *config.Provisioner) {
	block := c.opts.Provisioners(cfg.Type)
	if block == nil {
		// Tools expect this one without a place, so the text tells it.
		c.report(diag.Err("Missing required provisioner plugin",
			fmt.Sprintf("At %s there is a provisioner %q. Plumb has local-exec, remote-exec and file, and takes no plugins for others.", rangeText(cfg.Range), cfg.Type)))
		return
	}
	c.judge(cfg)
	p := ProvisionerDecl{Config: cfg}
	connection := cfg.ConnectionOver(s.Resource.Config.Connection)
	if cfg.Destroy {
		// References of destroy-time provisioners are limited to self, count and
		// each, which need no other site.
		p.Body, p.Connection = c.detached(cfg.Config, block), c.detached(connection, ConnectionSchema)
	} else {
		s.after = true
		p.Body, p.Connection = c.body(s, cfg.Config, block), c.connection(s, connection)
		s.after = false
	}
	s.Resource.Provisioners = append(s.Resource.Provisioners, p)
}

func (c *compiler) connection(s *Site, b hcl.Body) *lang.Body {
	if b == nil {
		return nil
	}
	return c.body(s, b, ConnectionSchema)
}

// judge asks the provisioner whether the arguments that are written go together.
func (c *compiler) judge(cfg *config.Provisioner) {
	if c.opts.Judge == nil {
		return
	}
	attrs, _ := cfg.Config.JustAttributes()
	diags := c.opts.Judge(cfg.Type, func(name string) bool { return attrs[name] != nil && !isNull(attrs[name].Expr) })
	c.diags = c.diags.With(at(diags, cfg.Range))
}

// isNull says whether an expression is the word null.
func isNull(e hcl.Expression) bool {
	v, diags := e.Value(nil)
	return !diags.HasErrors() && v.IsNull()
}

// detached compiles a body that refers to self, count and each alone, which
// need no site: the configuration was refused otherwise.
func (c *compiler) detached(b hcl.Body, block *schema.Block) *lang.Body {
	if b == nil {
		return nil
	}
	x, diags := lang.CompileBody(b, block)
	c.diags = c.diags.With(diags)
	return x
}

// trigger compiles one element of replace_triggered_by: a reference to a
// managed resource, an instance or an attribute.
func (c *compiler) trigger(s *Site, e hcl.Expression) {
	t, ok := c.parseTrigger(s, e)
	if ok {
		s.Resource.Triggers = append(s.Resource.Triggers, t)
	}
}

func (c *compiler) parseTrigger(s *Site, e hcl.Expression) (Trigger, bool) {
	x, diags := lang.Compile(e)
	if diags.HasErrors() || x == nil {
		c.diags = c.diags.With(diags)
		return Trigger{}, false
	}
	s.aside = true
	s.refer(x.Refs())
	s.aside = false
	t := Trigger{Range: x.Range()}
	for _, r := range x.Refs() {
		switch r.Kind {
		case lang.RefResource:
			t.Ref = r
		}
	}
	if t.Ref.Kind != lang.RefResource || t.Ref.Resource.Mode != addr.Managed {
		c.report(diag.Err("Invalid reference in replace_triggered_by expression",
			"replace_triggered_by takes references to managed resources, their instances or their attributes.").At(x.Range()))
		return t, false
	}
	return t, true
}

// ignoreChanges checks that the paths exist and can be set.
func (c *compiler) ignoreChanges(r *ResourceDecl) {
	r.IgnoreAll = r.Config.Lifecycle.IgnoreAll
	for _, t := range r.Config.Lifecycle.IgnoreChanges {
		path, diags := lang.RelativePath(t, r.Schema.Block.Type())
		c.diags = c.diags.With(diags)
		if diags.HasErrors() {
			continue
		}
		if a := r.Schema.Block.AttributeAt(path); a != nil && a.Computed && !a.Optional {
			c.report(diag.Warn("Redundant ignore_changes element",
				fmt.Sprintf("The attribute %q is decided by the provider alone, so the configuration has no value of it whose changes could be ignored. Remove it from ignore_changes.", a.Name)).At(r.Config.TypeRange))
			continue
		}
		r.IgnoreChanges = append(r.IgnoreChanges, path)
	}
}
