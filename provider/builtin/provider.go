package builtin

import (
	"context"
	"fmt"

	"github.com/plumb-iac/plumb/addr"
	"github.com/plumb-iac/plumb/diag"
	"github.com/plumb-iac/plumb/provider"
	"github.com/plumb-iac/plumb/value"
	"github.com/zclconf/go-cty/cty"
)

// Options are what the provider does not have itself.
type Options struct {
	// NewID makes the id of a new terraform_data object, a UUID.
	NewID func() string
	// RemoteState reads the state of another configuration.
	RemoteState StateReader
	// CheckBackend judges a backend's name and configuration before anything is
	// read; nil for no judgement. The config may be partly unknown.
	CheckBackend func(backend string, config cty.Value) diag.List
	// WithoutStore leaves out terraform_data's store block, and EmptiedLater
	// plans its output as unknown when its input becomes null: readings of the
	// dialect.
	WithoutStore, EmptiedLater bool
}

// StateReader gives the root outputs of a state in a workspace of a backend, for
// the data source at. config is an object or map, or null. The outputs are nil, without an error,
// when there is no such state.
type StateReader func(ctx context.Context, at addr.AbsInstance, backend, workspace string, config cty.Value) (map[string]cty.Value, diag.List)

// Provider is the built-in provider.
type Provider struct {
	options Options
	schemas *schemas
	// newID is an id that is not known yet; noStore is an
	// absent store, nil where there is no such block.
	newID, noStore cty.Value
}

var _ provider.Provider = (*Provider)(nil)

// New makes the provider. Without RemoteState every state is absent.
func New(options Options) *Provider {
	s := newSchemas(!options.WithoutStore)
	p := &Provider{
		options: options,
		schemas: s,
		newID:   cty.UnknownVal(cty.String).RefineNotNull(),
	}
	if store := s.data.Block.Blocks["store"]; store != nil {
		p.noStore = cty.NullVal(store.Type())
	}
	return p
}

// Schemas implements provider.Describer.
func (p *Provider) Schemas(context.Context) (provider.Schemas, diag.List) { return p.schemas, nil }

// ValidateProvider implements provider.Configurer: there is nothing to set.
func (p *Provider) ValidateProvider(_ context.Context, config value.Bare) (value.Bare, diag.List) {
	return config, nil
}

// Configure implements provider.Configurer.
func (p *Provider) Configure(context.Context, provider.ConfigureRequest) diag.List { return nil }

// Stop implements provider.Configurer: what takes time listens to its context.
func (p *Provider) Stop(context.Context) error { return nil }

// Close implements provider.Configurer.
func (p *Provider) Close() error { return nil }

// managed refuses every managed type but terraform_data.
func managed(typeName string) diag.List {
	if typeName == dataType {
		return nil
	}
	return absent("managed resource type", typeName)
}

// absent is the answer to a request for something that the schemas do not have.
func absent(kind, name string) diag.List {
	return diag.List{diag.Err("Unknown type", fmt.Sprintf(
		"The built-in provider %s has no %s %q, so it should not have been asked for one.", addr.Builtin("terraform"), kind, name)).By(diag.Engine)}
}

// at is d, an error in the configuration, about the attribute at path.
func at(d diag.Diag, path cty.Path) diag.Diag {
	d.Path, d.Attribute = path, value.PathString(path)
	return d.By(diag.Author)
}

// bare wraps a value made of bare ones.
func bare(v cty.Value) value.Bare { return value.MustBare(v) }
