// Package lockfile owns .terraform.lock.hcl: which version of each provider a
// working directory has chosen, and which packages of it are genuine.
//
// It must never know where packages come from nor touch a file system.
//
// Invariants:
//
//	L1. A File is immutable; what changes it gives a new one.
//	L2. Parse(f.Bytes()) equals f, and the bytes depend on the content alone.
//	L3. Built-in providers are never in it.
//
// Read first: [File], [Lock], [Parse].
package lockfile
