package refactor

import (
	"fmt"

	"github.com/hashicorp/hcl/v2"
	"github.com/plumb-iac/plumb/addr"
	"github.com/plumb-iac/plumb/config"
	"github.com/plumb-iac/plumb/diag"
	"github.com/plumb-iac/plumb/internal/hcldiag"
)

// sensible are the statements that move anything at all.
func sensible(all []statement) []statement {
	var out []statement
	for _, s := range all {
		if s.from.String() != s.to.String() {
			out = append(out, s)
		}
	}
	return out
}

// contradictions are the statements that say nothing, or something else than
// another one.
func contradictions(all []statement) diag.List {
	var diags diag.List
	from, to := map[string]statement{}, map[string]statement{}
	for _, s := range all {
		a, b := s.from.String(), s.to.String()
		if a == b {
			diags = append(diags, diag.Err("Redundant move statement",
				fmt.Sprintf("This statement says that %s moved to the address that it has anyway. Take it out, or correct one of its addresses.", s.from.Address())).At(s.at))
			continue
		}
		if old, is := from[a]; is && old.to.String() != b {
			diags = append(diags, diag.Err("Ambiguous move statements",
				fmt.Sprintf("According to the statement at %s, %s moved to %s, and according to this one it moved to %s.\n\nWhat moves can end up in one place only: take out the statement that is wrong.",
					old.at, s.from.Address(), old.to.Address(), s.to.Address())).At(s.at))
			continue
		}
		if old, is := to[b]; is && old.from.String() != a {
			diags = append(diags, diag.Err("Ambiguous move statements",
				fmt.Sprintf("According to the statement at %s, %s moved to %s, and according to this one %s moved there.\n\nOnly one thing can have moved to an address: take out the statement that is wrong.",
					old.at, old.from.Address(), s.to.Address(), s.from.Address())).At(s.at))
			continue
		}
		from[a], to[b] = s, s
	}
	return diags
}

// Declared says what the configuration comes to once it is expanded.
type Declared interface {
	HasModule(addr.ModuleInstance) bool
	HasInstance(addr.AbsInstance) bool
}

// StillDeclared are the statements about something that is declared at its old
// address still, or is brought in there by an import block that stands for a
// declaration, so that nothing can have moved away from there.
func StillDeclared(tree *config.Tree, now Declared) diag.List {
	var diags diag.List
	for _, s := range sensible(statements(tree)) {
		if kind, name, at, is := s.from.declared(tree, now); is {
			diags = append(diags, diag.Err("Moved object still exists",
				fmt.Sprintf("This statement says that %s has moved, but that %s is still declared at %s.\n\nDeclare this %s as %s instead, or take out the statement.",
					s.from.Address(), kind, at, name, s.to.Address())).At(s.at))
		}
		if i := s.from.imported(tree); i != nil {
			diags = append(diags, diag.Err("Moved object still exists",
				fmt.Sprintf("This statement says that %s has moved, but the import block at %s brings an object in there.\n\nImport it as %s instead, or take out the statement.",
					s.from.Address(), i.Range, s.to.Address())).At(s.at))
		}
	}
	return diags
}

// declared says whether what the pattern selects is declared, what to call it,
// and where it stands.
func (p pattern) declared(tree *config.Tree, now Declared) (kind, name string, at diag.Range, is bool) {
	m := tree.Module(p.module())
	if m == nil || !p.reached(now) {
		return "", "", at, false
	}
	if !p.hasResource {
		if m.Call == nil {
			return "", "", at, false
		}
		if p.steps[len(p.steps)-1].any {
			return "module", "module", m.Call.Range, true
		}
		return "module instance", "instance", repeated(m.Call.Range, m.Call.Count, m.Call.ForEach), true
	}
	r := m.Resources[p.resource]
	switch {
	case r == nil:
		return "", "", at, false
	case p.any:
		return "resource", "resource", r.Range, true
	case !now.HasInstance(addr.AbsInstance{Module: p.instance(), Resource: p.resource, Key: p.key}):
		return "", "", at, false
	}
	return "resource instance", "instance", repeated(r.Range, r.Count, r.ForEach), true
}

// imported is the import block for what the pattern selects, if nothing else
// declares it: its configuration can be generated.
func (p pattern) imported(tree *config.Tree) *config.Import {
	m := tree.Module(p.module())
	if !p.hasResource || !p.key.IsNone() || m == nil || m.Parent != nil || m.Resources[p.resource] != nil {
		return nil
	}
	for _, i := range m.Imports {
		if i.Single() && i.Resource == (addr.ConfigResource{Resource: p.resource}) {
			return i
		}
	}
	return nil
}

// reached says whether there is the module instance that the steps lead to. In
// modules whose instances a statement does not tell apart, any will do.
func (p pattern) reached(now Declared) bool {
	for n := range p.steps {
		if s := p.steps[n]; s.any {
			continue
		}
		if !now.HasModule(pattern{steps: p.steps[:n+1]}.instance()) {
			return false
		}
	}
	return true
}

// instance is the module instance that the steps lead to, any keys taken as
// none.
func (p pattern) instance() addr.ModuleInstance {
	m := addr.RootInstance
	for _, s := range p.steps {
		m = m.Child(s.Name, s.Key)
	}
	return m
}

// repeated is where an instance is declared: at the argument that makes it one
// of several, else at its block.
func repeated(block diag.Range, args ...hcl.Expression) diag.Range {
	for _, a := range args {
		if a != nil {
			return hcldiag.RangeOf(a.Range())
		}
	}
	return block
}
