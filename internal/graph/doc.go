// Package graph owns directed graphs over dense ids: an immutable adjacency in
// compressed rows, its components, an order and cycles.
//
// It must never know what a node stands for.
//
// Invariants:
//
//	G1. An edge from a to b means that a depends on b.
//	G2. A Graph is immutable once built; rows are sorted and free of
//	    duplicates.
//	G3. Everything is linear in nodes and edges, and recursion never follows
//	    the graph, so that a chain of a million nodes is no danger.
//
// Read first: [Graph], [Build], [Graph.Components].
package graph
