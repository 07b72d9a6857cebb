package fake

import (
	"fmt"
	"sort"
	"strings"

	"github.com/plumb-iac/plumb/diag"
	"github.com/plumb-iac/plumb/provider"
	"github.com/plumb-iac/plumb/provider/wire"
	"github.com/plumb-iac/plumb/schema"
	"github.com/plumb-iac/plumb/value"
	"github.com/zclconf/go-cty/cty"
	ctyjson "github.com/zclconf/go-cty/cty/json"
)

// outcome is what the rules make of a call.
type outcome struct {
	diags diag.List
	// stop says that nothing happens: fail and crash.
	stop, crash, gone bool
	// cut says that it happens and no answer comes.
	cut bool
	// anonymous, touch and keep are the actions of these names.
	anonymous, touch, keep bool
	// deferred says that the provider puts its answer off, anyway that it does so
	// although that is not on offer.
	deferred, anyway bool
	reason           provider.DeferReason
	edits            []*rule
	replace          []cty.Path
	progress         []string
}

// consult applies the rules for a verb and an object.
func (p *Provider) consult(m *model, verb string, object cty.Value) outcome {
	p.mu.Lock()
	defer p.mu.Unlock()
	var o outcome
	for _, r := range m.rules {
		if r.spent || r.verb != verb || r.object != "" && r.object != nameOf(object) {
			continue
		}
		if (r.later || r.alternately) && r.skips(keyOf(object)) {
			continue
		}
		r.spent = r.once
		o.take(r, object)
	}
	return o
}

// reasons are the words behind "defer".
var reasons = map[string]provider.DeferReason{
	"": provider.DeferAbsentPrereq, "anyway": provider.DeferAbsentPrereq,
	"config": provider.DeferResourceConfigUnknown, "provider": provider.DeferProviderConfigUnknown, "unexplained": provider.DeferUnknown,
}

// defers is the deferral of an answer, if there is one. What is not configured
// yet puts everything off.
func (p *Provider) defers(o outcome, offered bool) *provider.Deferred {
	p.mu.Lock()
	waits := p.unconfigured && offered
	p.mu.Unlock()
	switch {
	case waits:
		return &provider.Deferred{Reason: provider.DeferProviderConfigUnknown}
	case o.deferred && (offered || o.anyway):
		return &provider.Deferred{Reason: o.reason}
	}
	return nil
}

// take adds what a rule does.
func (o *outcome) take(r *rule, object cty.Value) {
	switch r.action {
	case "fail":
		o.diags, o.stop = o.diags.Append(diag.Err(r.text, "As the script says.")), true
	case "partial":
		o.diags = o.diags.Append(diag.Err(r.text, "As the script says."))
	case "warn":
		o.diags = o.diags.Append(diag.Warn(r.text, "As the script says."))
	case "crash", "error", "garble":
		o.lose(r.action)
	case "doubt":
		if object != cty.NilVal && !object.IsNull() && object.Type().HasAttribute(r.attribute) && !object.GetAttr(r.attribute).IsKnown() {
			o.diags, o.stop = o.diags.Append(diag.Err("Value required", "The value of "+r.attribute+" has to be known.")), true
		}
	case "blame":
		d := diag.Warn("Doubtful", "As the script says.")
		d.Path = cty.GetAttrPath(r.attribute)
		o.diags = o.diags.Append(d)
	case "cut":
		o.lose("crash")
		o.stop, o.crash, o.cut = false, false, true
	case "gone":
		o.gone = true
	case "anonymous":
		o.anonymous = true
	case "defer":
		o.deferred, o.anyway, o.reason = true, r.text == "anyway", reasons[r.text]
	case "touch":
		o.touch = true
	case "keep":
		o.keep = true
	case "progress":
		o.progress = append(o.progress, r.text)
	case "replace":
		o.replace = append(o.replace, cty.GetAttrPath(r.attribute))
	default:
		o.edits = append(o.edits, r)
	}
}

// losses are the calls that do not come through, by action.
var losses = map[string]struct {
	code             diag.Code
	summary, details string
}{
	"crash":  {wire.CodeDied, "Plugin did not respond", "The fake provider died, as the script says."},
	"error":  {wire.CodeFailed, "Plugin error", "The call failed, as the script says."},
	"garble": {wire.CodeGarbled, "Provider produced invalid object", "The answer does not decode, as the script says."},
}

func (o *outcome) lose(action string) {
	l := losses[action]
	d := diag.Err(l.summary, l.details).By(diag.Provider)
	d.Code = l.code
	o.diags, o.stop, o.crash = o.diags.Append(d), true, true
}

// edit applies the rules that set attributes, and "gone".
func (o outcome) edit(m *model, v cty.Value) cty.Value {
	if o.gone {
		return cty.NullVal(v.Type())
	}
	if v.IsNull() || !v.IsKnown() {
		return v
	}
	for _, r := range o.edits {
		t, ok := m.resource.Block.Type().AttributeTypes()[r.attribute]
		if !ok {
			continue
		}
		if r.action == "unknown" {
			v = with(v, r.attribute, cty.UnknownVal(t))
			continue
		}
		if to, err := ctyjson.Unmarshal([]byte(r.text), t); err == nil {
			v = with(v, r.attribute, to)
		}
	}
	return v
}

func with(v cty.Value, attribute string, to cty.Value) cty.Value {
	attrs := v.AsValueMap()
	if _, ok := attrs[attribute]; ok {
		attrs[attribute] = to
	}
	return cty.ObjectVal(attrs)
}

// nameOf is what rules and ids call an object: its name, else its id.
func nameOf(v cty.Value) string {
	if v == cty.NilVal || v.IsNull() || !v.IsKnown() || !v.Type().IsObjectType() {
		return ""
	}
	for _, attr := range []string{"name", "id"} {
		if s := text(v, attr); s != "" {
			return s
		}
	}
	return ""
}

// keyOf is what tells objects apart: the id where there is one.
func keyOf(v cty.Value) string {
	if v == cty.NilVal || v.IsNull() || !v.IsKnown() || !v.Type().IsObjectType() {
		return ""
	}
	if id := text(v, "id"); id != "" {
		return id
	}
	return nameOf(v)
}

// text is a known string attribute.
func text(v cty.Value, attr string) string {
	if v.IsNull() || !v.Type().HasAttribute(attr) {
		return ""
	}
	if a := v.GetAttr(attr); a.Type() == cty.String && a.IsKnown() && !a.IsNull() {
		return a.AsString()
	}
	return ""
}

// predict is the honest plan: what is computed and not configured becomes
// unknown where it is new, or at every change if it is volatile.
func (m *model) predict(prior, proposed cty.Value) cty.Value {
	create := prior.IsNull()
	changed := create || !prior.RawEquals(proposed)
	if !changed {
		return proposed
	}
	out, _ := cty.Transform(proposed, func(at cty.Path, v cty.Value) (cty.Value, error) {
		a := attributeAt(m.resource.Block, at)
		switch {
		case a == nil:
			return v, nil
		case a.WriteOnly:
			return cty.NullVal(v.Type()), nil
		case len(at) == 1 && m.volatile[a.Name] && a.Computed:
			return cty.UnknownVal(v.Type()), nil
		case a.Computed && v.IsNull() && (create || !exists(prior, at)):
			return cty.UnknownVal(v.Type()), nil
		}
		return v, nil
	})
	return out
}

// attributeAt is the attribute that a path ends at, and not one it leads into.
func attributeAt(b *schema.Block, at cty.Path) *schema.Attribute {
	if len(at) == 0 {
		return nil
	}
	if _, ok := at[len(at)-1].(cty.GetAttrStep); !ok {
		return nil
	}
	return b.AttributeAt(at)
}

func exists(v cty.Value, at cty.Path) bool {
	_, err := at.Apply(v)
	return err == nil
}

// replaced are the attributes with the replace flag that change.
func (m *model) replaced(prior, planned cty.Value) []cty.Path {
	if prior.IsNull() || planned.IsNull() {
		return nil
	}
	var out []cty.Path
	for _, name := range m.resource.Block.AttrNames() {
		if m.replace[name] && !prior.GetAttr(name).RawEquals(planned.GetAttr(name)) {
			out = append(out, cty.GetAttrPath(name))
		}
	}
	return out
}

// fill makes what is still unknown after an apply known.
func fill(planned cty.Value, id string) cty.Value {
	out, _ := cty.Transform(planned, func(at cty.Path, v cty.Value) (cty.Value, error) {
		if v.IsKnown() {
			return v, nil
		}
		switch t := v.Type(); {
		case t == cty.String && isID(at):
			return cty.StringVal(id), nil
		case t == cty.String:
			return cty.StringVal(id + value.PathString(at)), nil
		case t == cty.Number:
			return cty.NumberIntVal(int64(len(id))), nil
		case t == cty.Bool:
			return cty.True, nil
		default:
			return cty.NullVal(t), nil
		}
	})
	return out
}

func isID(at cty.Path) bool {
	step, ok := at[len(at)-1].(cty.GetAttrStep)
	return ok && len(at) == 1 && step.Name == "id"
}

// nextID numbers the objects made under a name.
func (p *Provider) nextID(typeName string, planned cty.Value) string {
	p.mu.Lock()
	defer p.mu.Unlock()
	name := text(planned, "name")
	if name == "" {
		name = typeName
	}
	p.made[typeName+" "+name]++
	return fmt.Sprintf("%s-%d", name, p.made[typeName+" "+name])
}

// keep records an object in the remote world, if it has an id to find it by.
func (p *Provider) keep(typeName string, v cty.Value) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if id := text(v, "id"); id != "" {
		p.world(typeName)[id] = v
	}
}

func (p *Provider) lose(typeName string, v cty.Value) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if id := text(v, "id"); id != "" {
		p.world(typeName)[id] = cty.NullVal(v.Type())
	}
}

func (p *Provider) world(typeName string) map[string]cty.Value {
	if p.remote[typeName] == nil {
		p.remote[typeName] = map[string]cty.Value{}
	}
	return p.remote[typeName]
}

// present is a remote object as it is; one the world never heard of is as the
// engine believes, or gone.
func (p *Provider) present(m *model, typeName string, prior cty.Value) cty.Value {
	p.mu.Lock()
	defer p.mu.Unlock()
	if v, ok := p.remote[typeName][text(prior, "id")]; ok {
		return v
	}
	if m.remote {
		return cty.NullVal(prior.Type())
	}
	return prior
}

// identityOf is an object's identity, zero when its type has none or it is not
// known yet.
func (m *model) identityOf(v cty.Value, o outcome) value.Bare {
	if o.anonymous || m.resource.Identity == nil || v.IsNull() {
		return value.Bare{}
	}
	attrs := map[string]cty.Value{}
	for _, name := range m.identity {
		attrs[name] = v.GetAttr(name)
	}
	return value.MustBare(cty.ObjectVal(attrs))
}

// verb is what a plan or an apply does.
func verb(prior, planned cty.Value) string {
	switch {
	case planned.IsNull():
		return "delete"
	case prior.IsNull():
		return "create"
	}
	return "update"
}

// changes writes the attributes that differ, as NAME=JSON.
func changes(prior, planned cty.Value) string {
	if planned.IsNull() || !planned.Type().IsObjectType() {
		return ""
	}
	var out []string
	for name, v := range planned.AsValueMap() {
		if v.IsNull() && prior.IsNull() || !prior.IsNull() && prior.GetAttr(name).RawEquals(v) {
			continue
		}
		out = append(out, name+"="+show(v))
	}
	sort.Strings(out)
	return strings.Join(out, " ")
}

// show writes a value as JSON does, with ? for what is unknown.
func show(v cty.Value) string {
	switch {
	case !v.IsKnown():
		return "?"
	case v.IsNull():
		return "null"
	case v.Type().IsPrimitiveType():
		raw, _ := ctyjson.Marshal(v, v.Type())
		return string(raw)
	}
	open, shut := "[", "]"
	var parts []string
	for it := v.ElementIterator(); it.Next(); {
		k, e := it.Element()
		part := show(e)
		if v.Type().IsObjectType() || v.Type().IsMapType() {
			open, shut = "{", "}"
			part = k.AsString() + ":" + part
		}
		parts = append(parts, part)
	}
	return open + strings.Join(parts, ",") + shut
}
