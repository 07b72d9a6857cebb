package workdir

import (
	"context"
	"fmt"

	"github.com/google/uuid"
	"github.com/plumb-iac/plumb/addr"
	"github.com/plumb-iac/plumb/diag"
	"github.com/plumb-iac/plumb/internal/backend"
	"github.com/plumb-iac/plumb/internal/settings"
	"github.com/plumb-iac/plumb/provider/builtin"
	"github.com/zclconf/go-cty/cty"
)

// builtinOptions are what the built-in provider needs of the outside.
func (d *Dir) builtinOptions() builtin.Options {
	return builtin.Options{
		NewID: uuid.NewString, RemoteState: d.remoteState, CheckBackend: checkBackend,
		WithoutStore: !d.Dialect.Yes(settings.DataStore), EmptiedLater: d.Dialect.Yes(settings.NullInputUnknown),
	}
}

// remoteNames are what the encryption block may call a data source: with the keys
// of its instance, else without.
func remoteNames(at addr.AbsInstance) []string {
	with, without := "", ""
	for _, s := range at.Module.Steps() {
		with += s.Name + s.Key.String() + "."
		without += s.Name + "."
	}
	return []string{with + at.Resource.Name + at.Key.String(), without + at.Resource.Name}
}

// checkBackend judges a terraform_remote_state block before it is read.
func checkBackend(name string, config cty.Value) diag.List {
	_, diags := givenPlace(name, config)
	return diags
}

// givenPlace is the place that a terraform_remote_state block names. What is not
// known yet is left out.
func givenPlace(name string, config cty.Value) (Place, diag.List) {
	place := Place{Type: name, Args: backend.Arguments{}}
	wrong := func(attribute, detail string) diag.Diag {
		d := diag.Err("Invalid backend configuration", detail)
		d.Path = cty.GetAttrPath(attribute)
		return d
	}
	k := kindOf(name)
	if k == nil {
		return place, diag.List{wrong("backend", fmt.Sprintf("There is no backend type named %q in this version of plumb. It has %s.", name, available()))}
	}
	if config.IsNull() || !config.IsKnown() || !config.CanIterateElements() {
		return place, nil
	}
	var diags diag.List
	for it := config.ElementIterator(); it.Next(); {
		key, v := it.Element()
		if !key.IsKnown() || key.IsNull() {
			continue
		}
		a := k.argument(key.AsString())
		if a == nil {
			diags = diags.Append(wrong("config", fmt.Sprintf("The backend %q has no argument %q.", name, key.AsString())))
			continue
		}
		if !v.IsWhollyKnown() {
			continue
		}
		fitting, missing, why := fit(a, v)
		if why != "" {
			diags = diags.Append(wrong("config", why))
		} else if !missing {
			place.Args[a.Name] = fitting
		}
	}
	return place, diags
}

// remoteState gives the outputs of the state of another configuration.
func (d *Dir) remoteState(ctx context.Context, at addr.AbsInstance, name, workspace string, config cty.Value) (map[string]cty.Value, diag.List) {
	place, diags := givenPlace(name, config)
	if diags.HasErrors() {
		return nil, diags
	}
	if workspace == "" {
		workspace = backend.DefaultWorkspace
	}
	b, diags := d.open(ctx, place, StatePaths{}, d.crypt.RemoteState(remoteNames(at)...))
	if diags.HasErrors() {
		return nil, diags
	}
	store, diags := stateOf(b, workspace)
	if diags.HasErrors() {
		return nil, diags
	}
	return backend.Outputs(ctx, store)
}
