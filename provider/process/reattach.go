package process

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"net"
	"sort"
	"sync"

	"github.com/hashicorp/go-plugin"
	"github.com/plumb-iac/plumb/addr"
	"github.com/plumb-iac/plumb/diag"
	"github.com/plumb-iac/plumb/provider/wire"
	"google.golang.org/grpc"
)

// Reattach is where a provider runs that somebody else started, such as a
// debugger or an acceptance test.
type Reattach struct {
	Provider addr.Provider
	Protocol wire.Protocol
	Pid      int
	// Test says that the process ends by itself and must not be ended.
	Test bool
	// Network is "unix" or "tcp".
	Network, Address string
}

// ParseReattach reads the value of TF_REATTACH_PROVIDERS: a JSON object from
// provider source addresses, legacy ones included, to where they run. The
// result is sorted by address.
func ParseReattach(text, defaultHost string) ([]Reattach, diag.List) {
	if text == "" {
		return nil, nil
	}
	var entries map[string]struct {
		Protocol        string
		ProtocolVersion int
		Pid             int
		Test            bool
		Addr            struct{ Network, String string }
	}
	if err := json.Unmarshal([]byte(text), &entries); err != nil {
		return nil, badReattach("It is not a JSON object of the expected form: " + err.Error() + ".")
	}
	var out []Reattach
	for name, e := range entries {
		p, err := addr.ParseProvider(name, defaultHost)
		switch {
		case err != nil:
			return nil, badReattach(fmt.Sprintf("%q is not a provider source address: %s.", name, err))
		case e.Protocol != "" && e.Protocol != string(plugin.ProtocolGRPC):
			return nil, badReattach(fmt.Sprintf("Provider %s uses the protocol %q; only \"grpc\" is supported.", p, e.Protocol))
		case e.ProtocolVersion != 0 && e.ProtocolVersion != int(wire.V5) && e.ProtocolVersion != int(wire.V6):
			return nil, badReattach(fmt.Sprintf("Provider %s speaks version %d of the provider protocol; versions 5 and 6 are supported.", p, e.ProtocolVersion))
		case e.Addr.Network != "unix" && e.Addr.Network != "tcp":
			return nil, badReattach(fmt.Sprintf("Provider %s listens on the network %q; \"unix\" and \"tcp\" are supported.", p, e.Addr.Network))
		}
		r := Reattach{Provider: p, Protocol: wire.Protocol(e.ProtocolVersion), Pid: e.Pid, Test: e.Test, Network: e.Addr.Network, Address: e.Addr.String}
		if r.Protocol == 0 {
			r.Protocol = wire.V5
		}
		out = append(out, r)
	}
	sort.Slice(out, func(i, j int) bool { return out[i].Provider.Less(out[j].Provider) })
	return out, nil
}

func badReattach(why string) diag.List {
	d := diag.Err("Invalid TF_REATTACH_PROVIDERS", "The environment variable TF_REATTACH_PROVIDERS cannot be used. "+why).By(diag.Operator)
	d.Code = CodeReattach
	return diag.List{d}
}

// Attach makes a provider of a process that runs already.
func Attach(r Reattach, log *slog.Logger) *wire.Client {
	return wire.New(&attached{to: r, log: log}, wire.Options{Provider: r.Provider})
}

// attached is the link to a process that somebody else started.
type attached struct {
	to  Reattach
	log *slog.Logger

	mu     sync.Mutex
	client *plugin.Client
	conn   *grpc.ClientConn
	failed diag.List
}

// Dial implements wire.Link.
func (a *attached) Dial(context.Context) (grpc.ClientConnInterface, wire.Protocol, diag.List) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.conn == nil && a.failed == nil {
		if err := a.attach(); err != nil {
			d := diag.Err("Failed to attach to provider", fmt.Sprintf(
				"TF_REATTACH_PROVIDERS says that provider %s runs as process %d and listens at %s, but no connection came about: %s. Perhaps the process has ended since.",
				a.to.Provider.Display(), a.to.Pid, a.to.Address, err)).By(diag.Operator)
			d.Code = CodeReattach
			a.failed = diag.List{d}
		}
	}
	if a.failed != nil {
		return nil, 0, a.failed
	}
	return a.conn, a.to.Protocol, nil
}

func (a *attached) attach() error {
	at, err := resolve(a.to.Network, a.to.Address)
	if err != nil {
		return err
	}
	a.client = plugin.NewClient(&plugin.ClientConfig{
		HandshakeConfig:  handshake,
		Plugins:          versions()[int(a.to.Protocol)],
		AllowedProtocols: []plugin.Protocol{plugin.ProtocolGRPC},
		Logger:           newLogger(a.log),
		Reattach: &plugin.ReattachConfig{
			Protocol: plugin.ProtocolGRPC, ProtocolVersion: int(a.to.Protocol),
			Pid: a.to.Pid, Test: a.to.Test, Addr: at,
		},
	})
	a.conn, err = dispense(a.client)
	return err
}

func resolve(network, address string) (net.Addr, error) {
	if network == "unix" {
		return net.ResolveUnixAddr(network, address)
	}
	return net.ResolveTCPAddr(network, address)
}

// LastWords implements wire.Link; the process writes elsewhere.
func (a *attached) LastWords() string { return "" }

// Close implements wire.Link: it ends the process unless it is a test's, and the
// connection.
func (a *attached) Close() error {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.conn != nil {
		defer a.conn.Close()
	}
	if a.client != nil {
		a.client.Kill()
	}
	a.conn, a.failed = nil, diag.List{Launch{Provider: a.to.Provider}.closed()}
	return nil
}
