// Package command owns the shape of a command: its name, its flags, its help,
// and how arguments become options.
//
// It must never know what any particular command does.
//
// Invariants:
//
//	K1. Flags come before arguments; a single and a double dash mean the same;
//	    a boolean is written -x or -x=false.
//	K2. A flag given several times keeps its order and its values as written.
//	K3. Every flag has a line of help; help is made from the flags.
//	K4. Flags are declared through Declare alone, so that help, completion and the
//	    command itself have the same ones.
//
// Read first: [Command], [Flags], [Command.Help].
package command
