// Package fake owns a provider for tests that a short script describes: its
// schema, its remote world, and how it misbehaves. It implements
// provider.Provider in memory and writes down every call.
//
// It must never know the wire or a process, and it is used by tests only.
//
// A script is lines; what belongs to a line stands indented below it:
//
//	capabilities plan_destroy move
//	provider
//	  region string optional
//	meta
//	  label string optional
//	resource disk version=2 legacy
//	  name   string required
//	  id     string computed
//	  size   number optional replace
//	  state  string computed volatile
//	  secret string optional sensitive
//	  token  string optional write_only
//	  spec   nested(list) optional
//	    cpu  number required
//	  block rule set max=3
//	    port number required
//	  identity id
//	  on create set state = "running"
//	  on update "a" fail once "busy"
//	  on read "b" gone
//	data image
//	  name string required
//	  id   string computed
//	ephemeral session
//	  token string computed
//	action notify
//	  text string required
//	  on invoke progress "sent"
//	list disk
//	  filter string optional
//	function shout(string) string returns "LOUD"
//
// Attribute flags are required, optional, computed, sensitive, write_only,
// deprecated, replace (a change replaces the object) and volatile (unknown
// after every change). A rule is
//
//	on VERB ["NAME"] [later|alternately] ACTION
//
// where VERB is configure, validate, upgrade, read, plan, end (the plan of a
// deletion; plan is for that as well), create, update, delete, import, move, open,
// renew, close, invoke or list, NAME picks objects by their attribute "name" (else "id"), later is from the second time for the same object
// on, alternately is every second time, and ACTION is one of
//
//	fail [once] "MESSAGE"       nothing happens, an error
//	partial [once] "MESSAGE"    it happens, and an error
//	warn [once] "MESSAGE"
//	crash [once]                no answer, as of a dead process
//	cut [once]                  it happens, and no answer comes (of a change)
//	error                       no answer, the call fails
//	garble                      an answer that does not decode
//	doubt ATTRIBUTE             an error where that attribute is unknown
//	blame ATTRIBUTE             a warning that points at that attribute
//	set ATTRIBUTE = JSON        the answer's attribute is this; blocks likewise
//	unknown ATTRIBUTE           the answer's attribute is unknown
//	replace ATTRIBUTE           the plan asks for replacement because of it
//	gone                        the answer is null
//	anonymous                   the answer has no identity
//	touch                       an object is made on the side
//	keep                        nothing is deleted, and the answer is as if it were
//	defer [once] [WHY]          the provider cannot answer yet; WHY is config,
//	                            provider, unexplained, or anyway, which does so
//	                            although that is not on offer. Of configure:
//	                            everything, while the configuration is unknown
//	progress "MESSAGE"          of an action
//
// A call that offers deferral is written down with the word deferrable.
//
// A function may take null or unknown arguments (takes_null, takes_unknown stand
// before what it does), and in place of returns JSON it may have fails "MESSAGE",
// varies (another text each time) or tells (a text that says whether its arguments
// are known). A resource with the flag remote is gone where the world never heard
// of its id; others are then as the engine believes.
//
// Without rules a fake is honest. Ids are NAME-N, N counting the objects made
// under that name, so they do not depend on the order of calls.
//
// Read first: [New], [Provider.Calls].
package fake
