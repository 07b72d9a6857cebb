// Package journalfile keeps a journal in a file: beside the state where that is a
// file itself, else in the working directory's own data.
//
// It must never know what the records mean, nor the state that they belong to.
//
// Invariants:
//
//	JF1. Append returns when the records are durable. What a failure leaves of
//	     a record never stands before a later one.
//	JF2. While the journal accepts records it has room on disk for more of them,
//	     where the system can promise that: a result finds a place even if the
//	     disk has filled up since its operation began.
//	JF3. Where states are encrypted, no record is in the file in the clear. A
//	     journal that another run began is written anew, with its records, before
//	     it is appended to.
//	JF4. An empty journal is no file.
//	JF5. Whole records are never cut off: where damage stands before some, the
//	     journal is left alone and not opened, be it encrypted or not.
//	JF6. Log tells what the file holds at that moment, not what it once held: who
//	     goes on behind it makes records that fit.
//	JF7. Two runs never write one journal, also where they work without the lock of
//	     the state: the second one is refused before it writes anything.
//	JF8. A journal is replaced by another one whole or not at all, which finds room on a
//	     disk that has none but what the journal had reserved.
//
// Read first: [Open], [File].
package journalfile
