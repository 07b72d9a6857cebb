package contract

import (
	"fmt"
	"slices"
	"strings"

	"github.com/plumb-iac/plumb/diag"
	"github.com/plumb-iac/plumb/plan"
	"github.com/plumb-iac/plumb/value"
	"github.com/zclconf/go-cty/cty"
)

// Summaries that the incumbents share between rules.
const (
	invalidPlan     = "Provider produced invalid plan"
	invalidObject   = "Provider produced invalid object"
	invalidResult   = "Provider returned invalid result object after apply"
	invalidIdentity = "Provider produced invalid identity"
	nullObject      = "Provider produced null object"
	otherFinal      = "Provider produced inconsistent final plan"
	otherResult     = "Provider produced inconsistent result after apply"
	invalidUpgrade  = "Invalid resource state upgrade"
	invalidMove     = "Provider returned invalid value"
	invalidDeferral = "Invalid Deferred Response"
	invalidOpened   = "Provider produced invalid ephemeral resource instance"
	invalidCall     = "Error in function call"
)

// whole makes a rule about the answer as a whole.
func whole(s Stage, code diag.Code, name, summary, meaning string, seek func(*Facts) []sighting) Rule {
	return Rule{Code: code, ID: s.String() + "/" + name, At: Answer, Summary: summary, Meaning: meaning, stage: s, seek: seek}
}

func halting(r Rule) Rule { r.halts = true; return r }

// operators makes a rule that the person running plumb has to settle.
func operators(r Rule) Rule { r.halts, r.Blame = true, diag.Operator; return r }
func noted(r Rule) Rule     { r.Noted = true; return r }

// once is the sighting of something about the whole answer.
func once(broken bool, saw string) []sighting {
	if !broken {
		return nil
	}
	return []sighting{{saw: saw}}
}

func typeRule(s Stage, code diag.Code, summary string) Rule {
	return halting(whole(s, code, "type", summary,
		"An object has exactly the attributes and blocks of its schema, with values of their types.", misfits))
}

func misfits(f *Facts) []sighting {
	if absent(f.Answer) || f.Schema == nil {
		return nil
	}
	is, want := f.Answer.Type(), f.Schema.Type()
	if is.Equals(want) { // as nearly always, and sooner said than what differs
		return nil
	}
	errs := is.TestConformance(want)
	if len(errs) == 0 {
		return nil
	}
	texts := make([]string, len(errs))
	for i, err := range errs {
		texts[i] = err.Error()
		if p, ok := err.(cty.PathError); ok && len(p.Path) > 0 {
			texts[i] = value.PathString(p.Path) + ": " + texts[i]
		}
	}
	saw := "it does not fit its schema: " + slices.Min(texts)
	if len(texts) > 1 {
		saw += fmt.Sprintf(", and so on, %d differences in all", len(texts))
	}
	return []sighting{{saw: saw}}
}

func knownRule(s Stage, code diag.Code, summary string) Rule {
	return whole(s, code, "known", summary,
		"An object that exists is wholly known; only a plan may promise values for later.", unknowns)
}

func unknowns(f *Facts) []sighting {
	if f.Deferred || f.Answer.IsWhollyKnown() {
		return nil
	}
	var out []sighting
	// The walk cannot fail: the callback never does.
	_ = cty.Walk(f.Answer, func(p cty.Path, v cty.Value) (bool, error) {
		if !v.IsKnown() {
			out = append(out, sighting{p.Copy(), "the value is still unknown"})
		}
		return v.IsKnown(), nil
	})
	return out
}

func writeOnlyRule(s Stage, code diag.Code, summary string) Rule {
	return whole(s, code, "write-only-null", summary,
		"A write-only argument goes to the provider and never comes back: in every answer it is null.", leaks)
}

func leaks(f *Facts) []sighting {
	if f.Schema == nil || absent(f.Answer) {
		return nil
	}
	var out []sighting
	for _, p := range f.Schema.WriteOnlyPaths(f.Answer) {
		if v, err := p.Apply(f.Answer); err == nil && !v.IsNull() {
			out = append(out, sighting{p, "the write-only argument came back with a value"})
		}
	}
	return out
}

func presentRule(s Stage, code diag.Code, name, summary, meaning, saw string) Rule {
	return halting(whole(s, code, name, summary, meaning, func(f *Facts) []sighting {
		return once(absent(f.Answer) && !f.Failed && !f.Deferred, saw)
	}))
}

func deferralRule(s Stage, code diag.Code) Rule {
	return halting(whole(s, code, "deferral-offered", invalidDeferral,
		"A provider puts an answer off only if the request allows that; of what it puts off it has to know nothing.", func(f *Facts) []sighting {
			return once(f.Deferred && !f.DeferralOffered, "it put the answer off although that was not on offer")
		}))
}

func identityKnownRule(s Stage, code diag.Code) Rule {
	return whole(s, code, "identity-known", invalidIdentity,
		"The identity of an object that exists is wholly known.", func(f *Facts) []sighting {
			return once(!f.Deferred && !absent(f.AnswerIdentity) && !f.AnswerIdentity.IsWhollyKnown(), "its identity has unknown values")
		})
}

func identityTypeRule(s Stage, code diag.Code) Rule {
	return whole(s, code, "identity-type", invalidIdentity,
		"An identity has exactly the attributes of its schema.", func(f *Facts) []sighting {
			if absent(f.AnswerIdentity) || f.Identity == nil {
				return nil
			}
			return once(len(f.AnswerIdentity.Type().TestConformance(f.Identity.Type())) > 0, "its identity does not fit the identity schema")
		})
}

func identityStableRule(s Stage, code diag.Code) Rule {
	return noted(whole(s, code, "identity-stable", invalidIdentity,
		"An identity does not change and is not lost as long as the object lives.", func(f *Facts) []sighting {
			lost := absent(f.AnswerIdentity) && !absent(f.Answer)
			other := !absent(f.AnswerIdentity) && f.AnswerIdentity.IsWhollyKnown() && !same(f.PriorIdentity, f.AnswerIdentity)
			return once(!absent(f.PriorIdentity) && !f.Failed && !f.Deferred && (lost || other), "its identity changed")
		}))
}

func blocksRule(s Stage, code diag.Code) Rule {
	return noted(whole(s, code, "blocks-not-null", invalidObject,
		"No blocks are an empty collection, not a null one.", func(f *Facts) []sighting {
			if f.Schema == nil || absent(f.Answer) || f.Deferred {
				return nil
			}
			var out []sighting
			for _, p := range f.Schema.NullBlocks(f.Answer) {
				out = append(out, sighting{p, "it is null instead of empty"})
			}
			return out
		}))
}

func replacePathRule(s Stage, code diag.Code) Rule {
	return whole(s, code, "replace-path", invalidPlan,
		"A path that forces the replacement of an object leads somewhere, in that object or in the planned one.", func(f *Facts) []sighting {
			if absent(f.Prior) {
				return nil // nothing is there to be replaced, and nobody reads the paths
			}
			var out []sighting
			for _, p := range sortedPaths(f.Replace) {
				_, errPrior := applyPath(p, f.Prior)
				_, errPlanned := applyPath(p, f.Answer)
				if errPrior != nil && errPlanned != nil {
					out = append(out, sighting{p, "a replacement is wanted for an attribute that does not exist"})
				}
			}
			return out
		})
}

func applyPath(p cty.Path, v cty.Value) (cty.Value, error) {
	if absent(v) {
		return cty.NilVal, fmt.Errorf("there is no object")
	}
	return p.Apply(v)
}

func sortedPaths(paths []cty.Path) []cty.Path {
	out := slices.Clone(paths)
	slices.SortStableFunc(out, func(a, b cty.Path) int {
		switch {
		case value.PathLess(a, b):
			return -1
		case value.PathLess(b, a):
			return 1
		}
		return 0
	})
	return slices.CompactFunc(out, func(a, b cty.Path) bool { return a.Equals(b) })
}

func actionKept(f *Facts) []sighting {
	was, now := f.WasAction, f.NowAction
	kept := was == now || was == plan.Update && now == plan.NoOp || was.IsReplace() && (now.IsReplace() || now == plan.Create)
	return once(!kept, fmt.Sprintf("the planned action was %s, and now it is %s", strings.Join(was.Names(), "-then-"), strings.Join(now.Names(), "-then-")))
}
