package journal

import (
	"encoding/binary"
	"fmt"
	"slices"

	"github.com/plumb-iac/plumb/addr"
	"github.com/plumb-iac/plumb/state"
	"github.com/zclconf/go-cty/cty"
	ctyjson "github.com/zclconf/go-cty/cty/json"
)

// appendEdit is the body of an edit's record.
func appendEdit(e *Encoder, edit state.Edit) ([]byte, error) {
	switch x := edit.(type) {
	case state.Put:
		b := appendObjectAddr(e.start(kindPut), x.Object)
		return appendObject(appendProvider(b, x.Provider), x.New)
	case state.Drop:
		return appendObjectAddr(e.start(kindDrop), x.Object), nil
	case state.Depose:
		return appendObjectAddr(e.start(kindDepose), x.Subject()), nil
	case state.Undepose:
		return appendObjectAddr(e.start(kindUndepose), addr.Object{Instance: x.Instance, Deposed: x.Key}), nil
	case state.Taint:
		return appendBool(appendInstance(e.start(kindTaint), x.Instance), x.Tainted), nil
	case state.Rebind:
		return appendInstance(appendInstance(e.start(kindRebind), x.From), x.To), nil
	case state.PutProvider:
		return appendProvider(appendInstance(e.start(kindPutProvider), x.Resource.Instance(addr.NoKey)), x.Provider), nil
	case state.Prune:
		return e.start(kindPrune), nil
	case state.PutOutput:
		return appendOutput(appendText(e.start(kindPutOutput), x.Name), x.Output)
	case state.DropOutput:
		return appendText(e.start(kindDropOutput), x.Name), nil
	case state.PutChecks:
		return appendChecks(e.start(kindPutChecks), x.Checks), nil
	case state.Settle:
		return appendObjectAddr(e.start(kindSettle), x.Object), nil
	case state.Intent:
		return appendText(appendText(appendObjectAddr(e.start(kindIntent), x.Object), x.Op), x.Digest), nil
	}
	return nil, fmt.Errorf("edit %T has no form in the journal", edit)
}

func appendText[T ~string | ~[]byte](b []byte, s T) []byte {
	return append(binary.AppendUvarint(b, uint64(len(s))), s...)
}

func appendBool(b []byte, v bool) []byte {
	if v {
		return append(b, 1)
	}
	return append(b, 0)
}

// The forms of an instance key.
const (
	keyNone = iota
	keyInt
	keyString
)

func appendKey(b []byte, k addr.InstanceKey) []byte {
	if n, ok := k.Int(); ok {
		return binary.AppendUvarint(append(b, keyInt), uint64(n))
	}
	if s, ok := k.Str(); ok {
		return appendText(append(b, keyString), s)
	}
	return append(b, keyNone)
}

func appendInstance(b []byte, i addr.AbsInstance) []byte {
	b = append(appendText(b, i.Module.String()), byte(i.Resource.Mode))
	return appendKey(appendText(appendText(b, i.Resource.Type), i.Resource.Name), i.Key)
}

func appendObjectAddr(b []byte, o addr.Object) []byte {
	return appendText(appendInstance(b, o.Instance), o.Deposed)
}

func appendProvider(b []byte, p addr.ProviderConfig) []byte {
	if p == (addr.ProviderConfig{}) {
		return appendBool(b, false)
	}
	b = appendText(appendBool(b, true), p.Module.Key())
	b = appendText(appendText(appendText(b, p.Provider.Host), p.Provider.Namespace), p.Provider.Type)
	return appendKey(appendText(b, p.Alias), p.Key)
}

func appendObject(b []byte, o *state.Object) ([]byte, error) {
	if o == nil {
		return nil, fmt.Errorf("there is no object to record")
	}
	b = append(b, byte(o.Status))
	b = binary.AppendVarint(b, o.SchemaVersion)
	b = appendBool(appendBool(b, o.CreateBeforeDestroy), o.SkipDestroy)
	b = appendText(b, o.Attrs)
	b = appendFlat(b, o.Flat)
	b = appendText(b, o.Private)
	b = appendBool(b, o.Identity != nil)
	b = binary.AppendVarint(appendText(b, o.Identity), o.IdentityVersion)
	b = binary.AppendUvarint(b, uint64(len(o.Dependencies)))
	for _, d := range o.Dependencies {
		b = append(appendText(b, d.Module.Key()), byte(d.Resource.Mode))
		b = appendText(appendText(b, d.Resource.Type), d.Resource.Name)
	}
	return appendPaths(b, o.Sensitive)
}

func appendFlat(b []byte, m map[string]string) []byte {
	b = appendBool(b, m != nil)
	b = binary.AppendUvarint(b, uint64(len(m)))
	names := make([]string, 0, len(m))
	for name := range m {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		b = appendText(appendText(b, name), m[name])
	}
	return b
}

// The forms of a step of a path.
const (
	stepAttr = iota
	stepIndex
)

func appendPaths(b []byte, paths []cty.Path) ([]byte, error) {
	b = binary.AppendUvarint(b, uint64(len(paths)))
	for _, p := range paths {
		b = binary.AppendUvarint(b, uint64(len(p)))
		for _, step := range p {
			switch step := step.(type) {
			case cty.GetAttrStep:
				b = appendText(append(b, stepAttr), step.Name)
			case cty.IndexStep:
				key, err := ctyjson.Marshal(step.Key, cty.DynamicPseudoType)
				if err != nil {
					return nil, fmt.Errorf("a sensitive path cannot be recorded: %w", err)
				}
				b = appendText(append(b, stepIndex), key)
			}
		}
	}
	return b, nil
}

func appendOutput(b []byte, o state.Output) ([]byte, error) {
	if o.Value == cty.NilVal {
		return nil, fmt.Errorf("there is no value to record")
	}
	t, err := ctyjson.MarshalType(o.Value.Type())
	if err != nil {
		return nil, err
	}
	v, err := ctyjson.Marshal(o.Value, o.Value.Type())
	if err != nil {
		return nil, err
	}
	return appendText(appendBool(appendText(appendText(b, t), v), o.Sensitive), o.Deprecated), nil
}

func appendChecks(b []byte, checks []state.CheckResult) []byte {
	b = binary.AppendUvarint(b, uint64(len(checks)))
	for _, c := range checks {
		b = append(appendText(appendText(b, c.Kind), c.ConfigAddr), byte(c.Status))
		b = binary.AppendUvarint(b, uint64(len(c.Objects)))
		for _, o := range c.Objects {
			b = append(appendText(b, o.Addr), byte(o.Status))
			b = binary.AppendUvarint(b, uint64(len(o.Failures)))
			for _, f := range o.Failures {
				b = appendText(b, f)
			}
		}
	}
	return b
}
