package contract

import (
	"fmt"
	"strings"

	"github.com/plumb-iac/plumb/addr"
	"github.com/plumb-iac/plumb/diag"
	"github.com/plumb-iac/plumb/value"
	"github.com/zclconf/go-cty/cty"
)

// sighting is one place where an answer breaks a rule about its whole.
type sighting struct {
	path cty.Path
	saw  string
}

// Verdict is what becomes of a broken rule.
type Verdict uint8

// The verdicts: an error, a breach that the old type system is excused for, and
// one that the incumbents do not look at.
const (
	Refused Verdict = iota
	Tolerated
	Noted
)

// String is the verdict's name.
func (v Verdict) String() string { return [...]string{"refused", "tolerated", "noted"}[v] }

// Finding is one broken rule at one place.
type Finding struct {
	Rule    *Rule
	Path    cty.Path
	Saw     string
	Verdict Verdict
}

// String is a line for logs and tests.
func (f Finding) String() string {
	return fmt.Sprintf("%s %s at %s: %s", f.Verdict, f.Rule.ID, place0(f.Path), f.Saw)
}

func place0(p cty.Path) string {
	if len(p) == 0 {
		return "(object)"
	}
	return value.PathString(p)
}

// Findings are the broken rules in the order of the walk.
type Findings []Finding

// Refused says whether any finding is an error.
func (fs Findings) Refused() bool {
	for _, f := range fs {
		if f.Verdict == Refused {
			return true
		}
	}
	return false
}

// Excused are the findings that are recorded and not refused.
func (fs Findings) Excused() Findings {
	var out Findings
	for _, f := range fs {
		if f.Verdict != Refused {
			out = append(out, f)
		}
	}
	return out
}

// Subject is whose answer was judged, for the diagnostics.
type Subject struct {
	// Addr is the object's address, or a function's name.
	Addr     string
	Provider addr.Provider
	// Range is where the object is declared, nil where it is not.
	Range *diag.Range
}

// Diags are the errors among the findings.
func (fs Findings) Diags(s Subject) diag.List {
	var out diag.List
	for _, f := range fs {
		if f.Verdict == Refused {
			out = append(out, f.Diag(s))
		}
	}
	return out
}

// Diag is the diagnostic of one finding.
func (f Finding) Diag(s Subject) diag.Diag {
	path := value.PathString(f.Path)
	var b strings.Builder
	fmt.Fprintf(&b, "Provider %q %s for %s%s: %s.\n\n", s.Provider, deeds[f.Rule.stage].did, s.Addr, path, f.Saw)
	fmt.Fprintf(&b, "%s This is rule %s (%s) of the contract between plumb and its providers. %s\n\n", f.Rule.Meaning, f.Rule.ID, f.Rule.Code, deeds[f.Rule.stage].left)
	if f.Rule.Blame == diag.Provider {
		b.WriteString("The fault is the provider's: please report it to its developers and name the rule. ")
		b.WriteString("Until it is mended, another version of the provider may behave.")
	}
	return diag.Diag{
		Code: f.Rule.Code, Severity: diag.Error, Blame: f.Rule.Blame,
		Summary: f.Rule.Summary, Detail: strings.TrimSpace(b.String()),
		Address: s.Addr, Attribute: path, Subject: s.Range,
	}
}

// deeds say, for each stage, what the provider did and what it leaves behind.
var deeds = [stages]struct{ did, left string }{
	Upgrade:   {"upgraded the stored object wrongly", "The state keeps the object as it was."},
	Move:      {"converted the moved object wrongly", "The state keeps the object under its old address."},
	Import:    {"gave an unusable object to import", "Nothing was imported."},
	Imported:  {"read the imported object wrongly", "Nothing was imported."},
	Read:      {"read the object wrongly", "The state keeps what was known before."},
	Data:      {"gave an unusable result", "The data source counts as not read."},
	Plan:      {"planned an invalid value", "Nothing was changed."},
	FinalPlan: {"changed its mind between plan and apply", "This object was not touched; what else the plan contains may have been done already."},
	Apply:     {"gave an unexpected result", "The change was made, and the state holds what the provider says of it; the next plan will show what is left to do."},
	Open:      {"opened an unusable ephemeral object", "Whatever needs the object was not done."},
	Function:  {"gave an unusable result", "The call counts as failed."},
}
