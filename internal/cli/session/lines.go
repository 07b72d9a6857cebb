package session

import (
	"fmt"
	"io"
	"strings"

	"github.com/plumb-iac/plumb/diag"
	"github.com/plumb-iac/plumb/internal/view/jsonlog"
)

// spoken is what is said, as lines of JSON: instead of the text, or besides it.
type spoken struct {
	*jsonlog.Log
	besides bool
}

// SpeakLines has what the command says written to out as lines of JSON. People see
// the text only if they are to hear it besides.
func (s *Session) SpeakLines(out io.Writer, besides bool) {
	s.spoken = &spoken{s.Log(out), besides}
}

// aloud says whether people hear the command.
func (s *Session) aloud() bool { return s.spoken == nil || s.spoken.besides }

// Print writes to the output.
func (s *Session) Print(format string, args ...any) {
	text := fmt.Sprintf(format, args...)
	if message := strings.TrimSpace(text); s.spoken != nil && message != "" {
		s.spoken.Said(message)
	}
	if s.aloud() {
		io.WriteString(s.Stdout, text)
	}
}

// List writes one of the things that were asked for; kind is what programs know
// such things by.
func (s *Session) List(kind, name string) {
	if s.spoken != nil {
		s.spoken.Item(kind, name)
	}
	if s.aloud() {
		io.WriteString(s.Stdout, name+"\n")
	}
}

// Complain writes to the error stream.
func (s *Session) Complain(format string, args ...any) {
	text := fmt.Sprintf(format, args...)
	if s.spoken != nil {
		s.spoken.Complaint(strings.TrimSpace(text))
	}
	if s.aloud() {
		io.WriteString(s.Stderr, text)
	}
}

// Report shows diagnostics: warnings on the output, errors on the error
// stream.
func (s *Session) Report(l diag.List) {
	if len(l) == 0 {
		return
	}
	if s.spoken != nil {
		s.spoken.Diagnostics(l)
	}
	if s.aloud() {
		s.show(l)
	}
}
