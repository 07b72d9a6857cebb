// Package inputs owns where values of root variables come from on a command
// line: the environment, value files and options.
//
// It must never know declarations: a text is handed on as it was written, and the
// engine reads it as the variable's declaration says.
//
// Invariants:
//
//	I1. Later sources win, a value is replaced as a whole: environment,
//	    terraform.tfvars, terraform.tfvars.json, *.auto.tfvars by name, then
//	    -var and -var-file in the order they are written; for tests in a directory
//	    of their own, the value files there.
//	I2. A value says where it is from, so that the engine can judge one for a
//	    variable that does not exist, and ask for those that are missing.
//
// Read first: [Flags], [Given].
package inputs
