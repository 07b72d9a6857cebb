// Package disk is a working directory for programs that embed the engine: the
// configuration in it, the modules and providers that init has installed there, the
// state file with its lock and journal, and provisioners. What the command line works
// with, a program gets by one call.
//
// It must never know flags, the environment or what people see: what it needs of them
// is in [Options].
//
// Invariants:
//
//	DK1. From Open to Close the state is locked, as plumb, Terraform and OpenTofu
//	     lock it.
//	DK2. An apply with [Directory.Apply] keeps a journal: what it did is known to
//	     the next run, be it of this program or of a command, whatever becomes of
//	     the process.
//	DK3. Open changes nothing.
//	DK4. Nothing depends on the directory of the process.
//
// Read first: [Open], [Options], [Directory].
package disk
