// Package settings owns what the person and the machine say about how plumb
// works: the CLI configuration file, the environment, and the dialect of the
// language, all as data.
//
// It must never read a file or the environment by itself, nor act on what it
// reads.
//
// Invariants:
//
//	T1. Everything here is a function of its arguments.
//	T2. Whether a directory is Terraform's or OpenTofu's is asked of the dialect
//	    table, row by row, and nowhere else.
//	T3. A setting that cannot be understood is reported and left at its default.
//
// Read first: [Dialect], [Load], [Environment].
package settings
