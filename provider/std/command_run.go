package std

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"time"

	"github.com/plumb-iac/plumb/internal/processgroup"
)

// invocation is a command ready to be started.
type invocation struct {
	argv    []string
	env     []string // added to the environment of this process
	dir     string
	stdin   string
	timeout time.Duration // none if zero
}

// outcome is what a command that ran to its end left behind.
type outcome struct {
	stdout, stderr string
	code           int
}

const (
	outputLimit = 16 << 20        // bytes of either stream
	killDelay   = 5 * time.Second // between asking a command to stop and stopping it
)

// Errors that leave it open, or rule out, that the command did something.
var (
	errNotStarted = errors.New("it could not be started")
	errStopped    = errors.New("it was stopped")
	errTooLong    = errors.New("it printed more than 16 MiB")
)

// run starts the command and waits for it. A non-zero exit code is an outcome
// and not an error.
func (i invocation) run(ctx context.Context) (outcome, error) {
	if i.timeout > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, i.timeout)
		defer cancel()
	}
	stdout, stderr := &capture{}, &capture{}
	cmd := exec.CommandContext(ctx, i.argv[0], i.argv[1:]...)
	cmd.Dir = i.dir
	cmd.Env = append(inherited(os.Environ()), i.env...)
	cmd.Stdin = strings.NewReader(i.stdin)
	cmd.Stdout, cmd.Stderr = stdout, stderr
	cmd.WaitDelay = killDelay
	processgroup.Own(cmd)

	if err := cmd.Start(); err != nil {
		return outcome{}, fmt.Errorf("%w: %w", errNotStarted, err)
	}
	err := cmd.Wait()
	out := outcome{stdout: stdout.text(), stderr: stderr.text(), code: cmd.ProcessState.ExitCode()}
	var exit *exec.ExitError
	switch {
	case ctx.Err() != nil && i.timeout > 0 && errors.Is(ctx.Err(), context.DeadlineExceeded):
		return out, fmt.Errorf("%w after its timeout of %s", errStopped, i.timeout)
	case ctx.Err() != nil:
		return out, errStopped
	case stdout.full || stderr.full:
		return out, errTooLong
	case errors.As(err, &exit) && out.code < 0:
		return out, fmt.Errorf("%w: %s", errStopped, exit.ProcessState)
	case errors.As(err, &exit):
		return out, nil
	}
	return out, err
}

// handshake are variables that the engine sets to start a provider. A command
// must not see them: it may start providers of its own.
var handshake = []string{
	"TF_PLUGIN_MAGIC_COOKIE", "PLUGIN_PROTOCOL_VERSIONS", "PLUGIN_MIN_PORT", "PLUGIN_MAX_PORT",
	"PLUGIN_CLIENT_CERT", "PLUGIN_UNIX_SOCKET_DIR", "PLUGIN_UNIX_SOCKET_GROUP", "PLUGIN_MULTIPLEX_GRPC",
}

func inherited(environ []string) []string {
	return slices.DeleteFunc(slices.Clone(environ), func(entry string) bool {
		name, _, _ := strings.Cut(entry, "=")
		return slices.Contains(handshake, name)
	})
}

// capture keeps what a command prints, up to the limit.
type capture struct {
	buffer bytes.Buffer
	full   bool
}

// Write never fails, so that a command that prints too much is judged and not
// broken off in the middle of its work.
func (c *capture) Write(p []byte) (int, error) {
	room := outputLimit - c.buffer.Len()
	if len(p) > room {
		c.full = true
		c.buffer.Write(p[:room])
		return len(p), nil
	}
	return c.buffer.Write(p)
}

// text is what was printed; bytes that are no text are replaced, because the
// language has no other strings.
func (c *capture) text() string { return strings.ToValidUTF8(c.buffer.String(), "\uFFFD") }
