package config

import (
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/plumb-iac/plumb/addr"
	"github.com/plumb-iac/plumb/internal/hcldiag"
)

func (d *decoder) managed(b *hcl.Block, out *declared)   { d.resource(b, addr.Managed, out) }
func (d *decoder) data(b *hcl.Block, out *declared)      { d.resource(b, addr.Data, out) }
func (d *decoder) ephemeral(b *hcl.Block, out *declared) { d.resource(b, addr.Ephemeral, out) }

func (d *decoder) resource(b *hcl.Block, mode addr.Mode, out *declared) {
	blocks := []hcl.BlockHeaderSchema{block("lifecycle"), block("locals")}
	if mode == addr.Managed {
		blocks = append(blocks, block("connection"), block("provisioner", "type"))
	}
	c, rest := d.partial(b.Body, schemaOf([]string{"count", "for_each", "depends_on", "provider"}, blocks...))
	r := d.newResource(b, mode, c, rest)
	if r == nil {
		return
	}
	d.resourceBlocks(c, r)
	d.escapes(rest)
	d.repetition(c, r.Enabled, "objects")
	d.destroyReferences(r)
	out.resources = append(out.resources, r)
}

// modeWord is what messages call a resource of a mode.
func modeWord(m addr.Mode) string {
	switch m {
	case addr.Data:
		return "data source"
	case addr.Ephemeral:
		return "ephemeral resource"
	case addr.List:
		return "list"
	}
	return "resource"
}

func (d *decoder) newResource(b *hcl.Block, mode addr.Mode, c *hcl.BodyContent, rest hcl.Body) *Resource {
	r := &Resource{
		Addr: addr.Resource{Mode: mode, Type: b.Labels[0], Name: b.Labels[1]}, Config: rest,
		Count: expr(c, "count"), ForEach: expr(c, "for_each"), DependsOn: d.dependsOn(c),
		Range: hcldiag.RangeOf(b.DefRange), TypeRange: hcldiag.RangeOf(b.LabelRanges[0]),
		Lifecycle: Lifecycle{Destroy: true},
	}
	typed := d.name(r.Addr.Type, b.LabelRanges[0], "Invalid "+modeWord(mode)+" type name")
	if named := d.name(r.Addr.Name, b.LabelRanges[1], "Invalid "+modeWord(mode)+" name"); !typed || !named {
		return nil
	}
	d.resourceProvider(c, r)
	return r
}

// resourceProvider reads the provider argument, or takes what the type says.
func (d *decoder) resourceProvider(c *hcl.BodyContent, r *Resource) {
	r.Provider.Name = ImpliedProviderName(r.Addr.Type)
	r.Provider.Range = r.TypeRange
	a, ok := c.Attributes["provider"]
	if !ok {
		return
	}
	if ref, ok := d.providerRef(a.Expr); ok {
		r.Provider, r.ProviderSet = ref, true
	}
}

// ImpliedProviderName is the local name of the provider that a resource type
// belongs to when nothing else is said.
func ImpliedProviderName(resourceType string) string {
	name, _, _ := strings.Cut(resourceType, "_")
	return name
}

func (d *decoder) resourceBlocks(c *hcl.BodyContent, r *Resource) {
	var lifecycle, connection *hcl.Block
	for _, b := range c.Blocks {
		switch b.Type {
		case "lifecycle":
			if d.once("resource", b, lifecycle) {
				lifecycle = b
				d.lifecycle(b, r)
			}
		case "connection":
			if d.once("resource", b, connection) {
				connection = b
				r.Connection = b.Body
			}
		case "provisioner":
			if p := d.provisioner(b); p != nil {
				r.Provisioners = append(r.Provisioners, p)
			}
		default:
			d.reservedBlock("resource", b)
		}
	}
}

// once refuses a second block of a type in what is a resource or the like.
func (d *decoder) once(what string, b, first *hcl.Block) bool {
	if first == nil {
		return true
	}
	d.err(b.DefRange, "Duplicate "+b.Type+" block", "This "+what+" already has a "+b.Type+" block at "+hcldiag.RangeOf(first.DefRange).String()+".")
	return false
}

func (d *decoder) provisioner(b *hcl.Block) *Provisioner {
	c, rest := d.partial(b.Body, schemaOf([]string{"when", "on_failure"}, block("connection"), block("lifecycle")))
	p := &Provisioner{Type: b.Labels[0], Config: rest, Range: hcldiag.RangeOf(b.DefRange)}
	if goneProvisioners[p.Type] {
		d.err(b.LabelRanges[0], "The \""+p.Type+"\" provisioner has been removed", "It is no part of the language since Terraform 0.15. Run the tool that it stands for with local-exec or remote-exec, or from outside.")
	}
	if a, ok := c.Attributes["when"]; ok {
		p.Destroy = d.keyword(a, "create", "destroy") == "destroy"
	}
	if a, ok := c.Attributes["on_failure"]; ok {
		p.Continue = d.keyword(a, "continue", "fail") == "continue"
	}
	var connection *hcl.Block
	for _, inner := range c.Blocks {
		switch {
		case inner.Type == "lifecycle":
			d.reservedBlock("provisioner", inner)
		case d.once("provisioner", inner, connection):
			connection, p.Connection = inner, inner.Body
		}
	}
	return p
}

// goneProvisioners are those that earlier versions of the language had.
var goneProvisioners = map[string]bool{"chef": true, "habitat": true, "puppet": true, "salt-masterless": true}

// keyword reads an argument that is one of some bare words, quoted or not.
func (d *decoder) keyword(a *hcl.Attribute, words ...string) string {
	got := hcl.ExprAsKeyword(a.Expr)
	if got == "" {
		if t, ok := d.quoted(a.Expr, "keywords"); ok && len(t) == 1 {
			got = t.RootName()
		}
	}
	if slices.Contains(words, got) {
		return got
	}
	d.err(a.Expr.Range(), "Invalid \""+a.Name+"\" keyword", "The \""+a.Name+"\" argument requires one of the following keywords: "+strings.Join(words, " or ")+".")
	return ""
}

// destroyReferences refuses references to other objects in what runs when the
// object goes: the others may be gone by then.
func (d *decoder) destroyReferences(r *Resource) {
	any := false
	for _, p := range r.Provisioners {
		if p.Destroy {
			any = true
			d.destroySafe(p)
		}
	}
	if any && r.Connection != nil {
		d.selfOnly(r.Connection)
	}
}

func (d *decoder) destroySafe(p *Provisioner) {
	d.selfOnly(p.Config)
	if p.Connection != nil {
		d.selfOnly(p.Connection)
	}
}

func (d *decoder) selfOnly(b hcl.Body) {
	for _, e := range bodyExpressions(b) {
		for _, t := range e.Variables() {
			if !ownReference(t) {
				d.err(e.Range(), "Invalid reference from destroy provisioner",
					"This refers to "+dotted(t)+". What runs when an object is destroyed can refer to the object itself only: self, count.index and each.key.\n\nOther objects may be gone by then, and waiting for them would make cycles with create_before_destroy.")
			}
		}
	}
}

// ownReference says whether a reference is to the object itself or to what
// never changes.
func ownReference(t hcl.Traversal) bool {
	switch t.RootName() {
	case "self", "path", "terraform", "tofu":
		return true
	case "count", "each":
		if len(t) > 1 {
			step, ok := t[1].(hcl.TraverseAttr)
			return ok && (step.Name == "index" || step.Name == "key")
		}
	}
	return false
}

// list decodes a list block of a query file.
func (d *decoder) list(b *hcl.Block, out *declared) {
	c := d.content(b.Body, schemaOf([]string{"count", "for_each", "depends_on", "!provider", "include_resource", "limit"}, block("config")))
	r := d.newResource(b, addr.List, c, hcl.EmptyBody())
	if r == nil {
		return
	}
	r.IncludeResource, r.Limit = expr(c, "include_resource"), expr(c, "limit")
	var config *hcl.Block
	for _, inner := range c.Blocks {
		if d.once("list", inner, config) {
			config, r.Config = inner, inner.Body
		}
	}
	d.repetition(c, nil, "lists")
	out.resources = append(out.resources, r)
}

// action decodes an action block.
func (d *decoder) action(b *hcl.Block, out *declared) {
	c := d.content(b.Body, schemaOf([]string{"count", "for_each", "provider"}, block("config")))
	a := &Action{
		Key: ActionKey{Type: b.Labels[0], Name: b.Labels[1]}, Config: hcl.EmptyBody(),
		Count: expr(c, "count"), ForEach: expr(c, "for_each"), Range: hcldiag.RangeOf(b.DefRange), TypeRange: hcldiag.RangeOf(b.LabelRanges[0]),
	}
	typed := d.name(a.Key.Type, b.LabelRanges[0], "Invalid action type name")
	if named := d.name(a.Key.Name, b.LabelRanges[1], "Invalid action name"); !typed || !named {
		return
	}
	a.Provider = ProviderRef{ProviderKey: ProviderKey{Name: ImpliedProviderName(a.Key.Type)}, Range: a.TypeRange}
	if p, ok := c.Attributes["provider"]; ok {
		if ref, ok := d.providerRef(p.Expr); ok {
			a.Provider, a.ProviderSet = ref, true
		}
	}
	var config *hcl.Block
	for _, inner := range c.Blocks {
		if d.once("action", inner, config) {
			config, a.Config = inner, inner.Body
		}
	}
	d.repetition(c, nil, "actions")
	out.actions = append(out.actions, a)
}

func (d *decoder) check(b *hcl.Block, out *declared) {
	if d.override {
		d.err(b.DefRange, "Can't override check blocks", "A check block belongs into a normal file, not into an override file.")
		return
	}
	c := d.content(b.Body, schemaOf(nil, block("data", "type", "name"), block("assert")))
	k := &Check{Name: b.Labels[0], Range: hcldiag.RangeOf(b.DefRange)}
	named := d.name(k.Name, b.LabelRanges[0], "Invalid check block name")
	for _, inner := range c.Blocks {
		if inner.Type == "assert" {
			found := len(d.diags)
			if a := d.condition(inner); !d.diags[found:].HasErrors() {
				k.Asserts = append(k.Asserts, a)
			}
			continue
		}
		if k.Data != nil {
			d.err(inner.DefRange, "Multiple data resource blocks", "A check block can hold one data block; this one has another at "+k.Data.Range.String()+".")
			continue
		}
		k.Data = d.checkData(inner, k.Name)
	}
	if len(k.Asserts) == 0 {
		d.err(b.DefRange, "Zero assert blocks", "A check block needs at least one assert block that can be used, or it checks nothing.")
	}
	if named {
		out.checks = append(out.checks, k)
	}
}

func (d *decoder) checkData(b *hcl.Block, check string) *Resource {
	c, rest := d.partial(b.Body, schemaOf([]string{"count", "for_each", "depends_on", "provider"}, block("lifecycle"), block("locals")))
	r := d.newResource(b, addr.Data, c, rest)
	if r == nil {
		return nil
	}
	r.Check, r.Count, r.ForEach = check, nil, nil
	for _, name := range []string{"count", "for_each"} {
		if a, ok := c.Attributes[name]; ok {
			d.err(a.NameRange, "Invalid \""+name+"\" attribute", "The data block inside a check block has exactly one instance.")
		}
	}
	for _, inner := range c.Blocks {
		if inner.Type == "lifecycle" {
			d.err(inner.DefRange, "Invalid lifecycle block", "The data block inside a check block has no lifecycle.")
			continue
		}
		d.reservedBlock("resource", inner)
	}
	return r
}
