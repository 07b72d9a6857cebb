package action

import (
	"slices"
	"strings"

	"github.com/plumb-iac/plumb/plan"
)

// Kind is what an operation does.
type Kind uint8

// The kinds of operations.
const (
	// Preconditions and Postconditions evaluate the conditions of the object.
	Preconditions Kind = iota
	Postconditions
	// Prior takes the object that ends out of the state, and sees that it is the
	// one that was planned to end.
	Prior
	// Desired evaluates the configuration, with everything known.
	Desired
	// FinalPlan asks the provider for the plan again.
	FinalPlan
	// EndPlan asks the provider about the end of an object whose replacement was
	// planned, and not its end.
	EndPlan
	// Depose puts the current object aside. It is taken back when the object
	// that was to follow does not come into being.
	Depose
	// Announce and Conclude enclose what people see as one operation.
	Announce
	Conclude
	// ActBefore and ActAfter run the actions that the change triggers.
	ActBefore
	ActAfter
	// Drop takes the object out of the state and leaves it alone.
	Drop
	// Apply makes the final plan true, Destroy ends an object.
	Apply
	Destroy
	// ProvisionCreate and ProvisionDestroy run provisioners.
	ProvisionCreate
	ProvisionDestroy
	// LocalUpdate stores what needs no provider.
	LocalUpdate
	// ReadData reads a data source.
	ReadData
)

// Kinds is the number of kinds.
const Kinds = int(ReadData) + 1

// String is the kind as listings write it.
func (k Kind) String() string {
	return [Kinds]string{"preconditions", "postconditions", "prior", "desired", "final-plan", "end-plan", "depose", "announce", "conclude", "act-before", "act-after",
		"drop", "apply", "destroy", "provision-create", "provision-destroy", "local-update", "read"}[k]
}

// Needs are the kinds of which one has to come before, in the same leg.
func (k Kind) Needs() []Kind {
	return [Kinds][]Kind{
		FinalPlan:        {Desired},
		EndPlan:          {Prior},
		Depose:           {FinalPlan},
		Announce:         {FinalPlan, Prior},
		Conclude:         {Announce},
		ActBefore:        {Announce},
		ActAfter:         {Apply, Destroy},
		Apply:            {FinalPlan},
		Destroy:          {Prior},
		ProvisionCreate:  {Apply},
		ProvisionDestroy: {Announce},
		LocalUpdate:      {FinalPlan},
	}[k]
}

// Variant tells templates of one action apart.
type Variant uint8

// The variants: of a current object, of an update that changes nothing but
// marks, of one that turns out to change nothing at all, and of an object that was
// put aside in an earlier run, for which no provisioners and actions run.
const (
	Current Variant = iota
	MarksOnly
	Needless
	Deposed
)

// Template is the operations of an action, in the order in which they run: those
// of the leg that makes an object, and those of the leg that ends the one before.
// A leg without operations is none.
type Template struct{ Make, End []Kind }

// Operations is the template of an action. It must not be changed.
func Operations(a plan.Action, v Variant) Template {
	switch {
	case a == plan.Update && v == MarksOnly:
		return Template{Make: remark}
	case a == plan.Update && v == Needless:
		return Template{Make: local}
	case a == plan.Delete && v == Deposed:
		return Template{End: buryDeposed}
	}
	return templates[a]
}

var (
	create      = []Kind{Preconditions, Desired, FinalPlan, Announce, ActBefore, Apply, ProvisionCreate, ActAfter, Conclude, Postconditions}
	createFirst = []Kind{Preconditions, Desired, FinalPlan, Depose, Announce, ActBefore, Apply, ProvisionCreate, ActAfter, Conclude, Postconditions}
	forgetFirst = []Kind{Preconditions, Desired, FinalPlan, Announce, ActBefore, Drop, Apply, ProvisionCreate, ActAfter, Conclude, Postconditions}
	update      = []Kind{Preconditions, Desired, FinalPlan, Announce, ActBefore, Apply, ActAfter, Conclude, Postconditions}
	remark      = []Kind{Preconditions, Desired, FinalPlan, Announce, LocalUpdate, Conclude, Postconditions}
	local       = []Kind{Preconditions, Desired, FinalPlan, LocalUpdate, Postconditions}
	read        = []Kind{Preconditions, ReadData, Postconditions}
	recheck     = []Kind{Preconditions, Postconditions}

	destroy     = []Kind{Prior, Announce, ProvisionDestroy, ActBefore, Destroy, ActAfter, Conclude}
	bury        = []Kind{Prior, EndPlan, Announce, ActBefore, Destroy, ActAfter, Conclude}
	buryDeposed = []Kind{Prior, Announce, Destroy, Conclude}
	forget      = []Kind{Drop}

	templates = map[plan.Action]Template{
		plan.NoOp:             {Make: recheck},
		plan.Create:           {Make: create},
		plan.Read:             {Make: read},
		plan.Update:           {Make: update},
		plan.DeleteThenCreate: {End: destroy, Make: create},
		plan.CreateThenDelete: {Make: createFirst, End: bury},
		plan.CreateThenForget: {Make: createFirst, End: forget},
		plan.ForgetThenCreate: {Make: forgetFirst},
		plan.Delete:           {End: destroy},
		plan.Forget:           {End: forget},
	}
)

// CreateFirst says whether what is made stands beside what ends.
func (t Template) CreateFirst() bool { return slices.Contains(t.Make, Depose) }

// String lists the legs in the order in which they run, one a line.
func (t Template) String() string {
	make, end := line("make", t.Make), line("end ", t.End)
	if t.CreateFirst() {
		return make + end
	}
	return end + make
}

func line(leg string, kinds []Kind) string {
	if len(kinds) == 0 {
		return ""
	}
	names := make([]string, len(kinds))
	for i, k := range kinds {
		names[i] = k.String()
	}
	return leg + " " + strings.Join(names, " · ") + "\n"
}
