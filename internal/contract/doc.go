// Package contract judges what a provider said. A named rule stands for every
// promise a provider makes by answering at all; [Check] holds an answer
// against the rules of its stage and says which were broken, where. The other
// side is there as well: [Duties] are what the engine owes to providers, and
// [Owed] holds a conversation against them, which tests do. The
// package also owns the two values that the engine itself has to make up
// before it asks: the proposed new state and the placeholder of what is not
// read yet.
//
// It must never know how to reach a provider, what a configuration file looks
// like, or how a finding is shown.
//
// Invariants:
//
//	C1. It sees no marks: every value in a Facts or given to ProposedNew is bare.
//	C2. A finding names exactly one rule and one place, and a place is blamed
//	    for one rule only: the first that is broken there.
//	C3. A provider that keeps its word trips nothing, whatever the schema.
//	C4. Rules that the incumbents do not enforce are noted, never refused.
//
// Read first: [Rule], [Check], [ProposedNew], [Duty].
package contract
