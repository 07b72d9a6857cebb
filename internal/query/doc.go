// Package query owns searching: it evaluates the list blocks of query files and
// has providers list what exists remotely.
//
// It must never look at the state or change anything, and it evaluates nothing
// that no list block needs.
//
// Invariants:
//
//	QU1. A watcher hears of a list's beginning, its objects and its end in that
//	     order, and of one thing at a time.
//	QU2. What is wrong with one object found does not hide the others.
//	QU3. Generated names are unique, and valid in the language.
//
// Read first: [Run], [Options], [List].
package query
