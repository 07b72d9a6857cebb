package cli

import (
	"fmt"
	"slices"
	"strings"

	"github.com/plumb-iac/plumb/internal/cli/command"
)

// overview is the text of `plumb -help`.
func overview(commands []command.Command) string {
	var b strings.Builder
	b.WriteString(`Usage: plumb [global options] <subcommand> [args]

These are the commands. Most work is done with the first five; the others
look closer, mend or refactor.

Main commands:
`)
	listGroup(&b, commands, command.Main)
	b.WriteString("\nAll other commands:\n")
	listGroup(&b, commands, command.Other)
	b.WriteString(`
Global options (use these before the subcommand, if any):
  -chdir=DIR    Work in this directory.
  -help         Show this text, or the help of a subcommand.
  -version      The same as the subcommand "version".

Alone, -install-autocomplete has bash and zsh complete command lines, and
-uninstall-autocomplete undoes that.
`)
	return b.String()
}

func listGroup(b *strings.Builder, commands []command.Command, group command.Group) {
	var listed []command.Command
	for _, c := range commands {
		if c.Group == group && !strings.Contains(c.Name, " ") {
			listed = append(listed, c)
		}
	}
	if group != command.Main {
		slices.SortFunc(listed, func(a, b command.Command) int { return strings.Compare(a.Name, b.Name) })
	}
	for _, c := range listed {
		fmt.Fprintf(b, "  %-12s  %s\n", c.Name, c.Synopsis)
	}
}
