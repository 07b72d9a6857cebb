package scenario

import (
	"regexp"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// TestLifePairs tells drawn lives twice: with one call at a time and with sixteen, with
// plans that go through files, with states that do. Whatever a provider answers, the
// states are the same, and the calls are.
func TestLifePairs(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		a := drawLife(rt, limits{things: *long + 1, steps: *long})
		s := newStory("", a)
		for i, c := range s.run {
			if c.breaksLife() {
				s.run[i].flags = calm(c.flags)
			}
			delete(s.run[i].flags, "parallelism")
		}
		one, many, saved, filed := newTeller(t, s, 1), newTeller(t, s, 16), newTeller(t, s, 1), newTeller(t, s, 1)
		saved.saves, filed.files = true, true
		for i, c := range s.run {
			for _, tl := range []*teller{one, many, saved, filed} {
				tl.command(i)
			}
			for what, other := range map[string]*teller{"sixteen": many, "saved": saved, "filed": filed} {
				got, want := other.state(other.after[i]), one.state(one.after[i])
				d := differences(want, got) + differences(withoutConfiguring(one.calls[i]), withoutConfiguring(other.calls[i])) +
					differences(one.diagnostics(one.ended[i]), other.diagnostics(other.ended[i]))
				if d != "" {
					keep(a)
					rt.Fatalf("%s, %s:\n%s\nThe life is in %s.", c.text, what, d, found)
				}
			}
		}
	})
}

// once is what a second attempt cannot do over: an import of what was destroyed
// meanwhile for its replacement, and the end of what is not to be destroyed and lacks its
// provisioners.
var once = regexp.MustCompile(`import \{\n.*\n.*\n\}\n|prevent_destroy = true`)

// TestLifeCrash breaks an apply of a drawn life off after some record of its journal,
// goes on from what is left, and asks for the same again: it comes to the same.
func TestLifeCrash(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
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
