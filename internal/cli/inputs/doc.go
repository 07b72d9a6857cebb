// Package inputs owns where values of root variables come from on a command
// line: the environment, value files, options, and the person at the keyboard.
//
// It must never know types: a text is handed on as it was written, and the
// engine reads it as the variable's declaration says.
//
// Invariants:
//
//	I1. Later sources win, a value is replaced as a whole: environment,
//	    terraform.tfvars, terraform.tfvars.json, *.auto.tfvars by name, then
//	    -var and -var-file in the order they are written.
//	I2. A value for a variable that does not exist is an error when somebody
//	    typed it, a warning when it is in a file, and nothing when it is in the
//	    environment.
//
// Read first: [Flags], [Given], [Given.For].
package inputs
