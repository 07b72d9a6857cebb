// Package ledger owns the present state of a run and is the only writer of it:
// an edit goes into the journal, into the next snapshot, and at the end into the
// state file.
//
// It must never know providers, plans, files or events: it is handed a journal
// and a store, and reports what has become durable through one function.
//
// Durability comes in two strengths. [Ledger.Commit] and [Ledger.Intend] return
// when their records are durable; callers that wait at the same time share one
// write. [Ledger.Append] returns at once and [Ledger.Sync] waits for all that
// was appended, which is enough for objects that exist nowhere but in the state.
//
// Invariants:
//
//	L1. Records reach the journal in the order in which they changed the
//	    snapshot.
//	L2. An edit is reported once, after it is durable and before the call that
//	    waits for it returns.
//	L3. After the first failure to write, no intent is accepted; after a failure of
//	    the journal every call returns it. Edits still reach the snapshot, since
//	    they tell what has happened already, and the objects whose edits reach
//	    nothing else are named ([Ledger.Unrecorded]).
//	L4. The journal is emptied only after a state that holds its edits is
//	    stored. Intents without a result are carried over into the journal of that
//	    state, which takes the place of the old one at once, also of one that could not
//	    be written any more.
//	L5. The state is not stored when its content is what it was, and its serial
//	    grows by one when it is. A serial that a failure may have stored is not
//	    used again.
//	L6. What is stored is announced in the journal before. What is stored while the run
//	    goes on leaves the edits there: whichever of these states is found, with what
//	    follows its announcement it is the present one.
//
// Read first: [Ledger], [Options], [Ledger.Commit].
package ledger
