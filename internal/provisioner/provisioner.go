package provisioner

import (
	"context"

	"github.com/plumb-iac/plumb/diag"
	"github.com/plumb-iac/plumb/schema"
	"github.com/zclconf/go-cty/cty"
)

// Provisioner does one kind of work beside a resource.
type Provisioner interface {
	// Schema is that of the block's body.
	Schema() *schema.Block
	// Run does the work. output is told each line to show.
	Run(ctx context.Context, config, connection cty.Value, output func(string)) diag.List
}

// All are the provisioners by name. env is the environment that commands
// start with; command interpreters are those of goos.
func All(env []string, goos string) map[string]Provisioner {
	return map[string]Provisioner{
		"local-exec":  localExec{env: env, goos: goos},
		"remote-exec": remoteExec{env: env},
		"file":        fileCopy{env: env},
	}
}

// fields reads the attributes of a configuration object.
type fields struct{ v cty.Value }

func (f fields) get(name string) (cty.Value, bool) {
	if f.v == cty.NilVal || f.v.IsNull() || !f.v.IsKnown() || !f.v.Type().IsObjectType() || !f.v.Type().HasAttribute(name) {
		return cty.NilVal, false
	}
	v := f.v.GetAttr(name)
	return v, !v.IsNull() && v.IsKnown()
}

func (f fields) text(name string) string {
	if v, ok := f.get(name); ok && v.Type() == cty.String {
		return v.AsString()
	}
	return ""
}

func (f fields) set(name string) bool {
	_, ok := f.get(name)
	return ok
}

func (f fields) yes(name string) bool {
	v, ok := f.get(name)
	return ok && v.Type() == cty.Bool && v.True()
}

func (f fields) number(name string, otherwise int) int {
	v, ok := f.get(name)
	if !ok || v.Type() != cty.Number {
		return otherwise
	}
	n, _ := v.AsBigFloat().Int64()
	return int(n)
}

// texts are the elements of a list of strings. ok is false when one is null.
func (f fields) texts(name string) (out []string, ok bool) {
	v, set := f.get(name)
	if !set || !v.CanIterateElements() {
		return nil, true
	}
	for it := v.ElementIterator(); it.Next(); {
		_, e := it.Element()
		if e.IsNull() || !e.IsKnown() || e.Type() != cty.String {
			return nil, false
		}
		out = append(out, e.AsString())
	}
	return out, true
}

func attribute(name string, t cty.Type, required bool) *schema.Attribute {
	return &schema.Attribute{Name: name, Type: t, Required: required, Optional: !required}
}
