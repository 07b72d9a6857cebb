package config

import (
	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/plumb-iac/plumb/addr"
	"github.com/plumb-iac/plumb/internal/hcldiag"
)

func (d *decoder) move(b *hcl.Block, out *declared) {
	c := d.content(b.Body, schemaOf([]string{"!from", "!to"}))
	m := &Moved{Range: hcldiag.RangeOf(b.DefRange)}
	from, to := c.Attributes["from"], c.Attributes["to"]
	ok := from != nil && to != nil
	if from != nil {
		var good bool
		m.From, good = d.endpoint(from)
		ok = ok && good
	}
	if to != nil {
		var good bool
		m.To, good = d.endpoint(to)
		ok = ok && good
	}
	if !ok {
		return
	}
	if m.From.HasResource != m.To.HasResource {
		d.err(b.DefRange, `Invalid "moved" addresses`, "Either both addresses are of resources or both are of modules.")
		return
	}
	if d.override {
		d.err(b.DefRange, "Cannot override 'moved' blocks", "A moved block belongs into a normal file, not into an override file.")
		return
	}
	out.moved = append(out.moved, m)
}

func (d *decoder) remove(b *hcl.Block, out *declared) {
	c := d.content(b.Body, schemaOf([]string{"!from"}, block("lifecycle"), block("connection"), block("provisioner", "type")))
	r := &Removed{Destroy: !d.reading.RemovedForgets, Range: hcldiag.RangeOf(b.DefRange)}
	d.removedBlocks(c, r)
	if r.LifecycleRange == nil && d.reading.RemovedForgets {
		d.warn(b.DefRange, "Missing lifecycle from the removed block",
			"Without a lifecycle block the objects are forgotten, not destroyed. Say which is meant with lifecycle { destroy = false } or lifecycle { destroy = true }.")
	}
	a := c.Attributes["from"]
	if a == nil {
		return
	}
	var ok bool
	if r.From, ok = d.endpoint(a); !ok || !d.removable(r.From, a.Expr.Range()) {
		return
	}
	if d.override {
		d.err(b.DefRange, "Cannot override 'removed' blocks", "A removed block belongs into a normal file, not into an override file.")
		return
	}
	if !r.From.HasResource && len(r.Provisioners) > 0 {
		d.err(firstProvisioner(c).DefRange, "Invalid provisioner block", "Provisioners can only be in a removed block for a resource.")
		return
	}
	out.removed = append(out.removed, r)
}

// removable refuses addresses of single instances and of what is not managed.
func (d *decoder) removable(e MoveEndpoint, at hcl.Range) bool {
	if e.HasKey {
		d.err(at, "Resource instance keys not allowed", "A removed block is about all instances of a resource; leave the instance key out.")
		return false
	}
	for _, step := range e.Module.Steps() {
		if !step.Key.IsNone() {
			d.err(at, "Module instance keys not allowed", "A removed block is about all instances of a module; leave the instance key out.")
			return false
		}
	}
	if e.HasResource && e.Resource.Mode != addr.Managed {
		d.err(at, notRemovable(e.Resource.Mode), "Only managed resources and modules can be removed this way: nothing needs to be done when another kind of block goes.")
		return false
	}
	return true
}

func notRemovable(m addr.Mode) string {
	if m == addr.Data {
		return "Data source address not allowed"
	}
	return "Ephemeral resource address is not allowed"
}

func firstProvisioner(c *hcl.BodyContent) *hcl.Block {
	for _, b := range c.Blocks {
		if b.Type == "provisioner" {
			return b
		}
	}
	return nil
}

func (d *decoder) removedBlocks(c *hcl.BodyContent, r *Removed) {
	for _, b := range c.Blocks {
		switch b.Type {
		case "lifecycle":
			l := d.content(b.Body, schemaOf([]string{"destroy"}))
			at := hcldiag.RangeOf(b.DefRange)
			r.LifecycleRange = &at
			if destroy, set := d.flag(l, "destroy"); set {
				r.Destroy, r.DestroySet = destroy, true
			}
		case "connection":
			r.Connection = b.Body
			d.selfOnly(b.Body)
		case "provisioner":
			p := d.provisioner(b)
			if !p.Destroy {
				d.err(b.DefRange, "Invalid provisioner block", "Only provisioners with when = destroy can be in a removed block.")
				continue
			}
			d.destroySafe(p)
			r.Provisioners = append(r.Provisioners, p)
		}
	}
}

func (d *decoder) importing(b *hcl.Block, out *declared) {
	c := d.content(b.Body, schemaOf([]string{"!to", "id", "identity", "for_each", "provider"}))
	i := &Import{
		To: expr(c, "to"), ID: expr(c, "id"), Identity: expr(c, "identity"), ForEach: expr(c, "for_each"),
		Range: hcldiag.RangeOf(b.DefRange),
	}
	if d.override {
		d.err(b.DefRange, "Cannot override 'import' blocks", "An import block belongs into a normal file, not into an override file.")
		return
	}
	if !d.root && d.reading.RootImports {
		d.err(b.DefRange, "Invalid import configuration", "Import blocks belong into the root module: a called module must not decide which objects it takes over.")
		return
	}
	switch {
	case i.ID == nil && i.Identity == nil:
		d.err(b.DefRange, "Invalid import block", "At least one of 'id' or 'identity' must be specified.")
	case i.ID != nil && i.Identity != nil:
		d.err(b.DefRange, "Invalid import block", "Only one of 'id' or 'identity' can be specified.")
	}
	if a, ok := c.Attributes["provider"]; ok {
		i.Provider, i.ProviderSet = d.providerRef(a.Expr)
	}
	a, ok := c.Attributes["to"]
	if ok {
		i.To = d.reference(i.To)
	}
	if !ok || !d.importTarget(a, i) || i.ID == nil && i.Identity == nil {
		return
	}
	out.imports = append(out.imports, i)
}

// importTarget finds the resource that an import block is for; keys of
// instances may be expressions.
func (d *decoder) importTarget(a *hcl.Attribute, i *Import) bool {
	t, ok := d.keyless(i.To)
	if !ok {
		return false
	}
	target, ok := d.target(t)
	if !ok {
		return false
	}
	if !target.HasResource {
		d.err(a.Expr.Range(), "Invalid import address", "The target of an import is a resource instance, not a module.")
		return false
	}
	if target.Resource.Mode != addr.Managed {
		d.err(a.Range, "Invalid import address", "Only managed resources can be imported.")
		return false
	}
	i.Resource = addr.ConfigResource{Module: target.Module.Module(), Resource: target.Resource}
	i.text, i.static = target.String(), isStatic(i.To)
	return true
}

func isStatic(e hcl.Expression) bool {
	_, diags := hcl.AbsTraversalForExpr(e)
	return !diags.HasErrors()
}

// keyless is the traversal of a reference without the keys that have to be
// evaluated.
func (d *decoder) keyless(e hcl.Expression) (hcl.Traversal, bool) {
	switch n := e.(type) {
	case *hclsyntax.IndexExpr:
		return d.keyless(n.Collection)
	case *hclsyntax.RelativeTraversalExpr:
		t, ok := d.keyless(n.Source)
		return append(t[:len(t):len(t)], n.Traversal...), ok
	}
	t, diags := hcl.AbsTraversalForExpr(e)
	d.hcl(diags)
	return t, !diags.HasErrors()
}
