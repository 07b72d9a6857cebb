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
//	PL2. Every object of the state ends as exactly one change, unless targeting
//	     left it out.
//	PL3. Providers see bare values only; marks are put back afterwards.
//	PL4. The document does not depend on the order in which objects were
//	     planned.
//
// Read first: [Plan], [Options], line.go.
package planner
