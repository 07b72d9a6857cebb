// Package encryption owns how states, journals and plan files are encrypted: what
// the encryption block and TF_ENCRYPTION say, the keys, the methods, and the form
// of what is encrypted.
//
// It must never know where files are, nor what is in a state or a plan: it is
// handed bytes and hands bytes back. What it does outside is to start the
// programs that a configuration names.
//
// The form is that of OpenTofu (encryption_version v0), so that either program
// reads what the other has written. The journal is plumb's alone, and so is the
// form of an encrypted one.
//
// Invariants:
//
//	N1. Where a method is configured, nothing leaves in the clear: what cannot be
//	    encrypted is an error.
//	N2. The first method of a target encrypts. Each decrypts, in the order of
//	    the fallback blocks, and what another than the first one wrote is stale:
//	    it is to be written again.
//	N3. What is not encrypted is read only where the method unencrypted is one
//	    of the target's.
//	N4. A key is made once in a run for each key provider and used for all that
//	    the run encrypts; keys that were read with are never used to write.
//	N5. What was altered, cut off or encrypted with another key is an error, and
//	    nothing of it is used; but of a journal that was cut off, the whole frames are.
//	N6. No secret is part of an error.
//
// Read first: [Read], [Encryption], [Target].
package encryption
