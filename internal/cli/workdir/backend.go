package workdir

import (
	"context"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/plumb-iac/plumb/config"
	"github.com/plumb-iac/plumb/diag"
	"github.com/plumb-iac/plumb/internal/backend"
	"github.com/plumb-iac/plumb/internal/hcldiag"
	"github.com/plumb-iac/plumb/internal/settings"
	"github.com/zclconf/go-cty/cty"
)

// backend is where states are kept: what init set up.
func (d *Dir) backend(ctx context.Context, tree *config.Tree, paths StatePaths) (backend.Backend, diag.List) {
	if tree == nil {
		var diags diag.List
		if tree, diags = d.Config(ConfigOptions{RootOnly: true, AnyVersion: paths.Looks}); diags.HasErrors() {
			return nil, diags
		}
	}
	place, diags := d.configured(ctx, tree)
	if diags.HasErrors() {
		return nil, diags
	}
	stored, err := d.initialised()
	if err != nil {
		return nil, diags.Append(diag.Err("Failed to read what init set up", err.Error()).By(diag.Operator))
	}
	if why := stored.differs(place); why != "" {
		return nil, diags.Append(reinit(place, why))
	}
	if stored.Place == nil {
		stored.Place = &Place{Type: "local"}
	}
	b, more := d.open(ctx, *stored.Place, paths, d.crypt.State())
	return b, diags.With(atPlace(tree, more))
}

// at gives diagnostics a place.
func at(diags diag.List, r diag.Range) diag.List {
	for i := range diags {
		diags[i] = diags[i].At(r)
	}
	return diags
}

// atPlace puts diagnostics at the block that says where the state is kept.
func atPlace(tree *config.Tree, diags diag.List) diag.List {
	if block := tree.Root.Settings.Keeping(); block != nil {
		return at(diags, *block)
	}
	return diags
}

func reinit(block *Place, why string) diag.Diag {
	summary := "Backend initialization required, please run \"plumb init\""
	if block != nil && block.Keeper != nil {
		summary = "State store initialization required, please run \"plumb init\""
	}
	return diag.Err(summary,
		"Reason: "+why+"\n\nThe backend block, or that of a state store, says where the state is kept. It has to be set up by init before it is used, so that a state that is kept elsewhere now can be taken along: run \"plumb init\" with -migrate-state to copy it, or with -reconfigure to leave it where it is. Nothing was changed so far.").By(diag.Operator)
}

// configured is the place that the configuration names; nil where it names none.
func (d *Dir) configured(ctx context.Context, tree *config.Tree) (*Place, diag.List) {
	diags := d.encrypt(tree)
	if diags.HasErrors() {
		return nil, diags
	}
	root := tree.Root.Settings
	if root.Cloud != nil {
		return nil, diag.List{diag.Err("Remote runs are not available", "This version of plumb does not run in a cloud service: remove the cloud block, or use a backend block.").At(root.Cloud.Range)}
	}
	if root.Store != nil {
		place, more := d.evaluateStore(ctx, tree, root.Store)
		return place, diags.With(more)
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
	k := kindOf(b.Type)
	if k == nil {
		return nil, diag.List{unsupported(b.Type).At(b.TypeRange)}
	}
	schema := &hcl.BodySchema{}
	for _, a := range k.arguments {
		schema.Attributes = append(schema.Attributes, hcl.AttributeSchema{Name: a.Name})
	}
	content, hd := b.Config.Content(schema)
	diags := hcldiag.List(hd)
	place := &Place{Type: b.Type, Args: backend.Arguments{}}
	for _, a := range k.arguments {
		attr := content.Attributes[a.Name]
		if attr == nil {
			continue
		}
		v, more := d.evaluate(tree, b, attr.Expr)
		diags = diags.With(more)
		if more.HasErrors() {
			continue
		}
		v, missing, why := fit(&a, v)
		if why != "" {
			diags = diags.Append(diag.Err("Incorrect attribute value type", why).At(hcldiag.RangeOf(attr.Expr.Range())))
		} else if !missing {
			place.Args[a.Name] = v
		}
	}
	if k.check != nil {
		for _, m := range k.check(place.Args) {
			diags = diags.Append(diag.Err(m.Summary, m.Detail).At(hcldiag.RangeOf(content.Attributes[m.Argument].Expr.Range())))
		}
	}
	return place, diags
}

// CheckBackend refuses a backend that nobody has. A backend of others is no
// mistake in the configuration: validating does not need it.
func (d *Dir) CheckBackend(tree *config.Tree) diag.List {
	b := tree.Root.Settings.Backend
	if b == nil || kindOf(b.Type) != nil || slices.Contains(otherBackends, b.Type) || !d.Dialect.Yes(settings.ValidateStrict) {
		return nil
	}
	return diag.List{unsupported(b.Type).At(b.TypeRange)}
}

// evaluate gives an argument of a backend block its value: a constant, or in the
// dialect that allows it whatever is known this early.
func (d *Dir) evaluate(tree *config.Tree, b *config.Backend, e hcl.Expression) (cty.Value, diag.List) {
	if !d.Dialect.Yes(settings.EarlyBackend) {
		v, hd := e.Value(nil)
		return v, hcldiag.List(hd)
	}
	v, diags := tree.Early(e, d.loadOptions())
	if secret := config.Secret(v, "", b.Range); secret != nil {
		word, _, _ := strings.Cut(secret.Summary, " ")
		return v, diags.Append(diag.Err("Backend config contains "+strings.ToLower(word)+" values",
			"What a backend block says is written into the data directory and into plan files. Give such values with -backend-config or with the backend's environment variables.").At(b.Range))
	}
	return v, diags
}
