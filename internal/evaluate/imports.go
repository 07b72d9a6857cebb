package evaluate

import (
	"fmt"

	"github.com/plumb-iac/plumb/addr"
	"github.com/plumb-iac/plumb/config"
	"github.com/plumb-iac/plumb/diag"
	"github.com/plumb-iac/plumb/internal/expand"
	"github.com/plumb-iac/plumb/internal/lang"
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
}

func (c *compiler) imports(s *Site, cfg *config.Import) {
	s.Import = &ImportDecl{Config: cfg, ID: c.expr(s, cfg.ID), Identity: c.expr(s, cfg.Identity), Repetition: c.repetition(s, nil, cfg.ForEach, nil)}
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

// importing notes what import blocks name; resources read their import sites.
func (r *Run) importing(s *Site) bool {
	ok := true
	for mi, inst := range r.modules[s.Module.ID] {
		keys, diags := r.repeat(s, mi, s.Import.Repetition)
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
	at, diags := lang.InstanceAddr(s.Import.Config.To, scope)
	if diags.HasErrors() {
		return diags
	}
	at = below(inst.Addr, at)
	out := Imported{Addr: at, Range: s.Import.Config.Range}
	if s.Import.ID != nil {
		out.ID, diags = importID(s.Import.ID, scope)
	} else if s.Import.Identity != nil {
		var v value.V
		v, diags = s.Import.Identity.Eval(scope, cty.DynamicPseudoType)
		out.Identity = value.Strip(v)
	}
	if diags.HasErrors() || r.Phase == Validating {
		return diags
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.imported == nil {
		r.imported = map[addr.AbsInstance]Imported{}
	}
	if other, twice := r.imported[at]; twice {
		return append(diags, diag.Err("Duplicate import configuration for "+fmt.Sprintf("%q", at.String()),
			fmt.Sprintf("An import block for this object stands at %s:%d already; each object is imported once.", other.Range.Filename, other.Range.Start.Line)).At(out.Range))
	}
	r.imported[at] = out
	return diags
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
func importID(x *lang.Expr, scope *lang.Scope) (string, diag.List) {
	const summary = "Invalid import id argument"
	v, diags := x.Eval(scope, cty.String)
	if diags.HasErrors() {
		return "", diags
	}
	bare := value.Strip(v).Cty()
	why := ""
	switch {
	case value.Contains(v, value.Sensitive):
		why = "The import id is derived from a sensitive value, and it shows in the plan."
	case value.Contains(v, value.Ephemeral):
		why = "The import id is derived from an ephemeral value, which is not the same in the next run."
	case bare.IsNull():
		why = "The import id is null; a string that identifies the object for its provider is needed."
	case !bare.IsKnown():
		why = "The import id depends on something that is known only after apply. Import needs it when planning."
	case bare.AsString() == "":
		why = "The import id is an empty string; a string that identifies the object for its provider is needed."
	default:
		return bare.AsString(), diags
	}
	return "", append(diags, x.Annotate(diag.Err(summary, why).At(x.Range()), scope, lang.Causes{Unknown: !bare.IsKnown()}))
}

// Import is what an import block says of an instance.
func (r *Run) Import(a addr.AbsInstance) (Imported, bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	i, ok := r.imported[a]
	return i, ok
}

// AddImport names an object to import besides those of import blocks.
func (r *Run) AddImport(i Imported) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.imported == nil {
		r.imported = map[addr.AbsInstance]Imported{}
	}
	r.imported[i.Addr] = i
}

// Imports are all objects to import.
func (r *Run) Imports() []Imported {
	r.mu.Lock()
	defer r.mu.Unlock()
	out := make([]Imported, 0, len(r.imported))
	for _, i := range r.imported {
		out = append(out, i)
	}
	sortImports(out)
	return out
}

func sortImports(is []Imported) {
	for i := 1; i < len(is); i++ {
		for j := i; j > 0 && is[j].Addr.Less(is[j-1].Addr); j-- {
			is[j], is[j-1] = is[j-1], is[j]
		}
	}
}
