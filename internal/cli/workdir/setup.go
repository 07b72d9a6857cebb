package workdir

import (
	"context"
	"maps"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/plumb-iac/plumb/addr"
	"github.com/plumb-iac/plumb/config"
	"github.com/plumb-iac/plumb/diag"
	"github.com/plumb-iac/plumb/internal/backend"
	"github.com/plumb-iac/plumb/internal/hcldiag"
	"github.com/zclconf/go-cty/cty"
)

// SetUpOptions say how to set up the place of the state.
type SetUpOptions struct {
	// Arguments are the values of -backend-config.
	Arguments                       []string
	Reconfigure, Migrate, ForceCopy bool
	NoLock                          bool
	LockTimeout                     time.Duration
}

// SetUp sets up the place that the backend block names, taking the state along
// when it was kept elsewhere. changed names what was set up, "" when
// everything was as it should be.
func (d *Dir) SetUp(ctx context.Context, tree *config.Tree, o SetUpOptions) (changed string, diags diag.List) {
	block, diags := d.configured(ctx, tree)
	if diags.HasErrors() {
		return "", diags
	}
	place, more := d.completed(block, o.Arguments)
	if diags = diags.With(more); more.HasErrors() {
		return "", diags
	}
	old, err := d.initialised()
	if err != nil {
		return "", diags.Append(diag.Err("Failed to read what init set up", err.Error()).By(diag.Operator))
	}
	settled := same(old.Place, place) && (place == nil || !o.Reconfigure)
	if settled || len(o.Arguments) == 0 && !o.Reconfigure && old.Place != nil && old.differs(block) == "" {
		return "", diags
	}
	if place != nil {
		_, more := d.open(ctx, *place, StatePaths{}, d.crypt.State())
		if diags = diags.With(atPlace(tree, more)); more.HasErrors() {
			return "", diags
		}
	}
	if !o.Reconfigure {
		if diags = diags.With(d.take(ctx, old.Place, place, o)); diags.HasErrors() {
			return "", diags
		}
	}
	if diags = diags.With(d.begin(ctx, place)); diags.HasErrors() {
		return "", diags
	}
	if err := d.remember(place, block); err != nil {
		return "", diags.Append(diag.Err("Failed to remember the backend", err.Error()).By(diag.Operator))
	}
	if place == nil {
		d.S.Print("\nSuccessfully unset the %s. The state is kept in the default place from\nnow on.\n", old.Place)
		return "", diags
	}
	return place.String(), diags
}

// begin makes the default workspace of a state store, where it is one among others.
func (d *Dir) begin(ctx context.Context, p *Place) diag.List {
	if p == nil || p.Keeper == nil {
		return nil
	}
	b, diags := d.open(ctx, *p, StatePaths{}, d.crypt.State())
	if diags.HasErrors() {
		return diags
	}
	return b.Create(ctx, backend.DefaultWorkspace)
}

func same(a, b *Place) bool {
	if a == nil || b == nil {
		return a == b
	}
	return a.Type == b.Type && a.Keeper.same(b.Keeper) && a.Args.Equal(b.Args)
}

// completed is the block with the arguments of -backend-config.
func (d *Dir) completed(block *Place, arguments []string) (*Place, diag.List) {
	if block == nil || block.Keeper != nil {
		if len(arguments) == 0 {
			return block, nil
		}
		return block, diag.List{diag.Warn("Missing backend configuration", "The option -backend-config completes a backend block, and the configuration has none. It is ignored.")}
	}
	place := &Place{Type: block.Type, Args: maps.Clone(block.Args)}
	var diags diag.List
	for _, a := range arguments {
		diags = diags.With(d.argument(kindOf(place.Type), a, place.Args))
	}
	return place, diags
}

// argument reads one -backend-config into args: NAME=VALUE, a file of arguments, or
// nothing, as scripts have it whose variable is empty.
func (d *Dir) argument(k *kind, text string, args backend.Arguments) diag.List {
	name, v, single := strings.Cut(text, "=")
	switch {
	case text == "":
		return nil
	case !single:
		return d.argumentFile(k, text, args)
	}
	name = strings.TrimSpace(name)
	a := k.argument(name)
	if a == nil {
		return diag.List{noArgument(k, name)}
	}
	given, diags := fromText(a, v)
	if diags.HasErrors() {
		return diags
	}
	return set(a, given, args)
}

func noArgument(k *kind, name string) diag.Diag {
	return diag.Err("Invalid backend configuration argument", "The backend \""+k.name+"\" has no argument \""+name+"\".").By(diag.Operator)
}

// set gives an argument a value; null takes the one away that it has.
func set(a *backend.Argument, v cty.Value, args backend.Arguments) diag.List {
	v, missing, why := fit(a, v)
	switch {
	case why != "":
		return diag.List{diag.Err("Invalid backend argument", why).By(diag.Operator)}
	case missing:
		delete(args, a.Name)
	default:
		args[a.Name] = v
	}
	return nil
}

// argumentFile reads a file of arguments, and makes it known to the session.
func (d *Dir) argumentFile(k *kind, name string, args backend.Arguments) diag.List {
	src, err := os.ReadFile(name)
	if err != nil {
		return diag.List{diag.Err("Failed to read file", "The option -backend-config takes NAME=VALUE or a file of arguments: "+err.Error()+".").By(diag.Operator)}
	}
	d.S.AddSources(map[string][]byte{name: src})
	f, hd := config.Parse(name, src)
	if hd.HasErrors() {
		return hcldiag.List(hd)
	}
	attrs, hd := f.Body.JustAttributes()
	diags := hcldiag.List(hd)
	for _, name := range slices.Sorted(maps.Keys(attrs)) {
		a, at := k.argument(name), hcldiag.RangeOf(attrs[name].Range)
		if a == nil {
			diags = diags.Append(noArgument(k, name).At(at))
			continue
		}
		v, hd := attrs[name].Expr.Value(nil)
		if diags = diags.With(hcldiag.List(hd)); hd.HasErrors() {
			continue
		}
		for _, d := range set(a, v, args) {
			diags = diags.Append(d.At(at))
		}
	}
	return diags
}

// Unmanaged are the providers that are not ours to install.
func (d *Dir) Unmanaged() map[addr.Provider]bool {
	out := map[addr.Provider]bool{}
	for p := range d.Settings.DevOverrides {
		out[p] = true
	}
	for _, a := range d.attached() {
		out[a.Provider] = true
	}
	return out
}
