package provisioner

import (
	"context"
	"path/filepath"

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

// Options say where provisioners run.
type Options struct {
	// Env is the environment that commands start with, GOOS the operating system
	// whose command interpreters there are.
	Env  []string
	GOOS string
	// Dir is where commands start and what the names of files are relative to;
	// "" is the directory of the process.
	Dir string
}

// in is a path, relative to the directory where it is relative.
func (o Options) in(path string) string {
	if o.Dir == "" || filepath.IsAbs(path) {
		return path
	}
	if path == "" {
		return o.Dir
	}
	return o.Dir + string(filepath.Separator) + path // a slash at the end means something
}

// All are the provisioners by name.
func All(o Options) map[string]Provisioner {
	return map[string]Provisioner{"local-exec": localExec{o}, "remote-exec": remoteExec{o}, "file": fileCopy{o}}
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
