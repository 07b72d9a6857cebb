package scenario

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/aymanbagabas/go-udiff"
	"github.com/plumb-iac/plumb/diag"
	"github.com/plumb-iac/plumb/state"
	"github.com/plumb-iac/plumb/state/journal"
)

// number is the part of an id that depends on how many objects of that name
// were made before.
var number = regexp.MustCompile(`-[0-9]+\b`)

func anyNumber(lines []string) []string {
	out := make([]string, len(lines))
	for i, l := range lines {
		out[i] = number.ReplaceAllString(l, "-#")
	}
	slices.Sort(out)
	return out
}

// operates says whether a command makes or carries out a plan.
func (c command) operates() bool {
	return slices.Contains([]string{"plan", "apply", "destroy", "refresh", "carry-out"}, c.verb)
}

// breaks says whether what a command does depends on how far it gets.
func (c command) breaks() bool {
	return c.has("halt") || c.has("journal-fails") || c.has("journal-stuck") || c.has("store-fails") || c.has("cut") || c.has("halt-after") || c.has("cancel-after") || c.has("parallelism")
}

// TestParallel tells every story with sixteen calls at a time: plans, states,
// calls and diagnostics are the same but for their order.
func TestParallel(t *testing.T) {
	each(t, func(t *testing.T, s *story) {
		if slices.ContainsFunc(s.run, command.breaks) {
			t.Skip("the story itself breaks off, which has no parallel counterpart; TestCrash tells it")
		}
		one, many := newTeller(t, s, 1), newTeller(t, s, 16)
		one.tell()
		many.tell()
		for i, c := range s.run {
			compare(t, c, "plan", one.plans[i], many.plans[i])
			compare(t, c, "state", one.state(one.after[i]), many.state(many.after[i]))
			compare(t, c, "calls", one.calls[i], many.calls[i])
			compare(t, c, "diagnostics", one.diagnostics(one.ended[i]), many.diagnostics(many.ended[i]))
		}
	})
}

func compare(t *testing.T, c command, what string, want, got []string) {
	t.Helper()
	want, got = anyNumber(want), anyNumber(got)
	if !slices.Equal(want, got) {
		t.Errorf("%s: other %s:\n%s", c.text, what, udiff.Unified("want", "got", strings.Join(want, "\n"), strings.Join(got, "\n")))
	}
}

// TestDeferralAllowed tells every story with deferral allowed: until something is
// deferred that changes nothing but the offer to providers.
func TestDeferralAllowed(t *testing.T) {
	each(t, func(t *testing.T, s *story) {
		plain, allowed := newTeller(t, s, 1), newTeller(t, s, 1)
		allowed.defers = true
		for i, c := range s.run {
			plain.command(i)
			allowed.command(i)
			if allowed.waits {
				return
			}
			compare(t, c, "plan", plain.plans[i], allowed.plans[i])
			compare(t, c, "state", plain.state(plain.after[i]), allowed.state(allowed.after[i]))
			compare(t, c, "calls", withoutOffers(plain.calls[i]), withoutOffers(allowed.calls[i]))
			compare(t, c, "diagnostics", plain.diagnostics(plain.ended[i]), allowed.diagnostics(allowed.ended[i]))
		}
	})
}

func withoutOffers(calls []string) []string {
	out := make([]string, len(calls))
	for i, l := range calls {
		out[i] = strings.ReplaceAll(l, " deferrable", "")
	}
	return out
}

// TestSaved tells every story with plans that go through a file and are carried
// out by another engine. Only the provider's configuration is asked for again.
func TestSaved(t *testing.T) {
	each(t, func(t *testing.T, s *story) {
		direct, saved := newTeller(t, s, 1), newTeller(t, s, 1)
		saved.saves = true
		direct.tell()
		saved.tell()
		for i, c := range s.run {
			compare(t, c, "state", direct.state(direct.after[i]), saved.state(saved.after[i]))
			compare(t, c, "calls", withoutConfiguring(direct.calls[i]), withoutConfiguring(saved.calls[i]))
			compare(t, c, "diagnostics", direct.diagnostics(direct.ended[i]), saved.diagnostics(saved.ended[i]))
		}
	})
}

func withoutConfiguring(calls []string) []string {
	return slices.DeleteFunc(slices.Clone(calls), func(l string) bool {
		return strings.HasPrefix(l, "configure") || strings.HasPrefix(l, "validate provider")
	})
}

// TestStored tells every story with a state that goes through its file between
// commands: the transcript is the same.
func TestStored(t *testing.T) {
	each(t, func(t *testing.T, s *story) {
		kept, filed := newTeller(t, s, 1), newTeller(t, s, 1)
		filed.files = true
		if want, got := kept.tell(), filed.tell(); want != got {
			t.Errorf("the story goes differently:\n%s", udiff.Unified("kept", "filed", want, got))
		}
	})
}

// TestCrash breaks every command off after every record of its journal, goes on
// from what is left, and asks for the same again: the state is the same in the
// end, and the world has no object that neither the state nor an intent knows.
func TestCrash(t *testing.T) {
	each(t, func(t *testing.T, s *story) {
		if testing.Short() {
			t.Skip("short run: breaks off after every record; run without -short")
		}
		whole := newTeller(t, s, 1)
		whole.tell()
		for i, c := range s.run {
			if !c.operates() || c.verb == "plan" || c.breaks() || c.has("replace") || len(whole.ended[i].Errors()) > 0 {
				continue
			}
			after, remotes := settled(t, s, whole, i)
			for k := range len(whole.journals[i]) + 2 {
				if complaint := crash(t, s, whole, i, k, after, remotes, anyNumber); complaint != "" {
					t.Errorf("%s, broken off after record %d: %s", c.text, k, complaint)
				}
			}
		}
	})
}

// crash runs a story up to command i and breaks that off: after k records; when
// all of them are there before the state is stored, and then after that. It gives
// what is wrong when the command was given again; alike leaves out of a state what may
// differ.
func crash(t *testing.T, s *story, whole *teller, i, k int, after *state.Snapshot, remotes int, alike func([]string) []string) string {
	t.Helper()
	tl := newTeller(t, s, 1)
	for j := range i {
		tl.command(j)
	}
	records := whole.journals[i]
	switch {
	case k < len(records):
		tl.disk.cut = 0
		if k > 0 {
			tl.disk.cut = records[k-1]
		}
	case k == len(records):
		tl.disk.mute = k
	default:
		tl.disk.keeps = true
	}
	tl.command(i)
	tl.disk.revive()
	unresolved := journal.Unresolved(journal.Read(tl.disk.bytes).Edits)
	ended := tl.settle(i)
	if ended.HasErrors() {
		return fmt.Sprintf("going on gives %v\n%s", tl.diagnostics(ended), tl.out.String())
	}
	want, got := alike(whole.state(after)), alike(tl.state(tl.disk.stored))
	if !slices.Equal(want, got) {
		return "another state:\n" + udiff.Unified("want", "got", strings.Join(want, "\n"), strings.Join(got, "\n")) + "\n" + tl.out.String()
	}
	if extra := len(tl.remote()) - remotes; extra > creates(unresolved) {
		return fmt.Sprintf("%d objects exist that nobody knows\n%s", extra, tl.out.String())
	}
	return ""
}

// settle runs a command that may leave something to a later round as often as
// there are rounds in any story: a round that was broken off may find more to do
// than the whole one did.
func (tl *teller) settle(i int) (ended diag.List) {
	rounds := 1
	if tl.story.run[i].has("allow-deferral") {
		rounds = 3
	}
	for range rounds {
		ended = ended.With(tl.again(i))
	}
	return ended
}

// settled is the state that a command comes to in the end, and how many objects
// there are then.
func settled(t *testing.T, s *story, whole *teller, i int) (*state.Snapshot, int) {
	t.Helper()
	if !s.run[i].has("allow-deferral") {
		return whole.after[i], whole.remotes[i]
	}
	tl := newTeller(t, s, 1)
	for j := range i + 1 {
		tl.command(j)
	}
	tl.settle(i)
	return tl.disk.stored, len(tl.remote())
}

// again runs a command once more. carry-out makes its plan anew, as it was
// made before.
func (tl *teller) again(i int) diag.List {
	c := tl.story.run[i]
	for j := i; c.verb == "carry-out" && j >= 0; j-- {
		if tl.story.run[j].verb == "plan" {
			c = tl.story.run[j]
			c.verb = "apply"
		}
	}
	tl.disk.start()
	return tl.perform(c)
}

func creates(l []state.Intent) int {
	n := 0
	for _, i := range l {
		if i.Op == "create" {
			n++
		}
	}
	return n
}
