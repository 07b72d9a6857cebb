package scenario

import (
	"flag"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/plumb-iac/plumb/addr"
	"github.com/plumb-iac/plumb/diag"
	"github.com/plumb-iac/plumb/internal/backend"
	"github.com/plumb-iac/plumb/internal/settings"
	"golang.org/x/tools/txtar"
	"pgregory.net/rapid"
)

// alike tells a story in several ways, the first of which the others are held against:
// after every command the states, the calls and the errors are the same.
func alike(rt *rapid.T, s *story, want *teller, others map[string]*teller) {
	well := false
	defer func() {
		if !well {
			keep(s.archive)
		}
	}()
	for i, c := range s.run {
		want.command(i)
		for _, what := range sortedNames(others) {
			other := others[what]
			other.command(i)
			judge, calls := (*teller).diagnostics, withoutConfiguring
			if other.shell != nil {
				judge, calls = (*teller).summaries, withoutProcesses
			}
			d := differences(anyHost(want.state(want.after[i])), anyHost(other.state(other.after[i]))) +
				differences(calls(want.calls[i]), calls(other.calls[i])) +
				differences(anyHost(judge(want, want.ended[i])), anyHost(judge(other, other.ended[i]))) +
				differences(want.remote(), other.remote())
			if d != "" {
				rt.Fatalf("%s, %s:\n%s\nThe life is in %s.", c.text, what, d, found)
			}
		}
	}
	well = true
}

// summaries are what is the same of errors wherever they are told. A provider that died
// over gRPC cannot say anything else beside that.
func (tl *teller) summaries(l diag.List) []string {
	dead := map[string]bool{}
	for _, d := range l {
		dead[d.Address] = dead[d.Address] || d.Summary == "Plugin did not respond"
	}
	var out []string
	for _, d := range l.Errors() {
		if dead[d.Address] {
			d.Summary = "dead"
		}
		out = append(out, d.Summary+" "+d.Address)
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// withoutProcesses are the calls without what processes of their own make different:
// how often a provider is configured, of which configuration a call is made, what
// programs are run, and that a plan with errors is followed by a validation.
func withoutProcesses(calls []string) []string {
	var out []string
	for _, l := range withoutConfiguring(calls) {
		if l, _, _ = strings.Cut(l, "  @"); !strings.HasPrefix(l, "run ") && !strings.HasPrefix(l, "validate ") {
			out = append(out, l)
		}
	}
	return out
}

// anyHost are lines without the registry that its dialect takes for granted.
func anyHost(lines []string) []string {
	out := make([]string, len(lines))
	for i, l := range lines {
		out[i] = strings.ReplaceAll(l, addr.OpenTofuHost, addr.DefaultHost)
	}
	return out
}

// seldom checks what takes long for the n-th part of as many lives as others are told.
func seldom(t *testing.T, n int, prop func(*rapid.T)) {
	t.Helper()
	checks := flag.Lookup("rapid.checks").Value
	all := checks.String()
	defer func() { _ = checks.Set(all) }()
	if k, err := strconv.Atoi(all); err != nil || checks.Set(strconv.Itoa(max(1, k/n))) != nil {
		t.Fatalf("-rapid.checks is %q", all)
	}
	draw(t, prop)
}

// calmed is a life that nothing breaks off.
func calmed(a *txtar.Archive) *story {
	s := newStory("", a)
	for i, c := range s.run {
		if c.breaksLife() {
			s.run[i].flags = calm(c.flags)
		}
		delete(s.run[i].flags, "parallelism")
	}
	return s
}

// TestLifePairs tells drawn lives twice: with one call at a time and with sixteen that
// take their time, with plans that go through files, with states that do. Whatever a
// provider answers, the states are the same, and the calls are.
func TestLifePairs(t *testing.T) {
	draw(t, func(rt *rapid.T) {
		s := calmed(drawLife(rt, limits{things: *long + 1, steps: *long}))
		one, many, saved, filed := newTeller(t, s, 1), newTeller(t, s, 16), newTeller(t, s, 1), newTeller(t, s, 1)
		saved.saves, filed.files, many.world.slow = true, true, true
		alike(rt, s, one, map[string]*teller{"sixteen": many, "saved": saved, "filed": filed})
	})
}

// TestLifeKept tells drawn lives with states that are kept by a real backend, encrypted
// and in the clear: they are the same as those of a disk in memory.
func TestLifeKept(t *testing.T) {
	how := sealed(t)
	seldom(t, 4, func(rt *rapid.T) {
		s := calmed(drawLife(rt, limits{things: *long + 1, steps: *long}))
		where, form := rapid.SampledFrom(sortedNames(places)).Draw(rt, "where"), backend.Form{}
		if rapid.Bool().Draw(rt, "encrypted") {
			form.Encryption = how
		}
		other := newTeller(t, s, 16)
		other.kept = places[where](t, form)
		alike(rt, s, newTeller(t, s, 1), map[string]*teller{where: other})
	})
}

// quiet are the provisioners' commands as a shell can run them.
var quiet = strings.NewReplacer(`command = "`, `command = ": `)

// TestLifeShell tells drawn lives on the command line as well.
func TestLifeShell(t *testing.T) {
	seldom(t, 8, func(rt *rapid.T) {
		a := drawLife(rt, limits{things: *long + 1, steps: *long, settled: true})
		for i := range a.Files {
			a.Files[i].Data = []byte(quiet.Replace(string(a.Files[i].Data)))
		}
		s := calmed(a)
		s.run = slices.DeleteFunc(s.run, func(c command) bool { return c.verb == "state-mv" }) // which renames dependencies, too
		other := newTeller(t, s, 1)
		other.shell = newShell(t, other)
		alike(rt, s, newTeller(t, s, 1), map[string]*teller{"shell": other})
	})
}

// TestLifeDialects tells drawn lives of which both dialects say the same.
func TestLifeDialects(t *testing.T) {
	seldom(t, 4, func(rt *rapid.T) {
		s := calmed(drawLife(rt, limits{things: *long + 1, steps: *long, undisputed: true}))
		other := *s
		other.dialect = settings.OpenTofu - s.dialect
		alike(rt, s, newTeller(t, s, 1), map[string]*teller{other.dialect.String(): newTeller(t, &other, 1)})
	})
}

// once is what a second attempt cannot do over: an import of what was destroyed
// meanwhile for its replacement, and the end of what is not to be destroyed and lacks its
// provisioners.
var once = regexp.MustCompile(`import \{\n.*\n.*\n\}\n|prevent_destroy = true`)

// TestLifeCrash breaks an apply of a drawn life off after some record of its journal,
// goes on from what is left, and asks for the same again: it comes to the same.
func TestLifeCrash(t *testing.T) {
	draw(t, func(rt *rapid.T) {
		a := drawLife(rt, limits{things: *long + 1, steps: *long})
		for i := range a.Files {
			a.Files[i].Data = once.ReplaceAll(a.Files[i].Data, nil)
		}
		s := newStory("", a)
		for i, c := range s.run {
			s.run[i].flags = calm(c.flags)
			if c.verb == "script" {
				s.run[i].args = []string{"honest"}
			}
		}
		whole := newTeller(t, s, 1)
		whole.tell()
		var worth []int
		for i, c := range s.run {
			if (c.verb == "apply" || c.verb == "destroy") && !c.has("replace") && !c.has("target") && !c.has("exclude") && !whole.ended[i].HasErrors() {
				worth = append(worth, i)
			}
		}
		if len(worth) == 0 {
			return
		}
		i := rapid.SampledFrom(worth).Draw(rt, "command")
		k := rapid.IntRange(0, len(whole.journals[i])+1).Draw(rt, "record")
		after, remotes := settled(t, s, whole, i)
		if complaint := crash(t, s, whole, i, k, after, remotes, anyOrder); complaint != "" {
			keep(a)
			rt.Fatalf("%s, broken off after record %d: %s\nThe life is in %s.", s.run[i].text, k, complaint, found)
		}
	})
}

// anyOrder leaves out of a state in which order things are replaced: an object that
// changes remembers what its plan said, and one that does not what an earlier one did.
func anyOrder(lines []string) []string {
	out := make([]string, len(lines))
	for i, l := range lines {
		out[i] = strings.ReplaceAll(l, "  create-first", "")
	}
	return anyNumber(out)
}

// calm are flags without those that end a command early.
func calm(flags map[string][]string) map[string][]string {
	out := map[string][]string{}
	for name, v := range flags {
		if !(command{flags: map[string][]string{name: v}}).breaksLife() {
			out[name] = v
		}
	}
	return out
}

// differences are the lines that only one of two lists has, but for numbers.
func differences(want, got []string) string {
	times := map[string]int{}
	for _, l := range anyNumber(want) {
		times[l]++
	}
	for _, l := range anyNumber(got) {
		times[l]--
	}
	var b strings.Builder
	for _, l := range sortedNames(times) {
		for n := times[l]; n > 0; n-- {
			b.WriteString("- " + l + "\n")
		}
		for n := times[l]; n < 0; n++ {
			b.WriteString("+ " + l + "\n")
		}
	}
	return b.String()
}
