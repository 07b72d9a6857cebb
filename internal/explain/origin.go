package explain

import (
	"strings"

	"github.com/plumb-iac/plumb/plan"
	"github.com/plumb-iac/plumb/schema"
	"github.com/plumb-iac/plumb/value"
	"github.com/zclconf/go-cty/cty"
)

// Side is who decided a value.
type Side string

// The sides. The engine decides what it takes over from before without asking.
const (
	Author   Side = "author"
	Provider Side = "provider"
	Engine   Side = "engine"
	Nobody   Side = ""
)

// Origin says who decided the planned value of a place, by which rule of the
// contract or step of the engine, in words.
type Origin struct {
	Side       Side
	Rule, Text string
}

// facts are the values at one place that an origin is decided by.
type facts struct {
	attr                                         *schema.Attribute
	config, effective, prior, proposed, answered cty.Value
	planned, replaced, data                      bool
	// ends says that the whole object is planned to be gone.
	ends bool
}

// origins are the rows, in order: the first that applies decides.
var origins = []struct {
	when func(facts) bool
	Origin
}{
	{func(f facts) bool { return !f.planned && f.ends }, Origin{Nobody, "", "nothing is planned here"}},
	{func(f facts) bool { return !f.planned && f.config == cty.NilVal }, Origin{Author, "plan/as-configured", "the configuration has no such element"}},
	{func(f facts) bool { return !f.planned }, Origin{Provider, "plan/structure-keys", "the provider dropped an element that is configured, against its contract"}},
	{func(f facts) bool { return f.data && unknown(f.answered) && absent(f.config) }, Origin{Provider, "data/computed-free", "the data source gives it when it is read, during apply"}},
	{func(f facts) bool { return f.data && unknown(f.answered) }, Origin{Author, "data/as-configured", "configured with something that is not known yet"}},
	{func(f facts) bool { return f.data && absent(f.config) && absent(f.answered) && !computed(f) }, Origin{Author, "data/uncomputed-null", "not configured"}},
	{func(f facts) bool { return f.data && absent(f.config) }, Origin{Provider, "data/computed-free", "the data source gave it"}},
	{func(f facts) bool { return f.data && same(f.config, f.answered) }, Origin{Author, "data/as-configured", "as it is configured"}},
	{func(f facts) bool { return f.data }, Origin{Provider, "data/configured-kept", "the data source gives another value than the configured one, against its contract"}},
	{func(f facts) bool { return f.attr != nil && f.attr.WriteOnly }, Origin{Author, "plan/write-only-null", "a write-only argument goes to the provider and is never stored"}},
	{func(f facts) bool { return !same(f.config, f.effective) && same(f.effective, f.answered) }, Origin{Engine, "ignore_changes", "the change in the configuration is ignored, so the prior value stays"}},
	{func(f facts) bool { return unknown(f.effective) && unknown(f.answered) }, Origin{Author, "plan/as-configured", "configured with something that is not known yet"}},
	{func(f facts) bool { return !absent(f.effective) && same(f.effective, f.answered) }, Origin{Author, "plan/as-configured", "as it is configured"}},
	{func(f facts) bool { return !absent(f.effective) && !absent(f.prior) && same(f.prior, f.answered) }, Origin{Provider, "plan/as-before", "the provider keeps the prior value: for it the configured one means the same"}},
	{func(f facts) bool { return !absent(f.effective) }, Origin{Provider, "plan/configured-kept", "the provider changed what is configured, against its contract"}},
	{func(f facts) bool { return computed(f) && unknown(f.answered) }, Origin{Provider, "plan/computed-free", "the provider decides it during apply"}},
	{func(f facts) bool {
		return computed(f) && !absent(f.prior) && !f.replaced && same(f.proposed, f.answered)
	}, Origin{Engine, "proposed-new", "not configured, so the prior value was proposed, and the provider kept it"}},
	{func(f facts) bool { return computed(f) && absent(f.answered) }, Origin{Provider, "plan/computed-free", "not configured, and the provider gives it no value"}},
	{func(f facts) bool { return computed(f) }, Origin{Provider, "plan/computed-free", "not configured, so the provider chose it"}},
	{func(f facts) bool { return absent(f.answered) }, Origin{Author, "plan/uncomputed-null", "not configured"}},
	{func(facts) bool { return true }, Origin{Provider, "plan/uncomputed-null", "the provider set what is not configured, against its contract"}},
}

func computed(f facts) bool { return f.attr == nil || f.attr.Computed }

func origin(a *Artefacts, p cty.Path) Origin {
	f := facts{attr: a.attribute(p), replaced: !a.Remade.IsZero(), data: a.isData()}
	f.config, _ = at(a.Config.Cty(), p)
	f.effective = f.config
	if !a.Effective.IsZero() && !f.replaced {
		f.effective, _ = at(a.Effective.Cty(), p)
	}
	f.prior, _ = at(a.Prior.Cty(), p)
	proposed := a.Proposed
	if f.replaced {
		proposed = a.RemadeProposed
	}
	f.proposed, _ = at(proposed.Cty(), p)
	f.answered, f.planned = at(a.planned(), p)
	f.ends = a.planned() == cty.NilVal || a.planned().IsNull()
	for _, o := range origins {
		if o.when(f) {
			return o.Origin
		}
	}
	return Origin{}
}

// attribute is the attribute that a path leads to or into.
func (a *Artefacts) attribute(p cty.Path) *schema.Attribute {
	for n := len(p); n > 0; n-- {
		if at := a.Schema.AttributeAt(p[:n]); at != nil {
			return at
		}
	}
	return nil
}

// notes say what happened to a place before it was planned, and what an
// unknown value waits for.
func notes(a *Artefacts, p cty.Path) []string {
	var out []string
	was, ok1 := at(a.At(PreviousRun), p)
	up, ok2 := at(a.At(UpgradedState), p)
	prior, ok3 := at(a.At(PriorState), p)
	if ok1 && ok2 && !same(was, up) {
		out = append(out, "changed by the upgrade of the stored object")
	}
	if ok2 && ok3 && a.Read && !same(up, prior) {
		out = append(out, "changed outside: it was "+a.text(up, p)+" when it was last applied or read")
	}
	if v, _ := at(a.Config.Cty(), p); v != cty.NilVal && !v.IsWhollyKnown() {
		out = append(out, a.waiting(p))
	}
	if last, ok := at(a.At(PreviousRun), p); a.isData() && ok && !a.Result.IsZero() {
		if now, _ := at(a.Result.Cty(), p); !same(last, now) {
			out = append(out, "the last run read "+a.text(last, p))
		}
	}
	return out
}

// waiting says what a configured value waits for.
func (a *Artefacts) waiting(p cty.Path) string {
	g, ok := p[0].(cty.GetAttrStep)
	if ok && len(a.Waits[g.Name]) > 0 {
		return "waits for " + strings.Join(a.Waits[g.Name], ", ")
	}
	return "nothing that it refers to is unknown: its expression has a value during apply only, as with timestamp() or uuid()"
}

// actions say what an action means.
var actions = map[plan.Action]string{
	plan.NoOp:             "Nothing is done: the planned object is the prior one.",
	plan.Create:           "The object is created: the configuration has it, and there is none.",
	plan.Read:             "The data source is read during apply.",
	plan.Update:           "The object is updated in place: it exists, and the planned object differs from the prior one.",
	plan.DeleteThenCreate: "The object is replaced: first destroyed, then created anew.",
	plan.CreateThenDelete: "The object is replaced: first created anew (create_before_destroy), then the old one is destroyed.",
	plan.CreateThenForget: "The object is replaced; the old one is not destroyed, but no longer managed.",
	plan.ForgetThenCreate: "The object is replaced; the old one is not destroyed, but no longer managed from when the new one is about to be created.",
	plan.Delete:           "The object is destroyed.",
	plan.Forget:           "The object is no longer managed; it is not destroyed.",
}

// reasons say what a reason means.
var reasons = map[plan.Reason]string{
	plan.ReplaceTainted:         "It is tainted: its creation failed half-way, or somebody asked for its replacement.",
	plan.ReplaceCannotUpdate:    "The provider cannot change the following in place.",
	plan.ReplaceRequested:       "The option -replace asks for it.",
	plan.ReplaceTriggered:       "Something in replace_triggered_by changes.",
	plan.DeleteNoResourceConfig: "The configuration has no such resource.",
	plan.DeleteWrongRepetition:  "The resource has no instance with such a key.",
	plan.DeleteCountIndex:       "The index is not below count.",
	plan.DeleteEachKey:          "for_each has no such key.",
	plan.DeleteNoModule:         "The configuration has no such module instance.",
	plan.DeleteNoMoveTarget:     "It was moved to an address that the configuration does not have.",
	plan.DeleteEnabledFalse:     "Its lifecycle says enabled = false.",
	plan.ForgotInConfig:         "Its lifecycle says destroy = false.",
	plan.ForgotInState:          "Its lifecycle said destroy = false when it was last in the configuration.",
	plan.ReadConfigUnknown:      "Its arguments are not known before.",
	plan.ReadDependencyPending:  "Something that it depends on is going to change.",
	plan.ReadCheckNested:        "It belongs to a check, which is made at the end.",
}

// deferrals say what a reason of deferral means.
var deferrals = map[plan.DeferReason]string{
	plan.DeferUnknown:               "The provider cannot plan it yet, and does not say why.",
	plan.DeferCountUnknown:          "How many instances there are is not known yet: the count or for_each of the resource, or of a module that it is in, depends on something that is known only after apply.",
	plan.DeferConfigUnknown:         "Its configuration depends on something that is known only after apply.",
	plan.DeferProviderConfigUnknown: "The configuration of its provider depends on something that is known only after apply.",
	plan.DeferAbsentPrereq:          "The provider misses something that has to be there first.",
	plan.DeferPrereq:                "It is tied to something that is deferred itself.",
}

// gone says that reading did not find what the state has.
func (a *Artefacts) gone() bool {
	return a.Read && !a.Upgraded.IsZero() && !a.Upgraded.Cty().IsNull() && !a.Prior.IsZero() && a.Prior.Cty().IsNull()
}

// why says what happens and why, in sentences.
func why(a *Artefacts) []string {
	out := []string{actions[a.Action]}
	switch {
	case a.isData() && a.Action == plan.NoOp && a.Result.IsZero():
		out = []string{"The data source was not read: something is wrong before that, see the diagnostics."}
	case a.isData() && a.Action == plan.NoOp:
		out = []string{"The data source is read while planning: its arguments are known, and nothing that it depends on by depends_on is going to change."}
	case a.Object.Deposed != "":
		out = append(out, "It is deposed: a replacement that created the new object first could not destroy this one.")
	case a.gone():
		out = append(out, "It was deleted outside: the state has it, and reading did not find it.")
	}
	if text := reasons[a.Reason]; text != "" {
		if a.Reason == plan.ReplaceTriggered && len(a.Triggers) > 0 {
			text = strings.TrimSuffix(text, ".") + ": " + strings.Join(a.Triggers, ", ") + "."
		}
		out = append(out, text)
	}
	if len(a.Pending) > 0 {
		out = append(out, "What is going to change: "+strings.Join(a.Pending, ", ")+".")
	}
	if text := deferrals[a.Deferred]; text != "" {
		out = append(out, "It is deferred: in this round nothing is done about it, and what is shown is what is foreseen. "+text)
		if a.DeferredByProvider {
			out = append(out, "The provider itself put it off.")
		}
	}
	for _, p := range a.Forces {
		was, _ := at(a.Prior.Cty(), p)
		now, _ := at(a.Planned.Cty(), p)
		out = append(out, "Replacement is forced by "+strings.TrimPrefix(value.PathString(p), ".")+": "+a.text(was, p)+" → "+a.text(now, p)+".")
	}
	for _, r := range a.Runs {
		out = append(out, "It triggers "+r.Action+" at "+r.Event+".")
	}
	return append(out, besides(a)...)
}

// besides is what else there is to say: of the answers, and of where the object comes
// from.
func besides(a *Artefacts) []string {
	var out []string
	if ignored := len(a.Requires) - len(a.Forces); ignored > 0 && len(a.Forces) == 0 {
		out = append(out, "The provider named attributes that force a replacement; none of them changes.")
	}
	if a.Previously.Resource.Type != "" && a.Previously != a.Object.Instance {
		out = append(out, "It moved: its address was "+a.Previously.String()+".")
	}
	if a.Imported {
		out = append(out, "It is imported by this plan.")
	}
	if len(a.Deposed) > 0 {
		out = append(out, "The instance has deposed objects, too, each with a plan of its own (-deposed=KEY): "+strings.Join(a.Deposed, ", ")+".")
	}
	if !a.Read && !a.Prior.IsZero() && !a.Prior.Cty().IsNull() && !a.Imported {
		out = append(out, "It was not read: the prior state is what the state says.")
	}
	if a.Legacy {
		out = append(out, "The provider marked its answer as coming from the old type system, which is excused for deviations.")
	}
	return out
}
