package refactor

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/plumb-iac/plumb/addr"
	"github.com/plumb-iac/plumb/config"
	"github.com/plumb-iac/plumb/diag"
	"github.com/plumb-iac/plumb/state"
	"github.com/plumb-iac/plumb/test/golden"
	"pgregory.net/rapid"
)

// testdata/stories.txt holds a state, a configuration and, behind >, where
// everything is afterwards. The sections of a story are told apart by lines
// that are not indented.
func TestStories(t *testing.T) {
	const file = "testdata/stories.txt"
	raw, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, text := range strings.Split(strings.TrimPrefix(string(raw), "-- "), "\n-- ") {
		name, body, _ := strings.Cut(text, " --\n")
		lines := strings.Split(strings.TrimRight(body, "\n"), "\n")
		given := slices.DeleteFunc(lines, func(line string) bool { return strings.HasPrefix(line, ">") })
		got := tell(t, name, given)
		out = append(out, "-- "+name+" --\n"+strings.Join(append(given, got...), "\n"))
	}
	golden.File(t, file, strings.Join(out, "\n")+"\n")
}

func tell(t *testing.T, name string, lines []string) []string {
	sections := map[string][]string{}
	at := ""
	for _, line := range lines {
		if text, indented := strings.CutPrefix(line, "  "); indented {
			sections[at] = append(sections[at], text)
			continue
		}
		at = line
		sections[at] = []string{}
	}
	tree := load(t, name, sections)
	s := stateOf(t, sections["state"])
	_, calls := sections["implied calls"]
	next, report, diags := Moves(tree, s, calls)
	if declared, is := sections["declared"]; is {
		diags = diags.With(StillDeclared(tree, asDeclared(t, declared)))
	}
	removals, more := Removed(tree)
	before := map[addr.AbsInstance]addr.AbsInstance{}
	for _, m := range report.Moved {
		before[m.To] = m.From
	}
	var out []string
	for a, o := range next.Objects() {
		line := "> " + a.String()
		if was, moved := before[a.Instance]; moved {
			line += " was " + was.String()
			if was.Resource.Type != a.Instance.Resource.Type {
				line += ", of another type"
			}
		}
		if len(o.Dependencies) > 0 {
			line += " needs"
			for _, d := range o.Dependencies {
				line += " " + d.String()
			}
		}
		out = append(out, line)
	}
	for _, a := range sections["fate"] {
		out = append(out, "> "+fate(t, removals, a))
	}
	for _, d := range diags.With(more) {
		out = append(out, said(d)...)
	}
	return out
}

func fate(t *testing.T, r Removals, a string) string {
	c, err := addr.ParseConfigResource(a)
	if err != nil {
		t.Fatal(err)
	}
	switch of := r.Of(c); {
	case of == nil:
		return a + " is nowhere mentioned"
	case of.Destroy:
		return fmt.Sprintf("%s is destroyed, %d provisioners", a, len(of.Provisioners))
	}
	return a + " is forgotten"
}

func said(d diag.Diag) []string {
	head := d.Severity.String() + ": " + d.Summary
	if d.Subject != nil {
		head = d.Subject.String() + " " + head
	}
	out := []string{"> " + head}
	for _, line := range strings.Split(d.Detail, "\n") {
		out = append(out, strings.TrimRight(">   "+line, " "))
	}
	return out
}

func load(t *testing.T, name string, sections map[string][]string) *config.Tree {
	files := fstest.MapFS{}
	for section, lines := range sections {
		dir := map[string]string{"config": "", "m": "m/", "n": "n/"}[section]
		if section == "config" || dir != "" {
			files[dir+"main.tf"] = &fstest.MapFile{Data: []byte(strings.Join(lines, "\n") + "\n")}
		}
	}
	tree, diags := config.Load(files, ".", config.LoadOptions{})
	if diags.HasErrors() {
		t.Fatalf("%s: %+v", name, diags)
	}
	return tree
}

func stateOf(t *testing.T, lines []string) *state.Snapshot {
	s := state.New("l")
	for i, line := range lines {
		f := strings.Fields(line)
		a, err := addr.ParseInstance(f[0])
		if err != nil {
			t.Fatal(err)
		}
		o := addr.Object{Instance: a}
		object := &state.Object{Attrs: fmt.Appendf(nil, `{"id":"%d"}`, i)}
		if len(f) == 2 {
			o.Deposed = "0000000a"
		}
		if len(f) > 2 {
			for _, d := range f[2:] {
				c, _ := addr.ParseConfigResource(d)
				object.Dependencies = append(object.Dependencies, c)
			}
		}
		p := addr.ProviderConfig{Provider: addr.Builtin("terraform")}
		if s, err = s.Apply(state.Put{Object: o, Provider: p, New: object}); err != nil {
			t.Fatal(err)
		}
	}
	return s
}

type declared struct {
	modules   map[addr.ModuleInstance]bool
	instances map[addr.AbsInstance]bool
}

func (d declared) HasModule(m addr.ModuleInstance) bool { return d.modules[m] }
func (d declared) HasInstance(i addr.AbsInstance) bool  { return d.instances[i] }

func asDeclared(t *testing.T, lines []string) declared {
	d := declared{map[addr.ModuleInstance]bool{}, map[addr.AbsInstance]bool{}}
	for _, line := range lines {
		target, err := addr.ParseTarget(line)
		if err != nil {
			t.Fatal(err)
		}
		if target.HasResource {
			d.instances[addr.AbsInstance{Module: target.Module, Resource: target.Resource, Key: target.Key}] = true
		} else {
			d.modules[target.Module] = true
		}
	}
	return d
}

// Whatever the statements say, no object is lost and none is in two places
// (R1), and the order of the blocks makes no difference (R2).
func TestNothingIsLost(t *testing.T) {
	names := []string{"a", "b", "c", "d"}
	rapid.Check(t, func(rt *rapid.T) {
		var lines []string
		for _, n := range names {
			for _, key := range []string{"", "[0]", "[1]"} {
				if rapid.Bool().Draw(rt, n+key) {
					lines = append(lines, "terraform_data."+n+key)
				}
			}
		}
		s := stateOf(t, lines)
		var blocks []string
		end := func(what string) string {
			return "terraform_data." + rapid.SampledFrom(names).Draw(rt, what) + rapid.SampledFrom([]string{"", "[0]", "[1]"}).Draw(rt, what+"key")
		}
		for range rapid.IntRange(0, 4).Draw(rt, "moves") {
			blocks = append(blocks, fmt.Sprintf("moved {\n  from = %s\n  to = %s\n}", end("from"), end("to")))
		}
		first, _, diags := Moves(load(t, "random", map[string][]string{"config": blocks}), s, true)
		if ids(first) != ids(s) {
			rt.Fatalf("objects %s became %s", ids(s), ids(first))
		}
		if bad := first.Check(); len(bad) > 0 {
			rt.Fatalf("%v", bad)
		}
		if diags.HasErrors() {
			return
		}
		slices.Reverse(blocks)
		second, _, _ := Moves(load(t, "random", map[string][]string{"config": blocks}), s, true)
		if !first.Equal(second) {
			rt.Fatalf("the order of blocks matters")
		}
	})
}

func ids(s *state.Snapshot) string {
	var out []string
	for _, o := range s.Objects() {
		out = append(out, string(o.Attrs))
	}
	slices.Sort(out)
	return strings.Join(out, " ")
}

func TestNoWorkIsNoChange(t *testing.T) {
	s := stateOf(t, []string{"terraform_data.a", "terraform_data.b"})
	tree := load(t, "none", map[string][]string{"config": {`resource "terraform_data" "a" {}`}})
	next, report, diags := Moves(tree, s, true)
	if next != s || len(report.Moved) > 0 || diags != nil {
		t.Errorf("moved %v, said %v", report.Moved, diags)
	}
}
