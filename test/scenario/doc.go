// Package scenario holds the engine against stories. A story is a txtar archive
// in testdata: configurations, scripts for fake providers, a list of commands
// and the transcript that they have to give.
//
// It must never reach below the engine: everything goes through package engine,
// with a provider, a store, a journal and a clock of its own.
//
// The sections of an archive are
//
//	main.tf, mod/main.tf   the configuration to begin with
//	2/main.tf              a configuration named 2
//	provider               the script of the provider "fake" (see provider/fake)
//	provider other         the script of a provider "other"
//	script later           a script that the command "script" brings in
//	state                  a state file to begin with
//	dialect opentofu       the dialect, else that of Terraform
//	run                    the commands, one a line
//	want                   the transcript; go test -update writes it
//
// A command is one of
//
//	plan [FLAGS]           make a plan
//	apply [FLAGS]          make a plan and carry it out
//	carry-out [FLAGS]      carry out the plan made before
//	destroy, refresh       apply with -destroy, -refresh-only
//	validate [-query]      -query takes the query files in
//	test [-filter=FILE] [-stop=RUN]
//	                       run the test files; -stop asks for a stop when RUN
//	                       begins
//	query [-generate]      search by the list blocks of query files
//	explain ADDR [-deposed=KEY] [-all] [FLAGS]
//	                       make a plan and tell why the object is planned so
//	config NAME            use another configuration
//	script NAME            give the provider "fake" another script; its world stays
//	taint ADDR, untaint ADDR
//	lose TYPE ID           delete a remote object
//	drift TYPE ID ATTR JSON
//	show SECTION...        what to show from here on: changes drift relevant
//	                       outputs calls events state journal remote checks
//
// and the flags are those of the command line (-destroy, -refresh-only,
// -refresh=false, -target=, -exclude=, -replace=, -invoke=, -var=NAME=TEXT,
// -allow-deferral, -parallelism=N) and these:
//
//	-generate              have configuration generated (plan)
//	-halt=ADDR             ask for a stop when the apply begins with ADDR
//	-store-fails           the state cannot be stored
//	-journal-fails=N       the journal takes N records and fails then
//	-cut=N                 the disk dies after N bytes of the journal
//
// Commands run one call at a time unless told otherwise, so that a transcript
// has one order. Every story is told again with sixteen at a time, and broken
// off after every record of every journal: see metamorphic_test.go.
//
// Read first: TestStories, world, teller.
package scenario
