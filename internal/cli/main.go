package cli

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/agext/levenshtein"
	"github.com/plumb-iac/plumb/internal/cli/command"
	"github.com/plumb-iac/plumb/internal/cli/session"
)

// noCommand is the exit status of a line that selects no command.
const noCommand = 127

// Main runs a command line and gives the exit status.
func Main(p session.Process) int {
	s := session.New(p)
	if completes(s) {
		return 0
	}
	line, err := command.ReadLine(p.Args)
	if err != nil {
		s.Complain("%s\n", capital(err.Error()))
		return 1
	}
	if line.ChdirSet {
		if err := p.Chdir(line.Chdir); err != nil {
			s.Complain("Error handling -chdir option: %s\n", err)
			return 1
		}
	}
	return dispatch(s, line)
}

func dispatch(s *session.Session, line command.Line) int {
	if line.Version {
		line.Words = []string{"version"}
	}
	commands := table()
	if install, asked := line.Autocomplete(); asked {
		return autocomplete(s, install)
	}
	if len(line.Words) == 0 || line.Words[0] == "" {
		io.WriteString(s.Stdout, overview(commands))
		if line.Help {
			return 0
		}
		return noCommand
	}
	c, rest, found := find(commands, line.Words)
	if !found {
		return unknown(s, commands, line.Words[0])
	}
	children := childrenOf(commands, c)
	if line.Help {
		io.WriteString(s.Stdout, c.Help(children, s.Style().Width))
		return 0
	}
	if len(line.Before) > 0 {
		s.Complain("Options in front of the command are not understood: %s. Options of a command stand behind its name.\n\n", strings.Join(line.Before, " "))
		io.WriteString(s.Stdout, c.Help(children, s.Style().Width))
		return 1
	}
	if c.New == nil {
		io.WriteString(s.Stdout, c.Help(children, s.Style().Width))
		return 1
	}
	return run(s, c, rest)
}

// run parses the flags and hands over to the command.
func run(s *session.Session, c command.Command, args []string) int {
	s.Name, s.Gap = c.Name, c.Gap
	extra, err := s.Environment.Args(strings.Fields(c.Name)...)
	if err != nil {
		s.Complain("%s\n", capital(err.Error()))
		return 1
	}
	common, args := command.TakeCommon(append(extra, args...))
	s.NoColor, s.CompactWarnings = common.NoColor, common.CompactWarnings
	s.AllWarnings, s.GroupErrors = common.AllWarnings, common.GroupErrors
	asked := func(option string) bool {
		return slices.ContainsFunc(args, func(a string) bool { return strings.TrimLeft(a, "-") == option })
	}
	s.JSONLines = (c.JSONLines || c.InLines) && asked("json")
	s.Machine = asked("json") || asked("raw") || c.Machine
	flags := command.NewFlags(c.Name)
	work := c.Declare(flags)
	operands, err := flags.Parse(args)
	if err != nil {
		return s.Misused("Failed to parse command-line flags", err.Error())
	}
	if !slices.Contains(args, "--") {
		s.Late = flags.Late(operands)
	}
	ctx, stop := context.WithCancel(context.Background())
	defer stop()
	go s.Watch(ctx, s.Interrupts, stop)
	defer s.End()
	return work(ctx, s, operands)
}

// find is the command whose name has the most words of the line.
func find(commands []command.Command, words []string) (c command.Command, rest []string, found bool) {
	best := 0
	for _, candidate := range commands {
		name := strings.Fields(candidate.Name)
		if len(name) > best && len(name) <= len(words) && slices.Equal(name, words[:len(name)]) {
			c, best, found = candidate, len(name), true
		}
	}
	return c, words[best:], found
}

func childrenOf(commands []command.Command, parent command.Command) []command.Command {
	var out []command.Command
	for _, c := range commands {
		rest, below := strings.CutPrefix(c.Name, parent.Name+" ")
		if below && !strings.Contains(rest, " ") && c.Group != command.Hidden {
			out = append(out, c)
		}
	}
	return out
}

// unknown says that there is no such command, and which one may be meant.
func unknown(s *session.Session, commands []command.Command, word string) int {
	meant, distance := "", 4
	for _, c := range commands {
		if strings.Contains(c.Name, " ") || c.Group == command.Hidden {
			continue
		}
		if d := levenshtein.Distance(word, c.Name, nil); d < distance && d < len(word) {
			meant, distance = c.Name, d
		}
	}
	hint := ""
	if meant != "" {
		hint = fmt.Sprintf(" Did you mean %q?", meant)
	}
	s.Complain(s.Style().Named("Plumb has no command named %q.")+"%s\n\n\"plumb -help\" lists the commands.\n\n", word, hint)
	return 1
}

// capital is a text as a sentence begins.
func capital(text string) string { return strings.ToUpper(text[:1]) + text[1:] }
