//go:build unix

package processgroup

import (
	"os/exec"
	"syscall"
)

// Own makes the command the leader of a process group when it is started. The
// group is asked to end when the context of the command does.
func Own(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGTERM) }
}

// Kill ends what is left of the group of a command that was started.
func Kill(cmd *exec.Cmd) { _ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
