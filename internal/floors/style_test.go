package floors

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// source is a package's code, without tests.
type source struct {
	rel   string
	set   *token.FileSet
	files map[string]*ast.File
}

// sources are the packages of the product, without generated ones.
func sources(t *testing.T) []source {
	t.Helper()
	var out []source
	for _, p := range packages(t) {
		if exempt(p.rel()) || strings.HasPrefix(p.rel(), "provider/wire/tfplugin") {
			continue
		}
		s := source{p.rel(), token.NewFileSet(), map[string]*ast.File{}}
		for _, name := range p.GoFiles {
			f, err := parser.ParseFile(s.set, filepath.Join(p.Dir, name), nil, parser.ParseComments|parser.SkipObjectResolution)
			if err != nil {
				t.Fatal(err)
			}
			s.files[name] = f
		}
		out = append(out, s)
	}
	return out
}

// each calls visit for all top-level declarations, in order.
func (s source) each(visit func(file string, d ast.Decl)) {
	for _, name := range slices.Sorted(maps.Keys(s.files)) {
		for _, d := range s.files[name].Decls {
			visit(name, d)
		}
	}
}

// lines is the number of lines of a node.
func (s source) lines(n ast.Node) int {
	return s.set.Position(n.End()).Line - s.set.Position(n.Pos()).Line + 1
}

// at is a place as messages name it.
func (s source) at(pos token.Pos) string {
	p := s.set.Position(pos)
	return fmt.Sprintf("%s/%s:%d", s.rel, filepath.Base(p.Filename), p.Line)
}

// funcName is the name of a function, or the type and the name of a method.
func funcName(f *ast.FuncDecl) string {
	if r := receiver(f); r != "" {
		return r + "." + f.Name.Name
	}
	return f.Name.Name
}

// receiver is the name of a method's type.
func receiver(f *ast.FuncDecl) string {
	if f.Recv == nil {
		return ""
	}
	switch t := f.Recv.List[0].Type.(type) {
	case *ast.StarExpr:
		return base(t.X)
	default:
		return base(t)
	}
}

func base(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.Ident:
		return e.Name
	case *ast.IndexExpr:
		return base(e.X)
	case *ast.IndexListExpr:
		return base(e.X)
	}
	return ""
}

// TestShort is invariant F4.
func TestShort(t *testing.T) {
	l := theLaw(t)
	for _, s := range sources(t) {
		for name, f := range s.files {
			if n := s.set.File(f.FileStart).LineCount(); n > l.most["file-lines"] {
				t.Errorf("%s/%s has %d lines: find the second concept in it", s.rel, name, n)
			}
		}
		s.each(func(_ string, d ast.Decl) {
			switch d := d.(type) {
			case *ast.FuncDecl:
				if n := s.lines(d); n > l.most["function-lines"] {
					t.Errorf("%s: %s has %d lines and has to be scrolled", s.at(d.Pos()), funcName(d), n)
				}
			case *ast.GenDecl:
				s.wide(t, l, d)
			}
		})
	}
	for name := range l.wide {
		t.Errorf("floors.txt: no interface %s is wide", name)
	}
}

// wide finds interfaces of many methods.
func (s source) wide(t *testing.T, l *law, d *ast.GenDecl) {
	t.Helper()
	for _, spec := range d.Specs {
		of, is := spec.(*ast.TypeSpec)
		if !is {
			continue
		}
		i, is := of.Type.(*ast.InterfaceType)
		if !is {
			continue
		}
		n := 0
		for _, m := range i.Methods.List {
			n += len(m.Names)
		}
		name := s.rel + "." + of.Name.Name
		if n <= l.most["methods"] {
			continue
		}
		if _, known := l.wide[name]; !known {
			t.Errorf("%s: %s has %d methods: who needs all of them?", s.at(of.Pos()), name, n)
		}
		delete(l.wide, name)
	}
}

// TestNoMutableGlobals is invariant F5: a table at the top of a file is a constant.
func TestNoMutableGlobals(t *testing.T) {
	for _, s := range sources(t) {
		globals := map[string]bool{}
		s.each(func(_ string, d ast.Decl) {
			if g, is := d.(*ast.GenDecl); is && g.Tok == token.VAR {
				for _, spec := range g.Specs {
					s.locked(t, spec.(*ast.ValueSpec))
					for _, n := range spec.(*ast.ValueSpec).Names {
						globals[n.Name] = true
					}
				}
			}
		})
		s.each(func(_ string, d ast.Decl) {
			if f, is := d.(*ast.FuncDecl); is && f.Body != nil {
				s.assigned(t, f, globals)
			}
		})
	}
}

// locked finds globals that can only be there to change.
func (s source) locked(t *testing.T, v *ast.ValueSpec) {
	t.Helper()
	ast.Inspect(v, func(n ast.Node) bool {
		if _, is := n.(*ast.FuncLit); is {
			return false
		}
		if x, is := n.(*ast.SelectorExpr); is {
			if p, is := x.X.(*ast.Ident); is && (p.Name == "sync" || p.Name == "atomic") {
				t.Errorf("%s: %s.%s for the whole process: give it to whoever shares it", s.at(v.Pos()), p.Name, x.Sel.Name)
			}
		}
		return true
	})
}

// assigned finds what changes a global. A function that has a variable of its own
// by that name is not looked at for it.
func (s source) assigned(t *testing.T, f *ast.FuncDecl, globals map[string]bool) {
	t.Helper()
	own := declared(f)
	change := func(e ast.Expr) {
		if name := root(e); globals[name] && !own[name] {
			t.Errorf("%s: %s changes the global %s", s.at(e.Pos()), funcName(f), name)
		}
	}
	ast.Inspect(f.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			if n.Tok != token.DEFINE {
				for _, e := range n.Lhs {
					change(e)
				}
			}
		case *ast.IncDecStmt:
			change(n.X)
		case *ast.CallExpr:
			if b, is := n.Fun.(*ast.Ident); is && (b.Name == "delete" || b.Name == "clear") {
				change(n.Args[0])
			}
		}
		return true
	})
}

// declared are the names that a function declares somewhere.
func declared(f *ast.FuncDecl) map[string]bool {
	own := map[string]bool{}
	fields := func(l *ast.FieldList) {
		if l != nil {
			for _, field := range l.List {
				for _, n := range field.Names {
					own[n.Name] = true
				}
			}
		}
	}
	fields(f.Recv)
	ast.Inspect(f, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncType:
			fields(n.Params)
			fields(n.Results)
		case *ast.AssignStmt:
			for _, e := range n.Lhs {
				if id, is := e.(*ast.Ident); is && n.Tok == token.DEFINE {
					own[id.Name] = true
				}
			}
		case *ast.RangeStmt:
			own[root(n.Key)], own[root(n.Value)] = true, true
		case *ast.ValueSpec:
			for _, id := range n.Names {
				own[id.Name] = true
			}
		}
		return true
	})
	return own
}

// root is the variable that an assignable expression begins with.
func root(e ast.Expr) string {
	for {
		switch x := e.(type) {
		case *ast.Ident:
			return strings.TrimPrefix(x.Name, "_")
		case *ast.SelectorExpr:
			e = x.X
		case *ast.IndexExpr:
			e = x.X
		case *ast.StarExpr:
			e = x.X
		case *ast.ParenExpr:
			e = x.X
		default:
			return ""
		}
	}
}

// TestGoroutines is invariant F6.
func TestGoroutines(t *testing.T) {
	l := theLaw(t)
	unused := maps.Clone(l.concurrent)
	for _, s := range sources(t) {
		for _, f := range s.files {
			ast.Inspect(f, func(n ast.Node) bool {
				if !begins(n) {
					return true
				}
				if _, known := l.concurrent[s.rel]; !known {
					t.Errorf("%s: %s has no row that says why it works at the same time as others", s.at(n.Pos()), s.rel)
				}
				delete(unused, s.rel)
				return true
			})
		}
	}
	for pkg := range unused {
		t.Errorf("floors.txt: %s starts nothing", pkg)
	}
}

// begins says whether a node starts a goroutine.
func begins(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.GoStmt:
		return true
	case *ast.CallExpr:
		x, is := n.Fun.(*ast.SelectorExpr)
		return is && x.Sel.Name == "Go" && len(n.Args) == 1
	}
	return false
}
