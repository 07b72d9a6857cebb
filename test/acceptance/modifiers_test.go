package acceptance

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/plumb-iac/plumb/test/acceptance/cloud"
	"github.com/plumb-iac/plumb/test/acceptance/modern"
)

// moment is one row of the tables of plan modifiers.
type moment struct {
	row, words string
	// before and now are what is configured when the object is made and when it is
	// planned again; "" is nothing, later what is not known yet.
	had         bool
	before, now string
	// other says that another argument of the object changes too.
	other bool
}

var moments = []moment{
	{row: "1", words: "not in the state, not configured"},
	{row: "2", words: "not in the state, configured", now: "config"},
	{row: "2u", words: "not in the state, configured, not known yet", now: later},
	{row: "3", words: "in the state, not configured", had: true},
	{row: "3o", words: "› another argument changes", had: true, other: true},
	{row: "3x", words: "in the state, configured no longer", had: true, before: "state"},
	{row: "4a", words: "in the state, config == state", had: true, before: "state", now: "state"},
	{row: "4ao", words: "› another argument changes", had: true, before: "state", now: "state", other: true},
	{row: "4b", words: "in the state, config != state", had: true, before: "state", now: "config"},
	{row: "4u", words: "in the state, configured, not known yet", had: true, before: "state", now: later},
}

// shape is a form of an attribute of package modern.
type shape struct {
	name, title string
	nested      bool
	// look is the attribute that is looked at, leave out the rows that say nothing.
	look     string
	without  []string
	argument func(v string) string
}

var shapes = []shape{
	{name: "computed", title: "An attribute that is Computed", look: "v", without: []string{"2u", "3x", "4a", "4ao", "4b", "4u"}, argument: optionally("v = %s")},
	{name: "optional", title: "An attribute that is Optional", look: "v", without: []string{"3", "3o"}, argument: optionally("v = %s")},
	{name: "either", title: "An attribute that is Optional and Computed", look: "v", argument: optionally("v = %s")},
	{name: "object", title: "A nested object that is Optional and Computed", nested: true, look: "v", argument: optionally("v = { v = %s }")},
	{name: "inside", title: "An attribute, Optional and Computed, of a nested object that is configured", nested: true, look: "box.v",
		argument: func(v string) string {
			if v == "" {
				return `box = { w = "w" }`
			}
			return `box = { w = "w", v = ` + literal(v) + ` }`
		}},
}

func optionally(format string) func(v string) string {
	return func(v string) string {
		if v == "" {
			return ""
		}
		return fmt.Sprintf(format, literal(v))
	}
}

// spot is where a row meets a column.
type spot struct {
	shape  shape
	moment moment
	by     modern.Modification
}

func spots(nested bool) []spot {
	var out []spot
	for _, f := range shapes {
		for _, m := range moments {
			if f.nested && !nested || slices.Contains(f.without, m.row) {
				continue
			}
			for _, by := range modern.Modifications() {
				out = append(out, spot{f, m, by})
			}
		}
	}
	return out
}

func (s spot) kind() string    { return "modern_" + s.shape.name + "_" + s.by.Name }
func (s spot) name() string    { return s.shape.name + "_" + s.by.Name + "_" + s.moment.row }
func (s spot) address() string { return s.kind() + "." + s.name() }

// text declares the object of a spot.
func (s spot) text(config, other string) string {
	return fmt.Sprintf("resource %q %q {\n  name  = \"n\"\n  other = %q\n  %s\n}\n", s.kind(), s.name(), other, s.shape.argument(config))
}

// TestPlanModifierTables takes each spot of the tables through plan and apply, over
// both protocols, which have to agree.
func TestPlanModifierTables(t *testing.T) {
	t.Parallel()
	w := cloud.New()
	six := modifiedOutcomes(t, spots(true), served{"modern": modern.Plain6(w)}, served{"modern": modern.Modified6(w)})
	w = cloud.New()
	five := modifiedOutcomes(t, spots(false), served{"modern": modern.Plain5(w)}, served{"modern": modern.Modified5(w)})
	for _, name := range slices.Sorted(maps.Keys(five)) {
		if five[name] != six[name] {
			t.Errorf("%s is %q over protocol 5 and %q over protocol 6", name, five[name], six[name])
		}
	}
	golden(t, "plan-modifiers.md", modifiedText(six))
}

// modifiedOutcomes plans and applies all spots: the objects are made by one
// provider and planned by another.
func modifiedOutcomes(t *testing.T, spots []spot, plain, modified served) map[string]string {
	t.Helper()
	s := newStage(t, plain)
	var before, now strings.Builder
	for _, spot := range spots {
		if spot.moment.had {
			before.WriteString(spot.text(spot.moment.before, "before"))
		}
	}
	s.write(before.String())
	s.must("init", "-no-color")
	s.plan()
	s.apply()

	planned := func(spot spot) string {
		other := "before"
		if spot.moment.other {
			other = "now"
		}
		return spot.text(spot.moment.now, other)
	}
	s.reach(modified)
	out := map[string]string{}
	for n := -1; n < len(out); { // what a provider refuses hides what the engine refuses
		n = len(out)
		now.Reset()
		now.WriteString("resource \"terraform_data\" \"later\" { input = \"config\" }\n")
		for _, spot := range spots {
			if out[spot.name()] == "" {
				now.WriteString(planned(spot))
			}
		}
		s.write(now.String())
		maps.Copy(out, s.refused("plan"))
	}
	changes := s.plan()
	failed := s.refused("apply", "tfplan")
	stored := s.objects()
	for _, spot := range spots {
		if c, ok := changes[spot.address()]; ok && out[spot.name()] == "" {
			out[spot.name()] = c.of(spot.shape.look)
			if d := c.done(); strings.HasPrefix(d, "replaced") {
				out[spot.name()] += ", " + d
			}
			if failed[spot.name()] != "" {
				out[spot.name()] += ", then " + failed[spot.name()]
				continue
			}
			stored[spot.address()].keeps(t, c, spot.shape.look)
		}
	}
	return out
}
