package main

import (
	"io"
	"os"
	"time"

	"github.com/plumb-iac/plumb/internal/cli"
	"github.com/plumb-iac/plumb/internal/cli/session"
	"github.com/plumb-iac/plumb/provider/embedded"
	"golang.org/x/term"
)

func main() {
	p := process()
	if err := embedded.Quiet(); err != nil {
		p.Stderr.Write([]byte(err.Error() + "\n"))
	}
	os.Exit(cli.Main(p))
}

// process is this process as the command line sees it.
func process() session.Process {
	stdin, stdout := int(os.Stdin.Fd()), int(os.Stdout.Fd())
	p := session.Process{
		Called: os.Args[0], Args: os.Args[1:], Env: os.Environ(),
		Stdin: os.Stdin, Stdout: os.Stdout, Stderr: os.Stderr,
		Terminal: term.IsTerminal(stdin), Live: term.IsTerminal(stdout),
		Secret: func() (string, error) {
			b, err := term.ReadPassword(stdin)
			return string(b), err
		},
		Chdir: os.Chdir, Getwd: os.Getwd,
		Signals: session.Signals(), Now: time.Now,
		Version: cli.Version, Language: cli.Language,
	}
	if p.Live {
		p.Size = func() (columns, rows int) {
			columns, rows, _ = term.GetSize(stdout)
			return columns, rows
		}
	}
	if p.Live && p.Terminal {
		p.Edit = editor(stdin, stdout)
	}
	return p
}

// editor reads lines from a terminal, which is in its own hands only meanwhile.
func editor(stdin, stdout int) func(prompt string) (string, error) {
	t := term.NewTerminal(struct {
		io.Reader
		io.Writer
	}{os.Stdin, os.Stdout}, "")
	return func(prompt string) (string, error) {
		before, err := term.MakeRaw(stdin)
		if err != nil {
			return "", err
		}
		defer term.Restore(stdin, before)
		if width, height, err := term.GetSize(stdout); err == nil {
			t.SetSize(width, height)
		}
		t.SetPrompt(prompt)
		return t.ReadLine()
	}
}
