// Package local keeps states in files, in the layout that Terraform and
// OpenTofu use: terraform.tfstate, or terraform.tfstate.d/WORKSPACE/terraform.tfstate.
//
// It must never know what is in a snapshot; the file's form is package v4's.
//
// The state file is locked with the operating system's record locks, as the
// incumbents lock it, so that any two of the three exclude each other. On Linux
// the locks belong to the open file, elsewhere to the process.
//
// Invariants:
//
//	LB1. The state file is replaced whole or not at all, as [osfiles.Replace]
//	     does it.
//	LB2. The lock follows the name: the new file is locked before it gets the
//	     name, and a lock on a file that has lost it does not count.
//	LB3. The file's permissions and owner survive; a link stays a link.
//	LB4. The backup is what the first Write of a Store replaced, and is durable
//	     before that Write replaces anything. One with a time in its name
//	     ([Options]) replaces no file.
//	LB5. Where states are encrypted, nothing of one is in a file in the clear:
//	     neither the state, nor its backup, nor the journal, nor a copy that is
//	     made of the last resort.
//	LB6. Nothing is left behind: neither an empty state file nor lock
//	     information.
//
// Read first: [Backend], [Options], [Save].
package local
