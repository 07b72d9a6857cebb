// Package suite owns the running of test files: which runs there are and in which
// order, what each is given, whether it came out as it should, and that nothing is
// left behind.
//
// It must never plan or apply anything itself. A run is an ordinary plan, or a plan
// that is applied, by an engine whose configuration, state and variables are those
// that the run asks for; what stands in for providers comes from provider/mock.
//
// Invariants:
//
//	T1. A file's states live in memory, one for each module or key that its runs
//	    name, and end with the file: what is in them is destroyed, in the reverse
//	    order of their first use. What cannot be destroyed is handed to
//	    [Options].Rescue and named.
//	T2. A run that could not be carried out (error) lets the later runs of its file
//	    be skipped; one that came out otherwise than expected (fail) does not.
//	T3. Files do not know of each other.
//	T4. After a stop nothing new is tried but to clean up, with providers that have
//	    not been told to stop.
//
// Read first: [Suite.Run], [Options], [Observer], fileRun.
package suite
