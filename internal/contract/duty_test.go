package contract

import (
	"slices"
	"testing"

	"github.com/plumb-iac/plumb/schema"
	"github.com/zclconf/go-cty/cty"
)

// TestDuties breaks each duty in a conversation that keeps them all, and wants
// that one, and no other, to be reported.
func TestDuties(t *testing.T) {
	s := schema.NewBlock([]*schema.Attribute{
		{Name: "id", Type: cty.String, Computed: true},
		{Name: "name", Type: cty.String, Required: true},
		{Name: "token", Type: cty.String, Optional: true, WriteOnly: true},
	}, nil)
	text := func(v string) cty.Value {
		switch v {
		case "":
			return cty.NullVal(cty.String)
		case "?":
			return cty.UnknownVal(cty.String)
		}
		return cty.StringVal(v)
	}
	object := func(id, name, token string) cty.Value {
		return cty.ObjectVal(map[string]cty.Value{"id": text(id), "name": text(name), "token": text(token)})
	}
	null := cty.NullVal(s.Type())
	honest := func() (planning, applying Conversation) {
		planning = Conversation{Stored: [][]byte{[]byte("{}")}, Calls: []Call{
			{Op: callConfigure},
			{Op: callUpgrade, Sent: []byte("{}"), Answer: object("1", "a", "")},
			{Op: callRead, Prior: object("1", "a", ""), Answer: object("1", "b", ""), Given: []byte("p")},
			{Op: callImport, Answer: object("2", "", "")},
			{Op: callRead, Prior: object("2", "", ""), Answer: object("2", "b", "")},
			{Op: callValidate, Config: object("", "?", "s")},
			{Op: callPlan, Prior: object("1", "b", ""), Config: object("", "?", "s"), Proposed: object("1", "?", "s"), Sent: []byte("p"), Answer: object("1", "?", ""), Offers: true},
			{Op: callPlan, Prior: object("2", "b", ""), Config: null, Proposed: null, Answer: null},
			{Op: callOpen, Given: []byte("e")},
			{Op: callClose, Sent: []byte("e")},
		}}
		applying = Conversation{Applying: true, Calls: []Call{
			{Op: callConfigure},
			{Op: callValidate, Config: object("", "c", "s")},
			{Op: callPlan, Prior: object("1", "b", ""), Config: object("", "c", "s"), Proposed: object("1", "c", "s"), Answer: object("1", "c", ""), Given: []byte("q")},
			{Op: callApply, Prior: object("1", "b", ""), Config: object("", "c", "s"), Planned: object("1", "c", ""), Sent: []byte("q"), Answer: object("1", "c", "")},
			{Op: callApply, Prior: object("2", "b", ""), Config: null, Planned: null, Answer: null},
		}}
		for _, c := range []Conversation{planning, applying} {
			for i := range c.Calls {
				c.Calls[i].Type, c.Calls[i].Schema = "thing", s
			}
		}
		return planning, applying
	}
	broken := map[string]bool{}
	for _, c := range []struct {
		name string
		do   func(planning, applying *Conversation)
		want []string
	}{
		{"nothing", func(_, _ *Conversation) {}, nil},
		{"not configured", func(p, _ *Conversation) { p.Calls[0].Failed = true }, []string{"engine/configured-first"}},
		{"another type", func(_, a *Conversation) { a.Calls[4].Prior = cty.StringVal("x") }, []string{"engine/conforming"}},
		{"an unknown prior object", func(_, a *Conversation) { a.Calls[4].Prior = object("?", "b", "") }, []string{"engine/prior-known"}},
		{"a secret in a prior object", func(_, a *Conversation) { a.Calls[4].Prior = object("2", "b", "s") }, []string{"engine/write-only-once"}},
		{"read without an upgrade", func(p, _ *Conversation) { p.Calls[1].Answer = object("9", "a", "") }, []string{"engine/upgraded-first"}},
		{"upgraded from what was not stored", func(p, _ *Conversation) { p.Calls[1].Sent = []byte(`{"x":1}`) }, []string{"engine/verbatim"}},
		{"imported and not read", func(p, _ *Conversation) {
			p.Calls = append(slices.Clone(p.Calls[:4]), p.Calls[5], p.Calls[6], p.Calls[8], p.Calls[9])
		}, []string{"engine/import-read"}},
		{"planned from what was not found", func(p, _ *Conversation) { p.Calls[4].Answer = object("2", "x", "") }, []string{"engine/prior-found"}},
		{"private data of another time", func(p, _ *Conversation) { p.Calls[6].Sent = []byte("old") }, []string{"engine/private-kept"}},
		{"not validated", func(p, _ *Conversation) { p.Calls[5].Failed = true }, []string{"engine/validated-first"}},
		{"not validated again", func(_, a *Conversation) { a.Calls = append(a.Calls[:1:1], a.Calls[2:]...) }, []string{"engine/validated-first"}},
		{"another proposal", func(p, _ *Conversation) { p.Calls[6].Proposed = object("", "?", "s") }, []string{"engine/proposed"}},
		{"a proposal for the end", func(p, _ *Conversation) { p.Calls[7].Proposed = object("2", "b", "") }, []string{"engine/proposed"}},
		{"unknown in the apply", func(_, a *Conversation) {
			a.Calls[1].Config = object("", "?", "s")
		}, []string{"engine/final-known"}},
		{"applied as never planned", func(_, a *Conversation) { a.Calls[3].Planned = object("1", "d", "") }, []string{"engine/planned-twice"}},
		{"applied with other private data", func(_, a *Conversation) { a.Calls[3].Sent = []byte("first") }, []string{"engine/planned-twice"}},
		{"applied while planning", func(_, a *Conversation) { a.Applying = false }, []string{"engine/applied-in-apply", "engine/prior-found"}},
		{"deleted with a configuration", func(_, a *Conversation) { a.Calls[4].Config = object("", "b", "") }, []string{"engine/deletion"}},
		{"an offer in the apply", func(_, a *Conversation) { a.Calls[2].Offers = true }, []string{"engine/no-late-offer"}},
		{"a configuration with what the provider decided", func(p, _ *Conversation) {
			p.Calls[5].Config, p.Calls[6].Config = object("1", "?", "s"), object("1", "?", "s")
		}, []string{"engine/configured-only"}},
		{"left open", func(p, _ *Conversation) { p.Calls = p.Calls[:9] }, []string{"engine/closed"}},
		{"closed twice", func(p, _ *Conversation) { p.Calls = append(p.Calls, p.Calls[9]) }, []string{"engine/closed"}},
	} {
		p, a := honest()
		c.do(&p, &a)
		var got []string
		for _, b := range append(Owed(p), Owed(a)...) {
			got = append(got, b.Duty.ID)
			broken[b.Duty.ID] = true
		}
		slices.Sort(got)
		got = slices.Compact(got)
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: got %v, want %v", c.name, got, c.want)
		}
	}
	for _, d := range Duties() {
		if !broken[d.ID] {
			t.Errorf("no case breaks duty %s", d.ID)
		}
	}
}
