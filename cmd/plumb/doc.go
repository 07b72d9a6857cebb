// Command plumb plans and applies infrastructure written in the Terraform and
// OpenTofu language.
//
// It owns the process: arguments, environment, streams, signals, exit status.
// It must never know a command.
//
// Read first: main.
package main
