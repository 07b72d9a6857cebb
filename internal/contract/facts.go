package contract

import (
	"github.com/plumb-iac/plumb/plan"
	"github.com/plumb-iac/plumb/schema"
	"github.com/zclconf/go-cty/cty"
)

// Facts are what an answer is judged by. A value that is cty.NilVal counts as
// null; fields that a stage has no use for stay empty.
type Facts struct {
	Schema *schema.Block
	// Answer is what the provider just returned: the upgraded, moved, imported,
	// read, planned or new object, or a function's result.
	Answer cty.Value
	// Prior is the object before this step. Config is null for a destroy plan.
	Prior, Config cty.Value
	// Planned is what the provider had said before: the first plan at
	// FinalPlan, the final plan at Apply (null for a deletion).
	Planned cty.Value
	// Legacy is the provider's word that it has the old type system.
	Legacy bool
	// Failed says that the provider reported errors beside its answer.
	Failed bool
	// Deferred says that the answer is a deferral, DeferralOffered that the
	// request allowed one.
	Deferred, DeferralOffered bool
	// Replace are the attributes that the provider wants a replacement for.
	Replace []cty.Path

	// Identity is nil where the type has none.
	Identity                      *schema.Object
	PriorIdentity, AnswerIdentity cty.Value

	// WasAction and NowAction are what the first and the final plan amount to.
	WasAction, NowAction plan.Action

	// TypeName is the type asked for; ImportedTypes what an import returned.
	TypeName      string
	ImportedTypes []string

	// Return is a function's result type; Argued says that all its arguments
	// were known.
	Return cty.Type
	Argued bool

	// Hidden are paths of sensitive values, which no finding quotes.
	Hidden []cty.Path
}

// destroys says whether the facts are of the end of an object.
func (f *Facts) destroys() bool { return absent(f.Config) }

// deletes says whether the facts are of an applied deletion.
func (f *Facts) deletes() bool { return absent(f.Planned) }

// hides says whether what is at path must not be quoted.
func (f *Facts) hides(path cty.Path) bool {
	for _, h := range f.Hidden {
		n := min(len(h), len(path))
		if h[:n].Equals(path[:n]) {
			return true
		}
	}
	if f.Schema == nil {
		return false
	}
	for n := 1; n <= len(path); n++ {
		if a := f.Schema.AttributeAt(path[:n]); a != nil && a.Sensitive {
			return true
		}
	}
	return false
}
