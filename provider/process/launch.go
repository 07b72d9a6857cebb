package process

import (
	"context"
	"log/slog"
	"time"

	"github.com/hashicorp/go-plugin"
	"github.com/plumb-iac/plumb/addr"
	"github.com/plumb-iac/plumb/provider/wire"
	"google.golang.org/grpc"
)

// Launch says how to run a provider's program.
type Launch struct {
	Provider addr.Provider
	// Path is the program, Environ its whole environment and Dir its working
	// directory (empty for the present one).
	Path    string
	Environ []string
	Dir     string
	// Logger gets what the provider logs; nil discards it.
	Logger *slog.Logger
	// Timeout bounds the start; 0 stands for a minute.
	Timeout time.Duration
	// Plaintext leaves out the mutual TLS on the connection, as
	// TF_DISABLE_PLUGIN_TLS asks for.
	Plaintext bool
	// Cache remembers schemas; nil for none.
	Cache *Cache
	// TrustCache lets schemas be answered from the cache without starting the
	// program, for commands that need nothing else.
	TrustCache bool
}

// New makes a provider of a program. Nothing is started yet.
func New(l Launch) *wire.Client {
	if l.Timeout == 0 {
		l.Timeout = time.Minute
	}
	o := wire.Options{Provider: l.Provider, Trust: l.TrustCache}
	if l.Cache != nil {
		o.Memory = memory{l.Cache, l.Provider, l.Path}
	}
	return wire.New(&child{launch: l, stderr: newTail()}, o)
}

// handshake is what provider programs check before they serve: they refuse to
// be run by hand. The values belong to the protocol.
var handshake = plugin.HandshakeConfig{
	ProtocolVersion:  4,
	MagicCookieKey:   "TF_PLUGIN_MAGIC_COOKIE",
	MagicCookieValue: "d602bf8f470bc67ca7faa0386276bbdd4330efaf76d1a219cb4d6991ca9872b2",
}

const pluginName = "provider"

// versions are the protocol versions offered in the handshake.
func versions() map[int]plugin.PluginSet {
	set := plugin.PluginSet{pluginName: connection{}}
	return map[int]plugin.PluginSet{int(wire.V5): set, int(wire.V6): set}
}

// connection is a plugin that gives the connection itself: the stubs are in
// package wire.
type connection struct{ plugin.NetRPCUnsupportedPlugin }

var _ plugin.GRPCPlugin = connection{}

// GRPCServer implements plugin.GRPCPlugin; this side never serves.
func (connection) GRPCServer(*plugin.GRPCBroker, *grpc.Server) error { return nil }

// GRPCClient implements plugin.GRPCPlugin.
func (connection) GRPCClient(_ context.Context, _ *plugin.GRPCBroker, conn *grpc.ClientConn) (any, error) {
	return conn, nil
}

// dispense connects to a started program.
func dispense(c *plugin.Client) (grpc.ClientConnInterface, error) {
	protocol, err := c.Client()
	if err != nil {
		return nil, err
	}
	conn, err := protocol.Dispense(pluginName)
	if err != nil {
		return nil, err
	}
	return conn.(grpc.ClientConnInterface), nil
}
