// Package provisioner owns what runs beside a resource when it is created or
// destroyed: a command here (local-exec), commands there (remote-exec), and
// files put there (file).
//
// It must never know resources, plans or state.
//
// Invariants:
//
//	V1. A command's whole process group ends when the work is cancelled.
//	V2. Output is told line by line while it comes.
//	V3. Secrets of a connection are in no message.
//
// Read first: [All], [Provisioner], localExec.
package provisioner
