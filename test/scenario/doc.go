// Package scenario holds the engine against stories. A story is a txtar archive
// in testdata: configurations, scripts for fake providers, a list of commands
// and the transcript that they have to give.
//
// It must never reach below the engine: everything goes through package engine,
// with a provider, a store, a journal and a clock of its own. Pairs alone keep states in
// backends (kept_test.go), and run command lines (shell_test.go).
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
//	state-rm ADDR, state-mv ADDR ADDR
//	place TYPE ID NAME     make a remote object that nobody manages
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
//	-halt-after=N          ask for a stop after N events of the apply
//	-cancel-after=N        cancel the context then
//	-store-fails           the state cannot be stored
//	-journal-fails=N       the journal takes N records, and then the disk fails
//	-journal-stuck=N       the same of the journal alone
//	-cut=N                 the disk dies after N bytes of the journal
//
// Commands run one call at a time unless told otherwise, so that a transcript
// has one order. Every story is told again with sixteen at a time, and broken
// off after every record of every journal: see metamorphic_test.go.
//
// TestLife draws lives: stories of several configurations that follow each other
// (draw_test.go), with providers that fail, objects that vanish, people who edit the
// state, and commands that are stopped or die with the disk (drawlife_test.go). Every
// remote change is looked at when it is asked for, against what a crash of that moment
// would leave (witness_test.go), and after every command the state is held against
// the true world, the plan, the events and the disk (oracle_test.go): each object that
// exists is known, or named as unresolved, or somebody let it go; none is made twice or
// destroyed twice; what depends ends first; nothing secret is stored; the next plan is
// empty. A life that goes wrong is written to testdata/lives/found.txtar. Give it
// a name to keep it: TestLives tells what is there.
//
// TestLifePairs and its neighbours tell such lives in several ways that have to come to
// the same (pairs_test.go): one call at a time and sixteen, plans and states that go
// through files, states in the backends, encrypted and in the clear, both dialects, the
// command line with a provider behind gRPC. TestLifeCrash breaks them off.
//
//	go test ./test/scenario -run 'TestLife$' -life=6 -rapid.checks=5000 -rapid.seed=$RANDOM
//	go test ./test/scenario -run 'TestLives'
//
// Read first: TestStories, world, teller, TestLife.
package scenario
