//go:build !unix

package std

import "os/exec"

// ownGroup does nothing where there are no process groups: the command alone is
// stopped.
func ownGroup(*exec.Cmd) {}
