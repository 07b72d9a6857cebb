package command

import (
	"errors"
	"slices"
	"strings"
)

// Line is a command line taken apart.
type Line struct {
	// Chdir is the directory of -chdir; ChdirSet says that it was given.
	Chdir    string
	ChdirSet bool
	Help     bool
	Version  bool
	// Before are the flags in front of the command that nobody knows.
	Before []string
	// Words are the command and all that follows.
	Words []string
}

// ReadLine takes the global options off the front of a command line.
func ReadLine(args []string) (Line, error) {
	var l Line
	for i, a := range args {
		if a == "--" || !strings.HasPrefix(a, "-") {
			l.Words = args[i:]
			break
		}
		if err := l.global(a); err != nil {
			return l, err
		}
	}
	for _, a := range l.Words {
		if a == "--" {
			break
		}
		l.Help = l.Help || IsHelp(a)
		l.Version = l.Version || isVersion(a)
	}
	return l, nil
}

func (l *Line) global(a string) error {
	switch name, value, set := strings.Cut(strings.TrimPrefix(a[1:], "-"), "="); {
	case name == "chdir":
		if !set || value == "" {
			return errors.New("invalid -chdir option: write the directory behind an equals sign, as in -chdir=DIR")
		}
		if l.ChdirSet {
			return errors.New("invalid -chdir option: it was given twice, and commands work in one directory")
		}
		l.Chdir, l.ChdirSet = value, true
	case IsHelp(a):
		l.Help = true
	case isVersion(a):
		l.Version = true
	default:
		l.Before = append(l.Before, a)
	}
	return nil
}

// Autocomplete says whether the line asks for completion to be set up in shells, or
// with install false to be taken out.
func (l Line) Autocomplete() (install, asked bool) {
	if len(l.Words) > 0 || len(l.Before) != 1 {
		return false, false
	}
	switch strings.TrimLeft(l.Before[0], "-") {
	case "install-autocomplete":
		return true, true
	case "uninstall-autocomplete":
		return false, true
	}
	return false, false
}

// IsHelp says whether an argument asks for help.
func IsHelp(a string) bool { return slices.Contains([]string{"-h", "-help", "--help"}, a) }

func isVersion(a string) bool { return slices.Contains([]string{"-v", "-version", "--version"}, a) }

// TakeCommon takes the flags out of args that every command knows.
func TakeCommon(args []string) (Common, []string) {
	var c Common
	rest := make([]string, 0, len(args))
	for i, a := range args {
		if a == "--" {
			return c, append(rest, args[i:]...)
		}
		if !c.take(strings.TrimPrefix(strings.TrimPrefix(a, "-"), "-"), a) {
			rest = append(rest, a)
		}
	}
	return c, rest
}

// take sets what an argument says, if it is one of these flags.
func (c *Common) take(name, a string) bool {
	if !strings.HasPrefix(a, "-") {
		return false
	}
	name, text, given := strings.Cut(name, "=")
	on := !given || text == "true"
	if given && text != "true" && text != "false" {
		return false
	}
	switch name {
	case "no-color":
		c.NoColor = on
	case "compact-warnings":
		c.CompactWarnings = on
	case "consolidate-warnings":
		c.AllWarnings = !on
	case "consolidate-errors":
		c.GroupErrors = on
	default:
		return false
	}
	return true
}
