package ephemeral

import (
	"context"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/plumb-iac/plumb/addr"
	"github.com/plumb-iac/plumb/config"
	"github.com/plumb-iac/plumb/diag"
	"github.com/plumb-iac/plumb/internal/evaluate"
	"github.com/plumb-iac/plumb/internal/schedule"
	"github.com/plumb-iac/plumb/provider"
	"github.com/plumb-iac/plumb/provider/fake"
	"pgregory.net/rapid"
)

// host is a walk with end legs; nothing runs.
type host struct {
	Host
	ends map[*evaluate.Site]int
}

func (h host) Ends(s *evaluate.Site) []int {
	if id, ok := h.ends[s]; ok {
		return []int{id}
	}
	return nil
}

type memory struct{ fstest.MapFS }

func (m memory) ReadDir(dir string) ([]fs.DirEntry, error) { return fs.ReadDir(m.MapFS, dir) }

func compiled(t *rapid.T, text string) *evaluate.Program {
	p, err := fake.New("ephemeral fake_session\n  input string optional\n  token string computed\nresource fake_disk\n  input string optional\n  token string computed\n")
	if err != nil {
		t.Fatal(err)
	}
	tree, diags := config.Load(memory{fstest.MapFS{"main.tf": &fstest.MapFile{Data: []byte(text)}}}, ".", config.LoadOptions{})
	if diags.HasErrors() {
		t.Fatal(text, diags)
	}
	program, diags := evaluate.Compile(tree, evaluate.Options{
		Schemas: func(addr.Provider) (provider.Schemas, diag.List) { return p.Schemas(context.Background()) }})
	if diags.HasErrors() {
		t.Fatal(text, diags)
	}
	return program
}

// TestClosers draws configurations, and the legs of an apply between them, and
// holds the graph with the closing nodes against EP2 and against circles.
func TestClosers(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		program := compiled(t, drawConfig(t))
		run := evaluate.NewRun(program, evaluate.Setup{})
		g, h := drawLegs(t, program)
		w := &walk{Host: h, run: run, base: g.N, nodes: map[int]*node{}}
		for _, s := range program.Sites() {
			if isEphemeral(s) {
				w.order = append(w.order, &node{site: s})
			}
		}
		out := w.closers(g)
		needs := make([][]int, out.N)
		for _, e := range out.Edges {
			needs[e.From] = append(needs[e.From], e.To)
		}
		for id := range needs {
			for _, to := range needs[id] {
				if slices.Contains(reached(to, needs, always), id) {
					t.Fatalf("%d and %d wait for each other", id, to)
				}
			}
		}
		for i, n := range w.order {
			for j, m := range w.order {
				if i != j && slices.Contains(reached(m.site.ID, needs, w.passesOn), n.site.ID) && !slices.Contains(needs[w.base+i], w.base+j) {
					t.Fatalf("%s is closed without waiting for %s", n.site.Addr(), m.site.Addr())
				}
			}
		}
	})
}

// drawConfig makes declarations that refer to earlier ones.
func drawConfig(t *rapid.T) string {
	forms := []struct{ text, ref string }{
		{"ephemeral \"fake_session\" \"n%d\" {\n  input = %s\n}\n", "ephemeral.fake_session.n%d.token"},
		{"resource \"fake_disk\" \"n%d\" {\n  input = %s\n}\n", "fake_disk.n%d.token"},
		{"locals {\n  n%d = %s\n}\n", "local.n%d"},
	}
	var b strings.Builder
	var refs []string
	for i := range rapid.IntRange(1, 12).Draw(t, "declarations") {
		f := forms[rapid.IntRange(0, len(forms)-1).Draw(t, "form")]
		var used []string
		for _, r := range refs {
			if rapid.IntRange(0, 3).Draw(t, "refers") == 0 {
				used = append(used, "${"+r+"}")
			}
		}
		fmt.Fprintf(&b, f.text, i, fmt.Sprintf("%q", strings.Join(used, "")+"-"))
		refs = append(refs, fmt.Sprintf(f.ref, i))
	}
	return strings.ReplaceAll(b.String(), "\\", "")
}

// drawLegs gives every resource an end leg, before or after its make leg, and
// orders the legs of what depends on each other.
func drawLegs(t *rapid.T, p *evaluate.Program) (schedule.Graph, host) {
	g := schedule.Graph{N: len(p.Sites())}
	h := host{ends: map[*evaluate.Site]int{}}
	for _, s := range p.Sites() {
		for _, id := range s.Reads {
			g.Edges = append(g.Edges, schedule.Edge{From: s.ID, To: id})
		}
		if isManaged(s) {
			h.ends[s] = g.N
			g.N++
		}
	}
	first := rapid.Bool().Draw(t, "create first")
	for _, s := range p.Sites() {
		end, ok := h.ends[s]
		if !ok {
			continue
		}
		if first {
			g.Edges = append(g.Edges, schedule.Edge{From: end, To: s.ID})
		} else if rapid.Bool().Draw(t, "replaced") {
			g.Edges = append(g.Edges, schedule.Edge{From: s.ID, To: end})
		}
		for _, d := range p.Direct(s) {
			if below, ok := h.ends[d]; ok {
				g.Edges = append(g.Edges, schedule.Edge{From: below, To: end})
			}
		}
	}
	return g, h
}
