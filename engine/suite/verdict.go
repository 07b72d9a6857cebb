package suite

import (
	"fmt"
	"slices"
	"strings"

	"github.com/plumb-iac/plumb/config"
	"github.com/plumb-iac/plumb/diag"
	"github.com/plumb-iac/plumb/engine"
	"github.com/plumb-iac/plumb/internal/lang"
)

// verdict is how a run came out.
type verdict struct {
	run      *TestRun
	under    *config.Module
	expected []config.TestReference
	// seen are the expectations that were met.
	seen map[int]bool
	// strict makes an expectation that was not met an error.
	strict bool
}

// judge notes what came of the last operation of a run, and the answers to its
// assertions.
func (v *verdict) judge(found diag.List, asked *engine.Questions) {
	rest := v.unexpected(found)
	v.run.Diags = v.run.Diags.With(rest)
	v.run.Status = statusOf(rest, v.run.Status)
	for _, a := range asked.Answers {
		v.run.Diags = v.run.Diags.With(a.Diags)
		if a.Failed {
			v.run.Failed = append(v.run.Failed, a.Diags[len(a.Diags)-1].Detail)
			v.run.Status = max(v.run.Status, Fail)
			continue
		}
		v.run.Status = statusOf(a.Diags, v.run.Status)
	}
	v.missing()
}

// early notes errors of the plan of a run that was to be applied. Where they were
// expected, the run still could not be carried out.
func (v *verdict) early(found diag.List) {
	rest := v.unexpected(found)
	if !rest.HasErrors() {
		for i := range v.expected {
			if v.seen[i] {
				rest = rest.Append(diag.Warn("Expected failure while planning",
					fmt.Sprintf("The condition of %s failed, as expected, but it did so in the plan, and so the apply that the run asks for could not be made. Plan only (command = plan), or let the condition fail in the apply.", text(v.expected[i]))).At(v.expected[i].Range))
			}
		}
		rest = rest.With(found.Errors())
	}
	v.run.Diags = v.run.Diags.With(rest)
	v.run.Status = Error
}

// warn notes the warnings of a plan that is going to be applied. What checks find
// is seen again then.
func (v *verdict) warn(found diag.List) {
	v.run.Diags = v.run.Diags.With(found.Without(diag.FoundByCheck))
}

// unexpected leaves out what was expected. A check that fails unexpectedly is an
// error in tests.
func (v *verdict) unexpected(found diag.List) diag.List {
	var out diag.List
	for _, d := range found {
		if d.Checked != "" && v.expects(d.Checked) {
			continue
		}
		if d.Code == diag.FoundByCheck {
			if d.Checked == "" {
				continue // not known before apply
			}
			d.Severity = diag.Error
		}
		out = append(out, d)
	}
	return out
}

// expects says whether the condition of an object was expected to fail.
func (v *verdict) expects(object string) bool {
	found := false
	for i, e := range v.expected {
		if t := text(e); object == t || strings.HasPrefix(object, t+"[") {
			v.seen[i], found = true, true
		}
	}
	return found
}

// missing reports the expectations that were not met.
func (v *verdict) missing() {
	if v.run.Status == Error {
		return // what was expected may have had no occasion to fail
	}
	for i, e := range v.expected {
		if v.seen[i] || named(v.expected[:i], e) {
			continue
		}
		detail := "A condition of " + text(e) + " was expected to fail, and none did."
		if why := unconditional(v.under, e); why != "" {
			detail += " " + why
		}
		v.run.Diags = v.run.Diags.Append(diag.Err("Missing expected failure", detail).At(e.Range))
		v.run.Status = max(v.run.Status, Fail)
		if v.strict {
			v.run.Status = Error
		}
	}
}

// named says whether an object is among those before it.
func named(before []config.TestReference, e config.TestReference) bool {
	return slices.ContainsFunc(before, func(b config.TestReference) bool { return text(b) == text(e) })
}

// expectable reports references to what has no conditions that could fail.
func expectable(list []config.TestReference) diag.List {
	var diags diag.List
	for _, e := range list {
		ref, wrong := lang.ParseTestRef(e.Traversal)
		diags = diags.With(wrong)
		switch ref.Kind {
		case lang.RefVar, lang.RefOutput, lang.RefCheck, lang.RefResource, lang.RefInvalid:
			continue
		}
		diags = diags.Append(diag.Err("Invalid `expect_failures` reference",
			"No failure can be expected of "+text(e)+": only variables, outputs, checks and resources of the module under test have conditions.").At(e.Range))
	}
	return diags
}

// unconditional says why no condition of what is expected to fail ever can.
func unconditional(m *config.Module, e config.TestReference) string {
	ref, diags := lang.ParseTestRef(e.Traversal)
	if diags.HasErrors() {
		return ""
	}
	there, conditions := false, 0
	switch ref.Kind {
	case lang.RefVar:
		if v := m.Variables[ref.Name]; v != nil {
			there, conditions = true, len(v.Validations)
		}
	case lang.RefOutput:
		if o := m.Outputs[ref.Name]; o != nil {
			there, conditions = true, len(o.Preconditions)
		}
	case lang.RefCheck:
		there = m.Checks[ref.Name] != nil
		conditions = 1
	case lang.RefResource:
		if r := m.Resources[ref.Resource]; r != nil {
			there, conditions = true, len(r.Lifecycle.Preconditions)+len(r.Lifecycle.Postconditions)
		}
	}
	switch {
	case !there:
		return "The module under test does not declare it."
	case conditions == 0:
		return "It has none."
	}
	return ""
}

// text is the address that an expectation names.
func text(e config.TestReference) string { return lang.TraversalText(e.Traversal) }
