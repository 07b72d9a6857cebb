package engine

import (
	"testing"
	"time"

	"github.com/plumb-iac/plumb/addr"
	"github.com/plumb-iac/plumb/event"
)

// TestElapsed: an end says how long the operation took, whatever ran within it.
func TestElapsed(t *testing.T) {
	at, err := addr.ParseInstance("x_a.b")
	if err != nil {
		t.Fatal(err)
	}
	o, now := addr.Object{Instance: at}, time.Unix(0, 0)
	var told []time.Duration
	m := emitter{now: func() time.Time { now = now.Add(time.Second); return now }, running: stopwatch{},
		observer: event.Func(func(ev event.Event) {
			switch e := ev.(type) {
			case event.Ended:
				told = append(told, e.Elapsed)
			case event.Failed:
				told = append(told, e.Elapsed)
			}
		})}
	for _, ev := range []event.Event{
		event.Begun{Object: o, Op: event.Create}, event.Begun{Object: o, Op: event.Provision, Detail: "local-exec"},
		event.Ended{Object: o, Op: event.Provision, Detail: "local-exec"}, event.Failed{Object: o, Op: event.Create},
		event.Ended{Object: o, Op: event.Refresh},
	} {
		m.emit(ev)
	}
	if len(told) != 3 || told[0] != time.Second || told[1] != 3*time.Second || told[2] != 0 || len(m.running) != 0 {
		t.Errorf("told %v, left %v", told, m.running)
	}
}
