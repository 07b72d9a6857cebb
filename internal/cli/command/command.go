package command

import (
	"context"

	"github.com/plumb-iac/plumb/internal/cli/session"
)

// Group says where the overview lists a command.
type Group uint8

// The groups.
const (
	Other Group = iota
	Main
	Hidden
)

// Command is one row of the table of commands.
type Command struct {
	// Name is the words that select it: "plan", "state mv".
	Name string
	// Args is what follows the name in the usage line.
	Args string
	// Synopsis is its line in the overview, About the paragraphs of its help.
	Synopsis, About string
	// Examples are lines that people type, from the command's name on; one that begins
	// with another program has its own name, too.
	Examples []string
	Group    Group
	// JSONLines says that its option -json writes lines of JSON.
	JSONLines bool
	// InLines says that what it tells people in plain text can be had as lines of
	// JSON instead, or besides: it has the options -json and -json-into for that.
	InLines bool
	// Machine says that programs read its output even without -json.
	Machine bool
	// Gap says that a blank line follows each diagnostic.
	Gap bool
	// Family commands only have others below them.
	Family bool
	// New declares the flags and gives what runs once they are parsed. Others call
	// Declare instead.
	New func(f *Flags) Run
}

// Declare declares all flags of a command that has a New, and gives what runs once
// they are parsed.
func (c Command) Declare(f *Flags) Run {
	if c.InLines {
		return inLines(f, c.New(f))
	}
	return c.New(f)
}

// Run does a command's work and gives the exit status.
type Run func(ctx context.Context, s *session.Session, args []string) int
