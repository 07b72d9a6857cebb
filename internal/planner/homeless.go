package planner

import (
	"fmt"

	"github.com/plumb-iac/plumb/addr"
	"github.com/plumb-iac/plumb/diag"
	"github.com/plumb-iac/plumb/state"
)

// homeless reports managed objects that only the state has and whose provider
// configuration is gone: nobody could read or destroy them, so nothing is asked
// of any provider.
func (w *walk) homeless() diag.List {
	var out diag.List
	for i, l := range w.leftovers {
		if l.addr.Resource.Mode != addr.Managed || !w.active[len(w.Sites())+i] {
			continue
		}
		filter := w.filtered(l.addr)
		for _, r := range l.resources {
			for inst := range r.Instances() {
				a := r.Addr().Instance(inst.Key())
				if w.selected(a, filter) && w.ProviderSite(inst.Provider()) == nil {
					out = append(out, providerGone(a, inst))
				}
			}
		}
	}
	return out
}

func providerGone(a addr.AbsInstance, inst *state.Instance) diag.Diag {
	return diag.Err("Provider configuration not present",
		fmt.Sprintf("%s is in the state only, and its provider configuration %s is not in the configuration any more. Put the provider block back until the object is destroyed, or take the object out of the state.", a, inst.Provider())).By(diag.Author)
}
