// Package planner owns the plan: it walks the sites of a program, takes every
// object through the straight line of the lifecycle (upgrade, read, ignore
// changes, propose, plan, judge, decide) and collects what is going to happen.
//
// It must never change anything: not the state, not a remote object.
//
// Invariants:
//
//	PL1. Each stage of the line takes the type that only the stage before it
//	     makes, so a stage cannot be skipped by accident.
//	PL2. Every object of the state ends as exactly one change, deferred or not,
//	     unless targeting left it out or a count that is not known.
//	PL3. Providers see bare values only; marks are put back afterwards.
//	PL4. The document does not depend on the order in which objects were
//	     planned.
//	PL5. Nothing that waits for a later run is changed by this one, and nothing
//	     that is planned for this one reads what waits.
//
// Read first: [Plan], [Options], line.go, defer.go.
package planner
