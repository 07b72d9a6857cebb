package evaluate

import (
	"fmt"
	"slices"

	"github.com/plumb-iac/plumb/config"
	"github.com/plumb-iac/plumb/diag"
	"github.com/plumb-iac/plumb/internal/lang"
	"github.com/plumb-iac/plumb/value"
	"github.com/zclconf/go-cty/cty"
)

// Asked are questions about the root module that are not part of it: the
// assertions of a test. A site stands for each, so that what it reads takes part.
type Asked struct {
	Conditions []*config.Condition
	// Variables are known to the questions besides those of the module, Runs are
	// the outputs of earlier runs by name. Later are the runs that have no outputs
	// yet.
	Variables map[string]value.V
	Runs      map[string]value.V
	Later     []string
	// AnyVariable lets the questions refer to variables that nobody knows of, as
	// values for them may be given later.
	AnyVariable bool
}

// Answer is what became of a question.
type Answer struct {
	// Failed says that the condition is false; with other errors there is no
	// answer.
	Failed bool
	Diags  diag.List
}

// questions makes a site of each question.
func (c *compiler) questions() {
	if c.asked == nil {
		return
	}
	for i, cond := range c.asked.Conditions {
		s := c.site(Question, c.Root(), "assert["+itoa(i)+"]")
		c.guard(s, func() {
			s.Question = &Rule{Condition: c.testExpr(s, cond.Condition), Message: c.testExpr(s, cond.ErrorMessage), Range: cond.Range}
		})
	}
}

// asking resolves what only a question can refer to; ok is false for the rest.
func (c *compiler) asking(m *Module, r lang.Ref) (s *Site, ok bool) {
	switch r.Kind {
	case lang.RefVar:
		_, given := c.asked.Variables[r.Name]
		return nil, m.variables[r.Name] == nil && (given || c.asked.AnyVariable)
	case lang.RefOutput:
		return c.found(m.outputs, r, m), true
	case lang.RefRun:
		if _, done := c.asked.Runs[r.Name]; !done {
			c.report(NoRun(r, "unevaluated", "undeclared", c.asked.Later, sorted(c.asked.Runs)))
		}
		return nil, true
	case lang.RefCheck:
		c.report(diag.Err("Invalid reference", "A check has no value. That it fails can be expected with expect_failures; that it passes is expected anyway.").At(r.Range))
		return nil, true
	}
	return nil, false
}

// NoRun tells of a reference to a run whose outputs there are not: late is the word
// for one that comes later, absent for one that the file does not have.
func NoRun(r lang.Ref, late, absent string, later, known []string) diag.Diag {
	if slices.Contains(later, r.Name) {
		return diag.Err("Reference to "+late+" run block",
			fmt.Sprintf("The run %q comes later, or was not made, so its outputs are not known here. Only runs above this one can be referred to.", r.Name)).At(r.Range)
	}
	return diag.Err("Reference to "+absent+" run block",
		fmt.Sprintf("This test file has no run %q.%s", r.Name, lang.DidYouMean(r.Name, known))).At(r.Range)
}

func (a *Asked) put(t tree, l link) {
	switch l.ref.Kind {
	case lang.RefVar:
		t.put(a.Variables[l.ref.Name], "var", l.ref.Name)
	case lang.RefRun:
		t.put(a.Runs[l.ref.Name], "run", l.ref.Name)
	}
}

// Answers answers the questions, in their order, once the run has ended.
func (r *Run) Answers() []Answer {
	var out []Answer
	for _, s := range r.sites {
		if s.Kind == Question {
			out = append(out, r.answer(s))
		}
	}
	return out
}

func (r *Run) answer(s *Site) Answer {
	rule := s.Question
	if s.Faulty() || rule.Condition == nil || rule.Message == nil {
		return Answer{}
	}
	sc := r.Scope(s, 0)
	v, diags := rule.Condition.Eval(sc, cty.DynamicPseudoType)
	if diags.HasErrors() {
		return Answer{Diags: diags}
	}
	bare := value.Strip(v).Cty()
	ok, problem := lang.AsBool(bare)
	switch {
	case problem == "" && !bare.IsKnown():
		d := diag.Err("Unknown condition value", r.unknown()).At(rule.Condition.Range())
		return Answer{Diags: append(diags, rule.Condition.Annotate(d, sc, lang.Causes{Unknown: true}))}
	case problem != "":
		return Answer{Diags: append(diags, diag.Err("Invalid condition run",
			"The condition must be either true or false: "+problem+".").At(rule.Condition.Range()))}
	case ok:
		return Answer{Diags: diags}
	}
	m := r.message(*rule, sc, Subject{})
	if m.wrong.HasErrors() {
		return Answer{Diags: diags.With(m.wrong)}
	}
	if len(m.secret) > 0 {
		m.text = "" // why is told beside the failure
	}
	d := diag.Err("Test assertion failed", m.text).At(rule.Condition.Range())
	d = rule.Condition.Annotate(d, sc, lang.Causes{})
	d.Compared = rule.Condition.Compared(sc)
	return Answer{Failed: true, Diags: append(diags.With(m.secret), d)}
}

// unknown says why a question has no answer yet, and what can be done.
func (r *Run) unknown() string {
	if r.Phase == Applying {
		return "The condition depends on a value of something that this run has not made: its plan_options leave it out, with mode = refresh-only or target. Leave it out of the condition, too, or have it made."
	}
	return "The condition depends on a value that the plan does not know yet. Apply in this run (command = apply), leave the value out of the condition, or, where something stands in for it, let that be known while planning with override_during = plan."
}

// RootOutputs are the values of the root module's outputs, as far as the run has
// evaluated them.
func (r *Run) RootOutputs() map[string]value.V {
	out := map[string]value.V{}
	for name, s := range r.Root().outputs {
		if v := r.Slot(s, 0); v != cty.NilVal {
			out[name] = v
		}
	}
	return out
}
