package fake

import (
	"fmt"
	"sort"
	"strings"
	"sync"

	"github.com/plumb-iac/plumb/addr"
	"github.com/plumb-iac/plumb/diag"
	"github.com/plumb-iac/plumb/provider"
	"github.com/plumb-iac/plumb/schema"
	"github.com/plumb-iac/plumb/value"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/convert"
)

// Provider is a scripted provider. Its remote world outlives Close, so that
// one fake serves several commands.
type Provider struct {
	models    map[string]map[string]*model
	config    *model
	meta      *model
	functions map[string]*signature
	able      provider.Capabilities

	mu    sync.Mutex
	calls []string
	// remote holds objects by type and id; null is one that was deleted.
	remote map[string]map[string]cty.Value
	made   map[string]int
	// unconfigured says that the provider was configured with something unknown
	// and puts everything off because of it.
	unconfigured bool
}

var _ provider.Provider = (*Provider)(nil)

// New makes a provider of a script.
func New(script string) (*Provider, error) {
	p := &Provider{
		models:    map[string]map[string]*model{},
		config:    &model{resource: &schema.Resource{Block: schema.Empty}},
		functions: map[string]*signature{},
		remote:    map[string]map[string]cty.Value{},
		made:      map[string]int{},
	}
	for kind := range kindWords {
		p.models[kind] = map[string]*model{}
	}
	for _, l := range outline(script) {
		if err := p.statement(l); err != nil {
			return nil, err
		}
	}
	return p, nil
}

// Rescript replaces what a script describes; the remote world stays as it is.
func (p *Provider) Rescript(script string) error {
	next, err := New(script)
	if err != nil {
		return err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.models, p.config, p.meta, p.functions, p.able = next.models, next.config, next.meta, next.functions, next.able
	return nil
}

func (p *Provider) statement(l *line) (err error) {
	word, rest, _ := strings.Cut(l.text, " ")
	switch {
	case word == "provider":
		p.config, err = parseModel(l)
	case word == "meta":
		p.meta, err = parseModel(l)
	case word == "capabilities":
		for _, c := range strings.Fields(rest) {
			switch c {
			case "plan_destroy":
				p.able.PlanDestroy = true
			case "schema_optional":
				p.able.SchemaOptional = true
			case "move":
				p.able.MoveResourceState = true
			case "generate_config":
				p.able.GenerateConfig = true
			default:
				return l.errorf("unknown capability %q", c)
			}
		}
	case word == "function":
		var f *signature
		var name string
		if name, f, err = parseFunction(l, rest); err == nil {
			p.functions[name] = f
		}
	case kindWords[word] && rest != "":
		name := strings.Fields(rest)[0]
		p.models[word][name], err = parseModel(l)
	default:
		err = l.errorf("unknown statement")
	}
	return err
}

// Calls are the calls so far, one a line, in the order in which they began.
func (p *Provider) Calls() []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return append([]string(nil), p.calls...)
}

// TakeCalls gives the calls so far as text and forgets them.
func (p *Provider) TakeCalls() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	text := strings.Join(append(p.calls, ""), "\n")
	p.calls = nil
	return text
}

// Remote lists the objects that exist, one a line, sorted.
func (p *Provider) Remote() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	var out []string
	for typeName, objects := range p.remote {
		for _, v := range objects {
			if !v.IsNull() {
				out = append(out, typeName+" "+changes(cty.NullVal(v.Type()), v)+"\n")
			}
		}
	}
	sort.Strings(out)
	return strings.Join(out, "")
}

// Place makes an object behind the engine's back. One that is there stays as it is.
func (p *Provider) Place(typeName, id, name string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	m := p.models["resource"][typeName]
	if v, ok := p.remote[typeName][id]; m == nil || ok && !v.IsNull() {
		return
	}
	attrs := map[string]cty.Value{}
	for attr, t := range m.resource.Block.Type().AttributeTypes() {
		attrs[attr] = cty.NullVal(t)
	}
	v := with(cty.ObjectVal(attrs), "id", cty.StringVal(id))
	p.world(typeName)[id] = with(v, "name", cty.StringVal(name))
}

// Lose deletes an object behind the engine's back.
func (p *Provider) Lose(typeName, id string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if v, ok := p.remote[typeName][id]; ok {
		p.remote[typeName][id] = cty.NullVal(v.Type())
	}
}

// Drift changes an attribute of an object behind the engine's back.
func (p *Provider) Drift(typeName, id, attribute string, to cty.Value) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if v, ok := p.remote[typeName][id]; ok && !v.IsNull() {
		if converted, err := convert.Convert(to, v.GetAttr(attribute).Type()); err == nil {
			to = converted
		}
		p.remote[typeName][id] = with(v, attribute, to)
	}
}

// note writes a call down.
func (p *Provider) note(parts ...string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	line := strings.Join(parts, " ")
	p.calls = append(p.calls, strings.TrimRight(line, " "))
}

// told is what the module of an object says to the provider.
func told(meta value.Bare) string {
	if meta.IsZero() {
		return ""
	}
	return "meta(" + changes(cty.NullVal(meta.Cty().Type()), meta.Cty()) + ")"
}

// offered writes a call down that may be answered by a deferral.
func (p *Provider) offered(deferral bool, parts ...string) {
	if deferral {
		parts = []string{strings.TrimRight(strings.Join(parts, " "), " "), "deferrable"}
	}
	p.note(parts...)
}

// Close implements provider.Configurer.
func (p *Provider) Close() error { return nil }

// schemas implements provider.Schemas.
type schemas struct{ p *Provider }

func (s schemas) Provider() *schema.Resource { return s.p.config.resource }

func (s schemas) Meta() *schema.Block {
	if s.p.meta == nil {
		return nil
	}
	return s.p.meta.resource.Block
}

func (s schemas) Type(mode addr.Mode, name string) (*schema.Resource, diag.List) {
	return s.find(modeWords[mode], name)
}
func (s schemas) Action(name string) (*schema.Resource, diag.List)     { return s.find("action", name) }
func (s schemas) ListConfig(name string) (*schema.Resource, diag.List) { return s.find("list", name) }

func (s schemas) find(kind, name string) (*schema.Resource, diag.List) {
	if m := s.p.models[kind][name]; m != nil {
		return m.resource, nil
	}
	return nil, nil
}

func (s schemas) Functions() map[string]*schema.Function {
	out := make(map[string]*schema.Function, len(s.p.functions))
	for name, f := range s.p.functions {
		out[name] = f.function
	}
	return out
}

func (s schemas) TypeNames(mode addr.Mode) []string { return s.names(modeWords[mode]) }
func (s schemas) ActionNames() []string             { return s.names("action") }

func (s schemas) StateStore(string) (*schema.Resource, diag.List) { return nil, nil }
func (s schemas) StateStoreNames() []string                       { return nil }

func (s schemas) names(kind string) []string {
	var out []string
	for name := range s.p.models[kind] {
		out = append(out, name)
	}
	sort.Strings(out)
	return out
}

func (s schemas) Capabilities() provider.Capabilities { return s.p.able }

var modeWords = map[addr.Mode]string{addr.Managed: "resource", addr.Data: "data", addr.Ephemeral: "ephemeral", addr.List: "list"}

// unknownType is what a call about a type that the script lacks gives.
func unknownType(kind, name string) diag.List {
	return diag.Errs("Invalid resource type", fmt.Sprintf("The fake provider's script has no %s %q.", kind, name))
}
