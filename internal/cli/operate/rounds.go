package operate

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/plumb-iac/plumb/addr"
	"github.com/plumb-iac/plumb/diag"
	"github.com/plumb-iac/plumb/internal/cli/session"
	"github.com/plumb-iac/plumb/plan"
)

// rounds decides what follows a round of an apply that leaves something to a
// later one. It does nothing itself.
type rounds struct {
	// auto goes on without asking, ask can ask a person.
	auto, ask bool
	// seen are the sets of what was deferred so far.
	seen map[string]bool
}

// course is what follows.
type course uint8

// The courses. Stuck is a round that would wait for the same again, later one
// that a person has to begin.
const (
	over course = iota
	goOn
	askFirst
	later
	stuck
)

// planned decides what follows the plan of a round after the first: whether it
// is worth carrying out. A plan that defers exactly what one before did has
// brought nothing forward, and by itself nobody would notice the third.
func (r *rounds) planned(doc *plan.Document) course {
	again := !r.fresh(doc)
	switch {
	case !doc.Applyable && len(doc.Deferred) > 0, r.auto && again:
		return stuck
	}
	return goOn
}

// fresh notes what a plan defers and says whether that is something new.
func (r *rounds) fresh(doc *plan.Document) bool {
	if r.seen == nil {
		r.seen = map[string]bool{}
	}
	key := deferredKey(doc)
	known := r.seen[key]
	r.seen[key] = true
	return !known || key == ""
}

func deferredKey(doc *plan.Document) string {
	var b strings.Builder
	for _, d := range doc.Deferred {
		b.WriteString(string(d.Reason) + " " + d.Change.Object().String() + "\n")
	}
	return b.String()
}

// carriedOut decides what follows a round that was carried out.
func (r *rounds) carriedOut(doc *plan.Document) course {
	switch {
	case len(doc.Deferred) == 0:
		return over
	case !doc.Applyable:
		return stuck
	case doc.Mode == plan.RefreshOnly || invokes(doc):
		return later
	case r.auto:
		return goOn
	case r.ask:
		return askFirst
	}
	return later
}

// nextRound makes the plan of another round, from the state that the one before
// left. What was replaced on request is not replaced again.
func (p *operation) nextRound(ctx context.Context, done *plan.Document) (*plan.Document, diag.List) {
	p.storage.Applied(p.before)
	sel, diags := p.o.selection()
	if diags.HasErrors() {
		return nil, diags
	}
	var replaced []addr.AbsInstance
	for _, c := range done.Changes {
		if c.Reason == plan.ReplaceRequested {
			replaced = append(replaced, c.Addr)
		}
	}
	p.replaced = append(p.replaced, replaced...)
	sel.replace = slices.DeleteFunc(sel.replace, func(a addr.AbsInstance) bool { return slices.Contains(p.replaced, a) })
	return p.plan(ctx, done.Mode, sel)
}

// another asks whether to plan the next round.
func another(ctx context.Context, s *session.Session, waiting int) bool {
	s.Print("\n")
	answer, err := s.Ask(ctx, session.Question{
		Query:       fmt.Sprintf("%s for the next round. Do you want to plan it now?", waits(waiting)),
		Description: "Plumb will show the plan and ask again before it changes anything.\nOnly 'yes' will be accepted to go on.",
	})
	return err == nil && answer == "yes"
}

// remaining tells what an apply leaves to a later round, and how to go on.
func remaining(doc *plan.Document, c course) diag.List {
	n := len(doc.Deferred)
	switch {
	case n == 0 || c == over:
		return nil
	case c == stuck:
		return diag.List{diag.Warn("Deferred changes make no progress",
			fmt.Sprintf("%s for something that another round would not bring about, so plumb stops here:%s\n\nSee to what they wait for, then plan again with -allow-deferral.", waits(n), names(doc)))}
	case doc.Mode == plan.RefreshOnly:
		return diag.List{diag.Warn("Some objects were not read",
			fmt.Sprintf("The state is as it was for what could not be read yet:%s", names(doc)))}
	}
	return diag.List{diag.Warn("Some changes are deferred",
		fmt.Sprintf("What could be planned was applied. %s for the next round:%s\n\nTo see it, plan again with -allow-deferral.", waits(n), names(doc)))}
}

func waits(n int) string {
	if n == 1 {
		return "1 change waits"
	}
	return fmt.Sprintf("%d changes wait", n)
}

// shownDeferred is how many deferred changes a message names.
const shownDeferred = 10

func names(doc *plan.Document) string {
	var b strings.Builder
	for i, d := range doc.Deferred {
		if i == shownDeferred {
			fmt.Fprintf(&b, "\n - and %d more", len(doc.Deferred)-i)
			break
		}
		fmt.Fprintf(&b, "\n - %s (%s)", d.Change.Object(), d.Reason)
	}
	return b.String()
}
