package contract

import (
	"fmt"
	"slices"

	"github.com/zclconf/go-cty/cty"
)

// kept are the rules that hold an answer against what the provider had said
// before: what was known is kept, what was unknown becomes a value that fits.
func kept(s Stage, first int, summary string, t tone) []Rule {
	return finish(s, first, summary, t, slices.Concat(keptObjects(), keptValues(), keptParts(), keptBlocks()))
}

func keptObjects() []Rule {
	return []Rule{
		{
			At: Object, ID: "unchanged",
			Meaning: "An object may be exactly what was said before.",
			when:    func(_ *walk, p place) bool { return same(p.planned, p.answer) },
			settles: true,
		}, {
			At: Object, ID: "stays-absent",
			Meaning: "An object that was said to be absent is absent.",
			when:    func(_ *walk, p place) bool { return absent(p.planned) },
			must:    func(_ *walk, p place) bool { return absent(p.answer) },
			say:     func(place) string { return "it was to be absent, and now it is there" },
			settles: true,
		}, {
			At: Object, ID: "stays-present",
			Meaning: "An object that was said to be there is there.",
			when:    func(_ *walk, p place) bool { return solid(p.planned) },
			must:    func(_ *walk, p place) bool { return !absent(p.answer) },
			say:     func(place) string { return "it was to be there, and now it is absent" },
		}, {
			At: Attribute, ID: "write-only",
			Meaning: "A write-only argument is judged by a rule of its own.",
			when:    func(_ *walk, p place) bool { return p.attr.WriteOnly },
			settles: true,
		},
	}
}

func keptValues() []Rule {
	return []Rule{
		{
			At: Value, ID: "value-unchanged",
			Meaning: "A value may be exactly what was said before.",
			when:    func(_ *walk, p place) bool { return same(p.planned, p.answer) },
			settles: true,
		}, {
			At: Value, ID: "known-stays-known",
			Meaning: "A value that was known does not become unknown again.",
			when:    func(_ *walk, p place) bool { return p.answer != cty.NilVal && !p.answer.IsKnown() },
			must: func(w *walk, p place) bool {
				return unresolved(w) || p.planned != cty.NilVal && !p.planned.IsKnown()
			},
			say:     func(p place) string { return "it was " + show(p.planned) + ", and now it is unknown" },
			settles: true,
		}, {
			At: Value, ID: "null-stays-null",
			Meaning: "A value that was said to be null is null.",
			when:    func(_ *walk, p place) bool { return absent(p.planned) },
			must:    func(_ *walk, p place) bool { return absent(p.answer) },
			say:     wasAndIs,
			settles: true,
		}, {
			At: Value, ID: "value-stays",
			Meaning: "A value that was known does not become null.",
			when:    func(_ *walk, p place) bool { return p.planned.IsKnown() },
			must:    func(_ *walk, p place) bool { return !absent(p.answer) },
			say:     wasAndIs,
		}, {
			At: Value, ID: "value-type",
			Meaning: "A value has the type that was said before.",
			must:    func(_ *walk, p place) bool { return ofType(p.answer, p.planned.Type()) },
			say: func(p place) string {
				return fmt.Sprintf("it was %s, and now it is %s", p.planned.Type().FriendlyName(), p.answer.Type().FriendlyName())
			},
		}, {
			At: Value, ID: "fits-unknown",
			Meaning: "What takes the place of an unknown value keeps the promises that were made of it.",
			when:    func(_ *walk, p place) bool { return !p.planned.IsKnown() },
			must:    func(_ *walk, p place) bool { return inRange(p.planned, p.answer) },
			say: func(p place) string {
				return "it is " + show(p.answer) + ", which is not what was promised of the unknown value"
			},
			settles: true,
		},
	}
}

func keptParts() []Rule {
	return []Rule{
		{
			At: Value, ID: "value-kept",
			Meaning: "A value that was known is kept.",
			when:    func(_ *walk, p place) bool { return !p.planned.CanIterateElements() },
			must:    func(_ *walk, p place) bool { return p.planned.RawEquals(p.answer) },
			say:     wasAndIs,
			settles: true,
		}, {
			At: Value, ID: "value-set",
			Meaning: "Every element of a set comes of one that was said before, and the other way round.",
			when:    func(_ *walk, p place) bool { return p.planned.Type().IsSetType() },
			must: func(w *walk, p place) bool {
				return w.correlates((*walk).loose, p.planned, p.answer, func(cty.Value) int { return 0 })
			},
			say:     wasAndIs,
			settles: true,
		}, {
			At: Value, ID: "value-keys",
			Meaning: "A collection keeps its length and its keys.",
			must:    sameKeys,
			say:     func(p place) string { return countChanged(p.planned, p.answer) },
		},
	}
}

func keptBlocks() []Rule {
	return []Rule{
		{
			At: Blocks, ID: "blocks-unchanged",
			Meaning: "Blocks may be exactly what was said before.",
			when:    func(_ *walk, p place) bool { return same(p.planned, p.answer) },
			settles: true,
		}, {
			At: Blocks, ID: "blocks-stay-known",
			Meaning: "Blocks that were known do not become unknown again.",
			when:    func(_ *walk, p place) bool { return p.answer != cty.NilVal && !p.answer.IsKnown() },
			must:    func(w *walk, p place) bool { return unresolved(w) || !p.planned.IsKnown() },
			say:     func(place) string { return "they were known, and now they are unknown" },
			settles: true,
		}, {
			At: Blocks, ID: "blocks-expand",
			Meaning: "Blocks of which not even the number was known may be any.",
			when: func(_ *walk, p place) bool {
				return p.planned != cty.NilVal && !p.planned.IsKnown() && (collects(p) || absent(p.answer))
			},
			settles: true,
		}, {
			At: Blocks, ID: "blocks-count",
			Meaning: "The number of nested blocks and their keys are kept.",
			when:    func(_ *walk, p place) bool { return collects(p) && !isSet(p) },
			must:    sameKeys,
			say:     func(p place) string { return countChanged(p.planned, p.answer) },
		}, {
			At: Blocks, ID: "blocks-members",
			Meaning: "Every block of a set comes of one that was said before, and the other way round.",
			when:    func(_ *walk, p place) bool { return isSet(p) },
			must:    setCorrelates,
			say:     func(p place) string { return "its blocks are not those that were planned" },
			settles: true,
		},
	}
}

func wasAndIs(p place) string {
	return "it was " + show(p.planned) + ", and now it is " + show(p.answer)
}

// unresolved says whether an unknown of the answer is reported by another rule
// already: after an apply nothing may be unknown at all.
func unresolved(w *walk) bool { return w.stage == Apply }

func ofType(v cty.Value, want cty.Type) bool {
	return absent(v) || len(v.Type().TestConformance(want)) == 0
}

func inRange(unknown, v cty.Value) bool {
	if v == cty.NilVal || unknown.Type() == cty.DynamicPseudoType {
		return true
	}
	in := unknown.Range().Includes(v)
	return !in.IsKnown() || in.True()
}

// loose visits the elements of a set, whose places have no attribute.
func (w *walk) loose(p place) {
	p.at = Value
	w.value(p)
}
