package contract

import "github.com/plumb-iac/plumb/diag"

// Stage is the moment at which a provider answers.
type Stage uint8

// The stages, in the order in which an object passes them.
const (
	Upgrade Stage = iota
	Move
	Import
	// Imported is the read that follows an import.
	Imported
	Read
	Data
	Plan
	// FinalPlan is the second plan, made during apply when everything is known.
	FinalPlan
	Apply
	Open
	Function
	stages
)

// String is the stage's name, the first half of the ids of its rules.
func (s Stage) String() string {
	return [...]string{"upgrade", "move", "import", "imported", "read", "data", "plan", "final", "apply", "open", "function"}[s]
}

// Position is the kind of place that a rule is asked about.
type Position uint8

// The positions. A rule about the answer as a whole is asked once; the others
// wherever the walk comes by.
const (
	// Answer is the answer as a whole.
	Answer Position = iota
	// Object is the root object, a nested block or a structural object.
	Object
	// Attribute is an attribute of an object.
	Attribute
	// Structure is all that a structural attribute holds.
	Structure
	// Blocks is all nested blocks of one type.
	Blocks
	// Value is any part of an attribute's value, down to the leaves.
	Value
	positions
)

// String is the position's name.
func (p Position) String() string {
	return [...]string{"answer", "object", "attribute", "structure", "blocks", "value"}[p]
}

// Rule is one row of the contract between engine and provider.
type Rule struct {
	// Code is the short name, ID the speaking one: "plan/configured-kept".
	Code diag.Code
	ID   string
	At   Position
	// Summary heads the diagnostic; it is the incumbents' wording where they
	// have the rule.
	Summary string
	// Meaning is the promise, as a sentence.
	Meaning string
	// Blame is who broke the promise, almost always the provider.
	Blame diag.Blame
	// Legacy says that a provider of the old type system may break it.
	Legacy bool
	// Noted rules are recorded when they are broken, and nothing else.
	Noted bool

	stage Stage
	// seek finds all places where an answer breaks the rule. Only rules about
	// the answer as a whole have it; halts ends the judgement when it finds any.
	seek  func(*Facts) []sighting
	halts bool
	// when says whether the rule applies to a place (nil: always), must whether
	// it holds there (nil: always). A rule that settles and holds is the last
	// thing asked of its place and of all below it.
	when, must func(*walk, place) bool
	settles    bool
	// strict says that the rule is no more lenient to the old type system for being
	// in a group that is.
	strict bool
	// say tells what was seen where the rule is broken.
	say func(place) string
}

// Stage is when the rule is asked.
func (r *Rule) Stage() Stage { return r.stage }

// Excuse says whether the row is not a demand but a permission: it ends the
// questions about a place where it applies.
func (r *Rule) Excuse() bool { return r.seek == nil && r.must == nil }

// book is the table, arranged for the walk: by stage and position, in order.
type book [stages][positions][]*Rule

var rules = bind(upgradeRules, moveRules, importRules, importedRules, readRules, dataRules, planRules, finalRules, applyRules, openRules, functionRules)

// bind makes the book of the rows of all stages.
func bind(tables ...[]Rule) *book {
	var b book
	for _, table := range tables {
		for i := range table {
			r := &table[i]
			if r.Blame == diag.Author { // the zero value: no row is about what authors write
				r.Blame = diag.Provider
			}
			b[r.stage][r.At] = append(b[r.stage][r.At], r)
		}
	}
	return &b
}

// Rules are all rows, by stage and position.
func Rules() []*Rule {
	var out []*Rule
	for s := range rules {
		for p := range rules[s] {
			out = append(out, rules[s][p]...)
		}
	}
	return out
}
