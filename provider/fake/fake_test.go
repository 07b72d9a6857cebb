package fake

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/plumb-iac/plumb/addr"
	"github.com/plumb-iac/plumb/diag"
	"github.com/plumb-iac/plumb/provider"
	"github.com/plumb-iac/plumb/value"
	"github.com/zclconf/go-cty/cty"
)

const script = `
capabilities plan_destroy move
provider
  region string optional
resource disk version=2
  name  string required
  id    string computed
  size  number optional replace
  state string computed volatile
  tags  map(string) optional
  spec  nested(list) optional
    cpu number required
    uid string computed
  block rule set max=3
    port number required
  identity id
  on create "full" fail "no quota"
  on create "half" partial "half done"
  on update "busy" fail once "busy"
  on create set state = "running"
  on plan "moody" replace size
  on read "lost" gone
data image
  name string required
  id   string computed
  on read "odd" set id = "img-7"
ephemeral session
  name  string required
  token string computed
  on close warn "closing"
action notify
  text string required
  on invoke progress "sent"
list disk
  filter string optional
function shout(string, list(number)) string returns "LOUD"
function broken(any) bool fails "no"
`

// world drives a disk through the lifecycle the way an engine does.
type world struct {
	t *testing.T
	p *Provider
}

func (w world) disk(name string, size int64) cty.Value {
	s, _ := schemas{w.p}.Type(addr.Managed, "disk")
	attrs := map[string]cty.Value{}
	for n, t := range s.Block.Type().AttributeTypes() {
		attrs[n] = cty.NullVal(t)
	}
	attrs["name"], attrs["size"] = cty.StringVal(name), cty.NumberIntVal(size)
	attrs["rule"] = cty.SetValEmpty(s.Block.Blocks["rule"].Block.Type())
	return cty.ObjectVal(attrs)
}

// step plans and applies, and says what came of it.
func (w world) step(prior, proposed cty.Value) cty.Value {
	ctx := context.Background()
	null := cty.NullVal(w.disk("", 0).Type())
	if prior == cty.NilVal {
		prior = null
	}
	if proposed == cty.NilVal {
		proposed = null
	}
	plan, diags := w.p.Plan(ctx, provider.PlanRequest{TypeName: "disk", Prior: value.MustBare(prior), Proposed: value.MustBare(proposed), Config: value.MustBare(proposed)})
	if diags.HasErrors() {
		w.t.Fatal(diags)
	}
	if len(plan.RequiresReplace) > 0 {
		w.p.note("= replace", value.PathString(plan.RequiresReplace[0]))
	}
	got, diags := w.p.Apply(ctx, provider.ApplyRequest{TypeName: "disk", Prior: value.MustBare(prior), Planned: plan.Planned})
	w.p.note("=", show(got.New.Cty()), summaries(diags))
	return got.New.Cty()
}

func summaries(ds diag.List) string {
	var out []string
	for _, d := range ds {
		out = append(out, d.Severity.String()+": "+d.Summary)
	}
	return strings.Join(out, ", ")
}

func TestLifecycle(t *testing.T) {
	p, err := New(script)
	if err != nil {
		t.Fatal(err)
	}
	w := world{t, p}
	a := w.step(cty.NilVal, w.disk("a", 1))
	w.step(a, with(a, "size", cty.NumberIntVal(2)))
	w.step(a, a)
	w.step(cty.NilVal, w.disk("full", 1))
	w.step(cty.NilVal, w.disk("half", 1))
	busy := w.step(cty.NilVal, w.disk("busy", 1))
	tagged := with(busy, "tags", cty.MapVal(map[string]cty.Value{"k": cty.StringVal("v")}))
	w.step(busy, tagged)
	w.step(busy, tagged)
	w.step(a, cty.NilVal)
	w.step(cty.NilVal, w.disk("a", 9))
	read, _ := p.Read(context.Background(), provider.ReadRequest{TypeName: "disk", Prior: value.MustBare(a)})
	p.note("= gone", fmt.Sprint(read.New.Cty().IsNull()))

	want := `plan disk a create id=? name="a" rule=[] size=1 state=?
apply disk a create id=? name="a" rule=[] size=1 state=?
= {id:"a-1",name:"a",rule:[],size:1,spec:null,state:"running",tags:null}
plan disk a update size=2 state=?
= replace .size
apply disk a update size=2 state=?
= {id:"a-1",name:"a",rule:[],size:2,spec:null,state:"a-1.state",tags:null}
plan disk a update
apply disk a update
= {id:"a-1",name:"a",rule:[],size:1,spec:null,state:"running",tags:null}
plan disk full create id=? name="full" rule=[] size=1 state=?
apply disk full create id=? name="full" rule=[] size=1 state=?
= null error: no quota
plan disk half create id=? name="half" rule=[] size=1 state=?
apply disk half create id=? name="half" rule=[] size=1 state=?
= {id:"half-1",name:"half",rule:[],size:1,spec:null,state:"running",tags:null} error: half done
plan disk busy create id=? name="busy" rule=[] size=1 state=?
apply disk busy create id=? name="busy" rule=[] size=1 state=?
= {id:"busy-1",name:"busy",rule:[],size:1,spec:null,state:"running",tags:null}
plan disk busy update state=? tags={k:"v"}
apply disk busy update state=? tags={k:"v"}
= {id:"busy-1",name:"busy",rule:[],size:1,spec:null,state:"running",tags:null} error: busy
plan disk busy update state=? tags={k:"v"}
apply disk busy update state=? tags={k:"v"}
= {id:"busy-1",name:"busy",rule:[],size:1,spec:null,state:"busy-1.state",tags:{k:"v"}}
plan disk a delete
apply disk a delete
= null
plan disk a create id=? name="a" rule=[] size=9 state=?
apply disk a create id=? name="a" rule=[] size=9 state=?
= {id:"a-2",name:"a",rule:[],size:9,spec:null,state:"running",tags:null}
read disk a
= gone true
`
	if got := p.TakeCalls(); got != want {
		t.Errorf("got:\n%s", got)
	}
	if got, want := strings.Count(p.Remote(), "\n"), 3; got != want {
		t.Errorf("remote:\n%s", p.Remote())
	}
}

func TestOtherCalls(t *testing.T) {
	p, err := New(script)
	if err != nil {
		t.Fatal(err)
	}
	ctx := context.Background()
	object := func(attrs ...string) value.Bare {
		m := map[string]cty.Value{}
		for i := 0; i < len(attrs); i += 2 {
			m[attrs[i]] = cty.StringVal(attrs[i+1])
			if attrs[i+1] == "" {
				m[attrs[i]] = cty.NullVal(cty.String)
			}
		}
		return value.MustBare(cty.ObjectVal(m))
	}
	p.Configure(ctx, provider.ConfigureRequest{Config: object("region", "eu")})
	image, _ := p.ReadData(ctx, provider.ReadDataRequest{TypeName: "image", Config: object("name", "odd", "id", "")})
	session, _ := p.Open(ctx, provider.OpenRequest{TypeName: "session", Config: object("name", "s", "token", "")})
	closed := p.CloseEphemeral(ctx, "session", session.Private)
	var said []string
	p.InvokeAction(ctx, "notify", object("text", "hi"), func(m string) { said = append(said, m) })
	shout := p.CallFunction(ctx, "shout", []value.Bare{value.MustBare(cty.StringVal("x"))})
	broken := p.CallFunction(ctx, "broken", nil)
	imported, _ := p.Import(ctx, provider.ImportRequest{TypeName: "disk", ID: "d"})
	upgraded, _ := p.UpgradeState(ctx, provider.UpgradeRequest{TypeName: "disk", Version: 1, JSON: []byte(`{"name":"n","old":1}`)})

	got := strings.Join(append(p.Calls(), show(image.State.Cty()), show(session.Result.Cty()), summaries(closed), strings.Join(said, ","),
		show(shout.Result.Cty()), broken.Error, show(imported.Imported[0].State.Cty()), show(upgraded.Upgraded.Cty())), "\n")
	want := `configure region="eu"
read data image odd
open session s
close session s
invoke notify text="hi"
call shout "x"
call broken
import disk d
upgrade disk n version=1
{id:"img-7",name:"odd"}
{name:"s",token:"s.token"}
warning: closing
sent
"LOUD"
no
{id:"d",name:null,rule:null,size:null,spec:null,state:null,tags:null}
{id:null,name:"n",rule:null,size:null,spec:null,state:null,tags:null}`
	if got != want {
		t.Errorf("got:\n%s", got)
	}
}

func TestMistakes(t *testing.T) {
	for _, bad := range []string{
		"nonsense", "resource", "resource a\n  x strong", "resource a\n  x string often", "resource a\n  on create fail", "resource a\n  on create set x",
		"resource a\n  on create dance", "resource a\n  identity b", "resource a\n  block b heap", "function f", "capabilities fly",
	} {
		if _, err := New(bad); err == nil || !strings.HasPrefix(err.Error(), "line ") {
			t.Errorf("%q: %v", bad, err)
		}
	}
}
