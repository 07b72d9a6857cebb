package contract

import (
	"fmt"
	"slices"

	"github.com/plumb-iac/plumb/diag"
	"github.com/zclconf/go-cty/cty"
)

// tone is how strictly a group of rules is taken.
type tone struct{ legacy, noted bool }

// finish gives rows their stage, codes, summary and tone.
func finish(s Stage, first int, summary string, t tone, rows []Rule) []Rule {
	for i := range rows {
		r := &rows[i]
		r.Code = diag.Code(fmt.Sprintf("PC%03d", first+i))
		r.ID = s.String() + "/" + r.ID
		r.stage, r.Summary = s, summary
		r.Legacy, r.Noted = r.Legacy || t.legacy && !r.strict, r.Noted || t.noted
	}
	return rows
}

// answered are the rules that hold an answer against configuration and prior
// object: what was configured is kept, what was not is null unless the
// provider may choose it.
func answered(s Stage, first int, summary string, t tone) []Rule {
	return finish(s, first, summary, t, slices.Concat(answeredObjects(), answeredAttributes(), answeredStructures(), answeredBlocks()))
}

func answeredObjects() []Rule {
	return []Rule{
		{
			At: Object, ID: "destroyed",
			Meaning: "What is to be destroyed is planned to be null.",
			when:    func(w *walk, p place) bool { return p.path == nil && w.facts.destroys() },
			must:    func(_ *walk, p place) bool { return absent(p.answer) },
			say:     func(place) string { return "the object is still there in the plan for its destruction" },
			settles: true,
			strict:  true,
		}, {
			At: Object, ID: "present",
			Meaning: "What is configured is there, and known as a whole; only values inside may be unknown.",
			when:    func(_ *walk, p place) bool { return !absent(p.config) },
			must:    func(_ *walk, p place) bool { return !absent(p.answer) && (p.answer.IsKnown() || !p.config.IsKnown()) },
			say:     notThere,
		}, {
			At: Object, ID: "absent",
			Meaning: "What is not configured is not there.",
			when:    func(_ *walk, p place) bool { return absent(p.config) },
			must:    func(_ *walk, p place) bool { return absent(p.answer) },
			say:     func(place) string { return "it is there, although the configuration does not have it" },
			settles: true,
		},
	}
}

func answeredAttributes() []Rule {
	return []Rule{
		{
			At: Attribute, ID: "write-only",
			Meaning: "A write-only argument is judged by a rule of its own.",
			when:    func(_ *walk, p place) bool { return p.attr.WriteOnly },
			settles: true,
		}, {
			At: Attribute, ID: "as-configured",
			Meaning: "A value may be what the configuration says.",
			when:    func(_ *walk, p place) bool { return same(p.config, p.answer) },
			settles: true,
		}, {
			At: Attribute, ID: "as-before",
			Meaning: "A configured value may be given as the prior value, where the difference means nothing.",
			when: func(_ *walk, p place) bool {
				return !absent(p.config) && !absent(p.prior) && same(p.prior, p.answer)
			},
			settles: true,
		}, {
			At: Attribute, ID: "computed-free",
			Meaning: "A computed attribute that is not configured may have any value.",
			when:    func(_ *walk, p place) bool { return p.attr.Computed && absent(p.config) },
			settles: true,
		}, {
			At: Attribute, ID: "uncomputed-null",
			Meaning: "An argument that is not configured and not computed stays null.",
			when:    func(_ *walk, p place) bool { return absent(p.config) },
			must:    func(_ *walk, p place) bool { return absent(p.answer) },
			say: func(p place) string {
				return "it is " + show(p.answer) + ", although the configuration does not set it and it is not computed"
			},
			settles: true,
		}, {
			At: Attribute, ID: "configured-kept",
			Meaning: "A configured value is kept as it is configured, or as it was before.",
			when:    func(_ *walk, p place) bool { return p.attr.Nested == nil || !p.config.IsKnown() },
			must:    func(_ *walk, p place) bool { return false },
			say:     notConfigured,
		},
	}
}

func answeredStructures() []Rule {
	return []Rule{
		{
			At: Structure, ID: "structure-present",
			Meaning: "A structural attribute that is configured is there.",
			must:    func(_ *walk, p place) bool { return !absent(p.answer) },
			say:     func(place) string { return "it is absent, although the configuration has it" },
		}, {
			At: Structure, ID: "structure-known",
			Meaning: "A structural attribute that is configured is known as a whole; only values inside may be unknown.",
			must:    func(_ *walk, p place) bool { return p.answer.IsKnown() },
			say:     func(place) string { return "all of it is unknown, although the configuration says what it holds" },
		}, {
			At: Structure, ID: "structure-keys",
			Meaning: "A structural attribute has as many elements as are configured, under the same keys.",
			when:    func(_ *walk, p place) bool { return !isSet(p) },
			must:    sameKeys,
			say:     func(p place) string { return countChanged(p.config, p.answer) },
		}, {
			At: Structure, ID: "structure-set",
			Meaning: "Every element of a structural set comes of one that is configured, and the other way round.",
			Noted:   true,
			when:    func(_ *walk, p place) bool { return isSet(p) },
			must:    setCorrelates,
			say:     func(p place) string { return "its elements are not those that the configuration has" },
			settles: true,
		},
	}
}

func answeredBlocks() []Rule {
	return []Rule{
		{
			At: Blocks, ID: "blocks-dynamic",
			Meaning: "Blocks of which not even the number is known yet stay unknown.",
			when:    func(_ *walk, p place) bool { return p.config != cty.NilVal && !p.config.IsKnown() },
			must:    func(_ *walk, p place) bool { return p.answer != cty.NilVal && !p.answer.IsKnown() },
			say:     func(p place) string { return "it is " + show(p.answer) + ", although nobody can know yet" },
			settles: true,
		}, {
			At: Blocks, ID: "blocks-known",
			Meaning: "Nested blocks are known as a whole; only values inside may be unknown.",
			must:    func(_ *walk, p place) bool { return p.answer == cty.NilVal || p.answer.IsKnown() },
			say:     func(place) string { return "all of it is unknown; unknown values belong inside the blocks" },
		}, {
			At: Blocks, ID: "blocks-not-null",
			Meaning: "No blocks are an empty collection, not a null one.",
			when:    func(_ *walk, p place) bool { return collects(p) },
			must:    func(_ *walk, p place) bool { return !absent(p.answer) },
			say:     func(place) string { return "it is null instead of empty" },
		}, {
			At: Blocks, ID: "blocks-computed",
			Meaning: "Computed blocks that are not configured may be filled in.",
			when:    func(_ *walk, p place) bool { return p.block.Computed && empty(p.config) },
			settles: true,
		}, {
			At: Blocks, ID: "blocks-keys",
			Meaning: "There are as many nested blocks as are configured, under the same keys.",
			when: func(_ *walk, p place) bool {
				return collects(p) && !isSet(p)
			},
			must: sameKeys,
			say:  func(p place) string { return countChanged(p.config, p.answer) },
		}, {
			At: Blocks, ID: "blocks-set",
			Meaning: "Every block of a set comes of one that is configured, and the other way round.",
			Noted:   true,
			when:    func(_ *walk, p place) bool { return isSet(p) },
			must:    setCorrelates,
			say:     func(p place) string { return "its blocks are not those that the configuration has" },
			settles: true,
		},
	}
}

func notConfigured(p place) string {
	s := "it is " + show(p.answer) + ", although the configuration says " + show(p.config)
	if !absent(p.prior) {
		s += " and before it was " + show(p.prior)
	}
	return s
}

// sameKeys says whether the answer has exactly the keys of its lead.
func sameKeys(w *walk, p place) bool {
	lead := w.lead(p)
	if !solid(lead) || !solid(p.answer) || !lead.CanIterateElements() || !p.answer.CanIterateElements() {
		return length(lead) == length(p.answer)
	}
	if lead.LengthInt() != p.answer.LengthInt() {
		return false
	}
	for _, key := range keysOf(lead) {
		if item(p.answer, key) == cty.NilVal {
			return false
		}
	}
	return true
}

// setCorrelates says whether the elements of the answer and of its lead pass
// for each other.
func setCorrelates(w *walk, p place) bool {
	lead := w.lead(p)
	if !solid(lead) || !solid(p.answer) {
		return length(lead) == length(p.answer)
	}
	b := p.inner()
	visit := func(trial *walk, q place) { trial.object(b, q) }
	return w.correlates(visit, lead, p.answer, func(v cty.Value) int { return stem(b, v) })
}

// inner is the body of the objects that p holds.
func (p place) inner() body {
	if p.block != nil {
		return ofBlock(p.block.Block)
	}
	return ofObject(p.attr.Nested)
}

func length(v cty.Value) int {
	if !solid(v) || !v.CanIterateElements() {
		return 0
	}
	return v.LengthInt()
}

func countChanged(was, now cty.Value) string {
	if length(was) != length(now) {
		return fmt.Sprintf("its length is %d and has to be %d", length(now), length(was))
	}
	return "its keys are not the ones it has to have"
}

func notThere(p place) string {
	if absent(p.answer) {
		return "it is absent, although the configuration has it"
	}
	return "all of it is unknown, although the configuration says what it holds"
}
