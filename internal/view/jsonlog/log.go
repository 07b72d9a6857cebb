package jsonlog

import (
	"bytes"
	"cmp"
	"io"
	"sync"
	"time"

	"github.com/plumb-iac/plumb/diag"
	"github.com/plumb-iac/plumb/internal/view"
	"github.com/plumb-iac/plumb/internal/view/diagview"
	"github.com/plumb-iac/plumb/plan/planjson/jsonout"
)

// uiVersion is the version of this format.
const uiVersion = "1.3"

// stamp is the layout of times.
const stamp = "2006-01-02T15:04:05.000000Z07:00"

// Options are what lines need besides events.
type Options struct {
	// Product and Version name the program.
	Product, Version string
	// Language is the language level offered, which tools gate on; empty means
	// Version.
	Language string
	// Now is the clock for lines that do not come from events.
	Now    func() time.Time
	Source diagview.Source
}

// Log writes lines. Its methods may be called concurrently.
type Log struct {
	mu      sync.Mutex
	out     io.Writer
	o       Options
	running map[job]*run
	order   []*run
	tally   view.Tally
	// forgotten says that summaries tell how many objects are forgotten.
	forgotten bool
}

// New makes a log and writes its first line.
func New(out io.Writer, o Options) *Log {
	if o.Product == "" {
		o.Product = "Plumb"
	}
	l := &Log{out: out, o: o, running: map[job]*run{}}
	l.line("info", o.Product+" "+o.Version, "version", func(w *jsonout.Writer) {
		w.KeyString("terraform", cmp.Or(o.Language, o.Version))
	})
	return l
}

// Tally is what was done so far.
func (l *Log) Tally() view.Tally {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.tally
}

// Info writes a message of type log.
func (l *Log) Info(message string) { l.line("info", message, "log", nil) }

// Said writes what a command says to people; like Complaint without a type, as
// OpenTofu writes it.
func (l *Log) Said(message string) { l.line("info", message, "", nil) }

// Complaint writes what a command complains of that is no diagnostic.
func (l *Log) Complaint(message string) { l.line("error", message, "", nil) }

// Item writes one of the things that a command lists.
func (l *Log) Item(kind, name string) { l.line("info", name, kind, nil) }

// Init writes what init says of itself. The codes are Terraform's.
func (l *Log) Init(code, message string) {
	l.line("info", message, "init_output", func(w *jsonout.Writer) { w.KeyString("message_code", code) })
}

// Diagnostics writes a line for each diagnostic.
func (l *Log) Diagnostics(list diag.List) { l.diagnostics(origin{}, list) }

func (l *Log) diagnostics(from origin, list diag.List) {
	q := diagview.QuotesOf(l.o.Source)
	for _, d := range list.Sorted() {
		l.diagnostic(from, d, q)
	}
}

func (l *Log) diagnostic(from origin, d diag.Diag, q *diagview.Quotes) {
	level, word := "error", "Error: "
	switch d.Severity {
	case diag.Warning:
		level, word = "warn", "Warning: "
	case diag.Unspecified:
		level, word = "info", ""
	}
	l.from(from, level, word+d.Summary, "diagnostic", func(w *jsonout.Writer) {
		w.Key("diagnostic")
		diagview.WriteJSON(w, &d, q)
	})
}

// line writes one line; payload adds the members of its type.
func (l *Log) line(level, message, kind string, payload func(*jsonout.Writer)) {
	l.from(origin{}, level, message, kind, payload)
}

// origin is the test that a line is about; the zero value is none.
type origin struct{ file, run string }

// from writes one line about a test.
func (l *Log) from(o origin, level, message, kind string, payload func(*jsonout.Writer)) {
	l.write(o, l.now(), level, message, kind, payload)
}

func (l *Log) now() time.Time {
	if l.o.Now == nil {
		return time.Time{}
	}
	return l.o.Now()
}

func (l *Log) at(t time.Time, level, message, kind string, payload func(*jsonout.Writer)) {
	l.write(origin{}, t, level, message, kind, payload)
}

func (l *Log) write(from origin, t time.Time, level, message, kind string, payload func(*jsonout.Writer)) {
	var b bytes.Buffer
	w := jsonout.New(&b)
	w.Begin()
	w.KeyString("@level", level)
	w.KeyString("@message", message)
	w.KeyString("@module", "terraform.ui")
	w.KeyFilled("@testfile", from.file)
	w.KeyFilled("@testrun", from.run)
	w.KeyString("@timestamp", t.Format(stamp))
	if payload != nil {
		payload(w)
	}
	w.KeyFilled("type", kind)
	if kind == "version" {
		w.KeyString("ui", uiVersion)
	}
	w.End()
	if w.Err() == nil {
		_, _ = l.out.Write(b.Bytes())
	}
}
