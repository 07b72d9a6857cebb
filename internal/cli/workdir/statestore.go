package workdir

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"strconv"

	"github.com/google/uuid"
	"github.com/hashicorp/hcl/v2"
	"github.com/plumb-iac/plumb/addr"
	"github.com/plumb-iac/plumb/config"
	"github.com/plumb-iac/plumb/diag"
	"github.com/plumb-iac/plumb/internal/backend"
	"github.com/plumb-iac/plumb/internal/backend/statestore"
	"github.com/plumb-iac/plumb/internal/install"
	"github.com/plumb-iac/plumb/internal/lang"
	"github.com/plumb-iac/plumb/provider"
	"github.com/plumb-iac/plumb/provider/assemble"
	"github.com/plumb-iac/plumb/schema"
	"github.com/plumb-iac/plumb/value"
	ctyjson "github.com/zclconf/go-cty/cty/json"
)

// Keeper is the provider of a state store, with what the block says.
type Keeper struct {
	Provider addr.Provider
	// Version is the one that is installed, "" for a provider that is not ours to
	// install.
	Version string
	// Config and Store configure the provider and its store: JSON of the types of
	// their schemas, without white space.
	Config, Store json.RawMessage
}

// same says whether two keepers are configured alike. The version of the provider is
// free to change.
func (k *Keeper) same(o *Keeper) bool {
	if k == nil || o == nil {
		return k == o
	}
	return k.Provider == o.Provider && bytes.Equal(k.Config, o.Config) && bytes.Equal(k.Store, o.Store)
}

// Keeping are the requirements of all modules for the provider that keeps the state;
// nothing where none does.
func Keeping(tree *config.Tree) []install.Requirement {
	store := tree.Root.Settings.Store
	if store == nil {
		return nil
	}
	p := tree.Root.ProviderSource(store.Provider)
	for _, r := range install.Required(tree, nil) {
		if r.Provider == p {
			return []install.Requirement{r}
		}
	}
	return []install.Requirement{{Provider: p, InConfig: true}}
}

// evaluateStore gives the block of a state store its values, by the schemas of the
// provider.
func (d *Dir) evaluateStore(ctx context.Context, tree *config.Tree, b *config.StateStore) (*Place, diag.List) {
	p := tree.Root.ProviderSource(b.Provider)
	schemas, diags := d.keeperSchemas(ctx, p)
	if diags.HasErrors() {
		return nil, at(diags, b.Range)
	}
	store, more := schemas.StateStore(b.Type)
	if diags = diags.With(at(more, b.TypeRange)); more.HasErrors() {
		return nil, diags
	}
	if store == nil {
		return nil, diags.Append(diag.Err("Unsupported state store type",
			fmt.Sprintf("Provider %s has no state store %q.%s", p.Display(), b.Type, lang.DidYouMean(b.Type, schemas.StateStoreNames()))).At(b.TypeRange))
	}
	config, more := constant(b.ProviderConfig, schemas.Provider())
	diags = diags.With(more)
	of, more := constant(b.Config, store)
	if diags = diags.With(more); diags.HasErrors() {
		return nil, diags
	}
	k := &Keeper{Provider: p, Config: config, Store: of}
	if l, locked := d.Lock.Lock(p); locked {
		k.Version = l.Version
	}
	return &Place{Type: b.Type, Keeper: k}, diags
}

// constant is a body's value as JSON. Loading has seen to it that its arguments are
// written out.
func constant(b hcl.Body, s *schema.Resource) (json.RawMessage, diag.List) {
	body, diags := lang.CompileBody(b, s.Block)
	if diags.HasErrors() {
		return nil, diags
	}
	v, diags := body.Eval(lang.NewScope(nil, nil))
	if diags.HasErrors() {
		return nil, diags
	}
	bare, _ := value.Split(v)
	return encoded(bare.Cty()), diags
}

// keeperRegistry opens the provider that keeps the state, in a process of its own:
// what it is configured with stands in its block.
func (d *Dir) keeperRegistry(p addr.Provider) (*assemble.Registry, diag.List) {
	if r := d.keepers[p]; r != nil {
		return r, nil
	}
	r, diags := d.programs(ProviderOptions{SchemasOnly: true}, []install.Requirement{{Provider: p, InConfig: true}})
	if diags.HasErrors() {
		return nil, diags
	}
	if d.keepers == nil {
		d.keepers = map[addr.Provider]*assemble.Registry{}
	}
	d.keepers[p] = r
	d.S.AtEnd(r.Close)
	return r, diags
}

func (d *Dir) keeperSchemas(ctx context.Context, p addr.Provider) (provider.Schemas, diag.List) {
	r, diags := d.keeperRegistry(p)
	if diags.HasErrors() {
		return nil, diags
	}
	return r.Schemas(ctx, p)
}

// openStore makes the backend of a state store. The provider is configured once in a
// command.
func (d *Dir) openStore(ctx context.Context, place Place, form backend.Form) (backend.Backend, diag.List) {
	id := place.digest()
	store, diags := d.stores[id], diag.List(nil)
	if store == nil {
		if store, diags = d.configureStore(ctx, place); diags.HasErrors() {
			return nil, diags
		}
		if d.stores == nil {
			d.stores = map[uint64]provider.StateStore{}
		}
		d.stores[id] = store
	}
	return statestore.New(statestore.Options{
		Store: store, Type: strconv.Quote(place.Type), Key: strconv.FormatUint(id, 16), Dir: d.S.DataPath(""), Form: form, NewLineage: uuid.NewString,
	}), diags
}

func (d *Dir) configureStore(ctx context.Context, place Place) (provider.StateStore, diag.List) {
	k := place.Keeper
	schemas, diags := d.keeperSchemas(ctx, k.Provider)
	if diags.HasErrors() {
		return nil, diags
	}
	s, more := schemas.StateStore(place.Type)
	if diags = diags.With(more); diags.HasErrors() {
		return nil, diags
	}
	config, err := decoded(k.Config, schemas.Provider())
	of, err2 := decoded(k.Store, s)
	if s == nil || err != nil || err2 != nil {
		return nil, diags.Append(diag.Err("State store initialization required, please run \"plumb init\"",
			fmt.Sprintf("Provider %s has another version than the one that the state store %q was set up with, and does not understand what was configured. Run \"plumb init -reconfigure\".", k.Provider.Display(), place.Type)).By(diag.Operator))
	}
	instance, more := d.keepers[k.Provider].Open(ctx, k.Provider)
	if diags = diags.With(more); diags.HasErrors() {
		return nil, diags
	}
	d.S.AtEnd(func() { instance.Close() })
	storer, able := instance.(provider.StateStorer)
	if !able {
		return nil, diags.Append(diag.Err("Unsupported state store type", fmt.Sprintf("Provider %s has no state stores.", k.Provider.Display())))
	}
	_, more = storer.ValidateProvider(ctx, config)
	if diags = diags.With(more); !diags.HasErrors() {
		diags = diags.With(storer.Configure(ctx, provider.ConfigureRequest{Config: config, LanguageVersion: d.S.Language}))
	}
	if diags.HasErrors() {
		return nil, diags
	}
	store, more := storer.OpenStateStore(ctx, place.Type, of)
	return store, diags.With(more)
}

// decoded is a configuration in the type of its schema.
func decoded(src json.RawMessage, s *schema.Resource) (value.Bare, error) {
	if s == nil {
		return value.Bare{}, fmt.Errorf("there is no schema")
	}
	v, err := ctyjson.Unmarshal(src, s.Block.Type())
	if err != nil {
		return value.Bare{}, err
	}
	return value.MustBare(v), nil
}
