package contract

import (
	"encoding/json"
	"strconv"
	"strings"
	"testing"

	"github.com/plumb-iac/plumb/plan"
	"github.com/plumb-iac/plumb/schema"
	"github.com/plumb-iac/plumb/test/golden"
	"github.com/zclconf/go-cty/cty"
)

// testdata/rules.txt holds answers and what the rules say of them: lines that
// begin with > are findings, rewritten with -update.
func TestRules(t *testing.T) {
	broken := map[string]bool{}
	c := reader{t: t}
	golden.Paragraphs(t, "testdata/rules.txt", func(given []string) (got []string) {
		if !strings.HasPrefix(given[0], "case ") {
			c.schemas(given)
			return nil
		}
		for _, f := range c.check(given) {
			got = append(got, "> "+f.String())
			broken[f.Rule.ID] = true
		}
		return got
	})
	for _, r := range Rules() {
		if !r.Excuse() && !covered(r.ID, broken) {
			t.Errorf("no case breaks rule %s", r.ID)
		}
	}
}

// covered says whether a rule is broken by a case, at its own stage or at the
// one it shares its group of rules with.
func covered(id string, broken map[string]bool) bool {
	stage, name, _ := strings.Cut(id, "/")
	other := map[string]string{"data": "plan", "open": "plan", "apply": "final", "final": "apply"}[stage]
	return broken[id] || broken[other+"/"+name] || stage == "function"
}

type reader struct {
	t        *testing.T
	block    *schema.Block
	identity *schema.Object
}

func (c *reader) schemas(lines []string) {
	for _, line := range lines {
		key, rest, _ := strings.Cut(line, " ")
		switch key {
		case "schema":
			var b jsonBlock
			c.decode(rest, &b)
			c.block = b.block()
		case "identity":
			var b jsonBlock
			c.decode(rest, &b)
			c.identity = schema.NewObject(schema.Single, attributesOf(b.Attributes))
		}
	}
}

func (c *reader) decode(s string, into any) {
	d := json.NewDecoder(strings.NewReader(s))
	d.UseNumber()
	if err := d.Decode(into); err != nil {
		c.t.Fatalf("%s: %v", s, err)
	}
}

func (c *reader) check(lines []string) Findings {
	f := Facts{Schema: c.block, Identity: c.identity}
	var stage Stage
	for _, line := range lines[1:] {
		key, rest, _ := strings.Cut(line, " ")
		switch key {
		case "stage":
			for stage = 0; stage.String() != rest; stage++ {
			}
		case "prior":
			f.Prior = c.object(rest)
		case "config":
			f.Config = c.object(rest)
		case "planned":
			f.Planned = c.object(rest)
		case "answer":
			f.Answer = c.object(rest)
		case "foreign":
			f.Answer = cty.ObjectVal(map[string]cty.Value{"other": cty.StringVal("thing")})
		case "prior-identity":
			f.PriorIdentity = c.read(rest, c.identity.Element())
		case "answer-identity":
			f.AnswerIdentity = c.read(rest, c.identity.Element())
		case "foreign-identity":
			f.AnswerIdentity = cty.ObjectVal(map[string]cty.Value{"other": cty.StringVal("x")})
		case "replace":
			f.Replace = append(f.Replace, pathOf(rest))
		case "legacy":
			f.Legacy = true
		case "failed":
			f.Failed = true
		case "deferred":
			f.Deferred, f.DeferralOffered = true, rest == "on offer"
		case "type":
			f.TypeName = rest
		case "imported":
			f.ImportedTypes = append(f.ImportedTypes, rest)
		case "actions":
			was, now, _ := strings.Cut(rest, " ")
			f.WasAction, f.NowAction = actionOf(was), actionOf(now)
		default:
			c.t.Fatalf("cannot read %q", line)
		}
	}
	return Check(stage, f)
}

func actionOf(s string) plan.Action {
	for a := plan.NoOp; a <= plan.ForgetThenCreate; a++ {
		if strings.Join(a.Names(), "-") == s {
			return a
		}
	}
	panic(s)
}

func pathOf(s string) cty.Path {
	var p cty.Path
	for _, step := range strings.Split(s, ".") {
		if n, err := strconv.Atoi(step); err == nil {
			p = p.IndexInt(n)
		} else {
			p = p.GetAttr(step)
		}
	}
	return p
}

func (c *reader) read(s string, t cty.Type) cty.Value {
	var v any
	c.decode(s, &v)
	return readValue(c.t, v, t)
}

// object reads an object; block collections that are not mentioned are empty.
func (c *reader) object(s string) cty.Value {
	var m map[string]any
	c.decode(s, &m)
	if m == nil {
		return cty.NullVal(c.block.Type())
	}
	attrs := map[string]cty.Value{}
	for name, t := range c.block.Type().AttributeTypes() {
		v, given := m[name]
		switch n := c.block.Blocks[name]; {
		case v == "(not null)":
			attrs[name] = cty.UnknownVal(t).RefineNotNull()
		case given || n == nil || n.Nesting == schema.Single:
			attrs[name] = readValue(c.t, v, t)
		case n.Nesting == schema.Group:
			attrs[name] = readValue(c.t, map[string]any{}, t)
		case n.Nesting == schema.Map:
			attrs[name] = readValue(c.t, map[string]any{}, t)
		default:
			attrs[name] = readValue(c.t, []any{}, t)
		}
	}
	return cty.ObjectVal(attrs)
}

func TestFunctionRules(t *testing.T) {
	for _, c := range []struct {
		name   string
		answer cty.Value
		argued bool
		want   string
	}{
		{"a result", cty.StringVal("x"), true, ""},
		{"a null", cty.NullVal(cty.String), true, ""},
		{"nothing at all", cty.NilVal, true, "function/type"},
		{"another type", cty.NumberIntVal(3), true, "function/type"},
		{"unknown", cty.UnknownVal(cty.String), true, "function/known"},
		{"unknown of unknown", cty.UnknownVal(cty.String), false, ""},
	} {
		got := ""
		for _, f := range Check(Function, Facts{Answer: c.answer, Return: cty.String, Argued: c.argued}) {
			got += f.Rule.ID
		}
		if got != c.want {
			t.Errorf("%s: got %q, want %q", c.name, got, c.want)
		}
	}
}

func TestForces(t *testing.T) {
	object := func(a, b cty.Value) cty.Value { return cty.ObjectVal(map[string]cty.Value{"a": a, "b": b}) }
	prior := object(cty.StringVal("x"), cty.StringVal("y"))
	planned := object(cty.UnknownVal(cty.String), cty.StringVal("y"))
	got := Forces(schema.Empty, prior, planned, []cty.Path{pathOf("b"), pathOf("nosuch"), pathOf("a"), pathOf("a")})
	if len(got) != 1 || !got[0].Equals(pathOf("a")) {
		t.Errorf("got %v", got)
	}
	if got := Forces(schema.Empty, cty.NilVal, planned, []cty.Path{pathOf("a")}); got != nil {
		t.Errorf("a creation replaces nothing, got %v", got)
	}
}
