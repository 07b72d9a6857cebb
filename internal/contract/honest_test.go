package contract

import (
	"fmt"
	"testing"

	"github.com/plumb-iac/plumb/schema"
	"github.com/zclconf/go-cty/cty"
	"pgregory.net/rapid"
)

// An honest provider plans and applies any configuration of any schema without
// breaking a rule (invariant C3).
func TestHonestProviderTripsNothing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := anyBlock(t, 2, "s")
		config := configFor(t, s, "c")
		prior := cty.NullVal(s.Type())
		if rapid.Bool().Draw(t, "exists") {
			before := wholly(configFor(t, s, "p"))
			prior = honestApply(s, honestPlan(t, s, cty.NullVal(s.Type()), before))
		}
		final := settle(config)

		first := honestPlan(t, s, prior, config)
		mustFindNothing(t, "plan", Check(Plan, Facts{Schema: s, Prior: prior, Config: config, Answer: first}))
		second := narrow(first, honestPlan(t, s, prior, final))
		mustFindNothing(t, "final", Check(FinalPlan, Facts{Schema: s, Prior: prior, Config: final, Planned: first, Answer: second}))
		result := honestApply(s, second)
		mustFindNothing(t, "apply", Check(Apply, Facts{Schema: s, Prior: prior, Config: final, Planned: second, Answer: result}))
		mustFindNothing(t, "read", Check(Read, Facts{Schema: s, Prior: result, Answer: result}))
		mustFindNothing(t, "destroy", Check(Plan, Facts{Schema: s, Prior: result, Config: cty.NullVal(s.Type()), Answer: cty.NullVal(s.Type())}))
		mustFindNothing(t, "delete", Check(Apply, Facts{Schema: s, Prior: result, Answer: cty.NullVal(s.Type())}))

		data := wholly(DataUnknown(s, final))
		mustFindNothing(t, "data", Check(Data, Facts{Schema: s, Config: final, Answer: data}))
	})
}

// A provider that changes one configured leaf of its plan is caught at it.
func TestOneLieIsFound(t *testing.T) {
	s := schema.NewBlock([]*schema.Attribute{
		{Name: "a", Type: cty.String, Optional: true}, {Name: "b", Type: cty.List(cty.String), Optional: true},
		{Name: "n", Optional: true, Nested: schema.NewObject(schema.Map, []*schema.Attribute{{Name: "x", Type: cty.String, Optional: true}})},
	}, []*schema.Nested{{Name: "blk", Nesting: schema.List, Block: schema.NewBlock([]*schema.Attribute{{Name: "k", Type: cty.String, Optional: true}}, nil)}})
	rapid.Check(t, func(t *rapid.T) {
		config := settle(configFor(t, s, "c"))
		var leaves []cty.Path
		_ = cty.Walk(config, func(p cty.Path, v cty.Value) (bool, error) {
			if !v.IsNull() && v.IsKnown() && v.Type() == cty.String {
				leaves = append(leaves, p.Copy())
			}
			return true, nil
		})
		if len(leaves) == 0 {
			return
		}
		at := rapid.SampledFrom(leaves).Draw(t, "leaf")
		lie, err := cty.Transform(config, func(p cty.Path, v cty.Value) (cty.Value, error) {
			if p.Equals(at) {
				return cty.StringVal("a lie"), nil
			}
			return v, nil
		})
		if err != nil {
			t.Fatal(err)
		}
		for stage, f := range map[Stage]Facts{
			Plan:  {Schema: s, Config: config, Answer: lie},
			Apply: {Schema: s, Planned: config, Answer: lie},
		} {
			found := Check(stage, f)
			if len(found) != 1 || !at.HasPrefix(found[0].Path) {
				t.Fatalf("%s: a lie at %s gave %v", stage, place0(at), found)
			}
		}
	})
}

func mustFindNothing(t *rapid.T, what string, found Findings) {
	if len(found) > 0 {
		t.Fatalf("%s: %v", what, found)
	}
}

func anyAttributes(t *rapid.T, depth int, tag string) []*schema.Attribute {
	var out []*schema.Attribute
	for i := range rapid.IntRange(0, 3).Draw(t, tag+".attrs") {
		name := fmt.Sprintf("a%d", i)
		a := &schema.Attribute{Name: name}
		switch rapid.IntRange(0, 3).Draw(t, tag+name+".mode") {
		case 0:
			a.Required = true
		case 1:
			a.Optional = true
		case 2:
			a.Computed = true
		case 3:
			a.Optional, a.Computed = true, true
		}
		kinds := 4
		if depth == 0 {
			kinds = 3
		}
		switch rapid.IntRange(0, kinds).Draw(t, tag+name+".kind") {
		case 0, 1:
			a.Type = cty.String
		case 2:
			a.Type = cty.List(cty.String)
		case 3:
			a.Type = cty.Map(cty.Number)
		case 4:
			nesting := rapid.SampledFrom([]schema.Nesting{schema.Single, schema.List, schema.Set, schema.Map}).Draw(t, tag+name+".nesting")
			a.Nested = schema.NewObject(nesting, anyAttributes(t, depth-1, tag+name))
		}
		out = append(out, a)
	}
	return out
}

func anyBlock(t *rapid.T, depth int, tag string) *schema.Block {
	var blocks []*schema.Nested
	if depth > 0 {
		for i := range rapid.IntRange(0, 2).Draw(t, tag+".blocks") {
			name := fmt.Sprintf("b%d", i)
			nesting := rapid.SampledFrom([]schema.Nesting{schema.Single, schema.Group, schema.List, schema.Set, schema.Map}).Draw(t, tag+name+".nesting")
			blocks = append(blocks, &schema.Nested{Name: name, Nesting: nesting, Block: anyBlock(t, depth-1, tag+name)})
		}
	}
	return schema.NewBlock(anyAttributes(t, depth, tag), blocks)
}

func configFor(t *rapid.T, s *schema.Block, tag string) cty.Value {
	return configObject(t, ofBlock(s), tag)
}

func configObject(t *rapid.T, b body, tag string) cty.Value {
	attrs := map[string]cty.Value{}
	for _, name := range b.attrNames {
		a := b.attrs[name]
		given := a.Required || a.Optional && rapid.Bool().Draw(t, tag+name+".set")
		switch {
		case !given:
			attrs[name] = cty.NullVal(a.Type)
		case a.Nested != nil:
			attrs[name] = configObjects(t, a.Nested.Nesting, ofObject(a.Nested), a.Nested.Element(), tag+name)
		default:
			attrs[name] = leaf(t, a.Type, tag+name)
		}
	}
	for _, name := range b.blockNames {
		n := b.blocks[name]
		if n.Nesting == schema.Single && rapid.Bool().Draw(t, tag+name+".none") {
			attrs[name] = cty.NullVal(n.Type())
			continue
		}
		attrs[name] = configObjects(t, n.Nesting, ofBlock(n.Block), n.Block.Type(), tag+name)
	}
	return cty.ObjectVal(attrs)
}

func configObjects(t *rapid.T, n schema.Nesting, b body, element cty.Type, tag string) cty.Value {
	if n == schema.Single || n == schema.Group {
		return configObject(t, b, tag)
	}
	var list []cty.Value
	byKey := map[string]cty.Value{}
	for i := range rapid.IntRange(0, 3).Draw(t, tag+".n") {
		v := configObject(t, b, fmt.Sprintf("%s.%d", tag, i))
		list = append(list, v)
		byKey[fmt.Sprint("k", i)] = v
	}
	switch {
	case n == schema.Map && len(list) == 0:
		return cty.MapValEmpty(element)
	case n == schema.Map:
		return cty.MapVal(byKey)
	case n == schema.List && len(list) == 0:
		return cty.ListValEmpty(element)
	case n == schema.List:
		return cty.ListVal(list)
	case len(list) == 0:
		return cty.SetValEmpty(element)
	}
	return cty.SetVal(list)
}

func leaf(t *rapid.T, want cty.Type, tag string) cty.Value {
	if rapid.IntRange(0, 4).Draw(t, tag+".unknown") == 0 {
		return cty.UnknownVal(want)
	}
	word := cty.StringVal(rapid.SampledFrom([]string{"", "x", "y", "z"}).Draw(t, tag))
	switch {
	case want.IsListType():
		return cty.ListVal([]cty.Value{word, cty.StringVal("w")})
	case want.IsMapType():
		return cty.MapVal(map[string]cty.Value{word.AsString() + "k": cty.NumberIntVal(1)})
	}
	return word
}

// honestPlan starts from the proposal and leaves unknown what it will choose.
// In sets nothing tells elements apart, so there it chooses anew every time.
func honestPlan(t *rapid.T, s *schema.Block, prior, config cty.Value) cty.Value {
	return choose(ofBlock(s), ProposedNew(s, prior, config))
}

func choose(b body, v cty.Value) cty.Value {
	if !solid(v) {
		return v
	}
	attrs := map[string]cty.Value{}
	for _, name := range b.attrNames {
		a, old := b.attrs[name], v.GetAttr(name)
		switch {
		case old.IsNull() && a.Computed:
			attrs[name] = cty.UnknownVal(a.Type)
		case a.Nested != nil:
			attrs[name] = chooseAll(a.Nested.Nesting, ofObject(a.Nested), old)
		default:
			attrs[name] = old
		}
	}
	for _, name := range b.blockNames {
		n := b.blocks[name]
		attrs[name] = chooseAll(n.Nesting, ofBlock(n.Block), v.GetAttr(name))
	}
	return cty.ObjectVal(attrs)
}

func chooseAll(n schema.Nesting, b body, v cty.Value) cty.Value {
	switch {
	case n == schema.Single || n == schema.Group:
		return choose(b, v)
	case !solid(v) || v.LengthInt() == 0:
		return v
	}
	return rebuilt(v, func(e cty.Value) cty.Value { return choose(b, e) })
}

func rebuilt(v cty.Value, f func(cty.Value) cty.Value) cty.Value {
	list, byKey := []cty.Value{}, map[string]cty.Value{}
	for it := v.ElementIterator(); it.Next(); {
		k, e := it.Element()
		list = append(list, f(e))
		if v.Type().IsMapType() {
			byKey[k.AsString()] = f(e)
		}
	}
	switch {
	case v.Type().IsMapType():
		return cty.MapVal(byKey)
	case v.Type().IsSetType():
		return cty.SetVal(list)
	}
	return cty.ListVal(list)
}

// narrow keeps what the first plan knew.
func narrow(first, second cty.Value) cty.Value {
	out, err := cty.Transform(second, func(p cty.Path, v cty.Value) (cty.Value, error) {
		for _, step := range p {
			if i, ok := step.(cty.IndexStep); ok && !i.Key.Type().IsPrimitiveType() {
				return v, nil
			}
		}
		was, err := p.Apply(first)
		if err == nil && was.IsWhollyKnown() && !v.IsKnown() {
			return was, nil
		}
		return v, nil
	})
	if err != nil {
		panic(err)
	}
	return out
}

func honestApply(s *schema.Block, planned cty.Value) cty.Value { return wholly(planned) }

// wholly replaces unknown values by made-up ones.
func wholly(v cty.Value) cty.Value {
	out, err := cty.Transform(v, func(_ cty.Path, v cty.Value) (cty.Value, error) {
		if v.IsKnown() {
			return v, nil
		}
		return made(v.Type()), nil
	})
	if err != nil {
		panic(err)
	}
	return out
}

func made(t cty.Type) cty.Value {
	switch {
	case t == cty.String:
		return cty.StringVal("made")
	case t == cty.Number:
		return cty.NumberIntVal(7)
	case t.IsListType():
		return cty.ListValEmpty(t.ElementType())
	case t.IsMapType():
		return cty.MapValEmpty(t.ElementType())
	case t.IsSetType():
		return cty.SetValEmpty(t.ElementType())
	case t.IsObjectType():
		attrs := map[string]cty.Value{}
		for name, at := range t.AttributeTypes() {
			attrs[name] = made(at)
		}
		return cty.ObjectVal(attrs)
	}
	return cty.NullVal(t)
}

// settle is the configuration when everything is known.
func settle(config cty.Value) cty.Value { return wholly(config) }
