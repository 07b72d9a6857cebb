package contract

import (
	"github.com/plumb-iac/plumb/schema"
	"github.com/zclconf/go-cty/cty"
)

// Check judges an answer: it asks all rules of the stage, first those about the
// answer as a whole, then those about its parts. The final plan has to be a
// valid plan in its own right first.
func Check(stage Stage, f Facts) Findings {
	if f.Answer == cty.NilVal && f.Schema != nil {
		f.Answer = cty.NullVal(f.Schema.Type())
	}
	var out Findings
	if stage == FinalPlan {
		if out = judge(Plan, &f); out.Refused() {
			return out
		}
	}
	return append(out, judge(stage, &f)...)
}

func judge(stage Stage, f *Facts) Findings {
	w := walk{facts: f, stage: stage, rules: &rules[stage], against: stage == FinalPlan || stage == Apply}
	for _, r := range rules[stage][Answer] {
		seen := r.seek(f)
		for _, s := range seen {
			w.out = append(w.out, Finding{Rule: r, Path: s.path, Saw: w.quotable(s), Verdict: verdict(r, f)})
		}
		if r.halts && len(seen) > 0 {
			return w.out
		}
	}
	if f.Schema == nil || !walks(stage, f) {
		return w.out
	}
	w.object(ofBlock(f.Schema), place{prior: f.Prior, config: f.Config, planned: f.Planned, answer: f.Answer})
	return w.out
}

// walks says whether the parts of the answer are judged: not where nothing is
// to be compared with, and not where the provider said itself that it failed.
func walks(stage Stage, f *Facts) bool {
	switch stage {
	case Apply:
		return !f.Failed && !f.deletes()
	case Plan, FinalPlan, Data, Open:
		return !f.Deferred
	}
	return false
}

// quotable is what a diagnostic can say of a sighting.
func (w *walk) quotable(s sighting) string {
	if len(s.path) > 0 && s.saw == "" {
		return "the value here is not as it has to be"
	}
	return s.saw
}

// Forces are those of the paths a provider wants a replacement for at which
// the planned object differs from the prior one, sorted. The others change
// nothing: providers name paths by schema, not by difference. Of a write-only
// attribute only the provider can tell whether it differs.
func Forces(s *schema.Block, prior, planned cty.Value, paths []cty.Path) []cty.Path {
	if absent(prior) {
		return nil
	}
	var out []cty.Path
	for _, p := range sortedPaths(paths) {
		if a := s.AttributeAt(p); a != nil && a.WriteOnly {
			out = append(out, p)
			continue
		}
		was, errWas := p.Apply(prior)
		now, errNow := p.Apply(planned)
		switch {
		case errWas != nil && errNow != nil:
			continue
		case errWas != nil:
			was = cty.NullVal(cty.DynamicPseudoType)
		case errNow != nil:
			now = cty.NullVal(cty.DynamicPseudoType)
		}
		if !alike(was, now) {
			out = append(out, p)
		}
	}
	return out
}

// alike says whether two values are surely equal; nulls are whatever their type.
func alike(a, b cty.Value) bool {
	if a.IsNull() || b.IsNull() {
		return a.IsNull() && b.IsNull()
	}
	return a.IsWhollyKnown() && b.IsWhollyKnown() && a.RawEquals(b)
}
