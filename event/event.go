package event

import (
	"time"

	"github.com/plumb-iac/plumb/addr"
)

// Header is common to all events.
type Header struct {
	Seq  uint64
	Time time.Time
}

// Head gives the header; it makes a struct with an embedded Header an Event.
func (h Header) Head() Header { return h }

func (Header) sealed() {}

// Event is one of the structs of this package.
type Event interface {
	Head() Header
	sealed()
}

// Observer is told every event, in order. It may ask for a graceful stop by
// returning Halt, and nothing else.
type Observer interface {
	Observe(Event) Verdict
}

// Verdict is an observer's answer.
type Verdict uint8

// The verdicts.
const (
	Continue Verdict = iota
	Halt
)

// Func makes an Observer of a function that never halts.
type Func func(Event)

// Observe calls f.
func (f Func) Observe(e Event) Verdict { f(e); return Continue }

// Op is what is being done to an object.
type Op uint8

// The operations. The zero value is invalid.
const (
	InvalidOp Op = iota
	Refresh
	Create
	Update
	Delete
	ReadData
	Import
	Open
	Renew
	CloseEphemeral
	Provision
	Action
)

// String is the word of the JSON event lines.
func (o Op) String() string {
	return [...]string{"invalid", "refresh", "create", "update", "delete", "read", "import", "open", "renew", "close", "provision", "invoke"}[o]
}

// Begun says that an operation on an object started.
type Begun struct {
	Header
	Object addr.Object
	Op     Op
	// IDKey and IDValue identify the remote object for people, when known.
	IDKey, IDValue string
	// Detail names the provisioner or action.
	Detail string
}

// Ended says that an operation ended well.
type Ended struct {
	Header
	Object         addr.Object
	Op             Op
	IDKey, IDValue string
	Elapsed        time.Duration
	Detail         string
}

// Failed says that an operation ended with errors, which are among the diagnostics of
// the run.
type Failed struct {
	Header
	Object         addr.Object
	Op             Op
	IDKey, IDValue string
	Elapsed        time.Duration
	Detail         string
	// Message is the problem in one line, where it is shown beside the end.
	Message string
}

// Output is a line of a provisioner's or action's output.
type Output struct {
	Header
	Object addr.Object
	Detail string
	Text   string
}

// StateSaved says that an edit is durable.
type StateSaved struct {
	Header
	Object addr.Object
}

// Phase says which part of a command begins.
type Phase struct {
	Header
	Name PhaseName
}

// PhaseName is a part of a command.
type PhaseName string

// The phases.
const (
	Planning  PhaseName = "plan"
	Applying  PhaseName = "apply"
	Finishing PhaseName = "finish"
)
