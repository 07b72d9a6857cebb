package acceptance

import (
	"fmt"
	"slices"
	"strings"

	"github.com/plumb-iac/plumb/test/acceptance/modern"
)

const modifiedHead = `# What plan modifiers make of a plan

A resource type on terraform-plugin-framework says for each attribute how it is
planned: by a default, by plan modifiers, and at last by ModifyPlan, which sees the
whole object. These tables say what becomes of an attribute in each situation. They
are written by TestPlanModifierTables, which plans and applies an object for every
cell, over protocol 6 and, where there is nothing nested, over protocol 5 too.

- *state* is the value that the object has, *config* the one that is configured,
  *default* that of the default, *new* the one that ModifyPlan chooses.
- A cell with an arrow is a change, a cell without one is what the object has or
  gets; *null* is no value; braces are an object.
- Bold is what would not be planned if the attribute were left alone.
- An error is that of the engine: a plan keeps what is configured, and has no value
  for what is neither configured nor computed. Providers on the SDK are excused of
  that, those on the framework are not.

What is planned is what the apply stores, and what was to be known after the apply
is known then; the test holds every cell to that.

What is not known yet (4u) is planned a second time in the apply, and has to come to
the same action. RequiresReplace looks at whether the value changes, and so has
replaced in good time what will change. RequiresReplaceIf looks at the value: if that
cannot be told from an unknown one, it asks for a replacement when it is too late.

`

// groups are the modifications of the tables, which would be too wide as one.
var groups = [][]string{
	{"none", "keep", "default", "set", "unknown"},
	{"none", "replace", "replaceif", "replaceset", "both"},
}

func modifiedText(outcomes map[string]string) string {
	var out strings.Builder
	out.WriteString(modifiedHead)
	for _, f := range shapes {
		fmt.Fprintf(&out, "## %s\n\n", f.title)
		for _, group := range groups {
			out.WriteString(table(modifiedRows(f, group, outcomes)) + "\n")
		}
	}
	return strings.TrimSuffix(out.String(), "\n")
}

func modifiedRows(f shape, group []string, outcomes map[string]string) [][]string {
	head := []string{"row", "the object"}
	by := make([]modern.Modification, len(group))
	for _, m := range modern.Modifications() {
		if i := slices.Index(group, m.Name); i >= 0 {
			by[i] = m
		}
	}
	for _, m := range by {
		head = append(head, m.Title)
	}
	rows := [][]string{head}
	for _, m := range moments {
		if slices.Contains(f.without, m.row) {
			continue
		}
		line := []string{m.row, m.words}
		for i := range by {
			got := outcomes[spot{f, m, by[i]}.name()]
			if alone := outcomes[spot{f, m, by[0]}.name()]; got != alone {
				got = "**" + got + "**"
			}
			line = append(line, got)
		}
		rows = append(rows, line)
	}
	return rows
}
