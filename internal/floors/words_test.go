package floors

import (
	"go/ast"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestDocs is invariant F3.
func TestDocs(t *testing.T) {
	all := sources(t)
	known := map[string]map[string]bool{}
	for _, s := range all {
		known[s.rel] = s.names()
	}
	for _, s := range all {
		page := s.files["doc.go"]
		if page == nil || page.Doc == nil {
			t.Errorf("%s has no doc.go: say what it owns, what it must never know, its invariants and what to read first", s.rel)
			continue
		}
		text := page.Doc.Text()
		if !strings.Contains(text, "must never") {
			t.Errorf("%s/doc.go does not say what the package must never know", s.rel)
		}
		_, first, ok := strings.Cut(text, "Read first:")
		if !ok {
			t.Errorf("%s/doc.go does not say what to read first", s.rel)
		}
		for _, name := range named(text, first) {
			if !alive(name, s, known) {
				t.Errorf("%s/doc.go names %s, which is not there", s.rel, name)
			}
		}
	}
}

var (
	link   = regexp.MustCompile(`\[\*?([A-Za-z][\w.]*)\](?:[^(]|$)`)
	word   = regexp.MustCompile(`^[\w./]+$`)
	quoted = regexp.MustCompile(`(?m)^\t.*$`)
)

// named are the names that a page links to, and those without brackets where it says
// what to read first.
func named(text, first string) []string {
	var out []string
	for _, m := range link.FindAllStringSubmatch(quoted.ReplaceAllString(text, ""), -1) {
		out = append(out, m[1])
	}
	sentence, _, _ := strings.Cut(strings.Join(strings.Fields(first), " "), ". ")
	for _, part := range strings.Split(sentence, ",") {
		if part = strings.Trim(part, " ."); word.MatchString(part) {
			out = append(out, part)
		}
	}
	return out
}

// alive says whether a name is a declaration of the package or a file in it, or one
// of another package whose last element comes before the dot.
func alive(name string, s source, known map[string]map[string]bool) bool {
	if known[s.rel][name] || s.files[name] != nil {
		return true
	}
	if _, err := os.Stat(filepath.Join("../..", s.rel, name)); err == nil {
		return true
	}
	pkg, rest, ok := strings.Cut(name, ".")
	for rel, names := range known {
		if ok && filepath.Base(rel) == pkg && names[rest] {
			return true
		}
	}
	return false
}

// names are the top-level names of a package, with methods and fields behind their
// types.
func (s source) names() map[string]bool {
	out := map[string]bool{}
	s.each(func(_ string, d ast.Decl) {
		switch d := d.(type) {
		case *ast.FuncDecl:
			out[funcName(d)] = true
		case *ast.GenDecl:
			for _, spec := range d.Specs {
				switch spec := spec.(type) {
				case *ast.TypeSpec:
					out[spec.Name.Name] = true
					for _, m := range members(spec.Type) {
						out[spec.Name.Name+"."+m] = true
					}
				case *ast.ValueSpec:
					for _, n := range spec.Names {
						out[n.Name] = true
					}
				}
			}
		}
	})
	return out
}

func members(t ast.Expr) []string {
	var fields *ast.FieldList
	switch t := t.(type) {
	case *ast.StructType:
		fields = t.Fields
	case *ast.InterfaceType:
		fields = t.Methods
	default:
		return nil
	}
	var out []string
	for _, f := range fields.List {
		for _, n := range f.Names {
			out = append(out, n.Name)
		}
	}
	return out
}

// TestExported is invariant F7.
func TestExported(t *testing.T) {
	for _, s := range sources(t) {
		s.each(func(_ string, d ast.Decl) {
			switch d := d.(type) {
			case *ast.FuncDecl:
				// Methods of unexported types are there for an interface that tells.
				shown := d.Recv == nil || ast.IsExported(receiver(d))
				if shown && d.Name.IsExported() && d.Doc == nil {
					t.Errorf("%s: %s is not documented", s.at(d.Pos()), funcName(d))
				}
			case *ast.GenDecl:
				s.specs(t, d)
			}
		})
	}
}

// specs finds exported types, constants and variables that nothing tells of: neither
// a comment of theirs, nor one on their group, nor one behind them.
func (s source) specs(t *testing.T, d *ast.GenDecl) {
	t.Helper()
	for _, spec := range d.Specs {
		switch spec := spec.(type) {
		case *ast.TypeSpec:
			if spec.Name.IsExported() && d.Doc == nil && spec.Doc == nil {
				t.Errorf("%s: %s is not documented", s.at(spec.Pos()), spec.Name.Name)
			}
		case *ast.ValueSpec:
			for _, n := range spec.Names {
				if n.IsExported() && d.Doc == nil && spec.Doc == nil && spec.Comment == nil {
					t.Errorf("%s: %s is not documented", s.at(n.Pos()), n.Name)
				}
			}
		}
	}
}
