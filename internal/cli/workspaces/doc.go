// Package workspaces owns the workspace commands: list, show, new, select and
// delete.
//
// It must never know what a state holds beyond whether it tracks anything.
//
// Invariants:
//
//	P1. The default workspace always exists and the selected one is never
//	    deleted.
//	P2. While TF_WORKSPACE is set, the selection is not changed.
//
// Read first: [Commands].
package workspaces
