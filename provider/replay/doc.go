// Package replay owns recorded conversations with providers: a provider around
// another one that writes every call to a file, and a provider that answers
// from such files.
//
// It must never know why something was asked, and it judges no answer.
//
// Invariants:
//
//	RR1. A conversation is a file of JSON lines, one a call, in the order in which
//	     the calls ended, readable by people.
//	RR2. What the schema calls sensitive or write-only, and what it was told to
//	     keep secret, is in no file, wherever else it turns up: it has a
//	     placeholder, the same one for the same secret.
//	RR3. Replaying, a call is answered as the same call was answered, in the same
//	     order, with the secrets of the request in the place of placeholders. A
//	     call that was not recorded fails and says which it was.
//	RR4. What is recorded is returned unchanged: recording changes no run.
//
// Read first: [Recorder], [Player].
package replay
