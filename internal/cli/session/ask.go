package session

import (
	"context"
	"errors"
	"io"
	"strings"

	"github.com/plumb-iac/plumb/internal/view"
)

// Question is something to ask the person at the keyboard.
type Question struct {
	Query, Description string
	Secret             bool
}

// InputAllowed says whether a person may be asked: neither -input=false nor
// TF_INPUT forbids it.
func (s *Session) InputAllowed() bool { return !s.NoInput && s.Environment.Input() }

// Ask shows a question and reads the answer's line. It ends early with ctx.
func (s *Session) Ask(ctx context.Context, q Question) (string, error) {
	style := s.Style()
	var b strings.Builder
	b.WriteString(style.Paint(q.Query, view.Bold) + "\n")
	for _, line := range strings.Split(q.Description, "\n") {
		if q.Description != "" {
			b.WriteString("  " + line + "\n")
		}
	}
	if q.Description != "" {
		b.WriteByte('\n')
	}
	b.WriteString("  " + style.Paint("Enter a value:", view.Bold) + " ")
	io.WriteString(s.Stdout, b.String())
	answer, err := s.answer(ctx, q.Secret)
	io.WriteString(s.Stdout, "\n") // also when nobody ended the line: what follows is no answer
	return answer, err
}

// ErrInterrupted says that the operator interrupted a question.
var ErrInterrupted = errors.New("interrupted")

type line struct {
	text string
	err  error
}

// answer waits for a line or the end of ctx. The goroutine that reads outlives
// an interrupt: reading a terminal cannot be called back.
func (s *Session) answer(ctx context.Context, secret bool) (string, error) {
	read := make(chan line, 1)
	go func() { read <- s.readLine(secret) }()
	select {
	case l := <-read:
		return l.text, l.err
	case <-ctx.Done():
		return "", ErrInterrupted
	}
}

func (s *Session) readLine(secret bool) line {
	if secret && s.Terminal && s.Secret != nil {
		text, err := s.Secret()
		return line{text, err}
	}
	text, err := s.lines.ReadString('\n')
	if err == io.EOF && text != "" {
		err = nil
	}
	return line{strings.TrimRight(text, "\r\n"), err}
}

// Lines is the standard input behind what was read of it so far.
func (s *Session) Lines() io.Reader { return s.lines }
