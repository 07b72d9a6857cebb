package planjson

import (
	"strings"

	"github.com/plumb-iac/plumb/addr"
	"github.com/plumb-iac/plumb/plan/planjson/jsonout"
	"github.com/plumb-iac/plumb/state"
)

// checkKinds are the words for the kinds of objects that have checks.
var checkKinds = map[string]string{"resource": "resource", "output": "output_value", "check": "check", "var": "var"}

func writeChecks(w *jsonout.Writer, checks []state.CheckResult) {
	if len(checks) == 0 {
		return
	}
	w.Key("checks")
	w.BeginList()
	for i := range checks {
		writeCheck(w, &checks[i])
	}
	w.EndList()
}

func writeCheck(w *jsonout.Writer, c *state.CheckResult) {
	w.Begin()
	w.Key("address")
	writeCheckAddr(w, c)
	w.KeyString("status", c.Status.String())
	if len(c.Objects) > 0 {
		w.Key("instances")
		w.BeginList()
		for i := range c.Objects {
			writeCheckObject(w, c, &c.Objects[i])
		}
		w.EndList()
	}
	w.End()
}

func writeCheckAddr(w *jsonout.Writer, c *state.CheckResult) {
	w.Begin()
	w.KeyString("to_display", c.ConfigAddr)
	kind := checkKinds[c.Kind]
	if kind == "" {
		kind = c.Kind
	}
	w.KeyString("kind", kind)
	if r, err := addr.ParseConfigResource(c.ConfigAddr); kind == "resource" && err == nil {
		w.KeyFilled("module", r.Module.String())
		w.KeyString("mode", r.Resource.Mode.String())
		w.KeyString("type", r.Resource.Type)
		w.KeyString("name", r.Resource.Name)
	} else {
		module, name := splitNamed(c.ConfigAddr)
		w.KeyFilled("module", module)
		w.KeyString("name", name)
	}
	w.End()
}

// splitNamed takes "module.a.output.x" apart into "module.a" and "x".
func splitNamed(a string) (module, name string) {
	i := strings.LastIndexByte(a, '.')
	if i < 0 {
		return "", a
	}
	rest, name := a[:i], a[i+1:]
	if j := strings.LastIndexByte(rest, '.'); j >= 0 {
		return rest[:j], name
	}
	return "", name
}

func writeCheckObject(w *jsonout.Writer, c *state.CheckResult, o *state.CheckObject) {
	w.Begin()
	w.Key("address")
	w.Begin()
	w.KeyString("to_display", o.Addr)
	if i, err := addr.ParseInstance(o.Addr); c.Kind == "resource" && err == nil {
		w.KeyFilled("module", i.Module.String())
		writeIndex(w, "instance_key", i.Key)
	} else {
		module, _ := splitNamed(o.Addr)
		w.KeyFilled("module", module)
	}
	w.End()
	w.KeyString("status", o.Status.String())
	if len(o.Failures) > 0 {
		w.Key("problems")
		w.BeginList()
		for _, f := range o.Failures {
			w.Begin()
			w.KeyString("message", f)
			w.End()
		}
		w.EndList()
	}
	w.End()
}
