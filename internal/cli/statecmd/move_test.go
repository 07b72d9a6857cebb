package statecmd

import (
	"fmt"
	"strings"
	"testing"

	"github.com/plumb-iac/plumb/addr"
	"github.com/plumb-iac/plumb/state"
)

// holding is a state with objects at these addresses.
func holding(t *testing.T, addresses ...string) *state.Snapshot {
	t.Helper()
	s := state.New("l")
	for _, text := range addresses {
		at, err := addr.ParseInstance(text)
		if err != nil {
			t.Fatal(err)
		}
		s, err = s.Apply(state.Put{Object: addr.Object{Instance: at}, Provider: addr.ProviderConfig{Provider: addr.Builtin("terraform")}, New: &state.Object{Attrs: []byte("{}")}})
		if err != nil {
			t.Fatal(err)
		}
	}
	return s
}

func TestMove(t *testing.T) {
	s := holding(t, "x.a", "x.c[0]", "x.c[1]", `module.m["k"].x.i`, `module.m["k"].module.n.x.j`, "module.o.x.i", "data.x.d")
	for _, c := range []struct{ from, to, want string }{
		{"x.a", "x.b", "x.a→x.b"},
		{"x.a", "x.b[0]", "x.a→x.b[0]"},
		{"x.a", "x.c[7]", "x.a→x.c[7]"},
		{"x.a", "x.c[1]", "Invalid target address"},
		{"x.a", "module.new.x.a", "x.a→module.new.x.a"},
		{"x.c[1]", "x.e", "x.c[1]→x.e"},
		{"x.c", "x.e", "x.c[0]→x.e[0] x.c[1]→x.e[1]"},
		{"x.c", "x.a", "Invalid target address"},
		{"x.c", "x.e[0]", "Invalid source address"},
		{"x.nope", "x.e", "Invalid source address"},
		{"x.a", "y.a", "Invalid state move request"},
		{"x.a", "data.x.a", "Invalid state move request"},
		{"data.x.d", "data.x.e", "data.x.d→data.x.e"},
		{"x.a", "module.q", "Invalid target address"},
		{"module.o", "x.q", "Invalid target address"},
		{`module.m["k"]`, "module.z", `module.m["k"].x.i→module.z.x.i module.m["k"].module.n.x.j→module.z.module.n.x.j`},
		{`module.m["k"].module.n`, "module.n", `module.m["k"].module.n.x.j→module.n.x.j`},
		{"module.o", `module.m["k"]`, "Invalid target address"},
		{"module.nope", "module.z", "Invalid source address"},
	} {
		from, err := addr.ParseTarget(c.from)
		to, err2 := addr.ParseTarget(c.to)
		if err != nil || err2 != nil {
			t.Fatal(err, err2)
		}
		moves, diags := move(s, s, from, to)
		var got []string
		for _, m := range moves {
			got = append(got, fmt.Sprintf("%s→%s", m.From, m.To))
		}
		for _, d := range diags {
			got = append(got, d.Summary)
		}
		if text := strings.Join(got, " "); text != c.want {
			t.Errorf("mv %s %s: got %s, want %s", c.from, c.to, text, c.want)
		}
		if !diags.HasErrors() {
			if _, err := s.Apply(within(s, moves)...); err != nil {
				t.Errorf("mv %s %s: %v", c.from, c.to, err)
			}
		}
	}
}

// TestMoveRenamesDependencies: who depended on what is moved goes on depending
// on it.
func TestMoveRenamesDependencies(t *testing.T) {
	s := holding(t, "x.a", "x.c[0]", "x.c[1]", "module.m.x.i", "x.user", "x.self[0]")
	depend := func(at string, on ...string) {
		i, err := addr.ParseInstance(at)
		if err != nil {
			t.Fatal(err)
		}
		o := *s.Instance(i).Current()
		for _, text := range on {
			d, err := addr.ParseConfigResource(text)
			if err != nil {
				t.Fatal(err)
			}
			o.Dependencies = append(o.Dependencies, d)
		}
		if s, err = s.Apply(state.Put{Object: addr.Object{Instance: i}, New: &o}); err != nil {
			t.Fatal(err)
		}
	}
	depend("x.user", "module.m.x.i", "x.a", "x.c")
	depend("x.c[1]", "x.a")
	depend("x.self[0]", "x.c")
	for _, c := range []struct{ from, to, user, second string }{
		{"x.a", "x.z", "[module.m.x.i x.c x.z]", "[x.z]"},
		{"x.a", "module.q[0].x.a", "[module.m.x.i module.q.x.a x.c]", "[module.q.x.a]"},
		{"x.c[0]", "x.first", "[module.m.x.i x.a x.c x.first]", "[x.a]"},
		{"x.c", "x.all", "[module.m.x.i x.a x.all]", "[x.a]"},
		{"module.m", "module.n[0]", "[module.n.x.i x.a x.c]", "[x.a]"},
		{"x.self[0]", "x.self[1]", "[module.m.x.i x.a x.c]", "[x.a]"},
		{"x.a", "x.c[7]", "[module.m.x.i x.c]", "[]"},
		{"x.self[0]", "x.c[9]", "[module.m.x.i x.a x.c]", "[x.a]"},
	} {
		from, _ := addr.ParseTarget(c.from)
		to, _ := addr.ParseTarget(c.to)
		moves, diags := move(s, s, from, to)
		after, err := s.Apply(within(s, moves)...)
		if diags.HasErrors() || err != nil {
			t.Fatal(diags, err)
		}
		for _, want := range []struct{ from, to, deps string }{{"x.user", "x.user", c.user}, {"x.c[1]", "x.all[1]", c.second}} {
			at, _ := addr.ParseInstance(want.from)
			if i := after.Instance(at); i == nil {
				at, _ = addr.ParseInstance(want.to)
			}
			if got := fmt.Sprint(after.Instance(at).Current().Dependencies); got != want.deps {
				t.Errorf("mv %s %s: %s depends on %s, want %s", c.from, c.to, at, got, want.deps)
			}
		}
	}
}
