package workdir

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/plumb-iac/plumb/config"
	"github.com/plumb-iac/plumb/diag"
	"github.com/plumb-iac/plumb/internal/backend"
	"github.com/plumb-iac/plumb/internal/backend/local"
	"github.com/plumb-iac/plumb/internal/encryption"
	"github.com/plumb-iac/plumb/internal/settings"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/convert"
)

// Place is a backend block's type with its arguments as strings; an argument
// that is not set is absent.
type Place struct {
	Type string
	Args map[string]string
}

// backendArgs are the arguments of the backends that there are.
var backendArgs = map[string][]string{"local": {"path", "workspace_dir"}}

// emptyArgs are the summaries for arguments that may not be the empty string.
var emptyArgs = map[string]string{
	"path":          "Invalid local state file path",
	"workspace_dir": "Invalid local workspace directory path",
}

// removedBackends existed once.
var removedBackends = []string{"artifactory", "atlas", "etcd", "etcdv3", "manta", "swift"}

// otherBackends are those of the family that plumb has not.
var otherBackends = []string{"azurerm", "consul", "cos", "gcs", "http", "inmem", "kubernetes", "oci", "oss", "pg", "remote", "s3"}

// backend is where states are kept: what init set up.
func (d *Dir) backend(tree *config.Tree, paths StatePaths) (backend.Backend, diag.List) {
	if tree == nil {
		var diags diag.List
		if tree, diags = d.Config(ConfigOptions{RootOnly: true}); diags.HasErrors() {
			return nil, diags
		}
	}
	place, diags := d.configured(tree)
	if diags.HasErrors() {
		return nil, diags
	}
	stored, err := d.initialised()
	if err != nil {
		return nil, diags.Append(diag.Err("Failed to read what init set up", err.Error()).By(diag.Operator))
	}
	if why := stored.differs(place); why != "" {
		return nil, diags.Append(reinit(why))
	}
	if stored.Place == nil {
		stored.Place = &Place{Type: "local"}
	}
	return d.open(*stored.Place, paths, d.crypt.State()), diags
}

// open makes the backend of a place, whose states are encrypted as said.
func (d *Dir) open(p Place, paths StatePaths, how *encryption.Target) backend.Backend {
	return local.New(local.Options{
		Path: p.Args["path"], WorkspaceDir: p.Args["workspace_dir"],
		State: paths.State, Out: paths.StateOut, Backup: paths.Backup, Version: d.S.Language,
		Encryption: how,
	})
}

func reinit(why string) diag.Diag {
	return diag.Err("Backend initialization required, please run \"plumb init\"",
		"Reason: "+why+"\n\nThe backend block says where the state is kept. It has to be set up by init before it is used, so that a state that is kept elsewhere now can be taken along: run \"plumb init\" with -migrate-state to copy it, or with -reconfigure to leave it where it is. Nothing was changed so far.").By(diag.Operator)
}

// configured is the backend block of the configuration; nil where there is none.
func (d *Dir) configured(tree *config.Tree) (*Place, diag.List) {
	diags := d.encrypt(tree)
	if diags.HasErrors() {
		return nil, diags
	}
	root := tree.Root.Settings
	if root.Cloud != nil {
		return nil, diag.List{diag.Err("Remote runs are not available", "This version of plumb does not run in a cloud service: remove the cloud block, or use a backend block.").At(root.Cloud.Range)}
	}
	if root.Backend == nil {
		return nil, diags
	}
	if d.Dialect.Yes(settings.EarlyBackend) {
		if diags = diags.With(d.gather()); diags.HasErrors() {
			return nil, diags
		}
	}
	place, more := d.evaluatePlace(tree, root.Backend)
	return place, diags.With(more)
}

func (d *Dir) evaluatePlace(tree *config.Tree, b *config.Backend) (*Place, diag.List) {
	names, known := backendArgs[b.Type]
	if !known {
		return nil, diag.List{unsupported(b)}
	}
	schema := &hcl.BodySchema{}
	for _, n := range names {
		schema.Attributes = append(schema.Attributes, hcl.AttributeSchema{Name: n})
	}
	content, hd := b.Config.Content(schema)
	diags := config.Diagnostics(hd)
	fail := func(attr *hcl.Attribute, summary, detail string) {
		diags = diags.Append(diag.Err(summary, detail).At(config.RangeOf(attr.Expr.Range())))
	}
	place := &Place{Type: b.Type, Args: map[string]string{}}
	for _, n := range names {
		attr := content.Attributes[n]
		if attr == nil {
			continue
		}
		v, more := d.evaluate(tree, b, attr.Expr)
		diags = diags.With(more)
		if more.HasErrors() {
			continue
		}
		text, err := convert.Convert(v, cty.String)
		if err != nil || !text.IsKnown() {
			fail(attr, "Incorrect attribute value type", "The argument \""+n+"\" of the backend has to be a string.")
			continue
		}
		if text.IsNull() {
			continue
		}
		place.Args[n] = text.AsString()
		if summary := emptyArgs[n]; summary != "" && place.Args[n] == "" {
			fail(attr, summary, fmt.Sprintf("The %q attribute value must not be empty.", n))
		}
	}
	return place, diags
}

func unsupported(b *config.Backend) diag.Diag {
	switch {
	case slices.Contains(removedBackends, b.Type):
		return diag.Err("Backend type has been removed", fmt.Sprintf("The backend %q existed in old versions of the family and was removed from all of them. Move the state with an old version first.", b.Type)).At(b.TypeRange)
	case slices.Contains(otherBackends, b.Type):
		return diag.Err("Unsupported backend type", fmt.Sprintf("This version of plumb cannot keep states in the backend %q. It has the backend \"local\".", b.Type)).At(b.TypeRange)
	}
	return diag.Err("Unsupported backend type", fmt.Sprintf("There is no backend type named %q. This version of plumb has the backend \"local\".", b.Type)).At(b.TypeRange)
}

// CheckBackend refuses a backend that nobody has. A backend of others is no
// mistake in the configuration: validating does not need it.
func (d *Dir) CheckBackend(tree *config.Tree) diag.List {
	b := tree.Root.Settings.Backend
	if b == nil || backendArgs[b.Type] != nil || slices.Contains(otherBackends, b.Type) || !d.Dialect.Yes(settings.ValidateStrict) {
		return nil
	}
	return diag.List{unsupported(b)}
}

// evaluate gives an argument of a backend block its value: a constant, or in the
// dialect that allows it whatever is known this early.
func (d *Dir) evaluate(tree *config.Tree, b *config.Backend, e hcl.Expression) (cty.Value, diag.List) {
	if !d.Dialect.Yes(settings.EarlyBackend) {
		v, hd := e.Value(nil)
		return v, config.Diagnostics(hd)
	}
	v, diags := tree.Early(e, d.loadOptions())
	if secret := config.Secret(v, "", b.Range); secret != nil {
		word, _, _ := strings.Cut(secret.Summary, " ")
		return v, diags.Append(diag.Err("Backend config contains "+strings.ToLower(word)+" values",
			"What a backend block says is written into the data directory and into plan files. Give such values with -backend-config or with the backend's environment variables.").At(b.Range))
	}
	return v, diags
}
