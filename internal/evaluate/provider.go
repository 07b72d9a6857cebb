package evaluate

import (
	"strings"

	"github.com/plumb-iac/plumb/addr"
	"github.com/plumb-iac/plumb/diag"
	"github.com/plumb-iac/plumb/internal/lang"
	"github.com/plumb-iac/plumb/value"
)

// ProviderConfig evaluates an instance of a provider's configuration; an
// implied one is the schema's empty object, which is wrong where the schema
// requires arguments.
func (r *Run) ProviderConfig(s *Site, key addr.InstanceKey) (value.V, diag.List) {
	d := s.Provider
	if d.Body == nil {
		return lang.EmptyObject(d.Schema.Block), unset(d)
	}
	if len(r.modules[s.Module.ID]) == 0 {
		return lang.EmptyObject(d.Schema.Block), nil
	}
	return d.Body.Eval(ObjectScope(r.Scope(s, 0), r.ProviderKeys(s), key))
}

// unset are the required arguments of an implied configuration.
func unset(d *ProviderDecl) diag.List {
	if d.Config != nil && d.Config.Mock {
		return nil // nobody is configured with it
	}
	var diags diag.List
	for _, name := range d.Schema.Block.AttrNames() {
		if d.Schema.Block.Attributes[name].Required {
			diags = append(diags, unsetArgument(d, name))
		}
	}
	return diags
}

// ProviderSite finds the site of a provider configuration that the state
// names: in that module or inherited from a caller.
func (p *Program) ProviderSite(at addr.ProviderConfig) *Site {
	at.Key = addr.NoKey
	for {
		if s := p.providers[at]; s != nil {
			return s
		}
		if at.Module.IsRoot() {
			return nil
		}
		at.Module, _ = at.Module.Parent()
	}
}

// Locate points diagnostics of a provider at the part of the configuration
// that they are about.
func Locate(l diag.List, body *lang.Body, block diag.Range, address string) diag.List {
	out := make(diag.List, len(l))
	for i, d := range l {
		if strings.HasPrefix(string(d.Code), "PW") {
			// A call that did not come through is not about the configuration.
			if d.Address == "" {
				d.Address = address
			}
			out[i] = d
			continue
		}
		if d.Subject == nil {
			rng := block
			if body != nil && body.Range().Start.Line == block.Start.Line {
				rng = body.Range() // the block's own body, not a block config inside
			}
			if body != nil && len(d.Path) > 0 {
				if better := body.RangeOf(d.Path); better != nil {
					rng = *better
					d.Attribute = ""
				}
			}
			d = d.At(rng)
		}
		if d.Address == "" {
			d.Address = address
		}
		out[i] = d
	}
	return out
}
