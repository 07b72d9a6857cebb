package jsonlog_test

import (
	"testing"

	"github.com/plumb-iac/plumb/addr"
	"github.com/plumb-iac/plumb/event"
	"github.com/plumb-iac/plumb/internal/query"
	"github.com/plumb-iac/plumb/internal/view/jsonlog"
	"github.com/plumb-iac/plumb/plan"
	"github.com/plumb-iac/plumb/value"
	"github.com/zclconf/go-cty/cty"
)

func TestActionLines(t *testing.T) {
	by, err := addr.ParseInstance(`x.a`)
	if err != nil {
		t.Fatal(err)
	}
	const name = `module.m["k"].action.x_note.n[1]`
	const action = `"action":{"addr":"module.m[\"k\"].action.x_note.n[1]","module":"module.m[\"k\"]","action":"action.x_note.n[1]","implied_provider":"x","action_type":"x_note","action_name":"n","action_key":1}`
	const resource = `"resource":{"addr":"x.a","module":"","resource":"x.a","implied_provider":"x","resource_type":"x","resource_name":"a","resource_key":null}`
	o := addr.Object{Instance: by}
	got := written(func(l *jsonlog.Log) {
		l.Invocations([]*plan.Invocation{
			{Addr: name, Trigger: &plan.InvocationTrigger{Resource: by, Event: "after_create", BlockIndex: 1, ActionIndex: 2, OnFailure: "taint"}},
			{Addr: name},
		})
		l.Observe(event.Begun{Header: event.Header{Time: zero}, Object: o, Op: event.Action, Detail: name})
		l.Observe(event.Output{Header: event.Header{Time: zero}, Object: o, Detail: name, Text: "half"})
		l.Observe(event.Ended{Header: event.Header{Time: zero}, Object: o, Op: event.Action, Detail: name})
		l.Observe(event.Begun{Header: event.Header{Time: zero}, Op: event.Action, Detail: name})
		l.Observe(event.Failed{Header: event.Header{Time: zero}, Op: event.Action, Detail: name, Message: "no"})
	})
	check(t, got, `{"@message":"planned action invocation: module.m[\"k\"].action.x_note.n[1] (triggered by x.a)","invocation":{`+action+`,"lifecycle_trigger":{`+resource+`,"trigger_event":"AfterCreate","action_trigger_block_index":1,"actions_list_index":2,"on_failure":"ActionOnFailureTaint"}},"type":"planned_action_invocation"}
{"@message":"planned action invocation: module.m[\"k\"].action.x_note.n[1] (triggered by CLI)","invocation":{`+action+`,"invoke_trigger":{}},"type":"planned_action_invocation"}
{"@message":"Action started: module.m[\"k\"].action.x_note.n[1] (triggered by x.a)","hook":{`+action+`,`+resource+`},"type":"action_start"}
{"@message":"Action module.m[\"k\"].action.x_note.n[1] (triggered by x.a): half","hook":{`+action+`,`+resource+`,"message":"half"},"type":"action_progress"}
{"@message":"Action complete: module.m[\"k\"].action.x_note.n[1] (triggered by x.a)","hook":{`+action+`,`+resource+`},"type":"action_complete"}
{"@message":"Action started: module.m[\"k\"].action.x_note.n[1] (triggered by CLI)","hook":{`+action+`},"type":"action_start"}
{"@message":"Action failed: module.m[\"k\"].action.x_note.n[1] (triggered by CLI) - no","hook":{`+action+`,"error":"no"},"type":"action_errored"}
`)
}

func TestListLines(t *testing.T) {
	at, err := addr.ParseInstance(`list.x_disk.all`)
	if err != nil {
		t.Fatal(err)
	}
	q := &query.List{Addr: at, Sensitive: []cty.Path{cty.GetAttrPath("secret")},
		Config: value.MustBare(cty.ObjectVal(map[string]cty.Value{"filter": cty.StringVal("f"), "unset": cty.NullVal(cty.String)}))}
	o := &query.Object{DisplayName: "one", IdentityVersion: 2, Identity: value.MustBare(cty.ObjectVal(map[string]cty.Value{"id": cty.StringVal("1")})),
		Value: value.MustBare(cty.ObjectVal(map[string]cty.Value{"n": cty.NumberIntVal(7)})), Config: "resource {\n}", Import: "import {\n}"}
	const common = `{"address":"list.x_disk.all","resource_type":"x_disk",`
	check(t, written(func(l *jsonlog.Log) {
		l.Began(q)
		l.Found(q, o)
		q.Found = append(q.Found, o)
		l.Ended(q)
	}), `{"@message":"list.x_disk.all: Starting query...","list_start":`+common+`"input_config":{"filter":"f"},"sensitive_attribute_paths":["secret"]},"type":"list_start"}
{"@message":"list.x_disk.all: Result found","list_resource_found":`+common+`"display_name":"one","identity":{"id":"1"},"identity_version":2,"resource_object":{"n":7},"config":"resource {\n}","import_config":"import {\n}"},"type":"list_resource_found"}
{"@message":"list.x_disk.all: List complete","list_complete":`+common+`"total":1},"type":"list_complete"}
`)
}
