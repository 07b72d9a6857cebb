package ledger_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/plumb-iac/plumb/addr"
	"github.com/plumb-iac/plumb/internal/ledger"
	"github.com/plumb-iac/plumb/state"
	"github.com/plumb-iac/plumb/state/journal"
)

// mortal is a disk that dies after some writes: of the journal, of the state, and those
// that end or replace the journal. Where it is silent, the last one is done and no answer
// comes.
type mortal struct {
	*disk
	writes, dies int
	silent       bool
}

var errDead = errors.New("the machine is gone")

// do carries out a write, unless the disk is dead.
func (m *mortal) do(write func() error) error {
	m.writes++
	switch {
	case m.writes > m.dies:
		return errDead
	case m.writes == m.dies && m.silent:
		return errors.Join(write(), errDead)
	}
	return write()
}

func (m *mortal) Append(records ...[]byte) error {
	return m.do(func() error { return m.disk.Append(records...) })
}

func (m *mortal) Reset(records ...[]byte) error {
	return m.do(func() error { return m.disk.Reset(records...) })
}

func (m *mortal) Write(ctx context.Context, s *state.Snapshot) error {
	return m.do(func() error { return m.disk.Write(ctx, s) })
}

func intend(n int) state.Edit {
	return state.Intent{Object: addr.Object{Instance: instance(n)}, Op: "create"}
}

func drop(n int) state.Edit { return state.Drop{Object: addr.Object{Instance: instance(n)}} }

// fold are edits on top of a state.
func fold(t *testing.T, s *state.Snapshot, edits ...state.Edit) *state.Snapshot {
	t.Helper()
	next, err := s.Apply(edits...)
	if err != nil {
		t.Fatal(err)
	}
	return next
}

// fresh is a disk with a state and no journal.
func fresh(t *testing.T) *disk {
	return &disk{stored: fold(t, state.New("l"), put(0)).WithSerial(3)}
}

// resumed is a disk on which a run died amid its work: it made 1, and nobody knows what
// became of 9.
func resumed(t *testing.T) *disk {
	d := fresh(t)
	if err := d.open(nil).Commit(intend(1), intend(9), put(1)); err != nil {
		t.Fatal(err)
	}
	return d
}

// store stands among edits for a state that is stored meanwhile.
var store state.Edit

// drifted is 0 as a refresh may find it.
var drifted = state.Put{Object: addr.Object{Instance: instance(0)}, Provider: provider, New: &state.Object{Attrs: []byte(`{"n":100}`)}}

// runs are what a machine may die of.
var runs = map[string]struct {
	// begin is the disk that the run finds; refreshed is how its base differs from it.
	begin     func(*testing.T) *disk
	refreshed []state.Edit
	work      []state.Edit
}{
	"a run":                                        {fresh, nil, []state.Edit{intend(1), put(1), intend(2), put(2)}},
	"one that begins with a refresh":               {fresh, []state.Edit{drifted}, []state.Edit{intend(1), put(1)}},
	"one with an open outcome":                     {fresh, nil, []state.Edit{intend(9), intend(1), put(1)}},
	"one that changes nothing but that":            {fresh, nil, []state.Edit{intend(9)}},
	"one that goes on":                             {resumed, nil, []state.Edit{intend(2), put(2)}},
	"one that goes on and does nothing":            {resumed, nil, nil},
	"one that goes on and settles what was open":   {resumed, nil, []state.Edit{intend(9), put(9)}},
	"one that goes on without what is gone":        {resumed, []state.Edit{drop(1)}, []state.Edit{intend(2), put(2)}},
	"the same, and more is different":              {resumed, []state.Edit{drop(1), drifted}, []state.Edit{intend(2), put(2)}},
	"the same, and nothing is done":                {resumed, []state.Edit{drop(1), drifted}, nil},
	"one that stores the state meanwhile":          {resumed, nil, []state.Edit{intend(2), store, put(2), store, drop(2), store, put(3)}},
	"one that stores it and comes back to the old": {fresh, nil, []state.Edit{intend(1), put(1), store, drop(1), intend(9)}},
}

// TestCutAnywhere has the machine die after every write of every run, answered or not, and
// looks at what is there: journal and state belong together and make the state as it was
// before that write or as it is after it, and it is known what nobody knows the outcome
// of. Another run that goes on from there, and dies in its turn, leaves the same.
func TestCutAnywhere(t *testing.T) {
	for name, run := range runs {
		t.Run(name, func(t *testing.T) {
			for dies, alive := 0, false; !alive; dies++ {
				for _, silent := range []bool{false, true} {
					m := &mortal{disk: run.begin(t), dies: dies, silent: silent}
					possible := m.live(t, run.refreshed, run.work)
					alive = m.writes <= dies
					at := fmt.Sprintf("cut after write %d (silent: %t)", dies, silent)
					found := m.found(t, at, possible)
					for again := range 4 {
						next := &mortal{disk: &disk{stored: m.stored, journal: m.journal}, dies: again}
						possible := next.live(t, []state.Edit{drifted}, []state.Edit{intend(5), put(5)})
						next.found(t, fmt.Sprintf("%s, and again after write %d", at, again), append(possible, found))
					}
				}
			}
		})
	}
}

// known is what a run can find: the state, and the operations with an open outcome.
type known struct {
	state *state.Snapshot
	open  []state.Intent
}

func names(open []state.Intent) string {
	var out []string
	for _, i := range open {
		out = append(out, i.String())
	}
	slices.Sort(out)
	return strings.Join(out, ", ")
}

// live runs to the end, or to the death of the machine, and gives what may be there then.
func (m *mortal) live(t *testing.T, refreshed, work []state.Edit) []known {
	t.Helper()
	r, err := journal.Fold(m.stored, journal.Read(m.journal))
	if err != nil {
		t.Fatal(err)
	}
	var told []state.Edit
	for _, i := range r.Unresolved {
		told = append(told, i)
	}
	base := r.Snapshot
	for _, e := range refreshed {
		if base.Object(e.Subject()) != nil {
			base = fold(t, base, e)
		}
	}
	now := known{base, r.Unresolved}
	possible := []known{{r.Snapshot, r.Unresolved}, now}
	l := open(ledger.Options{Base: base, Stored: m.stored, Store: m, Journal: m})
	err = l.Save(context.Background())
	for _, e := range work {
		switch {
		case err != nil:
		case e == store:
			err = l.Snapshot(context.Background())
		default:
			told = append(told, e)
			next := known{fold(t, now.state, e), journal.Unresolved(told)}
			if err = l.Commit(e); err == nil {
				possible = nil
			}
			now, possible = next, append(possible, next)
		}
	}
	_, _ = l.Close(context.Background())
	return possible
}

// found holds what the next run finds against what may be there.
func (m *mortal) found(t *testing.T, at string, possible []known) known {
	t.Helper()
	r, err := journal.Fold(m.stored, journal.Read(m.journal))
	if err != nil || r.Standing > journal.Continues {
		t.Errorf("%s: standing %d, lost %v, %v", at, r.Standing, r.Lost, err)
	}
	for _, k := range possible {
		if r.Snapshot.Equal(k.state) && names(r.Unresolved) == names(k.open) {
			return k
		}
	}
	t.Errorf("%s: %d objects and %s are none of what there may be", at, r.Snapshot.Count(), names(r.Unresolved))
	return known{r.Snapshot, r.Unresolved}
}
