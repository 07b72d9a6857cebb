package scenario

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/plumb-iac/plumb/addr"
	"github.com/plumb-iac/plumb/diag"
	"github.com/plumb-iac/plumb/plan"
	"github.com/plumb-iac/plumb/state"
	"github.com/plumb-iac/plumb/value"
	"github.com/zclconf/go-cty/cty"
	ctyjson "github.com/zclconf/go-cty/cty/json"
)

// The textual forms of what the engine gives.

var deposedKey = regexp.MustCompile(`\b[0-9a-f]{8}\b`)

// object is an address without the random key of a deposed object.
func (tl *teller) object(o addr.Object) string {
	if o.Deposed == "" {
		return o.Instance.String()
	}
	return o.Instance.String() + " (deposed)"
}

func (tl *teller) changes(cs []*plan.Change, drift bool) []string {
	var out []string
	for _, c := range cs {
		if c.Action == plan.NoOp && !c.Moved() && c.Importing == nil && !drift {
			continue
		}
		line := tl.object(c.Object()) + "  " + strings.Join(c.Action.Names(), "+")
		if c.Reason != plan.NoReason {
			line += " (" + string(c.Reason) + ")"
		}
		if c.Moved() {
			line += " from " + c.PrevAddr.String()
		}
		if c.Importing != nil {
			line += " importing " + c.Importing.ID
			if !c.Importing.Identity.IsZero() {
				line += text(c.Importing.Identity.Cty())
			}
		}
		out = append(out, line+pathList("replace", c.ReplacePaths)+pathList("unknown", unknownPaths(c.After))+
			pathList("sensitive", sensitivePaths(c.After))+valuesChanged(c, drift))
	}
	return out
}

// deferred are changes with the reasons why they wait.
func (tl *teller) deferred(list []*plan.DeferredChange) []string {
	var out []string
	for _, d := range list {
		c := &d.Change
		line := "[" + string(d.Reason) + "] " + tl.object(c.Object()) + "  " + strings.Join(c.Action.Names(), "+")
		if c.Importing != nil {
			line += " importing " + c.Importing.ID
		}
		out = append(out, line+pathList("unknown", unknownPaths(c.After))+valuesChanged(c, false))
	}
	return out
}

// generated is the configuration that a plan generated.
func generated(cs []*plan.Change) []string {
	var out []string
	for _, c := range cs {
		if c.GeneratedConfig != "" {
			out = append(out, strings.Split(c.GeneratedConfig, "\n")...)
		}
	}
	return out
}

// valuesChanged is what an update or drift changes.
func valuesChanged(c *plan.Change, drift bool) string {
	if c.Action != plan.Update {
		return ""
	}
	before, after := bare(c.Before), bare(c.After)
	var out []string
	for _, name := range sortedNames(after.AsValueMap()) {
		if was, is := before.GetAttr(name), after.GetAttr(name); !was.RawEquals(is) {
			out = append(out, name+": "+text(was)+" -> "+text(is))
		}
	}
	if len(out) == 0 {
		return "  (marks only)"
	}
	return "  " + strings.Join(out, ", ")
}

func pathList(title string, ps []cty.Path) string {
	if len(ps) == 0 {
		return ""
	}
	names := make([]string, len(ps))
	for i, p := range ps {
		names[i] = strings.TrimPrefix(value.PathString(p), ".")
	}
	slices.Sort(names)
	return "  " + title + ": " + strings.Join(names, " ")
}

func unknownPaths(v value.V) []cty.Path {
	var out []cty.Path
	_ = cty.Walk(bare(v), func(p cty.Path, v cty.Value) (bool, error) {
		if !v.IsKnown() {
			out = append(out, p.Copy())
		}
		return true, nil
	})
	return out
}

func sensitivePaths(v value.V) []cty.Path {
	_, marks := value.Split(v)
	var out []cty.Path
	for _, m := range marks.Only(value.Sensitive) {
		out = append(out, m.Path)
	}
	return out
}

// text is a value as JSON, ? where it is unknown.
func text(v cty.Value) string {
	v, _ = v.UnmarkDeep()
	if !v.IsWhollyKnown() {
		if !v.IsKnown() {
			return "?"
		}
		out, _ := cty.Transform(v, func(_ cty.Path, v cty.Value) (cty.Value, error) {
			if !v.IsKnown() {
				return cty.StringVal("?"), nil
			}
			return v, nil
		})
		v = out
	}
	raw, err := ctyjson.Marshal(v, v.Type())
	if err != nil {
		return err.Error()
	}
	return string(raw)
}

func relevant(as []plan.RelevantAttr) []string {
	out := make([]string, len(as))
	for i, a := range as {
		out[i] = a.Resource.String() + value.PathString(a.Path)
	}
	return out
}

func outputs(cs []plan.OutputChange) []string {
	var out []string
	for _, c := range cs {
		if c.Action == plan.NoOp {
			continue
		}
		line := fmt.Sprintf("%s  %s  %s", c.Name, strings.Join(c.Action.Names(), "+"), text(c.After))
		if c.Sensitive {
			line += "  sensitive"
		}
		out = append(out, line)
	}
	return out
}

func (tl *teller) diagnostics(l diag.List) []string {
	var out []string
	for _, d := range l {
		line := d.Severity.String() + ": " + d.Summary
		if d.Subject != nil {
			line += fmt.Sprintf("  [%s:%d]", d.Subject.Filename, d.Subject.Start.Line)
		}
		if d.Address != "" {
			line += "  @" + d.Address
		}
		first, _, _ := strings.Cut(d.Detail, "\n")
		out = append(out, deposedKey.ReplaceAllString(line, "KEY"), "  "+deposedKey.ReplaceAllString(first, "KEY"))
	}
	return out
}

// state is a snapshot in lines.
func (tl *teller) state(s *state.Snapshot) []string {
	var out []string
	for at, o := range s.Objects() {
		line := tl.object(at) + " " + string(o.Attrs)
		if o.Status == state.Tainted {
			line += "  tainted"
		}
		if o.CreateBeforeDestroy {
			line += "  create-first"
		}
		if p := s.Instance(at.Instance).Provider(); p.Alias != "" || !p.Module.IsRoot() {
			line += "  provider " + p.String()
		}
		if len(o.Dependencies) > 0 {
			var deps []string
			for _, d := range o.Dependencies {
				deps = append(deps, d.String())
			}
			line += "  needs " + strings.Join(deps, " ")
		}
		out = append(out, line+pathList("sensitive", o.Sensitive))
	}
	for r := range s.Resources() {
		if r.Len() == 0 {
			out = append(out, r.Addr().String()+" (no instances)")
		}
	}
	slices.Sort(out) // deposed objects of an instance have random keys
	for name, o := range s.Outputs() {
		line := "output " + name + " = " + text(o.Value)
		if o.Sensitive {
			line += "  sensitive"
		}
		out = append(out, line)
	}
	for _, err := range s.Check() {
		out = append(out, "BROKEN "+err.Error())
	}
	if len(out) == 0 {
		out = append(out, "(empty)")
	}
	return out
}

func checks(cs []state.CheckResult) []string {
	var out []string
	for _, c := range cs {
		out = append(out, fmt.Sprintf("%s %s %s", c.Kind, c.ConfigAddr, c.Status))
		for _, o := range c.Objects {
			out = append(out, strings.TrimSpace(fmt.Sprintf("  %s %s %s", o.Addr, o.Status, strings.Join(o.Failures, "; "))))
		}
	}
	return out
}

func (tl *teller) journal() []string {
	var out []string
	for _, e := range tl.disk.wrote {
		out = append(out, deposedKey.ReplaceAllString(e.String(), "KEY"))
	}
	return out
}

func (tl *teller) remote() []string {
	var out []string
	for _, name := range sortedNames(tl.world.fakes) {
		for _, line := range strings.Split(strings.TrimSuffix(tl.world.fakes[name].Remote(), "\n"), "\n") {
			if line != "" {
				out = append(out, line)
			}
		}
	}
	return out
}
