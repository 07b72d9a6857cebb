// Package http keeps one state on a server that is asked over HTTP, in the
// protocol of the backend of this name in Terraform and OpenTofu: GET reads, POST
// replaces, LOCK and UNLOCK hold and give back a lock, and every one of these
// methods and addresses can be configured. GitLab's managed states speak it.
//
// It must never know what is in a snapshot; its form is package backend's.
//
// What such a server cannot do is done in the directory that a store is given: the
// journal is kept there, and a lock that this machine's processes exclude each
// other with, also where the server has none.
//
// The protocol, as the incumbents speak it:
//
//	GET     200 is the state, and without a body none; 204 and 404 are none.
//	POST    200, 201 and 204 mean stored. While the lock is held ?ID= tells
//	        which. Content-MD5 goes with the body.
//	LOCK    200 means held; 409 and 423 that somebody holds it, whose lock
//	        information is the answer.
//	UNLOCK  200 means given back. The body tells the lock's ID.
//	all     401 and 403: the credentials are missing, or not accepted. What may
//	        pass (429, and 5xx but for 501, and broken connections) is tried again.
//
// Invariants:
//
//	HB1. A state is only reported as stored when the server has said so, to a
//	     request that still was the one that stores: no redirection turns it
//	     into another.
//	HB2. A request whose answer was lost may have been carried out. Asking for
//	     the lock again, and finding it held under the own ID, is to have it.
//	HB3. Neither credentials nor queries of addresses are shown.
//	HB4. The journal is found again by the state's address alone.
//
// Read first: [Backend], [New], client.do.
package http
