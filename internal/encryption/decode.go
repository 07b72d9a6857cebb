package encryption

import (
	"fmt"
	"regexp"

	"github.com/hashicorp/hcl/v2"
	"github.com/plumb-iac/plumb/config"
)

// name is what a key provider or a method is called by.
type name struct{ kind, name string }

// declaration is a key provider or a method. Its bodies are those of the
// configuration and of the environment; arguments of a later one win.
type declaration struct {
	name
	bodies []hcl.Body
	at     hcl.Range
}

// use is a block that says with which method something is encrypted.
type use struct {
	method *hcl.Attribute
	// enforced is what each source says; one is enough.
	enforced []*hcl.Attribute
	fallback *use
	at       hcl.Range
}

// declared is everything that is declared.
type declared struct {
	providers, methods  map[name]*declaration
	state, plan, others *use
	named               map[string]*use
}

// decoder reads encryption blocks, each over those before it.
type decoder struct {
	declared
	diags hcl.Diagnostics
}

func newDecoder() *decoder {
	return &decoder{declared: declared{providers: map[name]*declaration{}, methods: map[name]*declaration{}, named: map[string]*use{}}}
}

func (d *decoder) err(at hcl.Range, summary, format string, args ...any) {
	d.diags = append(d.diags, &hcl.Diagnostic{Severity: hcl.DiagError, Summary: summary, Detail: fmt.Sprintf(format, args...), Subject: &at})
}

func (d *decoder) content(b hcl.Body, s *hcl.BodySchema) *hcl.BodyContent {
	c, diags := b.Content(s)
	d.diags = append(d.diags, diags...)
	return c
}

// read reads one source.
func (d *decoder) read(body hcl.Body) {
	c := d.content(body, config.EncryptionSchema())
	d.declare(c.Blocks.OfType("key_provider"), d.providers)
	d.declare(c.Blocks.OfType("method"), d.methods)
	d.state = d.only(c, "state", d.state)
	d.plan = d.only(c, "plan", d.plan)
	for _, b := range d.single(c, "remote_state_data_sources") {
		d.remote(b)
	}
}

func (d *decoder) remote(b *hcl.Block) {
	c := d.content(b.Body, &hcl.BodySchema{Blocks: []hcl.BlockHeaderSchema{
		{Type: "default"}, {Type: "remote_state_data_source", LabelNames: []string{"name"}}}})
	for _, b := range d.single(c, "default") {
		d.others = d.use(b, d.others, false)
	}
	seen := map[string]bool{}
	for _, b := range c.Blocks.OfType("remote_state_data_source") {
		n := b.Labels[0]
		if seen[n] {
			d.err(b.DefRange, "Duplicate remote_state_data_source", "There is more than one block for %q.", n)
			continue
		}
		seen[n] = true
		d.named[n] = d.use(b, d.named[n], false)
	}
}

var validName = regexp.MustCompile(`^[a-zA-Z_0-9-]+$`)

// declare adds the declarations of one source.
func (d *decoder) declare(blocks hcl.Blocks, into map[name]*declaration) {
	seen := map[name]bool{}
	for _, b := range blocks {
		n := name{b.Labels[0], b.Labels[1]}
		switch {
		case !validName.MatchString(n.name) || !validName.MatchString(n.kind):
			d.err(b.DefRange, "Invalid name in the encryption block", "The types and names of key providers and methods are letters, digits, underscores and dashes.")
			continue
		case seen[n]:
			d.err(b.DefRange, "Duplicate "+b.Type, "Found multiple instances of %s.%s.%s", b.Type, n.kind, n.name)
			continue
		}
		seen[n] = true
		if into[n] == nil {
			into[n] = &declaration{name: n, at: b.DefRange}
		}
		into[n].bodies = append(into[n].bodies, b.Body)
	}
}

// single is the one block of a type, or none.
func (d *decoder) single(c *hcl.BodyContent, kind string) hcl.Blocks {
	blocks := c.Blocks.OfType(kind)
	for i := 1; i < len(blocks); i++ {
		d.err(blocks[i].DefRange, "Duplicate "+kind+" block", "Only one %s block is allowed. Another was defined at %s.", kind, blocks[0].DefRange)
	}
	return blocks[:min(1, len(blocks))]
}

func (d *decoder) only(c *hcl.BodyContent, kind string, before *use) *use {
	for _, b := range d.single(c, kind) {
		before = d.use(b, before, true)
	}
	return before
}

// use reads a block over what an earlier source says.
func (d *decoder) use(b *hcl.Block, before *use, enforceable bool) *use {
	schema := &hcl.BodySchema{Attributes: []hcl.AttributeSchema{{Name: "method"}}, Blocks: []hcl.BlockHeaderSchema{{Type: "fallback"}}}
	if enforceable {
		schema.Attributes = append(schema.Attributes, hcl.AttributeSchema{Name: "enforced"})
	}
	c := d.content(b.Body, schema)
	u := &use{method: c.Attributes["method"], at: b.DefRange}
	if a := c.Attributes["enforced"]; a != nil {
		u.enforced = append(u.enforced, a)
	}
	for _, f := range d.single(c, "fallback") {
		u.fallback = d.use(f, nil, false)
	}
	if before == nil {
		return u
	}
	if u.method == nil {
		u.method = before.method
	}
	if u.fallback == nil {
		u.fallback = before.fallback
	}
	u.enforced = append(u.enforced, before.enforced...)
	return u
}
