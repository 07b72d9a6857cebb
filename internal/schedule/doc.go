// Package schedule owns when things run: nodes with small integer ids in the
// order their dependencies allow, each node's span of objects in parallel, on
// two fixed pools of workers (evaluation and provider calls).
//
// It must never know what a node is.
//
// Invariants:
//
//	H1. A node is opened after all its dependencies were closed or skipped.
//	H2. Close(id) runs after Open(id) and all Object(id, i) returned, and before
//	    any dependant is opened: what the one wrote the other may read without
//	    locks.
//	H3. A node is skipped, not opened, when a hard dependency failed or was
//	    skipped, or when the run is halted; every node is either closed or
//	    skipped exactly once. What waits in a circle is skipped in the end: a
//	    run never hangs.
//	H4. There are as many goroutines as workers, whatever the number of nodes.
//	H5. A panic in a node's work is told to the work, and ends no more than that
//	    object or node.
//
// Read first: [Work], [Run], [Graph].
package schedule
