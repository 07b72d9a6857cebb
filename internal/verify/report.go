package verify

import (
	"strings"

	"github.com/plumb-iac/plumb/diag"
	"github.com/plumb-iac/plumb/internal/contract"
	"github.com/plumb-iac/plumb/value"
	"github.com/zclconf/go-cty/cty"
)

// Report is what an examination found.
type Report struct {
	// Provider is the provider's address.
	Provider string
	// Applied says whether objects were created.
	Applied  bool
	Seed     uint64
	Subjects []Subject
	Breaches []Breach
	// Left are objects that were created and could not be destroyed.
	Left []string
	// Diags say why the examination could not be made or completed.
	Diags diag.List
}

// Broken says whether a rule was broken that is not excused.
func (r *Report) Broken() bool {
	for _, b := range r.Breaches {
		if b.Verdict == contract.Refused {
			return true
		}
	}
	return false
}

// Subject is a type or function that was examined.
type Subject struct {
	// Kind is "resource", "data", "ephemeral" or "function".
	Kind, Name string
	// Made counts configurations, Accepted those the provider accepted, Applied
	// those of which an object was created.
	Made, Accepted, Applied int
	// Refused is the provider's first refusal.
	Refused string
}

// Breach is a broken rule with the smallest configuration that breaks it.
type Breach struct {
	Code    diag.Code
	Rule    string
	Meaning string
	Verdict contract.Verdict
	// Kind and Type are the subject, Step what was being done.
	Kind, Type, Step string
	// Path is where in the object, Saw what was seen there.
	Path, Saw string
	// Source reproduces it: configuration, and what to do with it in comments.
	Source string

	at   Case
	path cty.Path
}

// key tells breaches apart: places in different elements are the same place. One
// that is refused does not hide behind one that is tolerated.
func (b *Breach) key() string {
	var p strings.Builder
	for _, s := range b.path {
		if g, ok := s.(cty.GetAttrStep); ok {
			p.WriteString("." + g.Name)
		} else {
			p.WriteString("[]")
		}
	}
	return b.Verdict.String() + " " + b.Kind + " " + b.Type + " " + b.Rule + " " + p.String()
}

// same says whether o is the same rule broken at the same place.
func (b *Breach) same(o *Breach) bool { return b.key() == o.key() }

func (t *trial) breach(r *Rule, step string, path cty.Path, saw string) {
	verdict := contract.Refused
	switch {
	case r.Noted:
		verdict = contract.Noted
	case t.tolerated:
		// What follows from a deviation that is tolerated is no worse than it.
		verdict = contract.Tolerated
	}
	t.add(Breach{Code: r.Code, Rule: r.ID, Meaning: r.Meaning, Verdict: verdict, Step: step, path: path, Saw: saw})
}

func (t *trial) judged(step string, findings contract.Findings) bool {
	for _, f := range findings {
		t.tolerated = t.tolerated || f.Verdict == contract.Tolerated
		t.add(Breach{Code: f.Rule.Code, Rule: f.Rule.ID, Meaning: f.Rule.Meaning, Verdict: f.Verdict, Step: step, path: f.Path, Saw: f.Saw})
	}
	return !findings.Refused()
}

func (t *trial) add(b Breach) {
	b.Kind, b.Type, b.at = t.kind, t.name, t.at
	b.Path = value.PathString(b.path)
	t.found = append(t.found, b)
}
