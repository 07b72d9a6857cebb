package wire

import (
	"context"
	"sync"
	"sync/atomic"

	"github.com/plumb-iac/plumb/addr"
	"github.com/plumb-iac/plumb/diag"
	"github.com/plumb-iac/plumb/provider"
	"google.golang.org/grpc"
)

// maxMessage bounds an answer's size. Schemas of large providers exceed gRPC's
// default of 4 MiB many times over.
const maxMessage = 256 << 20

// Link leads to a provider's server.
type Link interface {
	// Dial gives the connection and the version spoken over it. It may start a
	// process; later calls give the same connection.
	Dial(ctx context.Context) (grpc.ClientConnInterface, Protocol, diag.List)
	// LastWords is what the provider wrote before it died, or empty.
	LastWords() string
	// Close ends the process or the connection.
	Close() error
}

// Memory remembers schemas of one provider program beyond one process.
type Memory interface {
	// Recall gives remembered schemas, nil when there are none.
	Recall() *Schemas
	// Remember takes note of a fresh answer and gives its schemas: those it
	// already holds when the answer is the same.
	Remember(Answer) (*Schemas, diag.List)
}

// Options are what a client needs beside a link.
type Options struct {
	// Provider is named in diagnostics.
	Provider addr.Provider
	// Memory may be nil.
	Memory Memory
	// Trust lets Schemas be answered from memory without asking a process,
	// even by providers that do not declare their schema call optional.
	Trust bool
}

// Client is a provider at the other end of a link. It implements
// provider.Provider.
type Client struct {
	options Options
	link    Link

	live atomic.Pointer[session]

	mu sync.Mutex
	// described are schemas from memory, handed out before a process ran.
	described *Schemas
}

var _ provider.Provider = (*Client)(nil)

// session is a connection that is ready for any call.
type session struct {
	conn     grpc.ClientConnInterface
	protocol Protocol
	schemas  *Schemas
}

// New makes a client. Nothing is dialled before the first call that needs it.
func New(link Link, options Options) *Client {
	return &Client{options: options, link: link}
}

// Schemas implements provider.Describer.
func (c *Client) Schemas(ctx context.Context) (provider.Schemas, diag.List) {
	if s := c.remembered(); s != nil {
		return s, nil
	}
	s, diags := c.session(ctx)
	if s == nil {
		return nil, diags
	}
	return s.schemas, diags
}

// remembered gives schemas that may be used without a process.
func (c *Client) remembered() *Schemas {
	if s := c.live.Load(); s != nil {
		return s.schemas
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.described == nil {
		c.described = c.recall(c.options.Trust)
	}
	return c.described
}

// recall asks the memory for schemas that stand in for the schema call: those
// of a provider that declared the call optional, or any when trusted.
func (c *Client) recall(trust bool) *Schemas {
	if c.options.Memory == nil {
		return nil
	}
	s := c.options.Memory.Recall()
	if s != nil && (trust || s.capabilities.SchemaOptional) {
		return s
	}
	return nil
}

// session gives the connection, made at the first call. Failures are not kept:
// the next call tries again. Warnings of the schema call come once.
func (c *Client) session(ctx context.Context) (*session, diag.List) {
	if s := c.live.Load(); s != nil {
		return s, nil
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if s := c.live.Load(); s != nil {
		return s, nil
	}
	conn, protocol, diags := c.link.Dial(ctx)
	if conn == nil || diags.HasErrors() {
		return nil, diags
	}
	s := &session{conn: conn, protocol: protocol, schemas: c.recall(false)}
	if s.schemas == nil || s.schemas.answer.Protocol != protocol {
		schemas, more := c.fetch(ctx, s)
		if diags = diags.With(more); schemas == nil {
			return nil, diags
		}
		s.schemas = schemas
	}
	c.live.Store(s)
	return s, diags
}

// Close implements provider.Configurer. Calls that come after it reach the
// link, which says that it is closed.
func (c *Client) Close() error {
	c.live.Store(nil)
	return c.link.Close()
}
