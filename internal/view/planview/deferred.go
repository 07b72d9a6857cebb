package planview

import (
	"fmt"

	"github.com/plumb-iac/plumb/internal/view"
	"github.com/plumb-iac/plumb/plan"
)

// The sentences about what waits for a later round.
const (
	textDeferred        = "Not everything can be planned yet. The following waits for the next round, when this plan has been applied; it is shown as far as it can be foreseen:"
	textDeferredAlone   = "Not everything can be planned yet. The following waits for a later round; it is shown as far as it can be foreseen:"
	textNothingNow      = "What is known so far is as the configuration wants it, so there is nothing to do in this round. The changes below wait for something that this plan does not bring about."
	textDeferredRefresh = "The following could not be compared with what really exists:"
)

// deferReasons are the remarks below the header of a deferred change.
var deferReasons = map[plan.DeferReason]string{
	plan.DeferCountUnknown:          "how many there are is known only after apply",
	plan.DeferConfigUnknown:         "its configuration is known only after apply",
	plan.DeferProviderConfigUnknown: "the configuration of its provider is known only after apply",
	plan.DeferPrereq:                "something that it is tied to is deferred",
	plan.DeferAbsentPrereq:          "its provider misses something that has to be there first",
	plan.DeferUnknown:               "its provider cannot plan it yet",
}

// waits renders what waits for a later round; something says that the plan has
// more than that.
func (w *writer) waits(something bool) {
	if len(w.d.Deferred) == 0 {
		return
	}
	intro := textDeferredAlone
	switch {
	case w.d.Mode == plan.RefreshOnly:
		intro = textDeferredRefresh
	case something:
		intro = textDeferred
	}
	w.b.WriteString("\n" + w.Wrap(w.Bold(intro)) + "\n")
	var list []*plan.Invocation
	for _, x := range w.d.DeferredInvocations {
		list = append(list, &x.Invocation)
	}
	runs := triggered(list)
	for _, d := range w.d.Deferred {
		text := w.deferred(d)
		if d.Change.Deposed == "" {
			text += w.around(runs[d.Change.Addr])
		}
		w.b.WriteString("\n" + text)
	}
}

// waiting closes the plan with how much of it waits.
func (w *writer) waiting() {
	if n := len(w.d.Deferred); n > 0 {
		w.b.WriteString("\n" + w.Bold("Deferred:") + fmt.Sprintf(" %s for the next round.\n", wait(n)))
	}
}

func wait(n int) string {
	if n == 1 {
		return "1 change waits"
	}
	return fmt.Sprintf("%d changes wait", n)
}

// deferred renders the stanza of a change that waits.
func (p painter) deferred(d *plan.DeferredChange) string {
	c := &d.Change
	text := title{text: " was deferred"}.write(p, c.Object().String())
	if r := deferReasons[d.Reason]; r != "" {
		text += "  # (" + r + ")\n"
	}
	shown := *c
	if absent := isNull(filled(c.Before)); absent && c.Importing != nil {
		text += "  # (" + whence(c.Importing) + ")\n"
		shown.Importing, shown.Action = nil, plan.Create // nobody knows it yet
	}
	for _, line := range remarks(&shown) {
		text += "  # (" + line + ")\n"
	}
	if isNull(filled(c.Before)) && isNull(filled(c.After)) {
		return text // nothing can be said of it
	}
	return text + p.object(&shown, nil)
}

// whence says from where an object is to be imported.
func whence(i *plan.Importing) string {
	switch {
	case i.Unknown:
		return "to be imported, when it is known from where"
	case i.ID != "":
		return `to be imported from "` + view.Harmless(i.ID) + `"`
	}
	return "to be imported"
}

// noneNow tells that nothing is to be done in this round.
func (w *writer) noneNow() {
	w.b.WriteString("\n" + w.Paint("No current changes.", view.Bold, view.Green) + "\n\n")
	w.prose(textNothingNow)
}
