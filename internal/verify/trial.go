package verify

import (
	"strings"

	"github.com/plumb-iac/plumb/diag"
	"github.com/plumb-iac/plumb/internal/lang/valuetext"
	"github.com/plumb-iac/plumb/provider/wire"
	"github.com/plumb-iac/plumb/value"
	"github.com/zclconf/go-cty/cty"
)

// Case is what a trial is made with. Everything it does follows from it, so a
// simpler case that breaks the same rule can take its place.
type Case struct {
	// Config is the configuration, Then the one it is changed into after it was
	// applied (null for none). A function's Config is the list of its arguments.
	Config, Then cty.Value
	// Unknown is an argument that is not known at first, neither at validation nor
	// at the first plan; empty for none. Where there is a Then it is one of its
	// arguments.
	Unknown cty.Path
	// Live cases are applied.
	Live bool
	// ImportID is the id of an object that is imported; there is no Config then.
	ImportID string
}

// trial drives one case.
type trial struct {
	*examination
	subject
	at    Case
	found []Breach
	// refusal is the provider's own refusal, if it came to that.
	refusal diag.List
	applied bool
	// lost says that a call did not come through.
	lost bool
	// tolerated says that the old type system was excused for something.
	tolerated bool
}

// probe finds out whether the configuration is accepted, by as little as shows
// that: what is no managed resource is run, since nothing stays behind of it.
func (t *trial) probe() {
	if t.kind != "resource" {
		t.at.Live = true
		t.run()
		return
	}
	if t.validate("validate", t.at.Config) {
		t.plan("plan to create", t.none(), t.at.Config, nil)
	}
}

// run drives the case to its end.
func (t *trial) run() {
	switch {
	case t.at.ImportID != "":
		t.adopt()
	case len(t.at.Unknown) > 0 && t.at.Then == cty.NilVal:
		t.unknown()
	case t.kind == "resource":
		t.resource()
	case !t.validate("validate", t.at.Config):
	case t.kind == "data":
		t.data()
	case t.kind == "ephemeral":
		t.ephemeral()
	case t.kind == "list":
		t.list()
	case t.kind == "action":
		t.action()
	}
}

// may says whether what touches the outside is allowed in this trial.
func (t *trial) may() bool { return t.AllowApply && t.at.Live && !t.stuck[t.name] }

// came notes a call that did not come through, and says whether to go on with
// its answer.
func (t *trial) came(step string, diags diag.List) bool {
	t.blames(step, diags)
	if !diags.HasErrors() {
		return true
	}
	if code, saw := failure(diags); code != "" {
		t.breach(answers, step, nil, saw)
		t.lost = true
		if code == wire.CodeDied {
			t.close()
		}
		return false
	}
	if diags.Errors()[0].Summary == unofferedDeferral {
		t.breach(deferralOffered, step, nil, firstLine(diags.Errors()[0].Detail))
		return false
	}
	t.refusal = diags
	return false
}

// unofferedDeferral is how the servers of the common provider library complain
// of the provider that they serve.
const unofferedDeferral = "Invalid Deferred Response"

// blames checks that complaints point at arguments of the subject.
func (t *trial) blames(step string, diags diag.List) {
	if t.schema == nil {
		return
	}
	for _, d := range diags {
		if len(d.Path) == 0 {
			continue
		}
		b := t.schema.Block
		if g, ok := d.Path[0].(cty.GetAttrStep); !ok || b.Attributes[g.Name] == nil && b.Blocks[g.Name] == nil {
			t.breach(blamesArgument, step, nil, "the complaint \""+d.Summary+"\" points at "+value.PathString(d.Path)+", which the schema does not have")
		}
	}
}

func (t *trial) validate(step string, config cty.Value) bool {
	if !t.ready() {
		return false
	}
	var diags diag.List
	bare := value.MustBare(config)
	switch t.kind {
	case "resource":
		diags = t.client.ValidateResource(t.ctx, t.name, bare)
	case "data":
		diags = t.client.ValidateData(t.ctx, t.name, bare)
	case "ephemeral":
		diags = t.client.ValidateEphemeral(t.ctx, t.name, bare)
	case "list":
		diags = t.client.ValidateList(t.ctx, t.listing(config, true))
	case "action":
		diags = t.client.ValidateAction(t.ctx, t.name, bare)
	}
	return t.came(step, diags)
}

// unknown validates, and plans what is planned, with an argument that is not
// known yet, then with all of it.
func (t *trial) unknown() {
	vague, ok := t.vague(t.at.Config)
	if !ok {
		return
	}
	where := value.PathString(t.at.Unknown)
	step := "validate while " + where + " is unknown"
	if !t.validate(step, vague) {
		t.complain(unknownAccepted, step, t.at.Unknown)
		return
	}
	switch t.kind {
	case "resource":
		t.unknownPlan(t.none(), t.at.Config, vague, "create")
	case "action":
		step := "plan while " + where + " is unknown"
		if !t.planAction(step, vague) {
			t.complain(unknownPlanned, step, t.at.Unknown)
		}
	}
}

// vague is a configuration with the case's unknown argument unknown.
func (t *trial) vague(config cty.Value) (cty.Value, bool) {
	at, err := t.at.Unknown.Apply(config)
	if err != nil {
		return config, false
	}
	kind := at.Type()
	if a := t.schema.Block.AttributeAt(t.at.Unknown); a != nil && a.Type == cty.DynamicPseudoType {
		kind = cty.DynamicPseudoType
	}
	return replaced(config, t.at.Unknown, cty.UnknownVal(kind)), true
}

// complain turns a refusal into a breach.
func (t *trial) complain(r *Rule, step string, path cty.Path) {
	if t.refusal.HasErrors() {
		d := t.refusal.Errors()[0]
		t.breach(r, step, path, "the provider says: "+d.Summary+". "+firstLine(d.Detail))
		t.refusal = nil
	}
}

// traceless calls f, which may not touch the outside.
func (t *trial) traceless(step string, f func() bool) bool {
	if t.Footprint == nil {
		return f()
	}
	before := t.Footprint()
	ok := f()
	if after := t.Footprint(); after != before {
		t.breach(planTraceless, step, nil, "the directory that the provider works in was ["+before+"] and is ["+after+"]")
	}
	return ok
}

// show writes the value at a path, unless it is sensitive.
func (t *trial) show(v cty.Value, path cty.Path) string {
	if t.secret(path) {
		return "a sensitive value"
	}
	at, err := path.Apply(v)
	if err != nil {
		return "nothing"
	}
	switch {
	case !at.IsKnown():
		return "an unknown value"
	case at.IsNull():
		return "null"
	}
	text := valuetext.Format(at, 0)
	const most = 200
	if len(text) > most {
		return strings.ToValidUTF8(text[:most], "") + "…"
	}
	return text
}

func (t *trial) secret(path cty.Path) bool {
	for n := 1; n <= len(path); n++ {
		if a := t.schema.Block.AttributeAt(path[:n]); a != nil && a.Sensitive {
			return true
		}
	}
	return false
}
