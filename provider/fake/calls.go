package fake

import (
	"context"
	"encoding/json"
	"fmt"
	"sort"
	"time"

	"github.com/plumb-iac/plumb/diag"
	"github.com/plumb-iac/plumb/provider"
	"github.com/plumb-iac/plumb/value"
	"github.com/zclconf/go-cty/cty"
	ctyjson "github.com/zclconf/go-cty/cty/json"
)

// Schemas implements provider.Describer. It is not written down, as how often
// it is called depends on caching only.
func (p *Provider) Schemas(context.Context) (provider.Schemas, diag.List) { return schemas{p}, nil }

// ValidateProvider implements provider.Configurer.
func (p *Provider) ValidateProvider(_ context.Context, config value.Bare) (value.Bare, diag.List) {
	p.note("validate provider")
	return config, p.consult(p.config, "validate", cty.NilVal).diags
}

// Configure implements provider.Configurer.
func (p *Provider) Configure(_ context.Context, req provider.ConfigureRequest) diag.List {
	p.offered(req.DeferralAllowed, "configure", changes(cty.NullVal(cty.DynamicPseudoType), req.Config.Cty()))
	o := p.consult(p.config, "configure", cty.NilVal)
	p.mu.Lock()
	p.unconfigured = o.deferred && req.DeferralAllowed && !req.Config.Cty().IsWhollyKnown()
	p.mu.Unlock()
	return o.diags
}

// Stop implements provider.Configurer.
func (p *Provider) Stop(context.Context) error {
	p.note("stop")
	return nil
}

// validate is the validation of anything.
func (p *Provider) validate(kind, typeName string, config value.Bare) diag.List {
	m := p.models[kind][typeName]
	if m == nil {
		return unknownType(kind, typeName)
	}
	p.note("validate", kind, typeName, nameOf(config.Cty()))
	return p.consult(m, "validate", config.Cty()).diags
}

// ValidateResource implements provider.Managed.
func (p *Provider) ValidateResource(_ context.Context, typeName string, config value.Bare) diag.List {
	return p.validate("resource", typeName, config)
}

// UpgradeState implements provider.Managed: attributes that the schema does
// not have are dropped, those that the state does not have become null.
func (p *Provider) UpgradeState(_ context.Context, req provider.UpgradeRequest) (provider.UpgradeResponse, diag.List) {
	m := p.models["resource"][req.TypeName]
	if m == nil {
		return provider.UpgradeResponse{}, unknownType("resource", req.TypeName)
	}
	v, err := m.fromJSON(req.JSON)
	if err != nil {
		return provider.UpgradeResponse{}, diag.Errs("Unreadable state", err.Error())
	}
	p.note("upgrade", req.TypeName, nameOf(v), fmt.Sprintf("version=%d", req.Version))
	o := p.consult(m, "upgrade", v)
	if o.stop {
		return provider.UpgradeResponse{}, o.diags
	}
	return provider.UpgradeResponse{Upgraded: value.MustBare(o.edit(m, v))}, o.diags
}

// fromJSON reads a stored object as far as it has the schema's attributes.
func (m *model) fromJSON(raw []byte) (cty.Value, error) {
	t := m.resource.Block.Type()
	var stored map[string]json.RawMessage
	if err := json.Unmarshal(raw, &stored); err != nil {
		return cty.NilVal, err
	}
	if stored == nil {
		return cty.NullVal(t), nil
	}
	attrs := map[string]cty.Value{}
	for name, at := range t.AttributeTypes() {
		attrs[name] = cty.NullVal(at)
		if raw, ok := stored[name]; ok {
			v, err := ctyjson.Unmarshal(raw, at)
			if err != nil {
				return cty.NilVal, fmt.Errorf("%s: %w", name, err)
			}
			attrs[name] = v
		}
	}
	return cty.ObjectVal(attrs), nil
}

// Read implements provider.Managed.
func (p *Provider) Read(_ context.Context, req provider.ReadRequest) (provider.ReadResponse, diag.List) {
	m := p.models["resource"][req.TypeName]
	if m == nil {
		return provider.ReadResponse{}, unknownType("resource", req.TypeName)
	}
	prior := req.Prior.Cty()
	p.offered(req.DeferralAllowed, "read", req.TypeName, nameOf(prior), told(req.Meta))
	o := p.consult(m, "read", prior)
	if o.stop {
		return provider.ReadResponse{}, o.diags
	}
	v := o.edit(m, p.present(m, req.TypeName, prior))
	return provider.ReadResponse{
		New: value.MustBare(v), Private: req.Private, Identity: m.identityOf(v, o), Deferred: p.defers(o, req.DeferralAllowed),
	}, o.diags
}

// Plan implements provider.Managed.
func (p *Provider) Plan(_ context.Context, req provider.PlanRequest) (provider.PlanResponse, diag.List) {
	m := p.models["resource"][req.TypeName]
	if m == nil {
		return provider.PlanResponse{}, unknownType("resource", req.TypeName)
	}
	prior, proposed := m.orNull(req.Prior), m.orNull(req.Proposed)
	does := verb(prior, proposed)
	object := proposed
	if does == "delete" {
		object = prior
	}
	planned := proposed
	if does != "delete" {
		planned = m.predict(prior, proposed)
	}
	o := p.consult(m, "plan", object)
	if does == "delete" {
		if end := p.consult(m, "end", object); end.stop {
			o = end
		}
	}
	planned = o.edit(m, planned)
	p.touch(req.TypeName, o)
	p.offered(req.DeferralAllowed, "plan", req.TypeName, nameOf(object), does, changes(prior, planned), told(req.Meta))
	if o.stop {
		return provider.PlanResponse{}, o.diags
	}
	return provider.PlanResponse{
		// The identity of what does not exist yet is not known yet.
		Planned: value.MustBare(planned), RequiresReplace: append(m.replaced(prior, planned), o.replace...),
		Private: req.PriorPrivate, Legacy: m.legacy, Identity: m.identityOf(prior, o), Deferred: p.defers(o, req.DeferralAllowed),
	}, o.diags
}

func (m *model) orNull(v value.Bare) cty.Value {
	if v.IsZero() {
		return cty.NullVal(m.resource.Block.Type())
	}
	return v.Cty()
}

// Apply implements provider.Managed.
func (p *Provider) Apply(_ context.Context, req provider.ApplyRequest) (provider.ApplyResponse, diag.List) {
	m := p.models["resource"][req.TypeName]
	if m == nil {
		return provider.ApplyResponse{}, unknownType("resource", req.TypeName)
	}
	prior, planned := m.orNull(req.Prior), m.orNull(req.Planned)
	does, object := verb(prior, planned), planned
	if does == "delete" {
		object = prior
	}
	p.note("apply", req.TypeName, nameOf(object), does, changes(prior, planned), told(req.Meta))
	o := p.consult(m, does, object)
	if o.crash {
		return provider.ApplyResponse{}, o.diags
	}
	out := provider.ApplyResponse{Private: req.Private, Legacy: m.legacy}
	v := prior
	if o.keep {
		v = planned
	} else if !o.stop {
		v = o.edit(m, p.perform(m, req.TypeName, does, prior, planned))
	}
	if does != "delete" && !o.stop {
		p.keep(req.TypeName, fill(v, text(v, "id"))) // the world knows what it has
	}
	if o.cut {
		return provider.ApplyResponse{}, o.diags
	}
	out.New, out.Identity = value.MustBare(v), m.identityOf(v, o)
	return out, o.diags
}

// touch makes an object that nobody asked for.
func (p *Provider) touch(typeName string, o outcome) {
	if o.touch {
		p.keep(typeName, cty.ObjectVal(map[string]cty.Value{"id": cty.StringVal(fmt.Sprintf("%s-touch-%d", typeName, len(p.Calls())))}))
	}
}

// perform changes the remote world.
func (p *Provider) perform(m *model, typeName, does string, prior, planned cty.Value) cty.Value {
	switch does {
	case "delete":
		p.lose(typeName, prior)
		return planned
	case "create":
		return fill(planned, p.nextID(typeName, planned))
	}
	return fill(planned, text(prior, "id"))
}

// Import implements provider.Importer: an object of the world, or a stub that
// has the id and nothing else.
func (p *Provider) Import(_ context.Context, req provider.ImportRequest) (provider.ImportResponse, diag.List) {
	m := p.models["resource"][req.TypeName]
	if m == nil {
		return provider.ImportResponse{}, unknownType("resource", req.TypeName)
	}
	attrs := map[string]cty.Value{}
	for name, t := range m.resource.Block.Type().AttributeTypes() {
		attrs[name] = cty.NullVal(t)
		if !req.Identity.IsZero() && req.Identity.Cty().Type().HasAttribute(name) {
			attrs[name] = req.Identity.Cty().GetAttr(name)
		}
	}
	if req.ID != "" {
		attrs["id"] = cty.StringVal(req.ID)
	}
	stub := cty.ObjectVal(attrs)
	p.offered(req.DeferralAllowed, "import", req.TypeName, nameOf(stub))
	o := p.consult(m, "import", stub)
	if o.stop {
		return provider.ImportResponse{}, o.diags
	}
	out := provider.ImportResponse{Deferred: p.defers(o, req.DeferralAllowed)}
	if v := o.edit(m, p.present(m, req.TypeName, stub)); !v.IsNull() {
		out.Imported = []provider.Imported{{TypeName: req.TypeName, State: value.MustBare(v), Identity: m.identityOf(v, o)}}
	}
	return out, o.diags
}

// Move implements provider.Importer: attributes of the same name are kept.
func (p *Provider) Move(_ context.Context, req provider.MoveRequest) (provider.MoveResponse, diag.List) {
	m := p.models["resource"][req.TargetType]
	if m == nil {
		return provider.MoveResponse{}, unknownType("resource", req.TargetType)
	}
	v, err := m.fromJSON(req.SourceJSON)
	if err != nil {
		return provider.MoveResponse{}, diag.Errs("Unreadable state", err.Error())
	}
	p.note("move", req.SourceType, req.TargetType, nameOf(v))
	o := p.consult(m, "move", v)
	if o.stop {
		return provider.MoveResponse{}, o.diags
	}
	v = o.edit(m, v)
	return provider.MoveResponse{Target: value.MustBare(v), Private: req.SourcePrivate, Identity: m.identityOf(v, o)}, o.diags
}

// UpgradeIdentity implements provider.Importer.
func (p *Provider) UpgradeIdentity(_ context.Context, req provider.UpgradeIdentityRequest) (value.Bare, diag.List) {
	m := p.models["resource"][req.TypeName]
	if m == nil || m.resource.Identity == nil {
		return value.Bare{}, unknownType("resource", req.TypeName)
	}
	p.note("upgrade-identity", req.TypeName)
	v, err := ctyjson.Unmarshal(req.JSON, m.resource.Identity.Type())
	if err != nil {
		return value.Bare{}, diag.Errs("Unreadable identity", err.Error())
	}
	return value.MustBare(v), nil
}

// GenerateConfig implements provider.Importer: what is not computed only.
func (p *Provider) GenerateConfig(_ context.Context, typeName string, state value.Bare) (value.Bare, diag.List) {
	m := p.models["resource"][typeName]
	if m == nil {
		return value.Bare{}, unknownType("resource", typeName)
	}
	p.note("generate-config", typeName, nameOf(state.Cty()))
	v, _ := cty.Transform(state.Cty(), func(at cty.Path, v cty.Value) (cty.Value, error) {
		if a := attributeAt(m.resource.Block, at); a != nil && !a.Required && !a.Optional {
			return cty.NullVal(v.Type()), nil
		}
		return v, nil
	})
	return value.MustBare(v), nil
}

// ValidateData implements provider.DataReader.
func (p *Provider) ValidateData(_ context.Context, typeName string, config value.Bare) diag.List {
	return p.validate("data", typeName, config)
}

// ReadData implements provider.DataReader.
func (p *Provider) ReadData(_ context.Context, req provider.ReadDataRequest) (provider.ReadDataResponse, diag.List) {
	v, o := p.make("data", req.TypeName, "read", "read data", req.Config, req.DeferralAllowed, told(req.Meta))
	return provider.ReadDataResponse{State: v, Deferred: p.defers(o, req.DeferralAllowed)}, o.diags
}

// make gives an object with everything computed filled in.
func (p *Provider) make(kind, typeName, verb, call string, config value.Bare, deferral bool, also ...string) (value.Bare, outcome) {
	m := p.models[kind][typeName]
	if m == nil {
		return value.Bare{}, outcome{diags: unknownType(kind, typeName), stop: true}
	}
	v := config.Cty()
	p.offered(deferral, append([]string{call, typeName, nameOf(v)}, also...)...)
	o := p.consult(m, verb, v)
	if o.stop {
		return value.Bare{}, o
	}
	id := typeName
	if name := nameOf(v); name != "" {
		id = name
	}
	v = fill(m.predict(cty.NullVal(v.Type()), v), id)
	return value.MustBare(o.edit(m, v)), o
}

// ValidateEphemeral implements provider.EphemeralOpener.
func (p *Provider) ValidateEphemeral(_ context.Context, typeName string, config value.Bare) diag.List {
	return p.validate("ephemeral", typeName, config)
}

// Open implements provider.EphemeralOpener. Private data names the object.
func (p *Provider) Open(_ context.Context, req provider.OpenRequest) (provider.OpenResponse, diag.List) {
	v, o := p.make("ephemeral", req.TypeName, "open", "open", req.Config, req.DeferralAllowed)
	return provider.OpenResponse{Result: v, Private: []byte(nameOf(v.Cty())), Deferred: p.defers(o, req.DeferralAllowed)}, o.diags
}

// Renew implements provider.EphemeralOpener.
func (p *Provider) Renew(_ context.Context, typeName string, private []byte) (provider.RenewResponse, diag.List) {
	return provider.RenewResponse{Private: private, RenewAt: time.Time{}}, p.onEphemeral("renew", typeName, private)
}

// CloseEphemeral implements provider.EphemeralOpener.
func (p *Provider) CloseEphemeral(_ context.Context, typeName string, private []byte) diag.List {
	return p.onEphemeral("close", typeName, private)
}

func (p *Provider) onEphemeral(verb, typeName string, private []byte) diag.List {
	m := p.models["ephemeral"][typeName]
	if m == nil {
		return unknownType("ephemeral", typeName)
	}
	p.note(verb, typeName, string(private))
	return p.consult(m, verb, cty.ObjectVal(map[string]cty.Value{"name": cty.StringVal(string(private))})).diags
}

// CallFunction implements provider.FunctionCaller.
func (p *Provider) CallFunction(_ context.Context, name string, args []value.Bare) provider.FunctionResult {
	out := provider.FunctionResult{Argument: -1}
	f := p.functions[name]
	if f == nil {
		out.Error = "there is no function " + name
		return out
	}
	words := []string{"call", name}
	for _, a := range args {
		words = append(words, show(a.Cty()))
	}
	p.note(words...)
	if f.fails != "" {
		out.Error = f.fails
		return out
	}
	returns := f.returns
	switch {
	case f.varies:
		returns = fmt.Sprintf("%q", fmt.Sprint(len(p.Calls())))
	case f.tells:
		returns = `"known"`
		for _, a := range args {
			if !a.Cty().IsWhollyKnown() {
				returns = `"unknown"`
			}
		}
	}
	v, err := ctyjson.Unmarshal([]byte(returns), f.function.Return)
	if err != nil {
		out.Error = "the script's result: " + err.Error()
		return out
	}
	out.Result = value.MustBare(v)
	return out
}

// ValidateList implements provider.Lister.
func (p *Provider) ValidateList(_ context.Context, req provider.ListRequest) diag.List {
	return p.validate("list", req.TypeName, req.Config)
}

// ListResources implements provider.Lister: what the world has, by id.
func (p *Provider) ListResources(_ context.Context, req provider.ListRequest, each func(provider.Listed) bool) diag.List {
	l, m := p.models["list"][req.TypeName], p.models["resource"][req.TypeName]
	if l == nil || m == nil {
		return unknownType("list", req.TypeName)
	}
	p.note("list", req.TypeName)
	o := p.consult(l, "list", cty.NilVal)
	if o.stop {
		return o.diags
	}
	if o.gone {
		return o.diags
	}
	for i, v := range p.existing(req.TypeName) {
		found := provider.Listed{DisplayName: nameOf(v), Identity: m.identityOf(v, o)}
		if req.IncludeObjects {
			found.Object = value.MustBare(v)
		}
		if req.Limit > 0 && int64(i) >= req.Limit || !each(found) {
			break
		}
	}
	return o.diags
}

func (p *Provider) existing(typeName string) []cty.Value {
	p.mu.Lock()
	defer p.mu.Unlock()
	var ids []string
	for id, v := range p.remote[typeName] {
		if !v.IsNull() {
			ids = append(ids, id)
		}
	}
	sort.Strings(ids)
	var out []cty.Value
	for _, id := range ids {
		out = append(out, p.remote[typeName][id])
	}
	return out
}

// ValidateAction implements provider.Actor.
func (p *Provider) ValidateAction(_ context.Context, typeName string, config value.Bare) diag.List {
	return p.validate("action", typeName, config)
}

// PlanAction implements provider.Actor.
func (p *Provider) PlanAction(_ context.Context, req provider.PlanActionRequest) (*provider.Deferred, diag.List) {
	m := p.models["action"][req.TypeName]
	if m == nil {
		return nil, unknownType("action", req.TypeName)
	}
	p.offered(req.DeferralAllowed, "plan action", req.TypeName, changes(cty.NullVal(req.Config.Cty().Type()), req.Config.Cty()))
	o := p.consult(m, "plan", req.Config.Cty())
	p.touch(req.TypeName, o)
	return p.defers(o, req.DeferralAllowed), o.diags
}

// InvokeAction implements provider.Actor.
func (p *Provider) InvokeAction(_ context.Context, typeName string, config value.Bare, progress func(message string)) diag.List {
	m := p.models["action"][typeName]
	if m == nil {
		return unknownType("action", typeName)
	}
	p.note("invoke", typeName, changes(cty.NullVal(config.Cty().Type()), config.Cty()))
	o := p.consult(m, "invoke", config.Cty())
	for _, message := range o.progress {
		progress(message)
	}
	return o.diags
}
