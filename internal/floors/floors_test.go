package floors

import (
	"encoding/json"
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

const module = "github.com/plumb-iac/plumb"

// pack is what go list says about a package.
type pack struct {
	ImportPath string
	Dir        string
	GoFiles    []string
	Imports    []string
}

func (p pack) rel() string { return strings.TrimPrefix(strings.TrimPrefix(p.ImportPath, module), "/") }

func packages(t *testing.T) []pack {
	t.Helper()
	cmd := exec.Command("go", "list", "-e", "-json=ImportPath,Dir,GoFiles,Imports", module+"/...")
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	var packs []pack
	for dec := json.NewDecoder(strings.NewReader(string(out))); ; {
		var p pack
		if err := dec.Decode(&p); errors.Is(err, io.EOF) {
			return packs
		} else if err != nil {
			t.Fatal(err)
		}
		for _, name := range p.GoFiles {
			// Asking for the file makes the test's cached result depend on it.
			if _, err := os.Stat(filepath.Join(p.Dir, name)); err != nil {
				t.Fatal(err)
			}
		}
		if len(p.GoFiles) > 0 {
			packs = append(packs, p)
		}
	}
}

func theLaw(t *testing.T) *law {
	t.Helper()
	l, err := readLaw("floors.txt")
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// TestImports is invariant F1.
func TestImports(t *testing.T) {
	l := theLaw(t)
	for _, p := range packages(t) {
		if exempt(p.rel()) {
			continue
		}
		floor := l.floorOf(p.rel())
		if floor < 0 {
			t.Errorf("%s is on no floor: give it one in floors.txt", p.rel())
			continue
		}
		for _, imported := range p.Imports {
			l.judge(t, p.rel(), floor, imported)
		}
	}
}

func (l *law) judge(t *testing.T, from string, floor int, imported string) {
	t.Helper()
	for _, b := range l.bans {
		if b.span.has(floor) && b.what == imported {
			t.Errorf("%s (floor %d) imports %s: %s", from, floor, imported, b.reason)
		}
	}
	for _, o := range l.only {
		if o.what == imported && !below(from, o.users) {
			t.Errorf("%s imports %s, which only %s may", from, imported, strings.Join(o.users, ", "))
		}
	}
	to, ours := strings.CutPrefix(imported, module+"/")
	if !ours {
		return
	}
	switch target := l.floorOf(to); {
	case target > floor:
		t.Errorf("%s (floor %d) imports %s (floor %d): imports go down only", from, floor, to, target)
	case target == floor && !l.sibling(from, to):
		t.Errorf("%s imports %s: both are on floor %d and no sibling row allows it", from, to, floor)
	}
}

func below(pkg string, users []string) bool {
	for _, u := range users {
		if matches(u+"/...", pkg) {
			return true
		}
	}
	return false
}

// exempt are the law itself and programs that only build or test.
func exempt(pkg string) bool {
	return pkg == "internal/floors" || strings.HasPrefix(pkg, "test/") || strings.HasPrefix(pkg, "tools/") ||
		strings.HasPrefix(pkg, "examples/")
}

// TestBareHands is invariant F2, as far as imports do not show it.
func TestBareHands(t *testing.T) {
	l := theLaw(t)
	for _, p := range packages(t) {
		if !l.bare.has(l.floorOf(p.rel())) {
			continue
		}
		for _, name := range p.GoFiles {
			bareFile(t, filepath.Join(p.Dir, name), p.rel()+"/"+name)
		}
	}
}

func bareFile(t *testing.T, path, shown string) {
	t.Helper()
	set := token.NewFileSet()
	f, err := parser.ParseFile(set, path, nil, 0)
	if err != nil {
		t.Error(err)
		return
	}
	ast.Inspect(f, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.GoStmt:
			t.Errorf("%s:%d: a go statement on a floor with bare hands", shown, set.Position(n.Pos()).Line)
		case *ast.SelectorExpr:
			if x, ok := n.X.(*ast.Ident); ok && x.Name == "time" && clock(n.Sel.Name) {
				t.Errorf("%s:%d: time.%s: pass the moment in, so that plans are reproducible", shown, set.Position(n.Pos()).Line, n.Sel.Name)
			}
		}
		return true
	})
}

func clock(name string) bool {
	switch name {
	case "Now", "Since", "Until", "Sleep", "After", "Tick", "NewTimer", "NewTicker", "AfterFunc":
		return true
	}
	return false
}

// TestLaw holds the judge itself to a small law.
func TestLaw(t *testing.T) {
	l := theLaw(t)
	for pkg, want := range map[string]int{"addr": 0, "config": 1, "state/v4": 1, "internal/lang": 2, "provider/wire": 3, "internal/ledger": 4, "engine": 5, "nowhere": -1} {
		if got := l.floorOf(pkg); got != want {
			t.Errorf("floor of %s is %d, want %d", pkg, got, want)
		}
	}
	for _, c := range []struct {
		from, to string
		want     bool
	}{{"plan/planfile", "state/v4", true}, {"state", "plan", false}, {"internal/evaluate", "internal/planner", false}} {
		if got := l.sibling(c.from, c.to); got != c.want {
			t.Errorf("sibling %s → %s is %v, want %v", c.from, c.to, got, c.want)
		}
	}
}
