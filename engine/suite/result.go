package suite

import (
	"time"

	"github.com/plumb-iac/plumb/addr"
	"github.com/plumb-iac/plumb/config"
	"github.com/plumb-iac/plumb/diag"
	"github.com/plumb-iac/plumb/plan"
	"github.com/plumb-iac/plumb/state"
)

// Status is how something came out. A greater one counts before a smaller one.
type Status uint8

// The statuses. Fail is another outcome than expected, Error that it could not be
// found out.
const (
	Pending Status = iota
	Skip
	Pass
	Fail
	Error
)

// String is the word of the JSON lines.
func (s Status) String() string { return [...]string{"pending", "skip", "pass", "fail", "error"}[s] }

// Progress is where something is.
type Progress uint8

// The progress.
const (
	Starting Progress = iota
	TearingDown
	Complete
)

// String is the word of the JSON lines.
func (p Progress) String() string { return [...]string{"starting", "teardown", "complete"}[p] }

// File is a test file and how it came out.
type File struct {
	Config *config.TestFile
	Status Status
	Runs   []*TestRun
	// Diags are about the file as a whole.
	Diags diag.List
	// Left are the states that could not be cleaned up.
	Left []*Leftover
}

// Name is the file's path.
func (f *File) Name() string { return f.Config.Name }

// TestRun is a run and how it came out.
type TestRun struct {
	Config *config.TestRun
	Status Status
	Diags  diag.List
	// Failed are the messages of the assertions that are false.
	Failed []string
	// Plan is the plan of a run that only plans, State the state after a run that
	// applies; nil where it did not come to it.
	Plan  *plan.Document
	State *state.Snapshot
	// Began is when the run did, zero when it was skipped.
	Began time.Time
	Took  time.Duration
}

// Name is the run's name.
func (r *TestRun) Name() string { return r.Config.Name }

// Leftover is a state that could not be cleaned up.
type Leftover struct {
	// Run is the last one that used the state.
	Run     *TestRun
	Diags   diag.List
	Objects []addr.Object
	// Kept is where the state was written to, "" for nowhere.
	Kept string
}

// Result is how the tests came out.
type Result struct {
	Status                           Status
	Files                            []*File
	Passed, Failed, Errored, Skipped int
}

// count sums up the files.
func (r *Result) count() {
	r.Status = Pass
	for _, f := range r.Files {
		r.Status = max(r.Status, f.Status)
		for _, run := range f.Runs {
			switch run.Status {
			case Pass:
				r.Passed++
			case Fail:
				r.Failed++
			case Error:
				r.Errored++
			case Skip, Pending:
				r.Skipped++
			}
		}
	}
}

// Observer is told how the tests go on, one thing at a time.
type Observer interface {
	// Found says which tests there are, before the first one begins.
	Found(files []*File)
	// File and Run say where something is. What is complete has its diagnostics.
	File(f *File, p Progress)
	Run(f *File, r *TestRun, p Progress)
	// Left says that a state could not be cleaned up.
	Left(f *File, l *Leftover)
	// Ended says how the tests came out.
	Ended(r *Result)
}
