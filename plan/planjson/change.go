package planjson

import (
	"slices"
	"strings"

	"github.com/plumb-iac/plumb/addr"
	"github.com/plumb-iac/plumb/plan"
	"github.com/plumb-iac/plumb/plan/planjson/jsonout"
	"github.com/plumb-iac/plumb/value"
	"github.com/zclconf/go-cty/cty"
)

// writeList writes a list that is left out when it is empty.
func writeList[T any](w *jsonout.Writer, key string, list []T, write func(*jsonout.Writer, T)) {
	if len(list) == 0 {
		return
	}
	w.Key(key)
	w.BeginList()
	for _, x := range list {
		write(w, x)
	}
	w.EndList()
}

func writeChanges(w *jsonout.Writer, key string, list []*plan.Change) {
	hidden := func(c *plan.Change) bool { return !Shown(c) }
	writeList(w, key, slices.DeleteFunc(slices.Clone(list), hidden), writeResourceChange)
}

func writeResourceChange(w *jsonout.Writer, c *plan.Change) {
	r := c.Addr.Resource
	w.Begin()
	w.KeyString("address", c.Addr.String())
	if c.Moved() && c.PrevAddr != (addr.AbsInstance{}) {
		w.KeyString("previous_address", c.PrevAddr.String())
	}
	w.KeyFilled("module_address", c.Addr.Module.String())
	w.KeyString("mode", r.Mode.String())
	w.KeyString("type", r.Type)
	w.KeyString("name", r.Name)
	writeIndex(w, "index", c.Addr.Key)
	w.KeyString("provider_name", c.Provider.Provider.String())
	w.KeyFilled("deposed", string(c.Deposed))
	w.Key("change")
	writeChange(w, c)
	w.KeyFilled("action_reason", string(c.Reason))
	w.End()
}

func writeChange(w *jsonout.Writer, c *plan.Change) {
	w.Begin()
	w.Key("actions")
	w.Strings(c.Action.Names())
	writeBeforeAfter(w, c.Before, c.After)
	w.Key("after_unknown")
	writeUnknown(w, c.After)
	w.Key("before_sensitive")
	writeTree(w, filled(c.Before), isSensitive)
	w.Key("after_sensitive")
	writeTree(w, filled(c.After), isSensitive)
	writeList(w, "replace_paths", c.ReplacePaths, writePath)
	writeImporting(w, c.Importing)
	w.KeyFilled("generated_config", c.GeneratedConfig)
	writeIdentity(w, "before_identity", c.BeforeIdentity)
	writeIdentity(w, "after_identity", c.AfterIdentity)
	w.End()
}

// filled is v, or null where a document has no value at all.
func filled(v value.V) value.V {
	if v == cty.NilVal {
		return cty.NullVal(cty.DynamicPseudoType)
	}
	return v
}

// writeBeforeAfter leaves out what is wholly unknown.
func writeBeforeAfter(w *jsonout.Writer, before, after value.V) {
	w.Key("before")
	w.Value(filled(before))
	after, _ = filled(after).Unmark()
	if after.IsKnown() {
		w.Key("after")
		w.Value(after)
	}
}

// writeUnknown writes after_unknown of an object: {} when all is known.
func writeUnknown(w *jsonout.Writer, after value.V) {
	after = value.Strip(filled(after)).Cty()
	if after.IsWhollyKnown() {
		w.Begin()
		w.End()
		return
	}
	writeTree(w, after, isUnknown)
}

func writeImporting(w *jsonout.Writer, i *plan.Importing) {
	if i == nil {
		return
	}
	w.Key("importing")
	w.Begin()
	w.KeyFilled("id", i.ID)
	w.KeyTrue("unknown", i.Unknown)
	writeIdentity(w, "identity", i.Identity)
	w.End()
}

func writeIdentity(w *jsonout.Writer, key string, v value.Bare) {
	if v.IsZero() || v.Cty().IsNull() || !v.Cty().IsKnown() {
		return
	}
	w.Key(key)
	w.Value(v.Cty())
}

func writeOutputChanges(w *jsonout.Writer, list []plan.OutputChange) {
	if len(list) == 0 {
		return
	}
	w.Key("output_changes")
	w.Begin()
	for i := range list {
		o := &list[i]
		w.Key(o.Name)
		w.Begin()
		w.Key("actions")
		w.Strings(o.Action.Names())
		writeBeforeAfter(w, o.Before, o.After)
		w.Key("after_unknown")
		writeOutputUnknown(w, o.After)
		w.KeyBool("before_sensitive", o.Sensitive)
		w.KeyBool("after_sensitive", o.Sensitive)
		w.End()
	}
	w.End()
}

func writeOutputUnknown(w *jsonout.Writer, after value.V) {
	after = value.Strip(filled(after)).Cty()
	if after.IsWhollyKnown() {
		w.Bool(false)
		return
	}
	writeTree(w, after, isUnknown)
}

func writeDeferred(w *jsonout.Writer, d *plan.DeferredChange) {
	w.Begin()
	w.KeyString("reason", string(d.Reason))
	w.Key("resource_change")
	writeResourceChange(w, &d.Change)
	w.End()
}

func writeDeferredInvocation(w *jsonout.Writer, d *plan.DeferredInvocation) {
	w.Begin()
	w.KeyString("reason", string(d.Reason))
	w.Key("action_invocation")
	writeInvocation(w, &d.Invocation)
	w.End()
}

func writeInvocation(w *jsonout.Writer, i *plan.Invocation) {
	w.Begin()
	w.KeyString("address", i.Addr)
	w.KeyString("type", i.Type)
	w.KeyString("name", i.Name)
	w.Key("config_values")
	w.Value(filled(i.Config))
	w.Key("config_sensitive")
	writeTree(w, filled(i.Config), isSensitive)
	w.Key("config_unknown")
	writeUnknown(w, i.Config)
	w.KeyString("provider_name", i.Provider.Provider.String())
	if t := i.Trigger; t != nil {
		w.Key("lifecycle_action_trigger")
		w.Begin()
		w.KeyString("triggering_resource_address", t.Resource.String())
		w.KeyString("action_trigger_event", EventName(t.Event))
		w.KeyInt("action_trigger_block_index", int64(t.BlockIndex))
		w.KeyInt("actions_list_index", int64(t.ActionIndex))
		w.KeyString("on_failure", FailureName(t.OnFailure))
		w.End()
	} else {
		w.Key("invoke_action_trigger")
		w.Begin()
		w.End()
	}
	w.End()
}

// EventName writes the event "before_create" as "BeforeCreate".
func EventName(s string) string {
	var b strings.Builder
	for _, word := range strings.Split(s, "_") {
		if word != "" {
			b.WriteString(strings.ToUpper(word[:1]) + word[1:])
		}
	}
	return b.String()
}

// FailureName writes the answer to a failure "halt" as "ActionOnFailureHalt".
func FailureName(s string) string {
	if s == "" {
		s = "halt"
	}
	return "ActionOnFailure" + EventName(s)
}
