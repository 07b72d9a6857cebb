package engine

import (
	"time"

	"github.com/plumb-iac/plumb/addr"
	"github.com/plumb-iac/plumb/event"
)

// stopwatch knows when the operations under way began.
type stopwatch map[operation]time.Time

// operation is what a begin and its end have in common.
type operation struct {
	object addr.Object
	op     event.Op
	detail string
}

// time gives an end with how long the operation took.
func (w stopwatch) time(ev event.Event, now time.Time) event.Event {
	switch e := ev.(type) {
	case event.Begun:
		w[operation{e.Object, e.Op, e.Detail}] = now
	case event.Ended:
		e.Elapsed = w.stop(operation{e.Object, e.Op, e.Detail}, now)
		return e
	case event.Failed:
		e.Elapsed = w.stop(operation{e.Object, e.Op, e.Detail}, now)
		return e
	}
	return ev
}

func (w stopwatch) stop(o operation, now time.Time) time.Duration {
	began, known := w[o]
	if !known {
		return 0
	}
	delete(w, o)
	return now.Sub(began)
}
