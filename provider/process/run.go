package process

import (
	"context"
	"io"
	"os/exec"
	"strconv"
	"sync"
	"time"

	"github.com/hashicorp/go-plugin/runner"
	"github.com/plumb-iac/plumb/internal/processgroup"
)

// run is one run of a program. It exists beside go-plugin's own because that
// one neither says when the program has ended nor lets a start be given up.
type run struct {
	path           string
	cmd            *exec.Cmd
	stdout, stderr io.ReadCloser
	// exited is closed when the program was reaped: its output is complete.
	exited chan struct{}

	mu      sync.Mutex
	started bool
	killed  bool
	state   string
}

var _ runner.Runner = (*run)(nil)

func (r *run) prepare(cmd *exec.Cmd) (err error) {
	r.cmd = cmd
	if r.stdout, err = cmd.StdoutPipe(); err != nil {
		return err
	}
	r.stderr, err = cmd.StderrPipe()
	return err
}

// Start implements runner.Runner.
func (r *run) Start(context.Context) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.killed {
		return context.Canceled
	}
	if err := r.cmd.Start(); err != nil {
		return startError{err}
	}
	r.started = true
	return nil
}

// startError is the system's refusal to run the program.
type startError struct{ error }

func (e startError) Unwrap() error { return e.error }

// Wait implements runner.Runner.
func (r *run) Wait(context.Context) error {
	err := r.cmd.Wait()
	r.mu.Lock()
	if s := r.cmd.ProcessState; s != nil {
		r.state = s.String()
	}
	r.mu.Unlock()
	close(r.exited)
	return err
}

// Kill implements runner.Runner.
func (r *run) Kill(context.Context) error {
	r.kill()
	return nil
}

// kill ends the program with what it has started, and lets go of its output. A
// program not yet started will not be.
func (r *run) kill() {
	select {
	case <-r.exited:
		return
	default:
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.killed = true
	if !r.started {
		return
	}
	processgroup.Kill(r.cmd)
	_ = r.stdout.Close()
	_ = r.stderr.Close()
}

// ended waits a little for the program's end and says whether it came.
func (r *run) ended(patience time.Duration) bool {
	timer := time.NewTimer(patience)
	defer timer.Stop()
	select {
	case <-r.exited:
		return true
	case <-timer.C:
		return false
	}
}

// Diagnose implements runner.Runner. It is called when the program said
// nothing sensible; one that is about to end is given the time for it.
func (r *run) Diagnose(context.Context) string {
	r.ended(reapTime / 4)
	return ""
}

// Stdout implements runner.Runner.
func (r *run) Stdout() io.ReadCloser { return r.stdout }

// Stderr implements runner.Runner.
func (r *run) Stderr() io.ReadCloser { return r.stderr }

// Name implements runner.Runner.
func (r *run) Name() string { return r.path }

// ID implements runner.Runner.
func (r *run) ID() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	if !r.started {
		return ""
	}
	return strconv.Itoa(r.cmd.Process.Pid)
}

// PluginToHost implements runner.Runner; there is no container between.
func (r *run) PluginToHost(network, address string) (string, string, error) {
	return network, address, nil
}

// HostToPlugin implements runner.Runner.
func (r *run) HostToPlugin(network, address string) (string, string, error) {
	return network, address, nil
}

// exitState is how the program ended, "" while it runs.
func (r *run) exitState() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.state
}

func (r *run) wasKilled() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.killed
}
