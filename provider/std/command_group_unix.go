//go:build unix

package std

import (
	"os/exec"
	"syscall"
)

// ownGroup makes the command the leader of a process group, so that stopping it
// stops what it started, and an interrupt typed at the terminal reaches the
// engine alone, which then decides.
func ownGroup(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGTERM) }
}
