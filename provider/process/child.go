package process

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"time"

	"github.com/hashicorp/go-hclog"
	"github.com/hashicorp/go-plugin"
	"github.com/hashicorp/go-plugin/runner"
	"github.com/plumb-iac/plumb/diag"
	"github.com/plumb-iac/plumb/internal/processgroup"
	"github.com/plumb-iac/plumb/provider/wire"
	"google.golang.org/grpc"
)

// How long a dying process may take: to be reaped so that its last words are
// complete, and to end by itself before it is killed.
const (
	reapTime  = time.Second
	graceTime = 3 * time.Second
)

// child is the link to a program that this one runs.
type child struct {
	launch Launch
	stderr *tail

	mu       sync.Mutex
	client   *plugin.Client
	run      *run
	conn     grpc.ClientConnInterface
	protocol wire.Protocol
	// failed is why it did not start, for good.
	failed diag.List
}

var _ wire.Link = (*child)(nil)

// Dial implements wire.Link: it starts the program at the first call.
func (c *child) Dial(ctx context.Context) (grpc.ClientConnInterface, wire.Protocol, diag.List) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.conn != nil || c.failed != nil {
		return c.conn, c.protocol, c.failed
	}
	if err := ctx.Err(); err != nil {
		return nil, 0, diag.List{c.launch.cancelled()}
	}
	if err := c.startSafely(ctx); err != nil {
		c.end()
		if ctx.Err() != nil {
			return nil, 0, diag.List{c.launch.cancelled()}
		}
		c.failed = diag.List{c.launch.explain(err, c.run, c.stderr)}
		return nil, 0, c.failed
	}
	return c.conn, c.protocol, nil
}

// startSafely starts the program with as much encryption as is asked for or
// needed.
func (c *child) startSafely(ctx context.Context) error {
	encrypt := c.launch.TLS == TLSAlways || c.launch.TLS == TLSNeeded && !socketsAreFiles
	err := c.start(ctx, encrypt)
	if err != nil || encrypt || c.launch.TLS == TLSNever || private(c.client.ReattachConfig()) {
		return err
	}
	c.end()
	return c.start(ctx, true)
}

// private says that only the same user can connect: the socket is a file that
// others may not write to, or in a directory that they may not enter.
func private(at *plugin.ReattachConfig) bool {
	if at == nil || at.Addr.Network() != "unix" {
		return false
	}
	path := at.Addr.String()
	socket, err := os.Stat(path)
	if err == nil && socket.Mode().Perm()&0o022 == 0 {
		return true
	}
	dir, err := os.Stat(filepath.Dir(path))
	return err == nil && dir.Mode().Perm()&0o077 == 0
}

func (c *child) start(ctx context.Context, encrypt bool) error {
	c.run = &run{path: c.launch.Path, exited: make(chan struct{})}
	c.client = plugin.NewClient(&plugin.ClientConfig{
		HandshakeConfig:  handshake,
		VersionedPlugins: versions(),
		AllowedProtocols: []plugin.Protocol{plugin.ProtocolGRPC},
		AutoMTLS:         encrypt,
		StartTimeout:     c.launch.Timeout,
		SkipHostEnv:      true,
		Logger:           newLogger(c.launch.Logger),
		Stderr:           c.stderr,
		RunnerFunc: func(_ hclog.Logger, spec *exec.Cmd, _ string) (runner.Runner, error) {
			// The run ends it, not a context.
			cmd := exec.CommandContext(context.Background(), c.launch.Path)
			processgroup.Own(cmd)
			cmd.Dir = c.launch.Dir
			cmd.Env = append(c.launch.environ(), spec.Env...)
			return c.run, c.run.prepare(cmd)
		},
	})
	// The handshake does not listen to the context, but to the program's end.
	stop := context.AfterFunc(ctx, c.run.kill)
	defer stop()
	if _, err := c.client.Start(); err != nil {
		return err
	}
	conn, err := dispense(c.client)
	if err != nil {
		return err
	}
	c.conn, c.protocol = conn, wire.Protocol(c.client.NegotiatedVersion())
	return nil
}

// LastWords implements wire.Link. A program that went silently leaves its exit
// status.
func (c *child) LastWords() string {
	c.mu.Lock()
	run := c.run
	c.mu.Unlock()
	if run == nil || !run.ended(reapTime) {
		return ""
	}
	if words := c.stderr.lastWords(); words != "" {
		return words
	}
	return shown([]string{run.exitState()})
}

// Close implements wire.Link. A program that was never started needs nothing.
func (c *child) Close() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.end()
	if c.failed == nil {
		c.failed = diag.List{c.launch.closed()}
	}
	return nil
}

// end asks the program to leave and makes sure that it does.
func (c *child) end() {
	if c.client == nil {
		return
	}
	timer := time.AfterFunc(graceTime, c.run.kill)
	defer timer.Stop()
	c.client.Kill()
	c.client, c.conn = nil, nil
}
