package verify

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/plumb-iac/plumb/internal/lang/valuetext"
	"github.com/plumb-iac/plumb/schema"
	"github.com/plumb-iac/plumb/value"
	"github.com/zclconf/go-cty/cty"
)

// source is a configuration that reproduces a breach.
func (x *examination) source(s subject, b Breach) string {
	w := &writer{unknown: b.at.Unknown, secrets: x.secrets(s)}
	local := x.Provider.Type
	if s.kind == "function" {
		var args []string
		for _, a := range b.at.Config.AsValueSlice() {
			args = append(args, oneLine(a))
		}
		return fmt.Sprintf("output \"result\" {\n  value = provider::%s::%s(%s)\n}\n", local, s.name, strings.Join(args, ", "))
	}
	w.WriteString(x.given())
	switch {
	case b.at.ImportID != "":
		w.line(0, "import {")
		w.line(1, "to = %s.it", s.name)
		w.line(1, "id = %q", b.at.ImportID)
		w.line(0, "}")
		return w.String()
	case b.at.Then != cty.NilVal:
		w.unknown = nil // it is the change whose argument is not known
	}
	w.subject(s, b.at.Config)
	if len(w.unknown) > 0 {
		w.later(b.at.Config)
	}
	if b.at.Then != cty.NilVal {
		then := &writer{unknown: b.at.Unknown, secrets: w.secrets}
		then.subject(s, b.at.Then)
		if len(then.unknown) > 0 {
			then.later(b.at.Then)
		}
		w.line(0, "\n# then change it into:")
		for _, l := range strings.Split(strings.TrimSpace(then.String()), "\n") {
			w.line(0, "# %s", l)
		}
	}
	return w.String()
}

// secrets are the given arguments of a subject that are sensitive.
func (x *examination) secrets(s subject) map[string]bool {
	out := map[string]bool{}
	if s.schema == nil {
		return out
	}
	for name := range x.Given[s.name] {
		a := s.schema.Block.Attributes[name]
		out[name] = a != nil && (a.Sensitive || a.WriteOnly)
	}
	return out
}

// given is the provider's own configuration, as far as it was given. What is
// sensitive, or may be, is a variable there.
func (x *examination) given() string {
	given := x.Given[""]
	if len(given) == 0 {
		return ""
	}
	w := &writer{}
	w.line(0, "provider %q {", x.Provider.Type)
	for _, name := range slices.Sorted(maps.Keys(given)) {
		text := argument(given[name])
		if x.schemas == nil || x.secrets(subject{schema: x.schemas.Provider()})[name] {
			text = "var." + name
		}
		w.line(1, "%s = %s", name, text)
	}
	w.line(0, "}\n")
	return w.String()
}

// argument writes a given value: JSON as it is, other text in quotes.
func argument(text string) string {
	if json.Valid([]byte(text)) {
		return text
	}
	return strconv.Quote(text)
}

// subject writes the block that declares what is examined.
func (w *writer) subject(s subject, config cty.Value) {
	switch s.kind {
	case "list":
		w.line(0, "list %q \"it\" {", s.name)
		w.line(1, "provider = %s", strings.SplitN(s.name, "_", 2)[0])
		w.body(1, "config", s.schema.Block, config, nil)
		w.line(0, "}")
	case "action":
		w.line(0, "action %q \"it\" {", s.name)
		w.body(1, "config", s.schema.Block, config, nil)
		w.line(0, "}")
	default:
		w.body(0, fmt.Sprintf("%s %q \"it\"", s.kind, s.name), s.schema.Block, config, nil)
	}
}

// later writes what the unknown argument is the output of.
func (w *writer) later(config cty.Value) {
	at, _ := w.unknown.Apply(config)
	w.line(0, "\n# not known before it is created")
	w.line(0, "resource \"terraform_data\" \"later\" {")
	w.line(1, "input = %s", oneLine(at))
	w.line(0, "}")
}

// writer writes configuration.
type writer struct {
	strings.Builder
	unknown cty.Path
	// secrets are the arguments whose values are not to be shown.
	secrets map[string]bool
}

func (w *writer) line(depth int, format string, args ...any) {
	w.WriteString(strings.Repeat("  ", depth))
	fmt.Fprintf(w, format, args...)
	w.WriteByte('\n')
}

func (w *writer) body(depth int, head string, b *schema.Block, v cty.Value, at cty.Path) {
	if v.IsNull() || !v.IsKnown() {
		return
	}
	w.line(depth, "%s {", head)
	width := 0
	for _, name := range b.AttrNames() {
		if !v.GetAttr(name).IsNull() {
			width = max(width, len(name))
		}
	}
	for _, name := range b.AttrNames() {
		if a := v.GetAttr(name); !a.IsNull() {
			w.line(depth+1, "%-*s = %s", width, name, indented(w.text(a, at.GetAttr(name)), depth+1))
		}
	}
	for _, name := range b.BlockNames() {
		w.blocks(depth+1, b.Blocks[name], v.GetAttr(name), at.GetAttr(name))
	}
	w.line(depth, "}")
}

func (w *writer) blocks(depth int, n *schema.Nested, v cty.Value, at cty.Path) {
	if v.IsNull() || !v.IsKnown() {
		return
	}
	switch {
	case n.Nesting == schema.Single, n.Nesting == schema.Group:
		if n.Nesting == schema.Single || !blank(v) {
			w.body(depth, n.Name, n.Block, v, at)
		}
		return
	case len(w.unknown) > 0 && at.Equals(w.unknown):
		w.line(depth, "dynamic %q {", n.Name)
		w.line(depth+1, "for_each = terraform_data.later.output")
		w.line(depth+1, "content {")
		for _, name := range n.Block.AttrNames() {
			if a := n.Block.Attributes[name]; a.Required || a.Optional {
				w.line(depth+2, "%s = %s.value.%s", name, n.Name, name)
			}
		}
		w.line(depth+1, "}")
		w.line(depth, "}")
		return
	}
	for it := v.ElementIterator(); it.Next(); {
		k, e := it.Element()
		head := n.Name
		if n.Nesting == schema.Map {
			head += fmt.Sprintf(" %q", k.AsString())
		}
		w.body(depth, head, n.Block, e, at.Index(k))
	}
}

// blank says whether an object has nothing set.
func blank(v cty.Value) bool {
	for it := v.ElementIterator(); it.Next(); {
		if _, e := it.Element(); !e.IsNull() && !(e.CanIterateElements() && !e.Type().IsObjectType() && e.LengthInt() == 0) {
			return false
		}
	}
	return true
}

// text writes a value; the one that is to be unknown is a reference, and so is a
// secret.
func (w *writer) text(v cty.Value, at cty.Path) string {
	switch {
	case len(at) == 1 && w.secrets[at[0].(cty.GetAttrStep).Name]:
		return "var." + at[0].(cty.GetAttrStep).Name
	case len(w.unknown) > 0 && at.Equals(w.unknown):
		return "terraform_data.later.output"
	case len(w.unknown) > len(at) && w.unknown[:len(at)].Equals(at) && v.Type().IsObjectType():
		var parts []string
		for _, name := range sortedAttrs(v.Type()) {
			if e := v.GetAttr(name); !e.IsNull() {
				parts = append(parts, "  "+name+" = "+indented(w.text(e, at.GetAttr(name)), 1))
			}
		}
		return "{\n" + strings.Join(parts, "\n") + "\n}"
	case len(w.unknown) > len(at) && w.unknown[:len(at)].Equals(at) && v.CanIterateElements() && !v.Type().IsSetType():
		open, shut, parts := "[", "]", []string(nil)
		for it := v.ElementIterator(); it.Next(); {
			k, e := it.Element()
			part := indented(w.text(e, at.Index(k)), 1)
			if v.Type().IsMapType() {
				open, shut = "{", "}"
				part = oneLine(k) + " = " + part
			}
			parts = append(parts, "  "+part+",")
		}
		return open + "\n" + strings.Join(parts, "\n") + "\n" + shut
	}
	return valuetext.Format(value.Strip(pruned(v)).Cty(), 0)
}

// pruned is a value without the null attributes of its objects.
func pruned(v cty.Value) cty.Value {
	if !v.IsKnown() || v.IsNull() || !v.CanIterateElements() {
		return v
	}
	switch t := v.Type(); {
	case t.IsObjectType():
		attrs := map[string]cty.Value{}
		for _, name := range sortedAttrs(t) {
			if e := v.GetAttr(name); !e.IsNull() {
				attrs[name] = pruned(e)
			}
		}
		return cty.ObjectVal(attrs)
	case t.IsMapType():
		attrs := map[string]cty.Value{}
		for it := v.ElementIterator(); it.Next(); {
			k, e := it.Element()
			attrs[k.AsString()] = pruned(e)
		}
		return cty.ObjectVal(attrs)
	}
	var out []cty.Value
	for it := v.ElementIterator(); it.Next(); {
		_, e := it.Element()
		out = append(out, pruned(e))
	}
	return cty.TupleVal(out)
}

func indented(text string, depth int) string {
	return strings.ReplaceAll(text, "\n", "\n"+strings.Repeat("  ", depth))
}

func oneLine(v cty.Value) string {
	return strings.Join(strings.Fields(valuetext.Format(pruned(v), 0)), " ")
}
