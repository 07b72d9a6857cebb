package config

import (
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/plumb-iac/plumb/addr"
	"github.com/plumb-iac/plumb/internal/hcldiag"
)

func (d *decoder) lifecycle(b *hcl.Block, r *Resource) {
	attrs := []string{"create_before_destroy", "prevent_destroy", "ignore_changes", "replace_triggered_by", "destroy"}
	if d.reading.Enabled {
		attrs = append(attrs, "enabled")
	}
	c := d.content(b.Body, schemaOf(attrs, block("precondition"), block("postcondition"), block("action_trigger")))
	l := &r.Lifecycle
	l.Range = hcldiag.RangeOf(b.DefRange)
	r.Enabled = expr(c, "enabled")
	if r.Addr.Mode != addr.Managed {
		d.conditionsOnly(c, r.Addr.Mode)
	} else {
		d.managedLifecycle(c, l)
	}
	for _, inner := range c.Blocks {
		switch inner.Type {
		case "precondition":
			l.Preconditions = append(l.Preconditions, d.objectCondition(inner, r.Addr))
		case "postcondition":
			l.Postconditions = append(l.Postconditions, d.objectCondition(inner, r.Addr))
		case "action_trigger":
			l.ActionTriggers = append(l.ActionTriggers, d.trigger(inner))
		}
	}
}

// objectCondition reads a condition of a resource, which cannot refer to the
// resource by its name.
func (d *decoder) objectCondition(b *hcl.Block, own addr.Resource) *Condition {
	cond := d.condition(b)
	for _, e := range []hcl.Expression{cond.Condition, cond.ErrorMessage} {
		if e == nil {
			continue
		}
		if slices.ContainsFunc(e.Variables(), func(t hcl.Traversal) bool { return names(t, own) }) {
			d.err(e.Range(), "Invalid reference in "+b.Type,
				"A "+b.Type+" of "+own.String()+" cannot refer to it by its name. In a postcondition, self is the object.")
		}
	}
	return cond
}

// names says whether a traversal begins with the name of a resource.
func names(t hcl.Traversal, r addr.Resource) bool {
	var words []string
	for _, step := range t {
		switch step := step.(type) {
		case hcl.TraverseRoot:
			words = append(words, step.Name)
		case hcl.TraverseAttr:
			words = append(words, step.Name)
		}
	}
	if len(words) > 2 && words[0] == "resource" {
		words = words[1:]
	}
	return len(words) > 1 && strings.HasPrefix(strings.Join(words, ".")+".", r.String()+".")
}

// conditionsOnly refuses the arguments that are about changing objects where
// nothing is changed.
func (d *decoder) conditionsOnly(c *hcl.BodyContent, m addr.Mode) {
	summary := "Invalid data resource lifecycle argument"
	if m == addr.Ephemeral {
		summary = "Invalid ephemeral resource lifecycle argument"
	}
	for _, name := range sortedKeys(c.Attributes) {
		if name != "enabled" {
			d.err(c.Attributes[name].NameRange, summary, "The lifecycle argument \""+name+"\" is for objects that are created and destroyed: \"resource\" blocks.")
		}
	}
	for _, b := range c.Blocks {
		if b.Type == "action_trigger" {
			d.err(b.TypeRange, summary, "Actions are triggered by objects that are created and destroyed: \"resource\" blocks.")
		}
	}
}

func (d *decoder) managedLifecycle(c *hcl.BodyContent, l *Lifecycle) {
	l.CreateBeforeDestroy, l.CreateBeforeDestroySet = d.flag(c, "create_before_destroy")
	if destroy, set := d.flag(c, "destroy"); set {
		l.Destroy, l.DestroySet = destroy, true
	}
	if a, ok := c.Attributes["prevent_destroy"]; ok {
		if !d.reading.PreventDestroyExpression {
			d.boolean(a)
		}
		l.PreventDestroy = a.Expr
	}
	if a, ok := c.Attributes["ignore_changes"]; ok {
		d.ignoreChanges(a, l)
	}
	if a, ok := c.Attributes["replace_triggered_by"]; ok {
		items, diags := hcl.ExprList(a.Expr)
		d.hcl(diags)
		for _, item := range items {
			if item = d.reference(item); d.replaceTrigger(item) {
				l.ReplaceTriggeredBy = append(l.ReplaceTriggeredBy, item)
			}
		}
	}
}

func (d *decoder) ignoreChanges(a *hcl.Attribute, l *Lifecycle) {
	if hcl.ExprAsKeyword(a.Expr) == "all" {
		l.IgnoreAll = true
		return
	}
	items, diags := hcl.ExprList(a.Expr)
	d.hcl(diags)
	for _, item := range items {
		if v, diags := item.Value(nil); !diags.HasErrors() {
			if s, _ := stringOf(v); s == "*" {
				d.err(a.Expr.Range(), "Invalid ignore_changes wildcard", "To ignore all changes write ignore_changes = all, without list and quotes.")
				continue
			}
		}
		if t, ok := d.relative(item); ok {
			l.IgnoreChanges = append(l.IgnoreChanges, t)
		}
	}
}

// replaceTrigger checks that an element of replace_triggered_by refers to one
// managed resource, or to a part of one.
func (d *decoder) replaceTrigger(e hcl.Expression) bool {
	resources, ok := 0, true
	for _, t := range e.Variables() {
		word := t.RootName()
		switch {
		case word == "count" || word == "each":
		case word != "resource" && (notTypes[word] || word == "data" || word == "module" || word == "ephemeral"):
			ok = false
			d.err(t.SourceRange(), "Invalid reference in replace_triggered_by expression", "Only resources, count.index and each.key can be referred to here.")
		default:
			resources++
		}
	}
	switch {
	case resources == 0:
		d.err(e.Range(), "Invalid replace_triggered_by expression", "The expression refers to no resource.")
	case resources > 1:
		d.err(e.Range(), "Invalid replace_triggered_by expression", "The expression refers to more than one resource; give each an element of its own.")
	}
	return ok && resources == 1
}

// triggerEvents are the moments that can trigger an action.
var triggerEvents = map[string]bool{
	"before_create": true, "after_create": true, "before_update": true, "after_update": true,
	"before_destroy": true, "after_destroy": true,
}

func (d *decoder) trigger(b *hcl.Block) *ActionTrigger {
	c := d.content(b.Body, schemaOf([]string{"!events", "!actions", "condition", "on_failure"}))
	t := &ActionTrigger{Condition: expr(c, "condition"), OnFailure: "halt", Range: hcldiag.RangeOf(b.DefRange)}
	if a, ok := c.Attributes["events"]; ok {
		d.triggerEvents(a, t)
	}
	if a, ok := c.Attributes["actions"]; ok {
		items, diags := hcl.ExprList(a.Expr)
		d.hcl(diags)
		for _, item := range items {
			if item = d.reference(item); d.actionReference(item) {
				t.Actions = append(t.Actions, item)
			}
		}
		if len(items) == 0 && !diags.HasErrors() {
			d.err(a.Expr.Range(), "No actions specified", "At least one action must be specified for an action_trigger.")
		}
	}
	if a, ok := c.Attributes["on_failure"]; ok {
		t.OnFailure = d.keyword(a, "halt", "taint", "continue")
	}
	return t
}

func (d *decoder) triggerEvents(a *hcl.Attribute, t *ActionTrigger) {
	items, diags := hcl.ExprList(a.Expr)
	d.hcl(diags)
	for _, item := range items {
		word := hcl.ExprAsKeyword(item)
		if !triggerEvents[word] {
			d.err(item.Range(), `Invalid "event" value`, "An event is one of before_create, after_create, before_update, after_update, before_destroy and after_destroy.")
			continue
		}
		t.Events = append(t.Events, word)
	}
	if len(items) == 0 && !diags.HasErrors() {
		d.err(a.Expr.Range(), "No events specified", "At least one event must be specified for an action_trigger.")
	}
}

func (d *decoder) actionReference(e hcl.Expression) bool {
	found := false
	for _, t := range e.Variables() {
		found = found || t.RootName() == "action" && len(t) >= 3
	}
	if !found {
		d.err(e.Range(), "Invalid action reference", "An action is referred to as action.TYPE.NAME, with an instance key where it has instances.")
	}
	return found
}
