package evaluate

import (
	"github.com/hashicorp/hcl/v2"
	"github.com/plumb-iac/plumb/addr"
	"github.com/plumb-iac/plumb/internal/lang"
	"github.com/plumb-iac/plumb/schema"
	"github.com/plumb-iac/plumb/value"
	"github.com/zclconf/go-cty/cty"
)

// Attr is an attribute of a resource, or of one instance where the address has
// a key.
type Attr struct {
	Resource addr.AbsInstance
	Path     cty.Path
	// Site declares the resource. SameKey says that the instance is meant that has
	// the reader's own key.
	Site    *Site
	SameKey bool
}

// Relevance collects the resource attributes that contribute to sites, through
// variables, locals, outputs and resources. It follows what is written, not
// what it evaluates to: a reference to a module call without a key leads to an
// address without that key.
type Relevance struct {
	seen  map[visit]bool
	had   map[string]bool
	whole bool
	// direct stops at resources.
	direct bool
	Out    []Attr
}

// place is a module with the keys by which it was reached.
type place struct {
	module *Module
	addr   addr.ModuleInstance
}

// visit is a site, or one attribute of it, at a place.
type visit struct {
	site int
	at   addr.ModuleInstance
	attr string
}

// NewRelevance starts a collection, of whole paths or of paths up to the
// attribute.
func NewRelevance(whole bool) *Relevance {
	return &Relevance{seen: map[visit]bool{}, had: map[string]bool{}, whole: whole}
}

// Direct are the resource attributes that some references of a site lead to in an
// instance of its module: through variables, locals and outputs, and not through
// other resources.
func Direct(s *Site, at addr.ModuleInstance, refs []lang.Ref) []Attr {
	c := NewRelevance(true)
	c.direct = true
	c.follow(s.linksOf(refs), place{s.Module, at}, s)
	return c.Out
}

// Add follows what a site refers to in an instance of its module.
func (c *Relevance) Add(s *Site, at addr.ModuleInstance) { c.site(s, place{s.Module, at}, "") }

func (c *Relevance) site(s *Site, p place, attr string) {
	if v := (visit{s.ID, p.addr, attr}); !c.seen[v] {
		c.seen[v] = true
		c.open(s, p, attr)
	}
}

func (c *Relevance) open(s *Site, p place, attr string) {
	switch {
	case s.Kind == Variable && s.Module.Parent == nil:
	case s.Kind == Variable:
		parent, _, _ := p.addr.Parent()
		c.follow(s.Variable.argLinks, place{s.Module.Parent, parent}, s.Module.Call)
	case attr != "":
		// What the configuration does not set, nothing in it contributes to.
		if b := s.Resource.Body; b != nil && b.Attribute(attr) != nil {
			c.follow(s.linksOf(b.Attribute(attr).Refs()), p, s)
		}
	default:
		c.follow(s.links, p, s)
	}
}

// linksOf are the links of a site for some of its references.
func (s *Site) linksOf(refs []lang.Ref) []link {
	var out []link
	for _, r := range refs {
		for _, l := range s.links {
			if l.ref.Full == r.Full && !l.aside {
				out = append(out, l)
				break
			}
		}
	}
	return out
}

// follow follows links; repeated is whose for_each gives each its value, and whose
// count gives count its own.
func (c *Relevance) follow(links []link, p place, repeated *Site) {
	for _, l := range links {
		switch {
		case l.aside:
		case l.ref.Kind == lang.RefEach:
			if repeated != nil {
				c.repetition(repeated, repeated.repetition().ForEach, p)
			}
		case l.ref.Kind == lang.RefCount && c.direct && repeated != nil:
			c.repetition(repeated, repeated.repetition().Count, p)
		case l.site == nil:
		case l.ref.Kind == lang.RefVar || l.ref.Kind == lang.RefLocal:
			c.site(l.site, p, "")
		case l.ref.Kind == lang.RefModule:
			c.call(l, p)
		case l.ref.Kind == lang.RefResource:
			c.resource(l, p)
		}
	}
}

// repetition follows what a count or for_each, x, refers to.
func (c *Relevance) repetition(s *Site, x *lang.Expr, p place) {
	if x == nil {
		return
	}
	var links []link
	for _, r := range x.Refs() {
		for _, l := range s.links {
			if l.ref.Full == r.Full {
				l.aside = false
				links = append(links, l)
				break
			}
		}
	}
	c.follow(links, p, nil)
}

// call follows the outputs of a call that a reference means.
func (c *Relevance) call(l link, p place) {
	call := l.site.Call
	if call.Module == nil {
		return
	}
	child := place{call.Module, p.addr.Child(call.Config.Name, l.ref.Key)}
	for _, o := range outputsOf(l) {
		c.site(o, child, "")
	}
}

func (c *Relevance) resource(l link, p place) {
	a := Attr{Resource: addr.AbsInstance{Module: p.addr, Resource: l.ref.Resource, Key: l.ref.Key},
		Site: l.site, SameKey: l.ref.SameKey != lang.RefInvalid}
	attr := ""
	if l.site.Resource.Schema != nil {
		a.Path = schemaPath(l.ref.Remaining, l.site.Resource.Schema.Block)
	}
	if len(a.Path) > 0 {
		if get, ok := a.Path[0].(cty.GetAttrStep); ok {
			attr = get.Name
		}
	}
	if c.whole {
		a.Path = wholePath(l.ref.Remaining)
	}
	if id := a.Resource.String() + value.PathString(a.Path); !c.had[id] {
		c.had[id] = true
		c.Out = append(c.Out, a)
	}
	if !c.direct && a.Resource.Resource.Mode != addr.Ephemeral { // it is made anew each time, so nothing before it counts
		c.site(l.site, p, attr)
	}
}

// wholePath is a reference behind the resource, with constant indexes.
func wholePath(t hcl.Traversal) cty.Path {
	var path cty.Path
	for _, step := range t {
		switch step := step.(type) {
		case hcl.TraverseAttr:
			path = path.GetAttr(step.Name)
		case hcl.TraverseIndex:
			path = path.Index(step.Key)
		default:
			return path
		}
	}
	return path
}

// schemaPath is the part of a reference that leads through blocks to an
// attribute: what is inside of the attribute, its schema does not tell.
func schemaPath(t hcl.Traversal, b *schema.Block) cty.Path {
	var path cty.Path
	for len(t) > 0 {
		get, ok := t[0].(hcl.TraverseAttr)
		if !ok {
			return path
		}
		path, t = path.GetAttr(get.Name), t[1:]
		n := b.Blocks[get.Name]
		if n == nil {
			return path
		}
		if n.Nesting != schema.Single && n.Nesting != schema.Group {
			if len(t) == 0 {
				return path
			}
			index, ok := t[0].(hcl.TraverseIndex)
			if !ok {
				return path
			}
			path, t = path.Index(index.Key), t[1:]
		}
		b = n.Block
	}
	return path
}
