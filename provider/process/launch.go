package process

import (
	"context"
	"log/slog"
	"slices"
	"strings"
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
	// TLS says when the connection is encrypted.
	TLS TLS
	// Cache remembers schemas; nil for none.
	Cache *Cache
	// TrustCache lets schemas be answered from the cache without starting the
	// program, for commands that need nothing else.
	TrustCache bool
}

// TLS says when the connection to a provider's process uses mutual TLS.
type TLS uint8

// Making the certificates on both sides costs more (14 ms) than the rest of a
// start (8 ms). TLSNeeded spares it where only the same user can open the
// provider's socket anyway, which is checked. TLSNever is what
// TF_DISABLE_PLUGIN_TLS asks for.
const (
	TLSNeeded TLS = iota
	TLSAlways
	TLSNever
)

// New makes a provider of a program. Nothing is started yet.
func New(l Launch) *wire.Client {
	if l.Timeout == 0 {
		l.Timeout = time.Minute
	}
	o := wire.Options{Provider: l.Provider, Trust: l.TrustCache}
	if l.Cache != nil {
		o.Memory = l.Cache.of(l)
	}
	return wire.New(&child{launch: l, stderr: newTail()}, o)
}

// logVariables are those by which provider programs choose how much to log.
// Left to themselves, those built on HashiCorp's SDKs write every trace message,
// which takes a third of the time of a call, for nobody.
var logVariables = []string{"TF_LOG_SDK", "TF_LOG_PROVIDER"}

// environ is the program's environment: as given, but asking for no more log
// messages than the logger wants, unless it says how many itself.
func (l Launch) environ() []string {
	out := append([]string(nil), l.Environ...)
	level := strings.ToUpper(newLogger(l.Logger).GetLevel().String())
	for _, name := range logVariables {
		given := slices.ContainsFunc(l.Environ, func(v string) bool { return strings.HasPrefix(v, name+"=") })
		if !given {
			out = append(out, name+"="+level)
		}
	}
	return out
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
func dispense(c *plugin.Client) (*grpc.ClientConn, error) {
	protocol, err := c.Client()
	if err != nil {
		return nil, err
	}
	conn, err := protocol.Dispense(pluginName)
	if err != nil {
		return nil, err
	}
	return conn.(*grpc.ClientConn), nil
}
