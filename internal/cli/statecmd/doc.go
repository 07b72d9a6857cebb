// Package statecmd owns the commands that look at the state and mend it by
// hand: state list, show, mv, rm, pull, push, replace-provider and identities,
// taint and untaint, force-unlock.
//
// It must never know the configuration, nor call a provider for anything but
// its schema.
//
// Invariants:
//
//	Y1. What changes is decided first, as edits; then all of it is written at
//	    once, or nothing.
//	Y2. The lock is held from before the state is read until after it is
//	    written.
//	Y3. A local state is copied to a backup before it is changed, each time to
//	    another one where objects are moved, forgotten or given another provider.
//	Y4. What is moved into another state is stored there before it is taken out of
//	    the first, so that it is never in neither.
//
// Read first: [Commands], move, selected.
package statecmd
