// Package evaluate owns the meaning of a configuration: it compiles every
// declaration once, links what the declarations refer to, and computes values
// for all module instances, one site at a time.
//
// A site is a declaration in a static module; its span is the declaration in
// every instance of that module. Values meet in write-once slots: a site's slot
// is written by whoever runs the site and read by its dependants, which
// package schedule runs only afterwards, so no slot needs a lock.
//
// It must never know about plans, states or what is done with a value. The
// planner and the applier put the values of resources into slots; evaluate
// asks for them nowhere else.
//
// Invariants:
//
//	E1. Sites()[i].ID == i, and a site reads only sites in its Reads.
//	E2. A slot is written once, by its own site.
//	E3. An expression is parsed, linked and compiled once, however many
//	    instances evaluate it.
//	E4. The aggregate of a resource's instances is built once, when its span
//	    is complete, and never per reference.
//
// Read first: [Compile], [Site], [Run].
package evaluate
