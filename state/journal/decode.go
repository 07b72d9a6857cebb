package journal

import (
	"bytes"
	"encoding/binary"
	"math"
	"strings"

	"github.com/plumb-iac/plumb/addr"
	"github.com/plumb-iac/plumb/state"
	"github.com/plumb-iac/plumb/value"
	"github.com/zclconf/go-cty/cty"
)

// decoder takes a body apart. After the first part that is not there, all
// further ones are zero and done is false.
type decoder struct {
	src     []byte
	bad     bool
	modules map[string]addr.ModuleInstance
}

func newDecoder() *decoder { return &decoder{modules: map[string]addr.ModuleInstance{}} }

func (d *decoder) reset(src []byte) { d.src, d.bad = src, false }

// done says whether everything was there and nothing is left.
func (d *decoder) done() bool { return !d.bad && len(d.src) == 0 }

func (d *decoder) fail() { d.bad, d.src = true, nil }

func (d *decoder) uint() uint64 {
	n, width := binary.Uvarint(d.src)
	if width <= 0 {
		d.fail()
		return 0
	}
	d.src = d.src[width:]
	return n
}

func (d *decoder) int() int64 {
	n, width := binary.Varint(d.src)
	if width <= 0 {
		d.fail()
		return 0
	}
	d.src = d.src[width:]
	return n
}

// count reads how many parts follow, of which each takes at least a byte.
func (d *decoder) count() int {
	n := d.uint()
	if n > uint64(len(d.src)) {
		d.fail()
		return 0
	}
	return int(n)
}

func (d *decoder) byte() byte {
	if len(d.src) == 0 {
		d.fail()
		return 0
	}
	b := d.src[0]
	d.src = d.src[1:]
	return b
}

func (d *decoder) bool() bool { return d.byte() == 1 }

func (d *decoder) fixed(n int) string {
	if n > len(d.src) {
		d.fail()
		return ""
	}
	s := string(d.src[:n])
	d.src = d.src[n:]
	return s
}

func (d *decoder) digest() (out Digest) {
	copy(out[:], d.fixed(len(out)))
	return out
}

func (d *decoder) text() string { return d.fixed(d.count()) }

// bytes are a copy, nil where there are none.
func (d *decoder) bytes() []byte {
	n := d.count()
	if n == 0 {
		return nil
	}
	b := bytes.Clone(d.src[:n])
	d.src = d.src[n:]
	return b
}

// edit reads what follows the kind; nil for an unknown kind or a bad body.
func (d *decoder) edit(k kind) state.Edit {
	e := d.editOf(k)
	if d.bad {
		return nil
	}
	return e
}

func (d *decoder) editOf(k kind) state.Edit {
	switch k {
	case kindPut:
		return state.Put{Object: d.objectAddr(), Provider: d.provider(), New: d.object()}
	case kindDrop:
		return state.Drop{Object: d.objectAddr()}
	case kindDepose:
		o := d.objectAddr()
		return state.Depose{Instance: o.Instance, Key: o.Deposed}
	case kindUndepose:
		o := d.objectAddr()
		return state.Undepose{Instance: o.Instance, Key: o.Deposed}
	case kindTaint:
		return state.Taint{Instance: d.instance(), Tainted: d.bool()}
	case kindRebind:
		return state.Rebind{From: d.instance(), To: d.instance()}
	case kindPutProvider:
		return state.PutProvider{Resource: d.instance().Abs(), Provider: d.provider()}
	case kindPrune:
		return state.Prune{}
	case kindPutOutput:
		return state.PutOutput{Name: d.text(), Output: d.output()}
	case kindDropOutput:
		return state.DropOutput{Name: d.text()}
	case kindPutChecks:
		return state.PutChecks{Checks: d.checks()}
	case kindSettle:
		return state.Settle{Object: d.objectAddr()}
	case kindIntent:
		return state.Intent{Object: d.objectAddr(), Op: d.text(), Digest: d.text()}
	}
	return nil
}

func (d *decoder) key() addr.InstanceKey {
	switch d.byte() {
	case keyNone:
		return addr.NoKey
	case keyInt:
		if n := d.uint(); n <= math.MaxInt {
			return addr.IntKey(int(n))
		}
	case keyString:
		return addr.StringKey(d.text())
	}
	d.fail()
	return addr.NoKey
}

func (d *decoder) instance() addr.AbsInstance {
	var i addr.AbsInstance
	text := d.text()
	m, ok := d.modules[text]
	if !ok {
		var err error
		if m, err = addr.ParseModuleInstance(text); err != nil {
			d.fail()
		}
		d.modules[text] = m
	}
	i.Module = m
	i.Resource = addr.Resource{Mode: addr.Mode(d.byte()), Type: d.text(), Name: d.text()}
	i.Key = d.key()
	return i
}

func (d *decoder) objectAddr() addr.Object {
	return addr.Object{Instance: d.instance(), Deposed: addr.DeposedKey(d.text())}
}

func (d *decoder) module() addr.Module {
	text := d.text()
	if text == "" {
		return addr.Root
	}
	return addr.ModuleOf(strings.Split(text, ".")...)
}

func (d *decoder) provider() addr.ProviderConfig {
	if !d.bool() {
		return addr.ProviderConfig{}
	}
	return addr.ProviderConfig{
		Module:   d.module(),
		Provider: addr.Provider{Host: d.text(), Namespace: d.text(), Type: d.text()},
		Alias:    d.text(),
		Key:      d.key(),
	}
}

func (d *decoder) object() *state.Object {
	o := &state.Object{Status: state.Status(d.byte()), SchemaVersion: d.int()}
	o.CreateBeforeDestroy, o.SkipDestroy = d.bool(), d.bool()
	o.Attrs = d.bytes()
	o.Flat = d.flat()
	o.Private = d.bytes()
	has := d.bool()
	if o.Identity = d.bytes(); has && o.Identity == nil {
		o.Identity = []byte{}
	}
	o.IdentityVersion = d.int()
	for range d.count() {
		o.Dependencies = append(o.Dependencies, addr.ConfigResource{
			Module: d.module(), Resource: addr.Resource{Mode: addr.Mode(d.byte()), Type: d.text(), Name: d.text()},
		})
	}
	o.Sensitive = d.paths()
	if o.Status > state.Tainted {
		d.fail()
	}
	return o
}

func (d *decoder) flat() map[string]string {
	has, n := d.bool(), d.count()
	if !has {
		return nil
	}
	m := make(map[string]string, n)
	for range n {
		name := d.text()
		m[name] = d.text()
	}
	return m
}

func (d *decoder) paths() []cty.Path {
	var out []cty.Path
	for range d.count() {
		var p cty.Path
		for range d.count() {
			p = append(p, d.step())
		}
		out = append(out, p)
	}
	return out
}

func (d *decoder) step() cty.PathStep {
	switch d.byte() {
	case stepAttr:
		return cty.GetAttrStep{Name: d.text()}
	case stepIndex:
		if v, err := value.FromJSON(d.bytes(), cty.DynamicPseudoType); err == nil {
			return cty.IndexStep{Key: v.Cty()}
		}
	}
	d.fail()
	return cty.GetAttrStep{}
}

func (d *decoder) output() state.Output {
	typ, raw := d.bytes(), d.bytes()
	o := state.Output{Sensitive: d.bool(), Deprecated: d.text()}
	t, err := value.TypeFromJSON(typ)
	if err == nil {
		var v value.Bare
		v, err = value.FromJSON(raw, t)
		o.Value = v.Cty()
	}
	if err != nil {
		d.fail()
	}
	return o
}

func (d *decoder) status() state.CheckStatus {
	s := state.CheckStatus(d.byte())
	if s > state.CheckError {
		d.fail()
		return state.CheckUnknown
	}
	return s
}

func (d *decoder) checks() []state.CheckResult {
	var out []state.CheckResult
	for range d.count() {
		c := state.CheckResult{Kind: d.text(), ConfigAddr: d.text(), Status: d.status()}
		for range d.count() {
			o := state.CheckObject{Addr: d.text(), Status: d.status()}
			for range d.count() {
				o.Failures = append(o.Failures, d.text())
			}
			c.Objects = append(c.Objects, o)
		}
		out = append(out, c)
	}
	return out
}
