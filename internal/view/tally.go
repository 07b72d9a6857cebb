package view

import "github.com/plumb-iac/plumb/event"

// Tally counts what was done to how many objects. The zero value is ready.
type Tally struct {
	Imported, Added, Changed, Destroyed, Forgotten int
	Invoked, InvokeFailed                          int
}

// Observe counts one event: only ends count.
func (t *Tally) Observe(e event.Event) {
	switch e := e.(type) {
	case event.Phase:
		switch e.Name {
		case event.Planning:
			*t = Tally{} // another round
		case event.Applying:
			t.Imported = 0 // what was brought in while planning is told again
		}
	case event.Ended:
		t.ended(e.Op)
	case *event.Ended:
		t.ended(e.Op)
	case event.Failed:
		t.failed(e.Op)
	case *event.Failed:
		t.failed(e.Op)
	}
}

func (t *Tally) ended(op event.Op) {
	switch op {
	case event.Import:
		t.Imported++
	case event.Create:
		t.Added++
	case event.Update:
		t.Changed++
	case event.Delete:
		t.Destroyed++
	case event.Action:
		t.Invoked++
	}
}

func (t *Tally) failed(op event.Op) {
	if op == event.Action {
		t.InvokeFailed++
	}
}
