package command

import (
	"flag"
	"io"
	"strings"
	"time"
)

// Flags are the flags of one command: the std package's parser, with help.
type Flags struct {
	set  *flag.FlagSet
	rows []Row
	any  bool
}

// Row is a line of help. A row without a name is a heading.
type Row struct {
	Name, Arg, Text string
}

// Common are the flags that every command takes, wherever they stand among its
// arguments.
type Common struct {
	NoColor, CompactWarnings bool
	// AllWarnings shows similar warnings one by one, GroupErrors similar errors
	// as one.
	AllWarnings, GroupErrors bool
}

// NewFlags makes an empty set.
func NewFlags(name string) *Flags {
	set := flag.NewFlagSet(name, flag.ContinueOnError)
	set.SetOutput(io.Discard)
	set.Usage = func() {}
	return &Flags{set: set}
}

// Heading begins a section of the help.
func (f *Flags) Heading(text string) { f.rows = append(f.rows, Row{Text: text}) }

// Bool declares -name and -name=false.
func (f *Flags) Bool(name string, def bool, text string) *bool {
	arg := ""
	if def {
		arg = "false"
	}
	f.row(name, arg, text)
	return f.set.Bool(name, def, text)
}

// String declares -name=arg.
func (f *Flags) String(name, arg, def, text string) *string {
	f.row(name, arg, text)
	return f.set.String(name, def, text)
}

// Int declares -name=n.
func (f *Flags) Int(name string, def int, text string) *int {
	f.row(name, "n", text)
	return f.set.Int(name, def, text)
}

// Duration declares -name=10s.
func (f *Flags) Duration(name string, def time.Duration, text string) *time.Duration {
	f.row(name, def.String(), text)
	return f.set.Duration(name, def, text)
}

// List declares a flag that may be repeated.
func (f *Flags) List(name, arg, text string) *[]string {
	var all []string
	f.row(name, arg, text)
	f.set.Func(name, text, func(v string) error { all = append(all, v); return nil })
	return &all
}

// Each declares a repeatable flag whose values are handed to add in the order
// they stand, so that several flags can share one order.
func (f *Flags) Each(name, arg, text string, add func(string)) {
	f.row(name, arg, text)
	f.set.Func(name, text, func(v string) error { add(v); return nil })
}

// Old accepts a flag that no longer does anything.
func (f *Flags) Old(names ...string) {
	for _, n := range names {
		f.set.Var(ignored{}, n, "")
	}
}

// Any leaves all arguments to the command.
func (f *Flags) Any() { f.any = true }

// Parse reads the flags in front of the arguments and gives the arguments.
func (f *Flags) Parse(args []string) ([]string, error) {
	if f.any {
		return args, nil
	}
	if err := f.set.Parse(args); err != nil {
		return nil, err
	}
	return f.set.Args(), nil
}

// Late is the first operand that is one of the flags, "" for none: flags come first.
func (f *Flags) Late(operands []string) string {
	for _, a := range operands {
		name, _, _ := strings.Cut(strings.TrimLeft(a, "-"), "=")
		if strings.HasPrefix(a, "-") && f.set.Lookup(name) != nil {
			return a
		}
	}
	return ""
}

// Rows are the lines of help.
func (f *Flags) Rows() []Row { return f.rows }

// Row adds a line of help for what is understood without being declared.
func (f *Flags) Row(name, arg, text string) { f.row(name, arg, text) }

func (f *Flags) row(name, arg, text string) { f.rows = append(f.rows, Row{name, arg, text}) }

type ignored struct{}

func (ignored) String() string   { return "" }
func (ignored) Set(string) error { return nil }
func (ignored) IsBoolFlag() bool { return true }
