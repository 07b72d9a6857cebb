package action

import (
	"fmt"
	"strings"

	"github.com/plumb-iac/plumb/plan"
)

// Kind is what an operation does.
type Kind uint8

// The kinds of operations.
const (
	// Prior takes the object out of the state.
	Prior Kind = iota
	// Desired evaluates the configuration, with everything known.
	Desired
	// FinalPlan asks the provider for the plan of from to desired.
	FinalPlan
	// Apply makes it true.
	Apply
	// LocalUpdate stores what needs no provider.
	LocalUpdate
	// ReadData reads a data source.
	ReadData
	// Depose puts the current object aside, Undepose back.
	Depose
	Undepose
	// Drop takes the object out of the state and leaves it alone.
	Drop
	// ProvisionCreate and ProvisionDestroy run provisioners.
	ProvisionCreate
	ProvisionDestroy
	// Check evaluates conditions.
	Check
)

// String is the kind as listings write it.
func (k Kind) String() string {
	return [...]string{"prior", "desired", "final-plan", "apply", "local-update", "read", "depose", "undepose", "drop", "provision-create", "provision-destroy", "check"}[k]
}

// Leg says which of its object's two halves an operation belongs to.
type Leg uint8

// The legs: making an object, and ending the one before it.
const (
	Make Leg = iota
	End
)

// String is the leg's name.
func (l Leg) String() string { return [...]string{"make", "end"}[l] }

// None stands for no operation where an operation's index is expected.
const None = -1

// Op is one operation of a template. The others are named by their index.
type Op struct {
	Kind Kind
	Leg  Leg
	// From is the operation that gives the object before the change, To the one
	// that gives what it is to become; None is null.
	From, To int
	// After are operations that merely come before.
	After []int
	// Fallback is what to do instead of nothing if the operation fails and
	// leaves no object.
	Fallback Kind
	// Falls says whether Fallback means anything.
	Falls bool
}

// Variant tells templates of one action apart.
type Variant uint8

// The variants: of a current object, of an update that changes nothing but
// marks, and of a deposed object, for which no provisioners run.
const (
	Current Variant = iota
	MarksOnly
	Deposed
)

// Template is the operations of an action, in an order in which they can run.
func Template(a plan.Action, v Variant) []Op {
	switch {
	case a == plan.Update && v == MarksOnly:
		return localUpdate
	case a == plan.Delete && v == Deposed:
		return deleteDeposed
	}
	return templates[a]
}

var (
	localUpdate = []Op{
		{Kind: Prior, From: None, To: None},
		{Kind: Desired, From: None, To: None},
		{Kind: LocalUpdate, From: 0, To: 1},
		{Kind: Check, From: 2, To: None},
	}
	deleteDeposed = []Op{
		{Kind: Prior, Leg: End, From: None, To: None},
		{Kind: FinalPlan, Leg: End, From: 0, To: None},
		{Kind: Apply, Leg: End, From: 0, To: 1},
	}
	templates = map[plan.Action][]Op{
		plan.NoOp: {
			{Kind: Prior, From: None, To: None},
			{Kind: Check, From: 0, To: None},
		},
		plan.Create: {
			{Kind: Desired, From: None, To: None},
			{Kind: FinalPlan, From: None, To: 0},
			{Kind: Apply, From: None, To: 1},
			{Kind: ProvisionCreate, From: 2, To: None},
			{Kind: Check, From: 2, To: None, After: []int{3}},
		},
		plan.Read: {
			{Kind: Desired, From: None, To: None},
			{Kind: ReadData, From: None, To: 0},
			{Kind: Check, From: 1, To: None},
		},
		plan.Update: {
			{Kind: Prior, From: None, To: None},
			{Kind: Desired, From: None, To: None},
			{Kind: FinalPlan, From: 0, To: 1},
			{Kind: Apply, From: 0, To: 2},
			{Kind: Check, From: 3, To: None},
		},
		plan.DeleteThenCreate: {
			{Kind: Prior, Leg: End, From: None, To: None},
			{Kind: ProvisionDestroy, Leg: End, From: 0, To: None},
			{Kind: FinalPlan, Leg: End, From: 0, To: None, After: []int{1}},
			{Kind: Apply, Leg: End, From: 0, To: 2},
			{Kind: Desired, From: None, To: None, After: []int{3}},
			{Kind: FinalPlan, From: None, To: 4},
			{Kind: Apply, From: None, To: 5},
			{Kind: ProvisionCreate, From: 6, To: None},
			{Kind: Check, From: 6, To: None, After: []int{7}},
		},
		plan.CreateThenDelete: {
			{Kind: Desired, From: None, To: None},
			{Kind: Depose, From: None, To: None, After: []int{0}},
			{Kind: FinalPlan, From: None, To: 0},
			{Kind: Apply, From: None, To: 2, After: []int{1}, Fallback: Undepose, Falls: true},
			{Kind: ProvisionCreate, From: 3, To: None},
			{Kind: Check, From: 3, To: None, After: []int{4}},
			{Kind: Prior, Leg: End, From: 1, To: None, After: []int{5}},
			{Kind: FinalPlan, Leg: End, From: 6, To: None},
			{Kind: Apply, Leg: End, From: 6, To: 7},
		},
		plan.CreateThenForget: {
			{Kind: Desired, From: None, To: None},
			{Kind: Depose, From: None, To: None, After: []int{0}},
			{Kind: FinalPlan, From: None, To: 0},
			{Kind: Apply, From: None, To: 2, After: []int{1}, Fallback: Undepose, Falls: true},
			{Kind: ProvisionCreate, From: 3, To: None},
			{Kind: Check, From: 3, To: None, After: []int{4}},
			{Kind: Drop, Leg: End, From: 1, To: None, After: []int{5}},
		},
		plan.ForgetThenCreate: {
			{Kind: Desired, From: None, To: None},
			{Kind: FinalPlan, From: None, To: 0},
			{Kind: Drop, From: None, To: None, After: []int{1}},
			{Kind: Apply, From: None, To: 1, After: []int{2}},
			{Kind: ProvisionCreate, From: 3, To: None},
			{Kind: Check, From: 3, To: None, After: []int{4}},
		},
		plan.Delete: {
			{Kind: Prior, Leg: End, From: None, To: None},
			{Kind: ProvisionDestroy, Leg: End, From: 0, To: None},
			{Kind: FinalPlan, Leg: End, From: 0, To: None, After: []int{1}},
			{Kind: Apply, Leg: End, From: 0, To: 2},
		},
		plan.Forget: {
			{Kind: Drop, Leg: End, From: None, To: None},
		},
	}
)

// Listing prints operations, one a line: r3 = apply r1 -> r2 after r0.
func Listing(ops []Op) string {
	var b strings.Builder
	for i, op := range ops {
		fmt.Fprintf(&b, "%-4s r%d = %s", op.Leg, i, op.Kind)
		if op.From != None || op.To != None || takesGoal(op.Kind) {
			b.WriteString(" " + register(op.From))
		}
		if takesGoal(op.Kind) {
			b.WriteString(" -> " + register(op.To))
		}
		if op.Falls {
			b.WriteString(" else " + op.Fallback.String())
		}
		for n, a := range op.After {
			b.WriteString([]string{" after ", ", "}[min(n, 1)] + register(a))
		}
		b.WriteByte('\n')
	}
	return b.String()
}

func takesGoal(k Kind) bool { return k == FinalPlan || k == Apply || k == LocalUpdate || k == ReadData }

func register(i int) string {
	if i == None {
		return "nil"
	}
	return fmt.Sprintf("r%d", i)
}
