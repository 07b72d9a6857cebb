package refactor

import (
	"fmt"

	"github.com/plumb-iac/plumb/addr"
	"github.com/plumb-iac/plumb/config"
	"github.com/plumb-iac/plumb/diag"
)

// Removal is what a removed block says.
type Removal struct {
	*config.Removed
	// Module is the module that has the block; its provisioners are evaluated
	// there.
	Module *config.Module
}

// Removals are the removed blocks of a configuration.
type Removals struct {
	resources map[addr.ConfigResource]*Removal
	modules   map[addr.Module]*Removal
}

// Removed collects the removed blocks, and reports those of what is still
// declared.
func Removed(tree *config.Tree) (Removals, diag.List) {
	out := Removals{map[addr.ConfigResource]*Removal{}, map[addr.Module]*Removal{}}
	var diags diag.List
	for _, m := range tree.Modules() {
		for _, b := range m.Removed {
			r := &Removal{b, m}
			p := patternOf(m.Path, b.From, true)
			diags = diags.With(p.stillThere(tree))
			if p.hasResource {
				out.resources[addr.ConfigResource{Module: p.module(), Resource: p.resource}] = r
			} else {
				out.modules[p.module()] = r
			}
		}
	}
	return out, diags
}

func (p pattern) stillThere(tree *config.Tree) diag.List {
	m := tree.Module(p.module())
	switch {
	case m == nil:
		return nil
	case !p.hasResource && m.Call != nil:
		return diag.List{stillThere("module", p, m.Call.Range)}
	case p.hasResource && m.Resources[p.resource] != nil:
		return diag.List{stillThere("resource", p, m.Resources[p.resource].Range)}
	}
	return nil
}

func stillThere(kind string, p pattern, at diag.Range) diag.Diag {
	return diag.Err("Removed "+kind+" still exists",
		fmt.Sprintf("A removed block says that %s is gone, but here it is still declared. Take out this %s block, or the removed block.", p.Address(), kind)).At(at)
}

// Of is what is said of a resource: by a block about itself, or about the
// closest module around it. Nil means nothing.
func (r Removals) Of(a addr.ConfigResource) *Removal {
	if own := r.resources[a]; own != nil {
		return own
	}
	for m := a.Module; !m.IsRoot(); m, _ = m.Parent() {
		if around := r.modules[m]; around != nil {
			return around
		}
	}
	return nil
}
