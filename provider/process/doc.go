// Package process owns the running of providers: starting a program, the
// handshake, attaching to one that runs already, serving one inside this
// program, ending them, and remembering their schemas on disk.
//
// It must never know what is asked of a provider once it runs: that is package
// wire's job, and all that this package hands out is wire's client.
//
// Invariants:
//
//	R1. A program is started at the first call that needs it, once. If it does
//	    not start, every call gives the reason and it is not tried again.
//	R2. Whatever a program writes to its standard error takes a bounded amount
//	    of memory, and the beginning of a panic is kept.
//	R3. Close ends the program for certain and within a bounded time, except
//	    one that was attached to for a test.
//	R4. A terminal's interrupt, and its going away, do not reach the program: it
//	    hears of the end from the engine alone. What it has started ends with it
//	    when it has to be killed.
//	R5. The schema cache can be lost, damaged or read-only without harm.
//
// Read first: [Launch], [New], [Cache].
package process
