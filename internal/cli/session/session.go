package session

import (
	"bufio"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/plumb-iac/plumb/diag"
	"github.com/plumb-iac/plumb/internal/settings"
	"github.com/plumb-iac/plumb/internal/view"
	"github.com/plumb-iac/plumb/internal/view/diagview"
	"github.com/plumb-iac/plumb/internal/view/jsonlog"
)

// Process is the outside world as a command sees it.
type Process struct {
	// Called is the file name that the program was started by; Args are the
	// arguments behind it.
	Called string
	Args   []string
	// Env is the environment as KEY=VALUE.
	Env            []string
	Stdin          io.Reader
	Stdout, Stderr io.Writer
	// Terminal says that a person types at Stdin; Secret reads a line from
	// them without showing it.
	Terminal bool
	Secret   func() (string, error)
	// Edit reads a line from a person who can edit it and call back earlier ones;
	// nil where the terminal cannot do that. The end of the input is io.EOF.
	Edit func(prompt string) (string, error)
	// Live says that Stdout is a terminal; Size tells how large it is now, 0 for
	// what is not known. It is nil where there is none.
	Live bool
	Size func() (columns, rows int)
	// Chdir changes the working directory, Getwd tells it.
	Chdir func(dir string) error
	Getwd func() (string, error)
	// Signals tell that the operator wants the command to end.
	Signals <-chan os.Signal
	Now     func() time.Time
	// Version is the program's, Language the language level it offers.
	Version, Language string
}

// Session is one command's run.
type Session struct {
	Process
	// Name is the command, for messages that point to its help.
	Name string
	// Launch is the directory that the program was started in, before -chdir.
	Launch string
	// NoColor and CompactWarnings are the flags of those names.
	NoColor, CompactWarnings bool
	// AllWarnings shows similar warnings one by one, GroupErrors similar errors
	// as one.
	AllWarnings, GroupErrors bool
	// JSONLines says that programs read lines of JSON from the output, so that
	// diagnostics are such lines, too.
	JSONLines bool
	// Machine says that a program reads the output, so that nothing but the
	// result may stand there.
	Machine bool
	// Gap says that a blank line follows each diagnostic.
	Gap bool
	// Late is an option that stands behind an argument, where it is not read.
	Late string
	// NoInput says that nobody may be asked.
	NoInput bool
	// Interrupts is where running work says how to drain it.
	Interrupts *Interrupts

	// Environment is what the environment says about how plumb works.
	Environment settings.Environment

	ending  []func()
	spoken  *spoken
	lines   *bufio.Reader
	sources map[string][]byte
}

// New begins a session.
func New(p Process) *Session {
	s := &Session{Process: p, Environment: settings.NewEnvironment(p.Env), lines: bufio.NewReader(p.Stdin), sources: map[string][]byte{}, Interrupts: &Interrupts{}}
	s.Stdout, s.Stderr = outlive{p.Stdout}, outlive{p.Stderr}
	if p.Getwd != nil {
		s.Launch, _ = p.Getwd()
	}
	return s
}

// AtEnd has something done when the command has ended, the last first.
func (s *Session) AtEnd(f func()) { s.ending = append(s.ending, f) }

// End does what is to be done at the end.
func (s *Session) End() {
	for _, f := range slices.Backward(s.ending) {
		f()
	}
	s.ending = nil
}

// Automation says that a program and not a person reads the output.
func (s *Session) Automation() bool { return s.Environment.InAutomation() }

// DataPath is a file in the data directory.
func (s *Session) DataPath(parts ...string) string {
	return filepath.Join(append([]string{s.Environment.DataDir()}, parts...)...)
}

// Dir is the absolute working directory.
func (s *Session) Dir() string {
	if s.Getwd == nil {
		return "."
	}
	dir, err := s.Getwd()
	if err != nil {
		return "."
	}
	return dir
}

// CalledAs is the dialect whose program plumb was called as, through a link of the
// name terraform, tofu or opentofu; false for its own name.
func (s *Session) CalledAs() (settings.Dialect, bool) {
	d, err := settings.ParseDialect(strings.TrimSuffix(filepath.Base(s.Called), ".exe"))
	return d, err == nil
}

// posing is the product that plumb was called as, "" for itself.
func (s *Session) posing() string {
	if d, ok := s.CalledAs(); ok {
		return d.Text(settings.Product)
	}
	return ""
}

// Style is how text is written to the output, which may be a terminal of another
// width the next time.
func (s *Session) Style() view.Style {
	columns := 0
	if s.Size != nil {
		columns, _ = s.Size()
	}
	return view.Style{Color: !s.NoColor && !s.Environment.NoColor() && s.spoken == nil, Width: columns, Name: s.posing()}
}

// Redraws says whether lines at the bottom of the screen may be drawn anew:
// somebody watches a terminal that can, and did not ask for plain lines.
func (s *Session) Redraws() bool {
	return s.Live && !s.NoColor && !s.Automation() && !s.Environment.Dumb()
}

// AddSources makes the contents of files known, for diagnostics to quote.
func (s *Session) AddSources(files map[string][]byte) { maps.Copy(s.sources, files) }

// Source is the content of a file as it was read, or nil.
func (s *Session) Source(name string) []byte { return s.sources[name] }

// DiagOptions say how diagnostics are shown.
func (s *Session) DiagOptions() diagview.Options {
	return diagview.Options{Style: s.Style(), Source: s.Source, Plain: s.NoColor, Compact: s.CompactWarnings, All: s.AllWarnings, GroupErrors: s.GroupErrors, Gap: s.Gap}
}

// show writes diagnostics for people.
func (s *Session) show(l diag.List) {
	o := s.DiagOptions()
	o.Compact = o.Compact && !l.HasErrors()
	if w := l.NoErrors(); len(w) > 0 {
		out := s.Stdout
		if s.Machine {
			out = s.Stderr
		}
		diagview.Write(out, w, o)
	}
	if e := l.Errors(); len(e) > 0 {
		diagview.Write(s.Stderr, e, o)
	}
}

// Aside shows diagnostics that are not about what the command was asked for. They
// go to the error stream, for a program that reads the output.
func (s *Session) Aside(title string, l diag.List) {
	if len(l) == 0 {
		return
	}
	fmt.Fprintln(s.Stderr, title)
	diagview.Write(s.Stderr, l, s.DiagOptions())
}

// Fail reports and gives the exit status of a failure.
func (s *Session) Fail(l diag.List) int {
	s.Report(l)
	return 1
}

// Done reports and gives the exit status that l stands for.
func (s *Session) Done(l diag.List) int {
	s.Report(l)
	if l.HasErrors() {
		return 1
	}
	return 0
}

// Log begins lines of JSON for programs.
func (s *Session) Log(out io.Writer) *jsonlog.Log {
	return jsonlog.New(out, jsonlog.Options{Version: s.Version, Language: s.Language, Now: s.Now, Source: s.Source})
}

// Misused reports a wrong use of the command. Most commands point to their help
// then; those with a gap after diagnostics don't.
func (s *Session) Misused(summary, detail string) int {
	if s.Late != "" {
		detail += " The option " + s.Late + " stands behind an argument: options come first."
	}
	if s.JSONLines && s.spoken == nil {
		s.Log(s.Stdout).Diagnostics(diag.Errs(summary, detail))
		return 1
	}
	s.Report(diag.Errs(summary, detail))
	if !s.Gap && s.aloud() {
		fmt.Fprintf(s.Stderr, "\nFor more help on using this command, run:\n  plumb %s -help\n", s.Name)
	}
	return 1
}
