// Package action decides what happens to an object, knows of which operations
// each action is made, and decides what the state keeps of an object when an
// operation is answered.
//
// It must never know values, providers or configuration files: it sees
// booleans that were computed once, and answers with an action and a reason.
//
// Invariants:
//
//	AC1. The rows are ordered and the first that applies decides; the last row
//	    always applies.
//	AC2. An object that does not exist is never updated, replaced, destroyed or
//	    forgotten; one that is not wanted is never created.
//	AC3. Modes mask inputs. No row asks for the mode.
//	AC4. A template's operations only need operations before them, and what is
//	    announced is concluded.
//	AC5. An update that turns out to change nothing but marks runs the same
//	    operations up to its final plan.
//	AC6. What a provider tells of is stored, what existed is only let go of when
//	    its deletion succeeded, and an intent whose outcome nobody knows stays
//	    open.
//
// Read first: [Facts], [Decide], [Template], [Remaining].
package action
