package workdir

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/plumb-iac/plumb/diag"
	"github.com/plumb-iac/plumb/internal/backend"
	"github.com/plumb-iac/plumb/internal/backend/http"
	"github.com/plumb-iac/plumb/internal/backend/local"
	"github.com/plumb-iac/plumb/internal/encryption"
	"github.com/plumb-iac/plumb/internal/hcldiag"
	"github.com/plumb-iac/plumb/value"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/convert"
)

// Place is where states are kept: the type of a backend with the values of its
// arguments, or of a state store with its provider.
type Place struct {
	Type string
	Args backend.Arguments
	// Keeper is the provider of a state store; nil for a backend.
	Keeper *Keeper
}

// String names the place for people.
func (p *Place) String() string {
	if p.Keeper != nil {
		return fmt.Sprintf("state store %q", p.Type)
	}
	return fmt.Sprintf("backend %q", p.Type)
}

// kind is a backend that there is.
type kind struct {
	name      string
	arguments []backend.Argument
	// check says what is wrong with the values that a block gives; nil for nothing.
	check func(backend.Arguments) []backend.Mistake
	// open makes the backend.
	open func(*Dir, backend.Arguments, StatePaths, backend.Form) (backend.Backend, []backend.Mistake)
}

// kinds are the rows of all backends.
func kinds() []kind {
	return []kind{
		{"local", local.Arguments(), local.Check, func(d *Dir, args backend.Arguments, paths StatePaths, form backend.Form) (backend.Backend, []backend.Mistake) {
			o := local.Options{
				Path: args.Text("path"), WorkspaceDir: args.Text("workspace_dir"),
				State: paths.State, Out: paths.StateOut, Backup: paths.Backup, Form: form,
			}
			if paths.BackupApart {
				o.Apart = d.S.Now().Unix()
			}
			return local.New(o), nil
		}},
		{"http", http.Arguments(), nil, func(d *Dir, args backend.Arguments, _ StatePaths, form backend.Form) (backend.Backend, []backend.Mistake) {
			return http.New(http.Options{Arguments: args, Env: d.S.Environment.Get, Dir: d.S.DataPath(""), Form: form})
		}},
	}
}

// kindOf is the row of a backend, nil for none.
func kindOf(name string) *kind {
	all := kinds()
	if i := slices.IndexFunc(all, func(k kind) bool { return k.name == name }); i >= 0 {
		return &all[i]
	}
	return nil
}

// available names the backends for people.
func available() string {
	var names []string
	for _, k := range kinds() {
		names = append(names, `"`+k.name+`"`)
	}
	return strings.Join(names, " and ")
}

// argument is the one with a name, nil for none.
func (k *kind) argument(name string) *backend.Argument {
	if i := slices.IndexFunc(k.arguments, func(a backend.Argument) bool { return a.Name == name }); i >= 0 {
		return &k.arguments[i]
	}
	return nil
}

// removedBackends existed in earlier versions of Terraform.
var removedBackends = []string{"artifactory", "atlas", "etcd", "etcdv3", "manta", "swift"}

// otherBackends are those of Terraform and OpenTofu that plumb does not have.
var otherBackends = []string{"azurerm", "consul", "cos", "gcs", "inmem", "kubernetes", "oci", "oss", "pg", "remote", "s3"}

func unsupported(name string) diag.Diag {
	switch {
	case slices.Contains(removedBackends, name):
		return diag.Err("Backend type has been removed", fmt.Sprintf("The backend %q existed in old versions of the family and was removed from all of them. Move the state with an old version first.", name))
	case slices.Contains(otherBackends, name):
		return diag.Err("Unsupported backend type", fmt.Sprintf("This version of plumb cannot keep states in the backend %q. It has the backends %s.", name, available()))
	}
	return diag.Err("Unsupported backend type", fmt.Sprintf("There is no backend type named %q. This version of plumb has the backends %s.", name, available()))
}

// fit converts a value to the type of an argument. missing says that there is
// none; why is what is wrong, "" for nothing.
func fit(a *backend.Argument, v cty.Value) (out cty.Value, missing bool, why string) {
	out, err := convert.Convert(v, a.Type)
	switch {
	case err != nil:
		return out, false, fmt.Sprintf("Inappropriate value for attribute %q: %s.", a.Name, value.ErrorText(err))
	case !out.IsWhollyKnown():
		return out, false, fmt.Sprintf("The value of the argument %q has to be known before anything is planned.", a.Name)
	}
	return out, out.IsNull(), ""
}

// fromText reads a value as it is given on the command line: a string as it is,
// what is no primitive as an expression.
func fromText(a *backend.Argument, text string) (cty.Value, diag.List) {
	if a.Type.IsPrimitiveType() {
		return cty.StringVal(text), nil
	}
	e, hd := hclsyntax.ParseExpression([]byte(text), "-backend-config="+a.Name, hcl.InitialPos)
	if hd.HasErrors() {
		return cty.NilVal, hcldiag.List(hd)
	}
	v, hd := e.Value(nil)
	return v, hcldiag.List(hd)
}

func (d *Dir) form(how *encryption.Target) backend.Form {
	return backend.Form{Version: d.S.Language, Encryption: how}
}

// open makes the backend of a place, whose states are encrypted as said.
func (d *Dir) open(ctx context.Context, p Place, paths StatePaths, how *encryption.Target) (backend.Backend, diag.List) {
	k := kindOf(p.Type)
	if k == nil && p.Keeper == nil {
		return nil, diag.List{unsupported(p.Type).By(diag.Operator)}
	}
	if p.Keeper != nil || p.Type != "local" {
		switch {
		case paths.FileMeant && paths.State+paths.StateOut != "":
			return d.open(ctx, Place{Type: "local"}, paths, how)
		case paths.State+paths.StateOut != "" || paths.Backup != "" && paths.Backup != "-":
			return nil, diag.List{diag.Err("The state is not kept in a file", fmt.Sprintf("The options -state, -state-out and -backup are about files, and the state is kept in the %s. Leave them out to use it.", &p)).By(diag.Operator)}
		}
	}
	if p.Keeper != nil {
		return d.openStore(ctx, p, d.form(how))
	}
	b, mistakes := k.open(d, p.Args, paths, d.form(how))
	if len(mistakes) > 0 {
		return nil, told(mistakes)
	}
	return b, nil
}

// told are mistakes as diagnostics without a place.
func told(mistakes []backend.Mistake) diag.List {
	var diags diag.List
	for _, m := range mistakes {
		diags = diags.Append(diag.Err(m.Summary, m.Detail).By(diag.Operator))
	}
	return diags
}

// stateOf is the state of a workspace, refused where there can be no other than
// the default one.
func stateOf(b backend.Backend, workspace string) (backend.Store, diag.List) {
	if workspace != backend.DefaultWorkspace && !b.Multiple() {
		return nil, diag.List{diag.Err("Workspaces not supported",
			fmt.Sprintf("The workspace %q is selected, and the configured backend keeps one state, that of the workspace \"default\". Select that one (\"plumb workspace select default\", or unset TF_WORKSPACE), or give each workspace a backend configuration of its own.", workspace)).By(diag.Operator)}
	}
	return b.Store(workspace), nil
}
