package action

import "github.com/plumb-iac/plumb/plan"

// Facts are what the action of one object depends on.
type Facts struct {
	Mode plan.Mode
	// Exists says that there is an object (the prior state is not null).
	Exists bool
	// Wanted says that the configuration has the instance. Why is the reason
	// where it has not.
	Wanted bool
	Why    plan.Reason
	// Deposed says that the object is one a replacement left behind.
	Deposed bool
	// Keep says that the object is not destroyed when it goes: lifecycle
	// destroy = false, or a removed block that says so.
	Keep bool
	// Tainted, Requested (-replace) and Triggered (replace_triggered_by) ask
	// for a replacement; Forced says that the provider cannot do without one.
	Tainted, Requested, Triggered, Forced bool
	// Equal says that the planned object is the prior one, SameMarks that they
	// are sensitive in the same places.
	Equal, SameMarks bool
	// CreateFirst says that a replacement comes before the end of what it
	// replaces.
	CreateFirst bool
	// ForgetFirst is the reading of the dialect that forgets an object before it
	// creates the replacement.
	ForgetFirst bool
	// NamesTriggerOnCreate is the reading of the dialect that gives the reason
	// of replace_triggered_by to objects that do not exist yet, too.
	NamesTriggerOnCreate bool
}

// masked is f as the mode lets it be seen: a destroy wants nothing, and a
// refresh acts on nothing.
func (f Facts) masked() Facts {
	switch f.Mode {
	case plan.Destroy:
		f.Wanted, f.Why = false, plan.NoReason
	case plan.RefreshOnly:
		return Facts{Exists: true, Wanted: true, Equal: true, SameMarks: true}
	}
	return f
}

// row is one line of the decision.
type row struct {
	name   string
	when   func(Facts) bool
	action plan.Action
	reason plan.Reason
	// replaces says that the action is a replacement, whose flavour the facts
	// choose; explains that the facts give the reason.
	replaces, explains bool
}

var rows = []row{
	{name: "gone already", when: func(f Facts) bool { return !f.Exists && (f.Deposed || !f.Wanted) }, action: plan.NoOp},
	{name: "kept when it goes", when: func(f Facts) bool { return f.Keep && (f.Deposed || !f.Wanted) }, action: plan.Forget, explains: true},
	{name: "deposed", when: func(f Facts) bool { return f.Deposed }, action: plan.Delete},
	{name: "unwanted", when: func(f Facts) bool { return !f.Wanted }, action: plan.Delete, explains: true},
	{name: "triggered before it exists", when: func(f Facts) bool { return !f.Exists && f.Triggered && f.NamesTriggerOnCreate }, action: plan.Create, reason: plan.ReplaceTriggered},
	{name: "missing", when: func(f Facts) bool { return !f.Exists }, action: plan.Create},
	{name: "tainted", when: func(f Facts) bool { return f.Tainted }, replaces: true, reason: plan.ReplaceTainted},
	{name: "requested", when: func(f Facts) bool { return f.Requested }, replaces: true, reason: plan.ReplaceRequested},
	{name: "triggered", when: func(f Facts) bool { return f.Triggered }, replaces: true, reason: plan.ReplaceTriggered},
	{name: "forced", when: func(f Facts) bool { return f.Forced }, replaces: true, reason: plan.ReplaceCannotUpdate},
	{name: "equal", when: func(f Facts) bool { return f.Equal && f.SameMarks }, action: plan.NoOp},
	{name: "only marks differ", when: func(f Facts) bool { return f.Equal }, action: plan.Update},
	{name: "different", when: func(Facts) bool { return true }, action: plan.Update},
}

// Decide says what happens to a managed object, and why where that is not
// obvious. An update of an object that is [Facts.Equal] needs no provider.
func Decide(f Facts) (plan.Action, plan.Reason) {
	f = f.masked()
	r := deciding(f)
	switch {
	case r.replaces:
		return flavour(f), r.reason
	case r.explains:
		return r.action, f.Why
	}
	return r.action, r.reason
}

func deciding(f Facts) *row {
	for i := range rows {
		if rows[i].when(f) {
			return &rows[i]
		}
	}
	panic("AC1: no row decides")
}

func flavour(f Facts) plan.Action {
	switch {
	case f.Keep && f.ForgetFirst:
		return plan.ForgetThenCreate
	case f.Keep:
		return plan.CreateThenForget
	case f.CreateFirst:
		return plan.CreateThenDelete
	}
	return plan.DeleteThenCreate
}

// DataFacts are what the reading of a data source depends on.
type DataFacts struct {
	// ConfigUnknown says that arguments are not known yet, Pending that
	// something it depends on is about to change.
	ConfigUnknown, Pending bool
	// InCheck says that it stands in a check block, which reads it now and again
	// when everything is done.
	InCheck bool
}

// DecideData says whether a data source is read during apply, and why. NoOp
// means that planning reads it.
func DecideData(f DataFacts) (plan.Action, plan.Reason) {
	for _, r := range dataRows {
		if r.when(f) {
			return r.action, r.reason
		}
	}
	return plan.NoOp, plan.NoReason
}

var dataRows = []struct {
	name   string
	when   func(DataFacts) bool
	action plan.Action
	reason plan.Reason
}{
	{"has arguments that are not known yet", func(f DataFacts) bool { return f.ConfigUnknown }, plan.Read, plan.ReadConfigUnknown},
	{"depends on something that is about to change", func(f DataFacts) bool { return f.Pending }, plan.Read, plan.ReadDependencyPending},
	{"stands in a check block, besides while planning", func(f DataFacts) bool { return f.InCheck }, plan.Read, plan.ReadCheckNested},
}
