package acceptance

import (
	"fmt"
	"strings"
)

const customizedHead = `# What CustomizeDiff makes of a plan

A resource type on terraform-plugin-sdk may have a CustomizeDiff function. It runs
whenever an object is planned, after the SDK has compared the configuration with
the state, and may overrule the comparison for attributes that are computed: with
SetNew, which names the value, or with SetNewComputed, which leaves it to the
apply.

These tables say what becomes of an attribute in each situation. They are written by
TestCustomizedPlans, which plans and applies an object for every cell.

- *state* is the value that the object has, *config* the one that is configured,
  *new* the one that SetNew is given when it is neither.
- A cell with an arrow is a change, a cell without one is what the object has or
  gets; *null* is no value.
- Bold is what would not be planned without the customization.

What is planned is what the apply stores, and what was to be known after the apply
is known then; the test holds every cell to that.

Three rows surprise. A configured value is no protection: SetNewComputed promises
another one even where the configuration and the state agree (4a), and takes the
place of the one that is configured (2, 4b). What is configured no longer is not
taken back: the object keeps it (3x). And Clear does not undo SetNew (f8).

`

// customizedText writes the tables.
func customizedText(outcomes map[string]string) string {
	var out strings.Builder
	out.WriteString(customizedHead)
	for _, f := range forms {
		fmt.Fprintf(&out, "## %s\n\n", f.title)
		rows := [][]string{{"row", "the object", "left alone", "SetNew", "SetNewComputed"}}
		var alone string
		for _, s := range f.rows {
			line := []string{s.row, s.words}
			for _, c := range customizations {
				got := outcomes[cell(f, s, c)]
				if c.name == "none" && s.plain {
					alone = got
				}
				if got != "" && got != alone {
					got = "**" + got + "**"
				}
				line = append(line, got)
			}
			rows = append(rows, line)
		}
		out.WriteString(table(rows) + "\n")
	}
	return out.String()
}

const replacedHead = `## More than one attribute, more than one call

ForceNew has an object replaced because of an attribute that changes, and may
follow SetNew.

`

func replacedText(changes map[string]change) string {
	rows := [][]string{{"row", "the customization", "the object is", "the attribute"}}
	for _, r := range replacements {
		c := changes["legacy_custom."+r.name]
		rows = append(rows, []string{r.name, r.words, c.done(), r.attribute + ": " + c.of(r.attribute)})
	}
	return replacedHead + table(rows) + "\n"
}

const refusedHead = `## What a customization may not do

`

func refusedText(refused map[string]string) string {
	rows := [][]string{{"row", "the customization", "the plan"}}
	for _, r := range refusals {
		rows = append(rows, []string{r.name, r.words, refused[r.name]})
	}
	return refusedHead + table(rows)
}
