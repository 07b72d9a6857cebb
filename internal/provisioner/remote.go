package provisioner

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"golang.org/x/crypto/ssh"
)

// machine is a remote machine while work is done on it.
type machine struct{ client *ssh.Client }

// session runs a command with an input and tells its output.
func (m machine) session(ctx context.Context, command string, in io.Reader, p *printer) error {
	s, err := m.client.NewSession()
	if err != nil {
		return err
	}
	defer s.Close()
	stop := context.AfterFunc(ctx, func() {
		_ = s.Signal(ssh.SIGTERM)
		_ = s.Close()
	})
	defer stop()
	// The two streams are read apart, so that their lines do not mix.
	out, outDone := p.stream()
	problems, problemsDone := p.stream()
	s.Stdin, s.Stdout, s.Stderr = in, out, problems
	err = s.Run(command)
	outDone()
	problemsDone()
	if ctx.Err() != nil {
		return errors.Join(ctx.Err(), err)
	}
	return err
}

// quiet runs a command whose output is only of interest when it fails.
func (m machine) quiet(ctx context.Context, command string, in io.Reader) error {
	p := &printer{output: func(string) {}}
	if err := m.session(ctx, command, in, p); err != nil {
		return fmt.Errorf("%w: %s", err, strings.TrimSpace(p.end()))
	}
	return nil
}

// put writes a file.
func (m machine) put(ctx context.Context, name string, mode string, in io.Reader) error {
	q := shellQuote(name)
	command := "cat > " + q
	if mode != "" {
		command += " && chmod " + mode + " " + q
	}
	if err := m.quiet(ctx, command, in); err != nil {
		return fmt.Errorf("cannot write %s on the machine: %w", name, err)
	}
	return nil
}

// shellQuote makes a word of the shell's of any text, but leaves a leading
// tilde to be the home directory.
func shellQuote(s string) string {
	prefix := ""
	if rest, ok := strings.CutPrefix(s, "~/"); ok {
		prefix, s = "~/", rest
	}
	return prefix + "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}
