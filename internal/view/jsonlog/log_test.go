package jsonlog_test

import (
	"strings"
	"testing"
	"time"

	"github.com/plumb-iac/plumb/addr"
	"github.com/plumb-iac/plumb/diag"
	"github.com/plumb-iac/plumb/event"
	"github.com/plumb-iac/plumb/internal/view"
	"github.com/plumb-iac/plumb/internal/view/jsonlog"
	"github.com/plumb-iac/plumb/plan/planjson/plantest"
	"github.com/plumb-iac/plumb/state"
	"github.com/zclconf/go-cty/cty"
	"golang.org/x/tools/txtar"
)

var zero = time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)

// written is what a log writes, without what every line has.
func written(use func(*jsonlog.Log)) string {
	var b strings.Builder
	l := jsonlog.New(&b, jsonlog.Options{Version: "1.2.3", Now: func() time.Time { return zero }})
	use(l)
	text := strings.ReplaceAll(b.String(), `"@module":"terraform.ui","@timestamp":"2026-01-01T00:00:00.000000Z",`, "")
	return strings.ReplaceAll(text, `"@level":"info",`, "")
}

func check(t *testing.T, got, want string) {
	t.Helper()
	first := `{"@message":"Plumb 1.2.3","terraform":"1.2.3","type":"version","ui":"1.3"}` + "\n"
	if got != first+want {
		t.Errorf("got\n%s", got)
	}
}

func object(s string) addr.Object {
	i, err := addr.ParseInstance(s)
	if err != nil {
		panic(err)
	}
	return addr.Object{Instance: i}
}

func TestEvents(t *testing.T) {
	a := object(`module.m.x_y.a["k"]`)
	h := event.Header{Time: zero}
	got := written(func(l *jsonlog.Log) {
		for _, e := range []event.Event{
			event.Begun{Header: h, Object: a, Op: event.Refresh, IDKey: "id", IDValue: "1"},
			event.Ended{Header: h, Object: a, Op: event.Refresh, IDKey: "id", IDValue: "1"},
			event.Begun{Header: h, Object: a, Op: event.Update, IDKey: "id", IDValue: "1"},
			event.Failed{Header: h, Object: a, Op: event.Update, Elapsed: 1600 * time.Millisecond},
			event.Begun{Header: h, Object: a, Op: event.Provision, Detail: "local-exec"},
			event.Output{Header: h, Object: a, Detail: "local-exec", Text: "hi\n"},
			event.Output{Header: h, Object: a, Detail: "local-exec", Text: "\n"},
			event.Failed{Header: h, Object: a, Op: event.Provision, Detail: "local-exec"},
		} {
			l.Observe(e)
		}
		l.Diagnostics(diag.List{diag.Warn("W", "D")})
	})
	resource := `{"addr":"module.m.x_y.a[\"k\"]","module":"module.m","resource":"x_y.a[\"k\"]","implied_provider":"x","resource_type":"x_y","resource_name":"a","resource_key":"k"}`
	name := `module.m.x_y.a[\"k\"]`
	check(t, got, `{"@message":"`+name+`: Refreshing state... [id=1]","hook":{"resource":`+resource+`,"id_key":"id","id_value":"1"},"type":"refresh_start"}
{"@message":"`+name+`: Refresh complete [id=1]","hook":{"resource":`+resource+`,"id_key":"id","id_value":"1"},"type":"refresh_complete"}
{"@message":"`+name+`: Modifying... [id=1]","hook":{"resource":`+resource+`,"action":"update","id_key":"id","id_value":"1"},"type":"apply_start"}
{"@message":"`+name+`: Modifications errored after 2s","hook":{"resource":`+resource+`,"action":"update","elapsed_seconds":2},"type":"apply_errored"}
{"@message":"`+name+`: Provisioning with 'local-exec'...","hook":{"resource":`+resource+`,"provisioner":"local-exec"},"type":"provision_start"}
{"@message":"`+name+`: (local-exec): hi","hook":{"resource":`+resource+`,"provisioner":"local-exec","output":"hi"},"type":"provision_progress"}
{"@message":"`+name+`: (local-exec) Provisioning errored","hook":{"resource":`+resource+`,"provisioner":"local-exec"},"type":"provision_errored"}
{"@level":"warn","@message":"Warning: W","diagnostic":{"severity":"warning","summary":"W","detail":"D"},"type":"diagnostic"}
`)
}

func TestProgress(t *testing.T) {
	got := written(func(l *jsonlog.Log) {
		l.Observe(event.Begun{Header: event.Header{Time: zero.Add(-20 * time.Second)}, Object: object("x.a"), Op: event.Delete})
		l.Tick(zero)
	})
	if !strings.Contains(got, `"@message":"x.a: Still destroying... [20s elapsed]"`) || !strings.Contains(got, `"elapsed_seconds":20},"type":"apply_progress"`) {
		t.Error(got)
	}
}

func TestPlan(t *testing.T) {
	d, err := plantest.Parse(txtar.Parse([]byte(`-- schema.json --
{"attributes": {"id": {}}}
-- plan.json --
{"changes": [
  {"address": "x.a", "action": "no-op", "before": {"id": "1"}, "after": {"id": "1"}},
  {"address": "x.b", "from": "x.old", "action": "no-op", "before": {"id": "1"}, "after": {"id": "1"}},
  {"address": "x.c", "action": "delete,create", "reason": "replace_because_tainted", "before": {"id": "1"}, "after": {"id": {"?": true}}},
  {"address": "x.d", "action": "no-op", "importing": "i", "before": {"id": "i"}, "after": {"id": "i"}},
  {"address": "x.e", "action": "forget", "before": {"id": "1"}}
 ],
 "drift": [{"address": "x.a", "action": "update", "before": {"id": "1"}, "after": {"id": "2"}},
  {"address": "x.e", "action": "delete", "before": {"id": "1"}}],
 "relevant": [{"address": "x.a", "path": ["id"]}],
 "outputs": {"o": {"action": "no-op", "before": 1, "after": 1}}}
`)))
	if err != nil {
		t.Fatal(err)
	}
	one := func(n string) string {
		return `{"addr":"x.` + n + `","module":"","resource":"x.` + n + `","implied_provider":"x","resource_type":"x","resource_name":"` + n + `","resource_key":null}`
	}
	check(t, written(func(l *jsonlog.Log) { l.Plan(d) }), `{"@message":"x.a: Drift detected (update)","change":{"resource":`+one("a")+`,"action":"update"},"type":"resource_drift"}
{"@message":"x.e: Drift detected (delete)","change":{"resource":`+one("e")+`,"action":"delete"},"type":"resource_drift"}
{"@message":"x.b: Plan to move","change":{"resource":`+one("b")+`,"previous_resource":`+one("old")+`,"action":"move"},"type":"planned_change"}
{"@message":"x.c: Plan to replace","change":{"resource":`+one("c")+`,"action":"replace","reason":"tainted"},"type":"planned_change"}
{"@message":"x.d: Plan to import","change":{"resource":`+one("d")+`,"action":"import","importing":{"id":"i"}},"type":"planned_change"}
{"@message":"x.e: Plan to remove","change":{"resource":`+one("e")+`,"action":"remove"},"type":"planned_change"}
{"@message":"Plan: 1 to import, 1 to add, 0 to change, 1 to destroy.","changes":{"add":1,"change":0,"import":1,"remove":1,"action_invocation":0,"action_fail":0,"operation":"plan"},"type":"change_summary"}
{"@message":"Outputs: 1","outputs":{"o":{"sensitive":false,"action":"noop"}},"type":"outputs"}
`)
}

func TestChangesOfSavedPlan(t *testing.T) {
	d, err := plantest.Parse(txtar.Parse([]byte(`-- schema.json --
{"attributes": {"id": {}}}
-- plan.json --
{"changes": [
  {"address": "x.b", "from": "x.old", "action": "no-op", "before": {"id": "1"}, "after": {"id": "1"}},
  {"address": "x.d", "action": "no-op", "importing": "i", "before": {"id": "i"}, "after": {"id": "i"}},
  {"address": "x.e", "action": "forget", "before": {"id": "1"}}
 ]}
`)))
	if err != nil {
		t.Fatal(err)
	}
	check(t, written(func(l *jsonlog.Log) { l.Changes(d) }), `{"@message":"x.e: Plan to remove","change":{"resource":{"addr":"x.e","module":"","resource":"x.e","implied_provider":"x","resource_type":"x","resource_name":"e","resource_key":null},"action":"remove"},"type":"planned_change"}
`)
}

func TestDeferred(t *testing.T) {
	d, err := plantest.Parse(txtar.Parse([]byte(`-- schema.json --
{"attributes": {"id": {}}}
-- plan.json --
{"deferred": [
  {"reason": "instance_count_unknown", "change": {"address": "module.m[*].x.a[*]", "action": "create", "after": {"id": {"?": true}}}},
  {"reason": "absent_prereq", "change": {"address": "x.b", "action": "no-op", "importing": "i", "after": {"id": "i"}}}
 ],
 "runs": [{"reason": "deferred_prereq", "address": "module.m[*].action.x_y.n[*]", "of": "x.b", "at": "after_create", "config": {"text": "t"}}]}
`)))
	if err != nil {
		t.Fatal(err)
	}
	check(t, written(func(l *jsonlog.Log) { l.Plan(d) }), `{"@message":"module.m[*].x.a[*]: Deferred (instance_count_unknown)","deferred":{"reason":"instance_count_unknown","change":{"resource":{"addr":"module.m[*].x.a[*]","module":"module.m[*]","resource":"x.a[*]","implied_provider":"x","resource_type":"x","resource_name":"a","resource_key":null,"resource_key_unknown":true},"action":"create"}},"type":"deferred_change"}
{"@message":"x.b: Deferred (absent_prereq)","deferred":{"reason":"absent_prereq","change":{"resource":{"addr":"x.b","module":"","resource":"x.b","implied_provider":"x","resource_type":"x","resource_name":"b","resource_key":null},"action":"import","importing":{"id":"i"}}},"type":"deferred_change"}
{"@message":"module.m[*].action.x_y.n[*] (triggered by x.b): Deferred (deferred_prereq)","deferred":{"reason":"deferred_prereq","invocation":{"action":{"addr":"module.m[*].action.x_y.n[*]","module":"module.m[*]","action":"action.x_y.n[*]","implied_provider":"x","action_type":"x_y","action_name":"n","action_key":null,"action_key_unknown":true},"lifecycle_trigger":{"resource":{"addr":"x.b","module":"","resource":"x.b","implied_provider":"x","resource_type":"x","resource_name":"b","resource_key":null},"trigger_event":"AfterCreate","action_trigger_block_index":0,"actions_list_index":0,"on_failure":"ActionOnFailureHalt"}}},"type":"deferred_action_invocation"}
{"@message":"Plan: 0 to add, 0 to change, 0 to destroy.","changes":{"add":0,"change":0,"import":0,"remove":0,"action_invocation":0,"action_fail":0,"operation":"plan"},"type":"change_summary"}
`)
}

func TestApplied(t *testing.T) {
	s, err := state.New("l").Apply(
		state.PutOutput{Name: "a", Output: state.Output{Value: cty.NumberIntVal(1)}},
		state.PutOutput{Name: "s", Output: state.Output{Value: cty.StringVal("hush"), Sensitive: true}})
	if err != nil {
		t.Fatal(err)
	}
	got := written(func(l *jsonlog.Log) {
		l.Applied(view.Tally{Added: 2}, false)
		l.Applied(view.Tally{Destroyed: 1}, true)
		l.Outputs(s)
	})
	check(t, got, `{"@message":"Apply complete! Resources: 2 added, 0 changed, 0 destroyed.","changes":{"add":2,"change":0,"import":0,"remove":0,"action_invocation":0,"action_fail":0,"operation":"apply"},"type":"change_summary"}
{"@message":"Destroy complete! Resources: 1 destroyed.","changes":{"add":0,"change":0,"import":0,"remove":1,"action_invocation":0,"action_fail":0,"operation":"destroy"},"type":"change_summary"}
{"@message":"Outputs: 2","outputs":{"a":{"sensitive":false,"type":"number","value":1},"s":{"sensitive":true,"type":"string"}},"type":"outputs"}
`)
}
