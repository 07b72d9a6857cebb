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
	"github.com/zclconf/go-cty/cty/convert"
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
	known, exists := backendArgs[name]
	if !exists {
		d := diag.Err("Invalid backend configuration", fmt.Sprintf("There is no backend type named %q in this version of plumb.", name))
		d.Path = cty.GetAttrPath("backend")
		return diag.List{d}
	}
	if config.IsNull() || !config.IsKnown() || !config.CanIterateElements() {
		return nil
	}
	allowed := map[string]bool{}
	for _, n := range known {
		allowed[n] = true
	}
	var diags diag.List
	for it := config.ElementIterator(); it.Next(); {
		k, _ := it.Element()
		if k.IsKnown() && !k.IsNull() && !allowed[k.AsString()] {
			d := diag.Err("Invalid backend configuration", fmt.Sprintf("The backend %q has no argument %q.", name, k.AsString()))
			d.Path = cty.GetAttrPath("config")
			diags = diags.Append(d)
		}
	}
	return diags
}

// remoteState gives the outputs of the state of another configuration.
func (d *Dir) remoteState(ctx context.Context, at addr.AbsInstance, name, workspace string, config cty.Value) (map[string]cty.Value, diag.List) {
	if diags := checkBackend(name, config); diags.HasErrors() {
		return nil, diags
	}
	place := Place{Type: name, Args: map[string]string{}}
	if !config.IsNull() && config.CanIterateElements() {
		for it := config.ElementIterator(); it.Next(); {
			k, v := it.Element()
			text, err := convert.Convert(v, cty.String)
			if err != nil {
				return nil, diag.List{diag.Err("Invalid backend configuration", "The argument \""+k.AsString()+"\" has to be a string.")}
			}
			if !text.IsNull() {
				place.Args[k.AsString()] = text.AsString()
			}
		}
	}
	if workspace == "" {
		workspace = backend.DefaultWorkspace
	}
	snapshot, diags := d.open(place, StatePaths{}, d.crypt.RemoteState(remoteNames(at)...)).Store(workspace).Read(ctx)
	if diags.HasErrors() || snapshot == nil {
		return nil, diags
	}
	out := map[string]cty.Value{}
	for n, o := range snapshot.Outputs() {
		out[n] = o.Value
	}
	return out, diags
}
