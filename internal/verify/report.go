package verify

import (
	"slices"
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
	// Kind is "resource", "data", "ephemeral", "list", "action" or "function".
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
	// Also are other rules that are broken at the same place, AlsoAt other places
	// at which this rule is broken.
	Also, AlsoAt []string
	// Kind and Type are the subject, Step what was being done.
	Kind, Type, Step string
	// Path is where in the object, Saw what was seen there.
	Path, Saw string
	// Source reproduces it: configuration, and what to do with it in comments.
	Source string

	at   Case
	path cty.Path
}

// place is where a breach is, without the keys of elements.
func (b *Breach) place() []string {
	var out []string
	for _, s := range b.path {
		name := "[]"
		if g, ok := s.(cty.GetAttrStep); ok {
			name = g.Name
		}
		out = append(out, name)
	}
	return out
}

// stage is what a breach belongs to: the plan, the read, … A final plan that is
// wrong where the first plan is wrong is no second mistake, nor is one that differs
// where plans differ anyhow. A call that is not
// answered belongs to what was called.
func (b *Breach) stage() string {
	stage, _, _ := strings.Cut(b.Rule, "/")
	switch stage {
	case "final":
		return "plan"
	case "verify":
		switch b.Rule {
		case answers.ID:
			return b.Rule + " " + b.call()
		case planDeterministic.ID:
			return "plan"
		}
		return b.Rule
	}
	return stage
}

// call is the kind of call that a step makes.
func (b *Breach) call() string {
	word, _, _ := strings.Cut(b.Step, " ")
	switch word = strings.TrimSuffix(word, ","); word {
	case "create", "update", "destroy":
		return "apply"
	}
	return word
}

// same says whether o is the same rule broken at the same place.
func (b *Breach) same(o *Breach) bool {
	return b.Verdict == o.Verdict && b.Kind == o.Kind && b.Type == o.Type && b.Rule == o.Rule && b.stage() == o.stage() &&
		slices.Equal(b.place(), o.place())
}

// covers says whether o adds nothing but a rule or a place to b: it was seen of
// the same type in the same stage, and it is the same rule, or the same place or
// one inside or around it. What is refused does not hide behind what is not.
func (b *Breach) covers(o *Breach) bool {
	return b.Verdict <= o.Verdict && b.Kind == o.Kind && b.Type == o.Type && b.stage() == o.stage() && (b.Rule == o.Rule || b.overlaps(o))
}

func (b *Breach) overlaps(o *Breach) bool {
	at, other := b.place(), o.place()
	n := min(len(at), len(other))
	return slices.Equal(at[:n], other[:n])
}

// admit says whether a breach is none of those that are known. What it adds to
// one that covers it is noted there.
func (r *Report) admit(b *Breach) bool {
	for i := range r.Breaches {
		known := &r.Breaches[i]
		if !known.covers(b) {
			continue
		}
		if known.Verdict == b.Verdict {
			known.add(b)
		}
		return false
	}
	return true
}

func (b *Breach) add(o *Breach) {
	if at := "." + strings.Join(o.place(), "."); b.Rule == o.Rule && !b.overlaps(o) {
		if at = strings.ReplaceAll(at, ".[]", "[]"); !slices.Contains(b.AlsoAt, at) {
			b.AlsoAt = append(b.AlsoAt, at)
		}
	} else if b.Rule != o.Rule && !slices.Contains(b.Also, o.Rule) {
		b.Also = append(b.Also, o.Rule)
	}
}

// settle puts the breaches in order and drops what is excused where it is
// reported as an error anyhow, or follows from what is.
func (r *Report) settle() {
	out := r.Breaches[:0:0]
	for i := range r.Breaches {
		b, idle := &r.Breaches[i], false
		for j := range r.Breaches {
			o := &r.Breaches[j]
			follows := o.Verdict == contract.Refused && b.Kind == o.Kind && b.Type == o.Type && b.follows(o)
			if follows && b.Verdict == contract.Refused && !slices.Contains(o.Also, b.Rule) {
				o.Also = append(o.Also, b.Rule)
			}
			idle = idle || follows || o.Verdict < b.Verdict && o.covers(b)
		}
		if !idle {
			out = append(out, *b)
		}
	}
	slices.SortStableFunc(out, func(a, b Breach) int { return int(a.Verdict) - int(b.Verdict) })
	r.Breaches = out
}

// follows says whether the breach may be a consequence of another of the same type:
// a rule over several answers that the old type system is excused for, or a plan that
// is never empty where plans are wrong anyhow.
func (b *Breach) follows(o *Breach) bool {
	if b.Verdict == contract.Tolerated {
		return strings.HasPrefix(b.Rule, "verify/")
	}
	return b.Rule == planEmpty.ID && o.stage() == "plan"
}

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

// raise makes an excused finding of a stage an error, because of what came of
// it, and says whether there was one.
func (t *trial) raise(prefix, consequence string) bool {
	for i := range t.found {
		if b := &t.found[i]; b.Verdict == contract.Noted && strings.HasPrefix(b.Rule, prefix) {
			b.Verdict = contract.Refused
			b.Saw = strings.TrimSuffix(b.Saw, ".") + "; " + consequence
			return true
		}
	}
	return false
}
