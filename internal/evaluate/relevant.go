package evaluate

import (
	"github.com/hashicorp/hcl/v2"
	"github.com/plumb-iac/plumb/addr"
	"github.com/plumb-iac/plumb/internal/lang"
	"github.com/plumb-iac/plumb/schema"
	"github.com/zclconf/go-cty/cty"
)

// Attr is an attribute of a resource, or of one instance where Key says so.
type Attr struct {
	Resource addr.AbsInstance
	Path     cty.Path
}

// Relevance collects the resource attributes that contribute to sites,
// through variables, locals and outputs.
type Relevance struct {
	run  *Run
	seen map[visit]bool
	had  map[string]bool
	Out  []Attr
}

// visit is a site in a module instance; arg tells a variable's argument.
type visit struct {
	site, mi int
}

// NewRelevance starts a collection.
func NewRelevance(r *Run) *Relevance {
	return &Relevance{run: r, seen: map[visit]bool{}, had: map[string]bool{}}
}

// Add follows what a site refers to in a module instance.
func (c *Relevance) Add(s *Site, mi int) {
	if c.seen[visit{s.ID, mi}] {
		return
	}
	c.seen[visit{s.ID, mi}] = true
	if s.Kind == Variable {
		if s.Module.Parent != nil && mi < len(c.run.modules[s.Module.ID]) {
			c.follow(s.Variable.argLinks, s.Module.Parent, c.run.modules[s.Module.ID][mi].Parent)
		}
		return
	}
	c.follow(s.links, s.Module, mi)
}

func (c *Relevance) follow(links []link, m *Module, mi int) {
	for _, l := range links {
		switch {
		case l.aside || l.site == nil:
		case l.ref.Kind == lang.RefVar || l.ref.Kind == lang.RefLocal:
			c.Add(l.site, mi)
		case l.ref.Kind == lang.RefModule:
			c.module(l, mi)
		case l.ref.Kind == lang.RefResource:
			c.resource(l, m, mi)
		}
	}
}

// module follows the outputs of the instances of a call that a reference means.
func (c *Relevance) module(l link, mi int) {
	call := l.site.Call
	if call.Module == nil || c.run.keys[l.site.ID] == nil || mi >= len(c.run.keys[l.site.ID]) {
		return
	}
	child := c.run.starts[l.site.ID][mi]
	for key := range c.run.keys[l.site.ID][mi].All() {
		if !l.ref.HasKey || l.ref.Key == key {
			for _, o := range outputsOf(l) {
				c.Add(o, child)
			}
		}
		child++
	}
}

func (c *Relevance) resource(l link, m *Module, mi int) {
	a := Attr{Resource: addr.AbsInstance{Module: c.run.modules[m.ID][mi].Addr, Resource: l.ref.Resource}}
	if l.ref.HasKey {
		a.Resource.Key = l.ref.Key
	}
	if l.site.Resource != nil && l.site.Resource.Schema != nil {
		a.Path = schemaPath(l.ref.Remaining, l.site.Resource.Schema.Block)
	}
	id := a.Resource.String()
	for _, step := range a.Path {
		if get, ok := step.(cty.GetAttrStep); ok {
			id += "." + get.Name
		}
	}
	if !c.had[id] {
		c.had[id] = true
		c.Out = append(c.Out, a)
	}
}

// schemaPath is the part of a reference that leads through blocks to an
// attribute.
func schemaPath(t hcl.Traversal, b *schema.Block) cty.Path {
	var path cty.Path
	for _, step := range t {
		get, ok := step.(hcl.TraverseAttr)
		if !ok {
			return path
		}
		path = path.GetAttr(get.Name)
		n := b.Blocks[get.Name]
		if n == nil || n.Nesting != schema.Single && n.Nesting != schema.Group {
			return path
		}
		b = n.Block
	}
	return path
}
