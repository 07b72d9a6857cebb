// Command bench measures whole runs of plumb, and of another CLI of the family
// when one is on PATH, over terraform_data with count: a new plan, an apply, a
// plan without changes and a destroy, with time and peak memory; and, with a
// provider that is a program, runs beside the calls that they make to it and
// nothing else. It also holds
// plumb to the growth law: four times the objects may cost at most 4.4 times as
// much.
//
// It must never be part of the tests: times depend on the machine. The figures
// of one run are comparable with each other only.
//
//	go run ./test/bench -plumb ./bin/plumb -sizes 1000,10000,100000 -peer terraform -peer-max 1000
//
// Read first: main, measure, load, calls, growth.
package main
