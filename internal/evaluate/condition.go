package evaluate

import (
	"maps"
	"sort"
	"sync"

	"github.com/plumb-iac/plumb/addr"
	"github.com/plumb-iac/plumb/diag"
	"github.com/plumb-iac/plumb/internal/lang"
	"github.com/plumb-iac/plumb/state"
	"github.com/plumb-iac/plumb/value"
	"github.com/zclconf/go-cty/cty"
)

// Subject is whose conditions are evaluated and how a failure is told.
type Subject struct {
	// Kind is resource, output, check or var; Config and Object are the
	// addresses without and with instance keys.
	Kind, Config, Object string
	Summary              string
	Severity             diag.Severity
	// At is where a failure is shown, nil for at the condition.
	At *diag.Range
	// Standing says that the object stands for others that are not known: its
	// outcome is none of theirs.
	Standing bool
	// Unasked says that nobody has given the value that the rules are about, so
	// only mistakes in the rules themselves count.
	Unasked bool
}

// checkBook collects the outcomes of conditions.
type checkBook struct {
	mu      sync.Mutex
	results map[string]*bookEntry
}

type bookEntry struct {
	kind    string
	objects map[string]*state.CheckObject
}

// note records the outcome for one object; several rounds for the same object
// (pre- and postconditions) are merged, the worst status winning.
func (b *checkBook) note(sub Subject, status state.CheckStatus, failures []string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.results == nil {
		b.results = map[string]*bookEntry{}
	}
	e := b.results[sub.Config]
	if e == nil {
		e = &bookEntry{kind: sub.Kind, objects: map[string]*state.CheckObject{}}
		b.results[sub.Config] = e
	}
	o := e.objects[sub.Object]
	if o == nil {
		o = &state.CheckObject{Addr: sub.Object, Status: state.CheckPass}
		e.objects[sub.Object] = o
	}
	o.Status = worse(o.Status, status)
	o.Failures = append(o.Failures, failures...)
}

// rank orders statuses from harmless to bad.
var rank = map[state.CheckStatus]int{state.CheckPass: 0, state.CheckUnknown: 1, state.CheckFail: 2, state.CheckError: 3}

func worse(a, b state.CheckStatus) state.CheckStatus {
	if rank[b] > rank[a] {
		return b
	}
	return a
}

// Checks are the outcomes of all conditions of the program, sorted by address.
// What was not evaluated is unknown.
func (r *Run) Checks() []state.CheckResult {
	r.checks.mu.Lock()
	defer r.checks.mu.Unlock()
	var out []state.CheckResult
	for _, s := range r.sites {
		kind := s.checkKind()
		if kind == "" {
			continue
		}
		out = append(out, r.result(s, kind))
	}
	sort.SliceStable(out, func(i, j int) bool { return out[i].ConfigAddr < out[j].ConfigAddr })
	return out
}

// result is the outcome of one site's conditions. An object that was expanded
// and not looked at is unknown.
func (r *Run) result(s *Site, kind string) state.CheckResult {
	res := state.CheckResult{Kind: kind, ConfigAddr: s.Addr(), Status: state.CheckUnknown}
	objects := map[string]*state.CheckObject{}
	for _, name := range r.instancesOf(s) {
		objects[name] = &state.CheckObject{Addr: name}
	}
	if e := r.checks.results[s.Addr()]; e != nil {
		maps.Copy(objects, e.objects)
	}
	if (s.Kind == Resource && r.keys[s.ID] != nil || len(objects) > 0) && !r.stands(s) {
		res.Status = state.CheckPass
	}
	for _, name := range sorted(objects) {
		res.Status = worse(res.Status, objects[name].Status)
		res.Objects = append(res.Objects, *objects[name])
	}
	return res
}

// stands says whether something stands for objects of the site that are not
// known.
func (r *Run) stands(s *Site) bool {
	for mi, inst := range r.modules[s.Module.ID] {
		if inst.Uncertain || s.Kind == Resource && r.Uncertain(s, mi) {
			return true
		}
	}
	return false
}

// instancesOf are the addresses of a resource's or check's instances, none before
// they are known. Root outputs are there to the end, where everything ends.
func (r *Run) instancesOf(s *Site) []string {
	var out []string
	switch {
	case s.Kind == Output && s.Module.Parent == nil && r.Ending && !r.Partial:
		return []string{s.Name}
	case s.Kind == Check && !r.Ending && !r.Partial:
		for _, inst := range r.modules[s.Module.ID] {
			if !inst.Uncertain {
				out = append(out, checkSubject(s, inst.Addr).Object)
			}
		}
		return out
	case s.Kind != Resource:
		return nil
	}
	for mi, keys := range r.keys[s.ID] {
		if r.Uncertain(s, mi) {
			continue
		}
		for key := range keys.All() {
			out = append(out, r.InstanceAddr(s, mi, key).String())
		}
	}
	return out
}

// Broken says that a data source of a check block could not be read. The check
// fails because of it, and nothing else does: the diagnostics come back as
// warnings.
func (r *Run) Broken(s *Site, at addr.ModuleInstance, l diag.List) diag.List {
	var failures []string
	for _, d := range l.Errors() {
		failures = append(failures, d.Summary+": "+d.Detail)
	}
	if len(failures) == 0 {
		return l
	}
	name := s.Resource.Config.Check
	object := ""
	if check := s.Module.checks[name]; check != nil {
		sub := checkSubject(check, at)
		r.checks.note(sub, state.CheckFail, failures)
		object = sub.Object
	}
	for i := range l {
		l[i].Code, l[i].Checked = diag.FoundByCheck, object
	}
	return soften(l)
}

func checkSubject(s *Site, at addr.ModuleInstance) Subject {
	return Subject{Kind: "check", Config: s.Addr(), Object: dotted(at.String(), s.Name),
		Summary: "Check block assertion failed", Severity: diag.Warning}
}

// failing says whether an object's conditions are known to fail.
func (b *checkBook) failing(sub Subject) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	e := b.results[sub.Config]
	return e != nil && e.objects[sub.Object] != nil && e.objects[sub.Object].Status == state.CheckFail
}

// checkKind is the kind of check results that a site has, "" for none.
func (s *Site) checkKind() string {
	switch {
	case s.Kind == Variable && len(s.Variable.Validations) > 0:
		return "var"
	case s.Kind == Output && len(s.Output.Preconditions) > 0:
		return "output"
	case s.Kind == Check:
		return "check"
	case s.Kind == Resource && len(s.Resource.Preconditions)+len(s.Resource.Postconditions) > 0:
		return "resource"
	}
	return ""
}

// Conditions evaluates rules for one object, records the outcome and gives the
// diagnostics of those that failed.
func (r *Run) Conditions(rules []Rule, sc *lang.Scope, sub Subject) diag.List {
	if len(rules) == 0 {
		return nil
	}
	if r.Lenient && sub.Kind != "var" {
		sub.Severity = diag.Warning
	}
	var diags diag.List
	var failures []string
	status := state.CheckPass
	for _, rule := range rules {
		st, message, more := r.condition(rule, sc, sub)
		diags = diags.With(more)
		status = worse(status, st)
		if st == state.CheckFail {
			failures = append(failures, message)
		}
	}
	if r.Phase != Validating && !sub.Standing {
		r.checks.note(sub, status, failures)
	}
	return diags
}

// condition evaluates one rule. What cannot be evaluated is an error, also of a
// check, whose failures only warn: it is a mistake in the configuration.
func (r *Run) condition(rule Rule, sc *lang.Scope, sub Subject) (state.CheckStatus, string, diag.List) {
	if rule.Condition == nil || rule.Message == nil {
		return state.CheckError, "", nil
	}
	v, diags := rule.Condition.Eval(sc, cty.DynamicPseudoType)
	m := r.message(rule, sc, sub)
	if diags.HasErrors() {
		return state.CheckError, "", diags.With(m.broken)
	}
	diags = diags.With(m.broken)
	if sub.Kind != "var" {
		if m.broken.HasErrors() || m.wrong.HasErrors() {
			return state.CheckError, "", diags.With(m.wrong)
		}
		diags = diags.With(m.secret)
	}
	bare := value.Strip(v).Cty()
	ok, problem := lang.AsBool(bare)
	switch {
	case problem != "":
		return state.CheckError, "", diags.Append(diag.Err(invalidResult(sub.Kind),
			"The condition must be either true or false: "+problem+".").At(rule.Condition.Range()))
	case r.Phase == Validating && m.unknown && (sub.Kind == "check" || sub.Kind == "resource"):
		return state.CheckUnknown, "", diags // the plan will know what to say
	case bare.IsKnown() && !ok && !sub.Unasked:
		if sub.Kind == "var" {
			diags = diags.With(m.wrong).With(m.secret)
		}
		return state.CheckFail, m.text, append(diags, r.failed(rule, sc, sub, m.text))
	case r.Phase == Validating:
		diags = diags.With(soften(m.wrong)) // before anybody needs the message
	}
	if !bare.IsKnown() {
		return state.CheckUnknown, "", diags.With(r.unknownCheck(rule, sc, sub))
	}
	return state.CheckPass, "", diags
}

func invalidResult(kind string) string {
	if kind == "var" {
		return "Invalid variable validation result"
	}
	return "Invalid condition result"
}

// failed is the diagnostic of a condition that is false.
func (r *Run) failed(rule Rule, sc *lang.Scope, sub Subject, message string) diag.Diag {
	d := diag.Diag{Severity: sub.Severity, Summary: sub.Summary, Detail: message}.At(rule.Condition.Range())
	d.Checked = sub.Object
	if sub.Kind == "check" {
		d.Code = diag.FoundByCheck
	}
	d = rule.Condition.Annotate(d, sc, lang.Causes{})
	if sub.At != nil {
		d = d.At(*sub.At)
	}
	if sub.Kind == "var" {
		d.Detail += "\n\nThis was checked by the validation rule at " + rangeText(rule.Range) + "."
	}
	return d
}

// unknownCheck warns of checks that only apply can decide.
func (r *Run) unknownCheck(rule Rule, sc *lang.Scope, sub Subject) diag.List {
	if sub.Kind != "check" || r.Phase != Planning {
		return nil
	}
	d := diag.Warn("Check block assertion known after apply",
		"The condition could not be evaluated while planning; it depends on values that are known only after apply.").At(rule.Condition.Range())
	d = rule.Condition.Annotate(d, sc, lang.Causes{})
	d.Code = diag.FoundByCheck
	return diag.List{d}
}

// soften makes warnings of errors.
func soften(l diag.List) diag.List {
	for i := range l {
		l[i].Severity = diag.Warning
	}
	return l
}

func rangeText(r diag.Range) string {
	return r.Filename + ":" + itoa(r.Start.Line) + "," + itoa(r.Start.Column) + "-" + itoa(r.End.Column)
}

// check evaluates a check block in every module instance; failures warn.
func (r *Run) check(s *Site) bool {
	for mi, inst := range r.modules[s.Module.ID] {
		sub := checkSubject(s, inst.Addr)
		sub.Standing = inst.Uncertain
		if r.checks.failing(sub) {
			continue
		}
		r.Report(r.Conditions(s.Check.Asserts, r.Scope(s, mi), sub))
	}
	return true
}
