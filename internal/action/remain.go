package action

// Answered is what came of a request to change something remote, as far as it
// matters for the state.
type Answered struct {
	// Ends says that the request was to delete, Creates that it was to create:
	// there was nothing before.
	Ends, Creates bool
	// Failed says that the answer has errors or broke a rule of the contract.
	Failed bool
	// Came says that there was an answer with an object or a null, Tells that it
	// tells of an object, of the type asked for.
	Came, Tells bool
	// Denies says that a null came together with an error. A null alone is not
	// believed: what was created may have been lost.
	Denies bool
	// Incomplete says that provisioners have to complete a new object.
	Incomplete bool
}

// Keeps is what the state holds of an object after a request.
type Keeps uint8

// What the state may hold.
const (
	// Nothing: the object is not in the state; one that was put aside for it is
	// taken back.
	Nothing Keeps = iota
	// Before: it is stored as it was before.
	Before
	// Told: it is stored as the provider told it.
	Told
)

// String is k for the table of docs/rules.md.
func (k Keeps) String() string {
	return [...]string{"nothing", "the object as it was", "the object as it was answered"}[k]
}

// Status is how an object is stored.
type Status uint8

// The statuses.
const (
	// SameStatus: as it was stored before.
	SameStatus Status = iota
	// Complete: nothing is wrong with it.
	Complete
	// Tainted: it is to be replaced.
	Tainted
)

// String is s for the table of docs/rules.md.
func (s Status) String() string { return [...]string{"as before", "complete", "tainted"}[s] }

// Remains is what is left of an object after a request, and of the intent that was
// written down before it.
type Remains struct {
	Keeps  Keeps
	Status Status
	// Open says that the intent stays open, so that the next run tells of what may
	// exist.
	Open bool
}

// remnant is one line of the decision.
type remnant struct {
	name string
	when func(Answered) bool
	left Remains
}

var remnants = []remnant{
	{"deleted", func(a Answered) bool { return a.Ends && !a.Failed }, Remains{Keeps: Nothing}},
	{"not deleted, and described", func(a Answered) bool { return a.Ends && a.Tells }, Remains{Keeps: Told}},
	{"created with an error, and is not there", func(a Answered) bool { return a.Creates && a.Denies }, Remains{Keeps: Nothing}},
	{"created, and nobody tells of it", func(a Answered) bool { return a.Creates && !a.Tells }, Remains{Keeps: Nothing, Open: true}},
	{"updated or deleted, and no answer came", func(a Answered) bool { return !a.Came }, Remains{Keeps: Before, Open: true}},
	{"updated or deleted, and not described", func(a Answered) bool { return !a.Tells }, Remains{Keeps: Before}},
	{"created with errors", func(a Answered) bool { return a.Creates && a.Failed }, Remains{Keeps: Told, Status: Tainted}},
	{"created, until its provisioners have run", func(a Answered) bool { return a.Creates && a.Incomplete }, Remains{Keeps: Told, Status: Tainted}},
	{"updated with errors", func(a Answered) bool { return a.Failed }, Remains{Keeps: Told}},
	{"created or updated", func(Answered) bool { return true }, Remains{Keeps: Told, Status: Complete}},
}

// Remaining says what is left of an object after a request: whatever the provider
// says exists is in the state, errors or not, and what nobody knows is not forgotten.
func Remaining(a Answered) Remains { return remaining(a).left }

func remaining(a Answered) *remnant {
	for i := range remnants {
		if remnants[i].when(a) {
			return &remnants[i]
		}
	}
	panic("AC1: no row decides")
}
