package embedded

import (
	"maps"
	"slices"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6/tf6server"
	"github.com/plumb-iac/plumb/addr"
	"github.com/plumb-iac/plumb/provider"
	"github.com/plumb-iac/plumb/provider/builtin"
	"github.com/plumb-iac/plumb/provider/process"
	"github.com/plumb-iac/plumb/provider/std"
	"google.golang.org/grpc"
)

// Open makes a new instance of an embedded provider.
type Open func() provider.Provider

// Providers are the embedded providers by source address.
func Providers(version string, o builtin.Options) map[addr.Provider]Open {
	return map[addr.Provider]Open{
		addr.Builtin("terraform"): func() provider.Provider { return builtin.New(o) },
		addr.Builtin("std"):       served(addr.Builtin("std"), std.Server(version)),
	}
}

// Addresses are the source addresses of the embedded providers.
func Addresses() []addr.Provider {
	return slices.Collect(maps.Keys(Providers("", builtin.Options{})))
}

// served runs a provider's protocol 6 server inside this program.
func served(p addr.Provider, server func() tfprotov6.ProviderServer) Open {
	return func() provider.Provider {
		return process.InProcess(p, func(s *grpc.Server) {
			plugin := &tf6server.GRPCProviderPlugin{GRPCProvider: server, Name: p.String()}
			// Registering in memory does not fail: the error is for plugins that
			// need a broker.
			_ = plugin.GRPCServer(nil, s)
		})
	}
}
