package jsonlog

import (
	"github.com/plumb-iac/plumb/addr"
	"github.com/plumb-iac/plumb/plan"
	"github.com/plumb-iac/plumb/plan/planjson"
	"github.com/plumb-iac/plumb/plan/planjson/jsonout"
)

// Invocations writes the planned runs of actions.
func (l *Log) Invocations(list []*plan.Invocation) {
	for _, i := range list {
		l.line("info", "planned action invocation: "+title(i), "planned_action_invocation", func(w *jsonout.Writer) {
			invocation(w, i)
		})
	}
}

// DeferredInvocations writes the runs of actions that wait for a later round.
func (l *Log) DeferredInvocations(list []*plan.DeferredInvocation) {
	for _, x := range list {
		l.line("info", title(&x.Invocation)+": Deferred ("+string(x.Reason)+")", "deferred_action_invocation", func(w *jsonout.Writer) {
			w.Key("deferred")
			w.Begin()
			w.KeyString("reason", string(x.Reason))
			invocation(w, &x.Invocation)
			w.End()
		})
	}
}

// title names a run with what triggers it.
func title(i *plan.Invocation) string {
	object := addr.Object{}
	if i.Trigger != nil {
		object.Instance = i.Trigger.Resource
	}
	return trigger(object, i.Addr)
}

func invocation(w *jsonout.Writer, i *plan.Invocation) {
	w.Key("invocation")
	w.Begin()
	w.Key("action")
	actionAddr(w, i.Addr)
	if t := i.Trigger; t != nil {
		w.Key("lifecycle_trigger")
		w.Begin()
		w.Key("resource")
		resource(w, t.Resource)
		w.KeyString("trigger_event", planjson.EventName(t.Event))
		w.KeyInt("action_trigger_block_index", int64(t.BlockIndex))
		w.KeyInt("actions_list_index", int64(t.ActionIndex))
		w.KeyString("on_failure", planjson.FailureName(t.OnFailure))
		w.End()
	} else {
		w.Key("invoke_trigger")
		w.Begin()
		w.End()
	}
	w.End()
}

// actionAddr writes the address of an action in parts.
func actionAddr(w *jsonout.Writer, address string) {
	a, err := addr.ParsePlannedAction(address)
	w.Begin()
	w.KeyString("addr", address)
	if err == nil {
		local := addr.AbsAction{Type: a.Type, Name: a.Name, Key: a.Key}
		w.KeyString("module", a.Module.String())
		w.KeyString("action", local.String())
		w.KeyString("implied_provider", implied(a.Type))
		w.KeyString("action_type", a.Type)
		w.KeyString("action_name", a.Name)
		w.Key("action_key")
		writeKey(w, a.Key)
		w.KeyTrue("action_key_unknown", a.Key.IsAny())
	}
	w.End()
}

func writeKey(w *jsonout.Writer, k addr.InstanceKey) {
	if n, ok := k.Int(); ok {
		w.Int(int64(n))
	} else if s, ok := k.Str(); ok {
		w.String(s)
	} else {
		w.Null()
	}
}
