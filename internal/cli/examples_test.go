package cli

import (
	"regexp"
	"strings"
	"testing"

	"github.com/plumb-iac/plumb/internal/cli/command"
)

// Every example is a line of its command with options that it has.
func TestExamples(t *testing.T) {
	commands, known := table(), map[string]bool{}
	words := regexp.MustCompile(`'[^']*'|\S+`)
	pipes := regexp.MustCompile(` [|>] .*`)
	for _, c := range commands {
		known[c.Name] = true
		for _, line := range c.Examples {
			if _, behind, piped := strings.Cut(line, "| "+command.Program+" "); piped {
				line = behind
			}
			rest, ok := strings.CutPrefix(pipes.ReplaceAllString(line, ""), c.Name)
			if !ok {
				t.Errorf("%s: %s", c.Name, line)
				continue
			}
			f := command.NewFlags(c.Name)
			c.Declare(f)
			if _, err := f.Parse(words.FindAllString(rest, -1)); err != nil {
				t.Errorf("%s: %v", line, err)
			}
		}
	}
	for name := range examples {
		if !known[name] {
			t.Errorf("there is no command %s", name)
		}
	}
}
