package converse

import (
	"cmp"
	"slices"

	"github.com/plumb-iac/plumb/addr"
	"github.com/plumb-iac/plumb/diag"
	"github.com/plumb-iac/plumb/event"
	"github.com/plumb-iac/plumb/internal/contract"
	"github.com/plumb-iac/plumb/internal/evaluate"
	"github.com/plumb-iac/plumb/internal/lang"
	"github.com/plumb-iac/plumb/provider"
	"github.com/plumb-iac/plumb/schema"
	"github.com/plumb-iac/plumb/value"
)

// Talk is the conversation about one object. Its diagnostics collect in Diags.
type Talk struct {
	// About is the object, Source its provider.
	About  addr.Object
	Source addr.Provider
	// Site declares the object; nil where nothing does.
	Site   *evaluate.Site
	Schema *schema.Resource
	Client provider.Provider
	Diags  diag.List

	run  *evaluate.Run
	emit func(event.Event)
}

// With starts a conversation.
func With(run *evaluate.Run, emit func(event.Event), s *evaluate.Site, about addr.Object, source addr.Provider) Talk {
	return Talk{About: about, Source: source, Site: s, run: run, emit: emit}
}

// OK says that there are no errors so far.
func (t *Talk) OK() bool { return !t.Diags.HasErrors() }

// Fail notes an error about the object.
func (t *Talk) Fail(d diag.Diag) {
	d.Address = t.About.Instance.String()
	if t.Site != nil && d.Subject == nil {
		d = d.At(t.Site.Resource.Config.Range)
	}
	t.Diags = append(t.Diags, d)
}

// Note adds a provider's diagnostics, pointed at the configuration where the object has
// one.
func (t *Talk) Note(diags diag.List) {
	if len(diags) == 0 {
		return
	}
	if t.Site != nil {
		diags = evaluate.Locate(diags, t.Site.Resource.Body, t.Site.Resource.Config.Range, t.About.Instance.String())
	} else {
		diags = addressed(diags, t.About.Instance.String())
	}
	t.Diags = t.Diags.With(diags)
}

// addressed gives the address to diagnostics that have none.
func addressed(diags diag.List, address string) diag.List {
	out := slices.Clone(diags)
	for i := range out {
		out[i].Address = cmp.Or(out[i].Address, address)
	}
	return out
}

// Judge holds an answer against the contract. It says whether the answer may
// be used.
func (t *Talk) Judge(stage contract.Stage, f contract.Facts) bool {
	f.Schema, f.Identity, f.TypeName = t.Schema.Block, t.Schema.Identity, t.About.Instance.Resource.Type
	found := contract.Check(stage, f)
	if len(found) == 0 {
		return true
	}
	subject := contract.Subject{Addr: t.About.Instance.String(), Provider: t.Source}
	if t.Site != nil {
		rng := t.Site.Resource.Config.Range
		subject.Range = &rng
	}
	diags := found.Diags(subject)
	t.Diags = t.Diags.With(diags)
	return !diags.HasErrors()
}

// Preconditions evaluates the preconditions in a scope. It says whether the
// object may be worked on.
func (t *Talk) Preconditions(scope *lang.Scope) bool {
	diags := t.run.Conditions(t.Site.Resource.Preconditions, scope, t.rules("Resource precondition failed"))
	t.Diags = t.Diags.With(diags)
	return !diags.HasErrors()
}

// Postconditions evaluates the postconditions with self as the object's value.
func (t *Talk) Postconditions(scope *lang.Scope, self value.V) {
	if len(t.Site.Resource.Postconditions) > 0 {
		t.Diags = t.Diags.With(t.run.Conditions(t.Site.Resource.Postconditions, evaluate.WithSelf(scope, self), t.rules("Resource postcondition failed")))
	}
}

func (t *Talk) rules(summary string) evaluate.Subject {
	return evaluate.Subject{Kind: "resource", Config: t.Site.Addr(), Object: t.About.Instance.String(), Summary: summary, Severity: diag.Error,
		Standing: t.About.Instance.HasAny()}
}

// Meta is what the module of the object tells its provider; the zero value where it
// tells nothing, or the object is declared nowhere.
func (t *Talk) Meta() value.Bare {
	if t.Site == nil || t.Site.Resource == nil || t.Site.Resource.Provider.Provider.Addr.Provider != t.Source {
		return value.Bare{}
	}
	return t.Site.Resource.Meta
}

// Begin tells the observers that a call about the object begins.
func (t *Talk) Begin(op event.Op, v value.Bare) {
	key, id := evaluate.Identify(v)
	t.emit(event.Begun{Object: t.About, Op: op, IDKey: key, IDValue: id})
}

// End tells them that it ended, and how.
func (t *Talk) End(op event.Op, v value.Bare, ok bool) {
	key, id := evaluate.Identify(v)
	if ok {
		t.emit(event.Ended{Object: t.About, Op: op, IDKey: key, IDValue: id})
		return
	}
	t.emit(event.Failed{Object: t.About, Op: op, IDKey: key, IDValue: id})
}

// IdentityOf is the identity to ask about an object with: none where there is no
// object.
func IdentityOf(object, identity value.Bare) value.Bare {
	if object.Cty().IsNull() {
		return value.Bare{}
	}
	return identity
}
