package journal

import (
	"slices"

	"github.com/plumb-iac/plumb/addr"
	"github.com/plumb-iac/plumb/state"
)

// Standing says what a journal means to the state found beside it.
type Standing uint8

// The standings.
const (
	// Empty: there are no edits.
	Empty Standing = iota
	// Finished: the state holds all edits already.
	Finished
	// Continues: the edits belong on top of the state.
	Continues
	// Foreign: the journal is of another lineage.
	Foreign
	// Overtaken: somebody else replaced the state since.
	Overtaken
)

// Recovery is what a journal adds to a state.
type Recovery struct {
	Standing Standing
	// Snapshot is the state with the edits, unless the journal is foreign or
	// overtaken.
	Snapshot *state.Snapshot
	// Unresolved are the operations that were asked of a provider and never
	// answered: their objects may exist.
	Unresolved []state.Intent
	// Lost are the objects that the edits touched, where the edits could not be
	// applied.
	Lost []addr.Object
}

// Fold applies a journal to the state it continues. A nil base is an absent
// state. An error is an edit that does not fit.
func Fold(base *state.Snapshot, l *Log) (Recovery, error) {
	how, from := standing(base, l)
	r := Recovery{Snapshot: base, Standing: how}
	switch how {
	case Empty:
		return r, nil
	case Finished:
		r.Unresolved = Unresolved(l.Edits)
		return r, nil
	case Foreign, Overtaken:
		r.Unresolved, r.Lost = Unresolved(l.Edits), subjects(l.Edits)
		return r, nil
	}
	if base == nil {
		base = state.New(l.Lineage)
	}
	next, err := base.Apply(l.Edits[from:]...)
	r.Snapshot, r.Unresolved = next, Unresolved(l.Edits)
	return r, err
}

// standing says what the journal means, and where it continues the state from which
// edit on. What is announced is known by its content, whoever stored it and under what
// serial.
func standing(base *state.Snapshot, l *Log) (how Standing, from int) {
	switch {
	case l.Empty():
		return Empty, 0
	case base == nil && l.Serial > 0:
		return Overtaken, 0
	case base != nil && base.Lineage() != l.Lineage:
		return Foreign, 0
	}
	switch edits, is := announced(base, l); {
	case is && edits == len(l.Edits):
		return Finished, 0
	case is:
		return Continues, edits
	case base != nil && base.Serial() != l.Serial:
		return Overtaken, 0
	}
	return Continues, 0
}

// announced says whether a state is one that the journal announced, and how many edits
// it holds then.
func announced(s *state.Snapshot, l *Log) (edits int, is bool) {
	if s == nil || len(l.Seals) == 0 {
		return 0, false
	}
	digest, err := DigestOf(s)
	for _, seal := range slices.Backward(l.Seals) {
		if err == nil && seal.Digest == digest {
			return seal.Edits, true
		}
	}
	return 0, false
}

// Unresolved are the intents that no edit of their object follows.
func Unresolved(edits []state.Edit) []state.Intent {
	var open []state.Intent
	answered := map[addr.Object]bool{}
	for i := len(edits) - 1; i >= 0; i-- {
		intent, ok := edits[i].(state.Intent)
		switch at := edits[i].Subject(); {
		case !ok:
			answered[at] = true
		case !answered[at]:
			open = append(open, intent)
			answered[at] = true
		}
	}
	for i, j := 0, len(open)-1; i < j; i, j = i+1, j-1 {
		open[i], open[j] = open[j], open[i]
	}
	return open
}

// subjects are the objects that edits touch, in order and once each.
func subjects(edits []state.Edit) []addr.Object {
	var out []addr.Object
	seen := map[addr.Object]bool{{}: true}
	for _, e := range edits {
		if at := e.Subject(); !seen[at] {
			seen[at] = true
			out = append(out, at)
		}
	}
	return out
}
