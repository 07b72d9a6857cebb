// Command terraform-provider-std serves the standard provider as a plugin, for
// engines that do not have it built in.
//
// It owns the process; package std owns the provider. It must never know an
// engine.
//
// Read first: main.
package main
