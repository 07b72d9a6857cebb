//go:build !unix

package processgroup

import "os/exec"

// Own does nothing where there are no process groups.
func Own(*exec.Cmd) {}

// Kill ends the command.
func Kill(cmd *exec.Cmd) { _ = cmd.Process.Kill() }
