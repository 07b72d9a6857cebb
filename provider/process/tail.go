package process

import (
	"bytes"
	"strings"
	"sync"
)

// Bounds of what is kept of a program's standard error, in bytes, and of what
// of it is shown, in lines.
const (
	tailSize   = 16 << 10
	panicSize  = 16 << 10
	shownLines = 12
	lineLength = 300
)

// tail is a writer that keeps the end of what is written to it and the
// beginning of the first panic. A panic's dump of all goroutines may be longer
// than any tail, and its first lines are the ones that matter.
type tail struct {
	mu    sync.Mutex
	end   []byte
	crash []byte
	// partial is an unfinished line, cut off when it gets long.
	partial []byte
}

func newTail() *tail { return &tail{} }

// Write implements io.Writer and never fails.
func (t *tail) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for rest := p; len(rest) > 0; {
		line, after, complete := bytes.Cut(rest, []byte{'\n'})
		if room := lineLength - len(t.partial); room > 0 {
			t.partial = append(t.partial, line[:min(room, len(line))]...)
		}
		if complete {
			t.line(t.partial)
			t.partial = t.partial[:0]
		}
		rest = after
	}
	return len(p), nil
}

func (t *tail) line(line []byte) {
	// Structured log messages are for the log, except those of errors.
	if bytes.HasPrefix(line, []byte(`{"@`)) && !bytes.Contains(line, []byte(`"@level":"error"`)) {
		return
	}
	if len(t.crash) > 0 || bytes.HasPrefix(line, []byte("panic: ")) || bytes.HasPrefix(line, []byte("fatal error: ")) {
		if len(t.crash) < panicSize {
			t.crash = append(append(t.crash, line...), '\n')
		}
		return
	}
	t.end = append(append(t.end, line...), '\n')
	if len(t.end) > 2*tailSize {
		t.end = append(t.end[:0], t.end[len(t.end)-tailSize:]...)
	}
}

// lastWords are a few lines for a diagnostic: the head of the panic if there
// was one, else the last lines.
func (t *tail) lastWords() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	if len(t.crash) > 0 {
		lines := strings.Split(strings.TrimRight(string(t.crash), "\n"), "\n")
		if len(lines) > shownLines {
			lines = append(lines[:shownLines:shownLines], "...")
		}
		return shown(lines)
	}
	text := strings.TrimSpace(string(t.end) + string(t.partial))
	if text == "" {
		return ""
	}
	lines := strings.Split(text, "\n")
	return shown(lines[max(0, len(lines)-shownLines):])
}

func shown(lines []string) string {
	return "  " + strings.Join(lines, "\n  ")
}
