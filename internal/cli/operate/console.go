package operate

import (
	"bufio"
	"context"
	"errors"
	"io"
	"strings"

	"github.com/plumb-iac/plumb/addr"
	"github.com/plumb-iac/plumb/diag"
	"github.com/plumb-iac/plumb/engine"
	"github.com/plumb-iac/plumb/internal/cli/command"
	"github.com/plumb-iac/plumb/internal/cli/session"
	"github.com/plumb-iac/plumb/internal/lang/valuetext"
	"github.com/plumb-iac/plumb/plan"
)

// Console is the row of console.
func Console() command.Command {
	return command.Command{
		Name: "console", Gap: true, Args: "[options]",
		Synopsis: "Evaluate expressions",
		About:    `Evaluates expressions as the root module would, or the module that -scope names, with the values that the state has, and shows the results. Nothing is changed. Expressions may be piped in, too; then the value of the last one is shown.`,
		New: func(f *command.Flags) command.Run {
			b := &flagSet{f: f}
			b.string("state", "FILE", "Use this local state file instead of the configured one.", func(o *Options, v string) { o.State = v })
			planned := f.Bool("plan", false, "Make a plan first, and use the values that it predicts.")
			scope := f.String("scope", "MODULE", "", "Evaluate as this module instance would, such as module.net or 'module.net[\"a\"]'.")
			b.locking()
			b.variables()
			return command.InText(f, func(ctx context.Context, s *session.Session, args []string) int {
				if len(args) > 0 {
					return s.Misused("Too many command line arguments", "The console command does not expect any positional arguments. Did you mean to use -chdir?")
				}
				o := b.options()
				o.Input = *planned && s.Terminal
				var in addr.ModuleInstance
				if *scope != "" {
					var err error
					if in, err = addr.ParseModuleInstance(*scope); err != nil {
						return s.Misused("Invalid scope address", "The option -scope takes the address of a module instance, such as module.net: "+err.Error()+".")
					}
				}
				return runConsole(ctx, s, o, *planned, in)
			})
		},
	}
}

func runConsole(ctx context.Context, s *session.Session, o Options, planned bool, scope addr.ModuleInstance) (status int) {
	p := newOperation(s, o)
	p.looks = !planned
	defer p.end(&status)
	var diags diag.List
	for _, step := range []func() diag.List{
		p.open, p.configure,
		func() diag.List { return p.store(ctx, "console") },
		func() diag.List { return p.assemble(ctx) },
	} {
		if diags = diags.With(step()); diags.HasErrors() {
			return p.fail(diags)
		}
	}
	options := engine.ConsoleOptions{State: p.before, Variables: p.given.All(), Scope: scope}
	if planned {
		doc, more := p.plan(ctx, plan.Normal, selection{})
		if diags = diags.With(more); more.HasErrors() {
			return p.fail(diags)
		}
		options.Planned = doc
	}
	c, more := p.engine.Console(ctx, options)
	if c == nil {
		return p.fail(diags.With(more))
	}
	p.face.Diagnostics(diags.With(more))
	l := &loop{s: s, c: c, lines: bufio.NewReader(s.Lines()), each: s.Terminal || p.dir.ConsoleShowsEachLine()}
	return l.run(ctx)
}

// loop reads expressions until the input ends.
type loop struct {
	s     *session.Session
	c     *engine.Console
	lines *bufio.Reader
	// each shows every value rather than the last one.
	each bool
	last string
}

const consoleHelp = `Type an expression and press Enter to see its value. It can use whatever the
root module can: var.NAME, local.NAME, resources and data sources by their
addresses, module outputs, and all functions. Objects have the values that the
state has of them.

To leave, type "exit" or press Control-D.
`

func (l *loop) run(ctx context.Context) int {
	for {
		text, err := l.read()
		if strings.TrimSpace(text) == "exit" {
			return 0
		}
		if text != "" && !l.evaluate(ctx, text) && !l.s.Terminal {
			return 1 // a person has seen it, and goes on
		}
		if err != nil {
			break
		}
	}
	if !l.each {
		l.s.Print("%s\n", l.last)
	}
	return 0
}

// read gives an expression, which may go over several lines while brackets are
// open.
func (l *loop) read() (string, error) {
	var b strings.Builder
	for prompt := "> "; ; prompt = ": " {
		line, err := l.line(prompt)
		if err != nil && !errors.Is(err, io.EOF) {
			return "", err
		}
		b.WriteString(line)
		if err != nil || !open(b.String()) {
			return strings.TrimSpace(b.String()), err
		}
	}
}

// line gives a line of input, with its end. Where there is a terminal it can be
// edited, and earlier ones are called back with the arrow keys.
func (l *loop) line(prompt string) (string, error) {
	if l.s.Terminal && l.s.Edit != nil && !l.s.Environment.Dumb() {
		text, err := l.s.Edit(prompt)
		if err != nil {
			io.WriteString(l.s.Stdout, "\n")
			return text, err
		}
		return text + "\n", nil
	}
	if l.s.Terminal {
		io.WriteString(l.s.Stdout, prompt)
	}
	return l.lines.ReadString('\n')
}

// open says whether brackets of a text are open, outside of strings.
func open(text string) bool {
	depth, quoted := 0, false
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == '\\' && quoted:
			i++
		case c == '"':
			quoted = !quoted
		case quoted:
		case strings.IndexByte("([{", c) >= 0:
			depth++
		case strings.IndexByte(")]}", c) >= 0:
			depth--
		}
	}
	return depth > 0
}

func (l *loop) evaluate(ctx context.Context, text string) bool {
	if text == "help" {
		l.show(strings.TrimSuffix(consoleHelp, "\n"))
		return true
	}
	l.s.AddSources(map[string][]byte{"<console-input>": []byte(text + "\n")})
	v, diags := l.c.Evaluate(ctx, text)
	l.s.Report(diags)
	if diags.HasErrors() {
		return false
	}
	l.show(valuetext.Format(v, 0))
	return true
}

func (l *loop) show(text string) {
	l.last = text
	if l.each {
		l.s.Print("%s\n", text)
	}
}
