package planview

import (
	"strings"

	"github.com/plumb-iac/plumb/addr"
	"github.com/plumb-iac/plumb/internal/lang/valuetext"
	"github.com/plumb-iac/plumb/internal/view"
	"github.com/plumb-iac/plumb/internal/view/diff"
	"github.com/plumb-iac/plumb/internal/view/diffview"
	"github.com/plumb-iac/plumb/plan"
	"github.com/plumb-iac/plumb/schema"
	"github.com/plumb-iac/plumb/value"
	"github.com/zclconf/go-cty/cty"
)

// title is the header of a stanza: what is said behind the address, and the
// part of it that is in red.
type title struct {
	text, red, rest string
	// narrow headers begin one column further left.
	narrow bool
}

// titles are the headers of planned actions.
var titles = map[plan.Action]title{
	plan.Create:           {text: " will be created"},
	plan.Read:             {text: " will be read during apply"},
	plan.Update:           {text: " will be updated in-place"},
	plan.DeleteThenCreate: {text: " must be ", red: "replaced"},
	plan.CreateThenDelete: {text: " must be ", red: "replaced"},
	plan.CreateThenForget: {text: " must be ", red: "replaced", rest: ", but the existing object will not be destroyed", narrow: true},
	plan.ForgetThenCreate: {text: " must be ", red: "replaced", rest: " - older instance will not be destroyed (lifecycle.destroy = false)"},
	plan.Delete:           {text: " will be ", red: "destroyed"},
	plan.Forget:           {text: " will no longer be managed by Plumb, but will not be destroyed", narrow: true},
}

// replaceTitles are the headers of replacements that have a reason.
var replaceTitles = map[plan.Reason]title{
	plan.ReplaceTainted:   {text: " is tainted, so must be ", red: "replaced"},
	plan.ReplaceRequested: {text: " will be ", red: "replaced", rest: ", as requested"},
	plan.ReplaceTriggered: {text: " will be ", red: "replaced", rest: " due to changes in replace_triggered_by"},
}

// driftTitles are the headers of what happened outside.
var driftTitles = map[plan.Action]title{
	plan.Update: {text: " has changed"},
	plan.Delete: {text: " has been deleted"},
}

// readReasons are the remarks about data sources read during apply.
var readReasons = map[plan.Reason]string{
	plan.ReadConfigUnknown:     "config refers to values not yet known",
	plan.ReadDependencyPending: "depends on a resource or a module with changes pending",
	plan.ReadCheckNested:       "config will be reloaded to verify a check block",
}

func (t title) write(p painter, subject string) string {
	margin := "  "
	if t.narrow {
		margin = " "
	}
	return margin + p.Bold("# "+subject) + p.Named(t.text) + p.Paint(t.red, view.Bold, view.Red) + t.rest + "\n"
}

// planned renders the stanza of a planned change; "" where there is nothing to
// say.
func (p painter) planned(c *plan.Change) string {
	head := p.header(c)
	if head == "" {
		return ""
	}
	return head + p.object(c, nil)
}

// drifted renders the stanza of a change made outside.
func (p painter) drifted(c *plan.Change, relevant []cty.Path) string {
	head := p.unchanged(c)
	if t, ok := driftTitles[c.Action]; ok {
		head = t.write(p, c.Object().String()) + p.movedFrom(c)
	}
	return head + p.object(c, relevant)
}

func (p painter) movedFrom(c *plan.Change) string {
	if !c.Moved() {
		return ""
	}
	return "  # (moved from " + c.PrevAddr.String() + ")\n"
}

func (p painter) header(c *plan.Change) string {
	subject := c.Object().String()
	if c.Action == plan.NoOp {
		return p.unchanged(c)
	}
	t := titles[c.Action]
	if c.Action == plan.Forget && c.Deposed != "" {
		t.text = " will be removed from Plumb state, but will not be destroyed"
	}
	if r, ok := replaceTitles[c.Reason]; ok && c.Action.IsReplace() {
		r.narrow = t.narrow
		t = r
	}
	text := t.write(p, subject)
	for _, line := range remarks(c) {
		margin := "  "
		if t.narrow {
			margin = " "
		}
		text += margin + "# (" + line + ")\n"
	}
	text += p.movedFrom(c)
	if line := importedFrom(c.Importing); line != "" {
		text += "  # (" + line + ")\n"
	}
	if c.Importing != nil && c.Action.IsReplace() {
		text += "  # " + p.Paint("Warning: this will destroy the imported resource", view.Yellow) + "\n"
	}
	return text
}

// unchanged is the header of an object that stays but moves or is imported.
func (p painter) unchanged(c *plan.Change) string {
	switch {
	case c.Importing != nil:
		text := title{text: " will be imported"}.write(p, c.Object().String())
		if c.GeneratedConfig != "" {
			text += "  # (config will be generated)\n"
		}
		return text
	case c.Moved():
		return "  " + p.Bold("# "+c.PrevAddr.String()) + " has moved to " + p.Bold(c.Addr.String()) + "\n"
	}
	return ""
}

// keptReason says why an object is forgotten rather than destroyed.
func keptReason(c *plan.Change) string {
	if c.Reason == plan.ForgotInState {
		return "destroy = false was set when it was last in the configuration"
	}
	return "destroy = false is set in the configuration"
}

// remarks are the lines below a header, without their brackets.
func remarks(c *plan.Change) []string {
	var out []string
	if r, ok := readReasons[c.Reason]; ok {
		out = append(out, r)
	}
	if c.Deposed != "" {
		out = append(out, "left over from a partially-failed replacement of this instance")
	}
	if c.Action == plan.Delete {
		if r := deleteReason(c); r != "" {
			out = append(out, r)
		}
	}
	if c.Action == plan.Forget {
		out = append(out, keptReason(c))
	}
	return out
}

// importedFrom says where an object that changes comes from before it does.
func importedFrom(i *plan.Importing) string {
	switch {
	case i == nil:
		return ""
	case i.ID != "":
		return `imported from "` + view.Harmless(i.ID) + `"`
	}
	return "will be imported first"
}

func deleteReason(c *plan.Change) string {
	switch c.Reason {
	case plan.DeleteNoResourceConfig:
		return "because " + c.Addr.Resource.String() + " is not in configuration"
	case plan.DeleteNoModule:
		return "because " + c.Addr.Module.String() + " is not in configuration"
	case plan.DeleteNoMoveTarget:
		return "because " + c.PrevAddr.String() + " was moved to " + c.Addr.String() + ", which is not in configuration"
	case plan.DeleteWrongRepetition:
		return "because resource " + repetition(c.Addr.Key)
	case plan.DeleteCountIndex:
		return "because index " + c.Addr.Key.String() + " is out of range for count"
	case plan.DeleteEachKey:
		return "because key " + c.Addr.Key.String() + " is not in for_each map"
	case plan.DeleteEnabledFalse:
		return "because enabled is false"
	}
	return ""
}

func repetition(k addr.InstanceKey) string {
	if _, ok := k.Int(); ok {
		return "does not use count"
	}
	if _, ok := k.Str(); ok {
		return "does not use for_each"
	}
	return "uses count or for_each"
}

// object renders the block of a change.
func (p painter) object(c *plan.Change, relevant []cty.Path) string {
	before, after := filled(c.Before), filled(c.After)
	if c.Action == plan.Forget || c.Action == plan.NoOp {
		after = before
		if isNull(before) {
			before, after = filled(c.After), filled(c.After)
		}
	}
	o := diff.Options{Replace: c.ReplacePaths, Relevant: relevant}
	if p.secrets {
		before, after = value.Unmark(before, value.Sensitive), value.Unmark(after, value.Sensitive)
	}
	k := diff.Resource(blockOf(c.Schema, before, after), before, after, o)
	k.Replace = false
	keyword := "resource"
	if c.Addr.Resource.Mode == addr.Data {
		keyword = "data"
	}
	r := c.Addr.Resource
	m := diffview.Manner{All: c.Importing != nil}
	return p.Symbol(c.Action) + keyword + " " + valuetext.Quote(r.Type) + " " + valuetext.Quote(r.Name) + " " + p.Block(k, 0, m) + "\n"
}

// blockOf is the schema, or one made up from the values where it is missing.
func blockOf(s *schema.Resource, before, after cty.Value) *schema.Block {
	if s != nil && s.Block != nil {
		return s.Block
	}
	return diff.SchemaOf(before, after)
}

func isNull(v cty.Value) bool { v, _ = v.Unmark(); return v.IsKnown() && v.IsNull() }

func filled(v cty.Value) cty.Value {
	if v == cty.NilVal {
		return cty.NullVal(cty.DynamicPseudoType)
	}
	return v
}

// action renders a run of an action that is planned.
func (p painter) action(b *strings.Builder, i *plan.Invocation) {
	b.WriteString(diffview.Unit + "# " + i.Addr + "\n")
	b.WriteString(diffview.Unit + "action " + valuetext.Quote(i.Type) + " " + valuetext.Quote(i.Name) + " {\n")
	v := filled(i.Config)
	if !isNull(v) {
		k := diff.Resource(blockOf(nil, v, v), v, v, diff.Options{})
		b.WriteString(diffview.Indent(2) + "config " + p.Block(k, 1, diffview.Manner{All: true, Quiet: true}) + "\n")
	}
	b.WriteString(diffview.Unit + "}\n")
}
