package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/plumb-iac/plumb/internal/cli/command"
	"github.com/plumb-iac/plumb/internal/cli/session"
	"github.com/plumb-iac/plumb/internal/osfiles"
)

// completions are what can follow a line that somebody types, of which point
// characters stand before the cursor: the protocol of "complete -C" of bash.
func completions(commands []command.Command, line string, point int) []string {
	line = line[:max(0, min(point, len(line)))]
	words := strings.Fields(line)
	begun := ""
	if len(words) > 0 && !strings.HasSuffix(line, " ") {
		begun, words = words[len(words)-1], words[:len(words)-1]
	}
	if len(words) == 0 {
		return nil // the program's own name is being typed
	}
	words = slices.DeleteFunc(words[1:], func(w string) bool { return strings.HasPrefix(w, "-") })
	c, rest, found := find(commands, words)
	var out []string
	offer := func(word string) {
		if strings.HasPrefix(word, begun) {
			out = append(out, word)
		}
	}
	switch {
	case strings.HasPrefix(begun, "-"):
		for _, r := range rowsOf(c, found) {
			offer("-" + r.Name)
		}
	case !found && len(words) == 0:
		for _, c := range commands {
			if !strings.Contains(c.Name, " ") && c.Group != command.Hidden {
				offer(c.Name)
			}
		}
	case found && len(rest) == 0:
		for _, child := range childrenOf(commands, c) {
			offer(strings.TrimPrefix(child.Name, c.Name+" "))
		}
	}
	slices.Sort(out)
	return out
}

// rowsOf are the options of a command, or those in front of all commands.
func rowsOf(c command.Command, found bool) []command.Row {
	if !found {
		return []command.Row{{Name: "chdir="}, {Name: "help"}, {Name: "version"}}
	}
	out := []command.Row{{Name: "help"}}
	if c.New == nil {
		return out
	}
	f := command.NewFlags(c.Name)
	c.Declare(f)
	for _, r := range f.Rows() {
		if r.Name != "" {
			out = append(out, r)
		}
	}
	return out
}

// completes answers a shell that asks how a line goes on. It says whether one did.
func completes(s *session.Session) bool {
	line := s.Environment.Get("COMP_LINE")
	if line == "" {
		return false
	}
	point, err := strconv.Atoi(s.Environment.Get("COMP_POINT"))
	if err != nil {
		point = len(line)
	}
	for _, word := range completions(table(), line, point) {
		s.Print("%s\n", word)
	}
	return true
}

// shells are the files that shells read as they start, with what makes each ask
// plumb how a line goes on; %s is the program.
var shells = []struct{ file, text string }{
	{".bashrc", "complete -C %s plumb\n"},
	{".zshrc", "autoload -U +X bashcompinit && bashcompinit\ncomplete -o nospace -C %s plumb\n"},
}

// autocomplete puts completion into the files of the shells that are used here, or
// takes it out.
func autocomplete(s *session.Session, install bool) int {
	program, err := os.Executable()
	home := s.Environment.Get("HOME")
	if err != nil || home == "" {
		s.Complain("The home directory or the program is not known, so completion cannot be set up.\n")
		return 1
	}
	changed := 0
	for _, shell := range shells {
		name := filepath.Join(home, shell.file)
		text := fmt.Sprintf(shell.text, program)
		src, err := os.ReadFile(name)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err == nil && strings.Contains(string(src), text) != install {
			err = rewrite(name, string(src), text, install)
		}
		if err != nil {
			s.Complain("The file %s could not be changed: %s\n", name, err)
			return 1
		}
		changed++
		if install {
			s.Print("Completion is set up in %s, for shells that start from now on.\n", name)
		} else {
			s.Print("Completion is not set up any more in %s.\n", name)
		}
	}
	if changed == 0 {
		s.Complain("There is neither a .bashrc nor a .zshrc in %s to set up completion in.\n", home)
		return 1
	}
	return 0
}

// rewrite adds text to a file's content or takes it out.
func rewrite(name, src, text string, add bool) error {
	next := strings.Replace(src, text, "", 1)
	if add {
		if src != "" && !strings.HasSuffix(src, "\n") {
			src += "\n"
		}
		next = src + text
	}
	return osfiles.Replace(name, osfiles.Replacement{Content: osfiles.Bytes([]byte(next))})
}
