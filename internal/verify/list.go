package verify

import (
	"fmt"
	"slices"
	"strings"

	"github.com/plumb-iac/plumb/addr"
	"github.com/plumb-iac/plumb/internal/contract"
	"github.com/plumb-iac/plumb/internal/lang/valuetext"
	"github.com/plumb-iac/plumb/provider"
	"github.com/plumb-iac/plumb/schema"
	"github.com/plumb-iac/plumb/value"
	"github.com/zclconf/go-cty/cty"
)

// listLimit is how many objects are asked for, importLimit how many of those that
// were found are imported.
const (
	listLimit   = 20
	importLimit = 3
)

func (t *trial) listing(config cty.Value, objects bool) provider.ListRequest {
	return provider.ListRequest{TypeName: t.name, Config: value.MustBare(config), IncludeObjects: objects, Limit: listLimit}
}

// list searches, with an object of the type at hand if one can be made, judges
// what is found, and imports some of it.
func (t *trial) list() {
	if !t.may() {
		return
	}
	managed, diags := t.schemas.Type(addr.Managed, t.name)
	if diags.HasErrors() || managed == nil || managed.Identity == nil {
		t.breach(listSound, "list", nil, "there is no managed resource type of this name that has an identity")
		return
	}
	t.beside(managed, func() {
		found, ok := t.search("list", managed, true)
		if !ok {
			return
		}
		t.applied = true
		bare, ok := t.search("list, without objects", managed, false)
		if !ok {
			t.complain(listStable, "list, without objects", nil)
			return
		}
		if a, b := keys(found), keys(bare); a != b {
			t.breach(listStable, "list, twice", nil, "it found ["+a+"], and the second time ["+b+"]")
			return
		}
		if t.unsound() {
			return
		}
		for _, l := range found[:min(len(found), importLimit)] {
			t.importListed(managed, l)
		}
	})
}

// beside runs f while an object of the managed type exists, if that can be
// brought about.
func (t *trial) beside(managed *schema.Resource, f func()) {
	config, ok := t.settled[t.name]
	if !ok {
		f()
		return
	}
	maker := &trial{examination: t.examination, subject: subject{kind: "resource", name: t.name, schema: managed}, at: Case{Config: config, Live: true}}
	first, ok := maker.plan("plan to create", maker.none(), config, nil)
	if !ok {
		f()
		return
	}
	o, _ := maker.apply("create", maker.none(), config, first)
	if !o.value.Cty().IsNull() {
		defer maker.destroy(o)
	}
	f()
}

// unsound says that a rule is known to be broken of the resource that is listed,
// so that the same mistake is not reported again.
func (t *trial) unsound() bool {
	return slices.ContainsFunc(t.report.Breaches, func(b Breach) bool {
		return b.Kind == "resource" && b.Type == t.name && b.Verdict == contract.Refused
	})
}

// search lists and judges each object that is found.
func (t *trial) search(step string, managed *schema.Resource, objects bool) ([]provider.Listed, bool) {
	if !t.ready() {
		return nil, false
	}
	var out []provider.Listed
	sound := true
	diags := t.client.ListResources(t.ctx, t.listing(t.at.Config, objects), func(l provider.Listed) bool {
		sound = t.listed(step, managed, l, objects) && sound
		out = append(out, l)
		return true
	})
	return out, t.came(step, diags) && sound
}

func (t *trial) listed(step string, managed *schema.Resource, l provider.Listed, objects bool) bool {
	if !t.came(step, l.Diags) {
		return false
	}
	saw := ""
	switch {
	case absent(l.Identity):
		saw = "it has no identity"
	case !l.Identity.Cty().IsWhollyKnown():
		saw = "its identity has unknown values"
	case objects && absent(l.Object):
		saw = "it has no object, although objects were asked for"
	}
	if saw != "" {
		t.breach(listSound, step, nil, fmt.Sprintf("of %q that it found: %s", l.DisplayName, saw))
		return false
	}
	return !objects || t.unsound() || t.judged(step, contract.Check(contract.Imported, contract.Facts{Schema: managed.Block, Identity: managed.Identity,
		TypeName: t.name, Answer: l.Object.Cty(), AnswerIdentity: l.Identity.Cty()}))
}

// keys are the identities that were found, in no order.
func keys(found []provider.Listed) string {
	var out []string
	for _, l := range found {
		out = append(out, strings.Join(strings.Fields(valuetext.Format(l.Identity.Cty(), 0)), " "))
	}
	slices.Sort(out)
	return strings.Join(out, ", ")
}

// importListed imports what was listed, as a query's import blocks would.
func (t *trial) importListed(managed *schema.Resource, l provider.Listed) {
	const step = "import what was listed"
	importer := &trial{examination: t.examination, subject: subject{kind: "resource", name: t.name, schema: managed}, at: t.at}
	o, ok := importer.bring(step, provider.ImportRequest{TypeName: t.name, Identity: l.Identity})
	for _, b := range importer.found {
		b.Kind = t.kind
		t.found = append(t.found, b)
	}
	switch {
	case len(importer.found) > 0:
	case importer.refusal.HasErrors():
		t.refusal = importer.refusal
		t.complain(listImportable, step, nil)
	case ok && !absent(o.identity) && !o.identity.Cty().RawEquals(l.Identity.Cty()):
		t.breach(listImportable, step, nil, "the object that was imported has the identity "+valuetext.Format(o.identity.Cty(), 0))
	}
}

func absent(v value.Bare) bool { return v.IsZero() || v.Cty().IsNull() }
