package embed

import (
	"fmt"
	"go/types"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/go/packages"
)

// TestNames holds the public packages to what a program outside of this module can
// use: every type that their exported names mention is public, or has a public alias.
func TestNames(t *testing.T) {
	all, err := packages.Load(&packages.Config{Dir: repository, Mode: packages.NeedName | packages.NeedTypes}, "./...")
	if err != nil {
		t.Fatal(err)
	}
	s := &search{names: map[*types.TypeName]bool{}, seen: map[types.Type]bool{}, unnamed: map[string]string{}}
	public := slices.DeleteFunc(all, func(p *packages.Package) bool {
		return internal(p.PkgPath) || p.Name == "main" || strings.Contains(p.PkgPath, "/test/")
	})
	if len(public) < 20 {
		t.Fatalf("found %d public packages", len(public))
	}
	for _, p := range public {
		s.aliases(p.Types)
	}
	for _, p := range public {
		s.exported(p.Types)
	}
	for _, fine := range inside {
		delete(s.unnamed, fine)
	}
	for name, where := range s.unnamed {
		t.Errorf("%s cannot be named outside of this module, and %s mentions it", name, where)
	}
}

// inside are types that nobody outside has a use for, though a method takes them.
var inside = []string{
	"github.com/plumb-iac/plumb/internal/settings.Difference", // a row of the dialects' table, which the engine asks for
}

func internal(path string) bool {
	return slices.Contains(strings.Split(path, "/"), "internal") && strings.HasPrefix(path, "github.com/plumb-iac/")
}

// search walks what can be reached from exported names.
type search struct {
	// names are the internal types that have a public alias.
	names map[*types.TypeName]bool
	seen  map[types.Type]bool
	// unnamed are internal types without one, with what mentions them.
	unnamed map[string]string
	where   string
}

func (s *search) aliases(p *types.Package) {
	for _, name := range p.Scope().Names() {
		at, ok := p.Scope().Lookup(name).(*types.TypeName)
		if !ok || !at.Exported() || !at.IsAlias() {
			continue
		}
		if n, ok := types.Unalias(at.Type()).(*types.Named); ok {
			s.names[n.Origin().Obj()] = true
		}
	}
}

func (s *search) exported(p *types.Package) {
	for _, name := range p.Scope().Names() {
		if o := p.Scope().Lookup(name); o.Exported() {
			s.where = p.Path() + "." + name
			s.visit(o.Type())
		}
	}
}

// visit walks one type; those of other modules are theirs.
func (s *search) visit(t types.Type) {
	t = types.Unalias(t)
	if t == nil || s.seen[t] {
		return
	}
	s.seen[t] = true
	switch t := t.(type) {
	case *types.Named:
		s.named(t)
	case interface{ Elem() types.Type }:
		if m, ok := t.(*types.Map); ok {
			s.visit(m.Key())
		}
		s.visit(t.Elem())
	case *types.Signature:
		for v := range t.Params().Variables() {
			s.visit(v.Type())
		}
		for v := range t.Results().Variables() {
			s.visit(v.Type())
		}
	case *types.Struct:
		for v := range t.Fields() {
			if v.Exported() || v.Embedded() {
				s.visit(v.Type())
			}
		}
	case *types.Interface:
		for m := range t.Methods() {
			s.visit(m.Type())
		}
	}
}

func (s *search) named(t *types.Named) {
	at := t.Origin().Obj()
	if at.Pkg() == nil || !strings.HasPrefix(at.Pkg().Path(), "github.com/plumb-iac/") {
		return
	}
	if internal(at.Pkg().Path()) && !s.names[at] {
		s.unnamed[fmt.Sprintf("%s.%s", at.Pkg().Path(), at.Name())] = s.where
	}
	for a := range t.TypeArgs().Types() {
		s.visit(a)
	}
	for m := range t.Methods() {
		if m.Exported() {
			s.visit(m.Type())
		}
	}
	s.visit(t.Underlying())
}
