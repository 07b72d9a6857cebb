package evaluate

import (
	"fmt"
	"slices"
	"sort"

	"github.com/plumb-iac/plumb/addr"
	"github.com/plumb-iac/plumb/config"
	"github.com/plumb-iac/plumb/diag"
	"github.com/plumb-iac/plumb/internal/expand"
	"github.com/plumb-iac/plumb/internal/hcldiag"
	"github.com/plumb-iac/plumb/internal/lang"
	"github.com/plumb-iac/plumb/schema"
	"github.com/plumb-iac/plumb/value"
	"github.com/zclconf/go-cty/cty"
)

// ImportDecl is an import block.
type ImportDecl struct {
	Config       *config.Import
	ID, Identity *lang.Expr
	Repetition
}

// Imported is one object that an import block names.
type Imported struct {
	Addr     addr.AbsInstance
	ID       string
	Identity value.Bare
	Range    diag.Range
	// Unknown says that id or identity are not known yet.
	Unknown bool
}

func (c *compiler) imports(s *Site, cfg *config.Import) {
	s.Import = &ImportDecl{Config: cfg, ID: c.expr(s, cfg.ID), Identity: c.expr(s, cfg.Identity), Repetition: c.repetition(s, nil, cfg.ForEach, nil)}
	c.importedByItself(s, cfg)
	if cfg.To == nil {
		return
	}
	for _, t := range cfg.To.Variables() {
		// Index expressions refer to something; the address itself does not.
		if ref, diags := lang.ParseRef(t); !diags.HasErrors() && (ref.Kind == lang.RefVar || ref.Kind == lang.RefLocal) {
			s.refer([]lang.Ref{ref})
		}
	}
}

// importedByItself reports an id that comes from the object that it is to bring
// in, and forgets the references that could never be followed.
func (c *compiler) importedByItself(s *Site, cfg *config.Import) {
	own := func(r lang.Ref) bool {
		return r.Kind == lang.RefResource && cfg.Resource.Module.IsRoot() && r.Resource == cfg.Resource.Resource
	}
	for _, x := range []*lang.Expr{s.Import.ID, s.Import.Identity} {
		if x == nil {
			continue
		}
		for _, r := range x.Refs() {
			if own(r) {
				c.report(diag.Err("Invalid import id argument",
					fmt.Sprintf("What identifies the object to import cannot come from %s itself: it is not there before it is imported.", cfg.Resource)).At(r.Range))
			}
		}
	}
	s.links = slices.DeleteFunc(s.links, func(l link) bool { return own(l.ref) })
}

// importing notes what import blocks name; resources read their import sites.
func (r *Run) importing(s *Site) bool {
	ok := true
	for mi, inst := range r.modules[s.Module.ID] {
		keys, diags := r.repeat(s, mi, s.Import.Repetition)
		if inst.Uncertain || r.Standing && keys.IsUnknown() && !diags.HasErrors() {
			r.importLater(s)
			r.Report(diags)
			continue
		}
		base := r.Scope(s, mi)
		if !diags.HasErrors() {
			for key := range keys.All() {
				diags = diags.With(r.importOne(s, inst, base, keys, key))
			}
		}
		r.Report(diags)
		ok = ok && !diags.HasErrors()
	}
	return ok
}

func (r *Run) importOne(s *Site, inst Instance, base *lang.Scope, keys expand.Keys, key addr.InstanceKey) diag.List {
	scope := ObjectScope(base, keys, key)
	if r.Phase == Validating {
		return r.importable(s, inst, scope)
	}
	at, diags := lang.InstanceAddr(s.Import.Config.To, scope)
	if diags.HasErrors() {
		return diags
	}
	at = below(inst.Addr, at)
	out := Imported{Addr: at, Range: hcldiag.RangeOf(s.Import.Config.To.Range())}
	target := r.Resource(at.Config())
	if target == nil {
		return append(diags, r.NoTarget(out))
	}
	if s.Import.ID != nil {
		out.ID, diags = r.importID(s.Import.ID, scope)
		out.Unknown = out.ID == ""
	} else if s.Import.Identity != nil {
		out.Identity, diags = r.importIdentity(s.Import.Identity, scope, target)
		out.Unknown = !out.Identity.IsZero() && !out.Identity.Cty().IsWhollyKnown()
	}
	if diags.HasErrors() {
		return diags
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	switch other, twice := r.imported.at[at]; {
	case twice && other.Range == (diag.Range{}):
		return diags // what was asked for now comes before what is written down
	case twice:
		return append(diags, diag.Err("Duplicate import configuration for "+fmt.Sprintf("%q", at.String()),
			fmt.Sprintf("An import block for this object stands at %s:%d already; each object is imported once.", other.Range.Filename, other.Range.Start.Line)).At(out.Range))
	}
	r.imported.add(out)
	return diags
}

// importable validates an import block: whether the configuration can have such an
// instance, or have it generated, and what identifies the object. A key that is not
// known yet may be any of its kind.
func (r *Run) importable(s *Site, inst Instance, scope *lang.Scope) diag.List {
	cfg := s.Import.Config
	of := within(s.Module.Config.Path, cfg.Resource)
	at, unknown := lang.InstanceAddr(cfg.To, scope)
	if unknown.HasErrors() {
		at = addr.AbsInstance{Resource: of.Resource}
		for _, name := range cfg.Resource.Module.Names() {
			at.Module = at.Module.Child(name, addr.InstanceKey{})
		}
	}
	out := Imported{Addr: below(inst.Addr, at), Range: hcldiag.RangeOf(cfg.To.Range())}
	target := r.Resource(of)
	switch {
	case target == nil && !(of.Module.IsRoot() && cfg.Single()):
		return diag.List{r.NoTarget(out)}
	case target == nil:
	case !unknown.HasErrors() && misfit(target.Resource, at.Key) != "":
		return diag.List{r.NoTarget(out)}
	case cfg.Keyed() && target.Resource.Count == nil && target.Resource.ForEach == nil:
		return diag.List{misplaced(out, "The target has an instance key, and the resource uses neither count nor for_each.")}
	}
	var diags diag.List
	switch {
	case s.Import.ID != nil:
		_, diags = r.importID(s.Import.ID, scope)
	case s.Import.Identity != nil:
		_, diags = r.importIdentity(s.Import.Identity, scope, target)
	}
	return diags
}

// NoTarget says that an import block leads nowhere.
func (p *Program) NoTarget(i Imported) diag.Diag {
	target := p.Resource(i.Addr.Config())
	why := ""
	switch {
	case target != nil && i.Range != (diag.Range{}) && misfit(target.Resource, i.Addr.Key) != "":
		return misplaced(i, misfit(target.Resource, i.Addr.Key))
	case target != nil:
		why = "The configuration declares the resource, but no instance of it at this address: look at its count or for_each."
	case !i.Addr.Module.IsRoot():
		why = "The configuration does not declare it. Declare it in its module: configuration is generated for the root module only."
	case !i.Addr.Key.IsNone():
		why = "The configuration does not declare it. Declare it with count or for_each: configuration is generated for single objects only."
	default:
		why = "The configuration has no such instance. Declare it, or import it by a block without for_each and have its configuration generated with:\n\n  plumb plan -generate-config-out=generated.tf"
	}
	d := diag.Err("Configuration for import target does not exist", fmt.Sprintf("An object is to be imported as %s. %s", i.Addr, why))
	if i.Range != (diag.Range{}) {
		d = d.At(i.Range)
	}
	return d
}

// misplaced says that an import block names an instance as the resource has none.
func misplaced(i Imported, why string) diag.Diag {
	return diag.Err("Invalid import 'to' expression", why).At(i.Range)
}

// misfit says how an instance key differs in kind from those of a resource, ""
// where it does not.
func misfit(d *ResourceDecl, key addr.InstanceKey) string {
	_, number := key.Int()
	_, text := key.Str()
	switch {
	case number && d.Count == nil:
		return "The target has a number for its instance key, and the resource does not use count."
	case text && d.ForEach == nil:
		return "The target has a string for its instance key, and the resource does not use for_each."
	case key.IsNone() && d.Count != nil:
		return "The target has no instance key, and the resource uses count."
	case key.IsNone() && d.ForEach != nil:
		return "The target has no instance key, and the resource uses for_each."
	}
	return ""
}

// below puts an address of a module instance into the whole configuration.
func below(m addr.ModuleInstance, a addr.AbsInstance) addr.AbsInstance {
	for _, s := range a.Module.Steps() {
		m = m.Child(s.Name, s.Key)
	}
	a.Module = m
	return a
}

// importID evaluates the id of an import block.
func (r *Run) importID(x *lang.Expr, scope *lang.Scope) (string, diag.List) {
	v, diags := x.Eval(scope, cty.String)
	if diags.HasErrors() {
		return "", diags
	}
	bare, ok := r.importKey("id", x, v, scope, &diags)
	if ok && !bare.IsKnown() {
		return "", diags
	}
	if ok && bare.AsString() == "" {
		diags = append(diags, x.Annotate(diag.Err("Invalid import id argument",
			"The import id is an empty string; a string that identifies the object for its provider is needed.").At(x.Range()), scope, lang.Causes{}))
		ok = false
	}
	if !ok {
		return "", diags
	}
	return bare.AsString(), diags
}

// importIdentity evaluates the identity of an import block. What its schema has
// beyond what is given is null.
func (r *Run) importIdentity(x *lang.Expr, scope *lang.Scope, target *Site) (value.Bare, diag.List) {
	if target == nil || target.Resource == nil || target.Resource.Schema == nil {
		return value.Bare{}, nil
	}
	of := target.Resource.Schema.Identity
	if of == nil {
		return value.Bare{}, diag.List{diag.Err("Unable to determine identity schema for import identity",
			fmt.Sprintf("The provider %s has no identities for objects of type %q, so %s cannot be imported by one. Import it by its id.",
				target.Resource.Config.Source.Display(), target.Resource.Addr.Resource.Type, target.Addr())).At(x.Range())}
	}
	v, diags := x.Eval(scope, givenIdentity(of))
	if diags.HasErrors() {
		return value.Bare{}, diags
	}
	bare, ok := r.importKey("identity", x, v, scope, &diags)
	if !ok {
		return value.Bare{}, diags
	}
	return value.MustBare(bare), diags
}

// givenIdentity is the type of an identity as it is written: what is not
// required may be left out.
func givenIdentity(o *schema.Object) cty.Type {
	types := map[string]cty.Type{}
	var optional []string
	for _, name := range o.Names() {
		types[name] = o.Attributes[name].Type
		if !o.Attributes[name].Required {
			optional = append(optional, name)
		}
	}
	return cty.ObjectWithOptionalAttrs(types, optional)
}

// importKey is what the argument of an import block is worth, if that can be
// asked for: it is known, shown and the same in each run. While validating
// nothing has to be known.
func (r *Run) importKey(name string, x *lang.Expr, v value.V, scope *lang.Scope, diags *diag.List) (cty.Value, bool) {
	bare := value.Strip(v).Cty()
	why := ""
	switch {
	case value.Contains(v, value.Sensitive):
		why = "The import %s is derived from a sensitive value, and it shows in the plan."
	case value.Contains(v, value.Ephemeral):
		why = "The import %s is derived from an ephemeral value, which is not the same in the next run."
	case bare.IsNull():
		why = "The import %s is null; a value that identifies the object for its provider is needed."
	case !bare.IsWhollyKnown() && r.Phase == Validating:
		return bare, false
	case !bare.IsWhollyKnown() && r.Standing:
		return bare, true
	case !bare.IsWhollyKnown():
		why = "The import %s depends on something that is known only after apply. Import needs it when planning."
	default:
		return bare, true
	}
	*diags = append(*diags, x.Annotate(diag.Err("Invalid import "+name+" argument", fmt.Sprintf(why, name)).At(x.Range()), scope, lang.Causes{}))
	return bare, false
}

// imports are the objects to import, by address and by resource.
type imports struct {
	at map[addr.AbsInstance]Imported
	of map[addr.ConfigResource][]addr.AbsInstance
	// later are the resources of which some objects cannot be named yet.
	later map[addr.ConfigResource]bool
}

func (m *imports) add(i Imported) {
	if m.at == nil {
		m.at, m.of = map[addr.AbsInstance]Imported{}, map[addr.ConfigResource][]addr.AbsInstance{}
	}
	if _, known := m.at[i.Addr]; !known {
		r := i.Addr.Config()
		m.of[r] = append(m.of[r], i.Addr)
	}
	m.at[i.Addr] = i
}

// Import is what an import block says of an instance.
func (r *Run) Import(a addr.AbsInstance) (Imported, bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	i, ok := r.imported.at[a]
	return i, ok
}

// AddImport names an object to import besides those of import blocks.
func (r *Run) AddImport(i Imported) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.imported.add(i)
}

// ImportsFor are the objects to import as instances of a resource, in the order
// of their addresses.
func (r *Run) ImportsFor(of addr.ConfigResource) []Imported {
	r.mu.Lock()
	defer r.mu.Unlock()
	out := make([]Imported, 0, len(r.imported.of[of]))
	for _, a := range r.imported.of[of] {
		out = append(out, r.imported.at[a])
	}
	sort.Slice(out, func(i, j int) bool { return out[i].Addr.Less(out[j].Addr) })
	return out
}
