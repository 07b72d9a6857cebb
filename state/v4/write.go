package v4

import (
	"encoding/base64"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/plumb-iac/plumb/addr"
	"github.com/plumb-iac/plumb/state"
	"github.com/zclconf/go-cty/cty"
	ctyjson "github.com/zclconf/go-cty/cty/json"
)

// Options are what a file has besides the snapshot.
type Options struct {
	// Version is the writer's version, of the shape x.y.z. Empty keeps the one
	// that the snapshot was read with.
	Version string
}

// Write writes s as a state file. What it writes is all or nothing only as far
// as w is: the first error ends it.
func Write(w io.Writer, s *state.Snapshot, o Options) error {
	e := &encoder{w: w, buf: make([]byte, 0, flushAt+flushAt/4), addresses: map[addr.ConfigResource]string{}}
	e.file(s, o)
	e.flush()
	return e.err
}

// flushAt is how much is collected before it is written.
const flushAt = 256 << 10

// encoder writes JSON the way encoding/json indents it: two spaces, empty
// objects and arrays closed at once, and the characters that mean something in
// HTML escaped.
type encoder struct {
	w   io.Writer
	buf []byte
	err error
	// depth is how deep the encoder is, first whether nothing has been written
	// at this depth yet.
	depth int
	first bool
	// addresses are the texts of dependencies, which repeat.
	addresses map[addr.ConfigResource]string
}

func (e *encoder) flush() {
	if e.err == nil && len(e.buf) > 0 {
		_, e.err = e.w.Write(e.buf)
	}
	e.buf = e.buf[:0]
}

func (e *encoder) fail(err error) {
	if e.err == nil {
		e.err = err
	}
}

func (e *encoder) open(bracket byte) {
	e.buf = append(e.buf, bracket)
	e.depth++
	e.first = true
}

func (e *encoder) close(bracket byte) {
	e.depth--
	if !e.first {
		e.buf = appendLine(e.buf, e.depth)
	}
	e.first = false
	e.buf = append(e.buf, bracket)
}

// next begins an element.
func (e *encoder) next() {
	if !e.first {
		e.buf = append(e.buf, ',')
	}
	e.first = false
	e.buf = appendLine(e.buf, e.depth)
}

// name begins a member.
func (e *encoder) name(n string) {
	e.next()
	e.buf = append(appendQuoted(e.buf, n), ':', ' ')
}

func (e *encoder) text(name, s string) {
	e.name(name)
	e.buf = appendQuoted(e.buf, s)
}

func (e *encoder) textUnlessEmpty(name, s string) {
	if s != "" {
		e.text(name, s)
	}
}

func (e *encoder) trueOnly(name string, b bool) {
	if b {
		e.name(name)
		e.buf = append(e.buf, "true"...)
	}
}

func (e *encoder) int(name string, n int64) {
	e.name(name)
	e.buf = strconv.AppendInt(e.buf, n, 10)
}

func (e *encoder) file(s *state.Snapshot, o Options) {
	e.open('{')
	e.int("version", Version)
	version := o.Version
	if version == "" {
		version = s.Version()
	}
	e.text("terraform_version", version)
	e.name("serial")
	e.buf = strconv.AppendUint(e.buf, s.Serial(), 10)
	e.text("lineage", s.Lineage())
	e.outputs(s)
	e.resources(s)
	e.checks(s.Checks())
	e.close('}')
	e.buf = append(e.buf, '\n')
}

func (e *encoder) outputs(s *state.Snapshot) {
	e.name("outputs")
	e.open('{')
	for name, o := range s.Outputs() {
		t := o.Value.Type()
		value, err := ctyjson.Marshal(o.Value, t)
		if err != nil {
			e.fail(fmt.Errorf("output %q cannot be stored: %w", name, err))
			return
		}
		typ, err := ctyjson.MarshalType(t)
		if err != nil {
			e.fail(fmt.Errorf("the type of output %q cannot be stored: %w", name, err))
			return
		}
		e.name(name)
		e.open('{')
		e.raw("value", value)
		e.raw("type", typ)
		e.trueOnly("sensitive", o.Sensitive)
		e.textUnlessEmpty("deprecated", o.Deprecated)
		e.close('}')
	}
	e.close('}')
}

func (e *encoder) resources(s *state.Snapshot) {
	e.name("resources")
	e.open('[')
	for _, r := range fileOrder(s) {
		if e.err != nil {
			return
		}
		e.next()
		e.resource(r)
	}
	e.close(']')
}

// fileOrder sorts as the format does: modules by their address as text.
func fileOrder(s *state.Snapshot) []*state.Resource {
	all := slices.AppendSeq(make([]*state.Resource, 0, s.Len()), s.Resources())
	byModule := func(a, b *state.Resource) int {
		return strings.Compare(a.Addr().Module.String(), b.Addr().Module.String())
	}
	if !slices.IsSortedFunc(all, byModule) {
		slices.SortStableFunc(all, byModule)
	}
	return all
}

func (e *encoder) resource(r *state.Resource) {
	at := r.Addr()
	e.open('{')
	e.textUnlessEmpty("module", at.Module.String())
	e.text("mode", at.Resource.Mode.String())
	e.text("type", at.Resource.Type)
	e.text("name", at.Resource.Name)
	own := false
	for i := range r.Instances() {
		own = own || i.OwnProvider()
	}
	if !own {
		e.text("provider", r.Provider().String())
	}
	e.name("instances")
	e.open('[')
	for i := range r.Instances() {
		for k, o := range i.Objects() {
			e.next()
			e.instance(at, i, k, o, own)
		}
	}
	e.close(']')
	e.close('}')
}

func (e *encoder) instance(at addr.AbsResource, i *state.Instance, k addr.DeposedKey, o *state.Object, own bool) {
	if len(e.buf) > flushAt {
		e.flush()
	}
	e.open('{')
	e.indexKey(i.Key())
	if o.Status == state.Tainted {
		e.text("status", "tainted")
	}
	e.textUnlessEmpty("deposed", string(k))
	if own {
		e.text("provider", i.Provider().String())
	}
	e.int("schema_version", o.SchemaVersion)
	switch {
	case o.Flat == nil:
		if !jsontext.Value(o.Attrs).IsValid(jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true)) {
			e.fail(fmt.Errorf("the attributes of %s are not valid JSON", at.Instance(i.Key())))
		}
		e.raw("attributes", o.Attrs)
	case len(o.Flat) > 0:
		e.flatmap(o.Flat)
	}
	e.paths(o.Sensitive)
	e.int("identity_schema_version", o.IdentityVersion)
	if o.Identity != nil {
		e.raw("identity", o.Identity)
	}
	if len(o.Private) > 0 {
		e.text("private", base64.StdEncoding.EncodeToString(o.Private))
	}
	e.dependencies(o.Dependencies)
	e.trueOnly("create_before_destroy", o.CreateBeforeDestroy)
	e.trueOnly("skip_destroy", o.SkipDestroy)
	e.close('}')
}

func (e *encoder) indexKey(k addr.InstanceKey) {
	if n, ok := k.Int(); ok {
		e.int("index_key", int64(n))
	}
	if s, ok := k.Str(); ok {
		e.text("index_key", s)
	}
}

func (e *encoder) flatmap(m map[string]string) {
	names := make([]string, 0, len(m))
	for name := range m {
		names = append(names, name)
	}
	slices.Sort(names)
	e.name("attributes_flat")
	e.open('{')
	for _, name := range names {
		e.text(name, m[name])
	}
	e.close('}')
}

func (e *encoder) dependencies(deps []addr.ConfigResource) {
	if len(deps) == 0 {
		return
	}
	e.name("dependencies")
	e.open('[')
	for _, d := range deps {
		e.next()
		text, known := e.addresses[d]
		if !known {
			text = d.String()
			e.addresses[d] = text
		}
		e.buf = appendQuoted(e.buf, text)
	}
	e.close(']')
}

func (e *encoder) paths(paths []cty.Path) {
	e.name("sensitive_attributes")
	e.open('[')
	for _, path := range paths {
		e.next()
		e.open('[')
		for _, step := range path {
			e.next()
			e.step(step)
		}
		e.close(']')
	}
	e.close(']')
}

func (e *encoder) step(step cty.PathStep) {
	e.open('{')
	switch step := step.(type) {
	case cty.GetAttrStep:
		e.text("type", "get_attr")
		e.text("value", step.Name)
	case cty.IndexStep:
		e.text("type", "index")
		value, err := ctyjson.Marshal(step.Key, cty.DynamicPseudoType)
		if err != nil {
			e.fail(fmt.Errorf("a sensitive path cannot be stored: %w", err))
			value = []byte("null")
		}
		e.raw("value", value)
	}
	e.close('}')
}

func (e *encoder) checks(checks []state.CheckResult) {
	e.name("check_results")
	if len(checks) == 0 {
		e.buf = append(e.buf, "null"...)
		return
	}
	e.open('[')
	for _, c := range checks {
		e.next()
		e.open('{')
		e.text("object_kind", c.Kind)
		e.text("config_addr", c.ConfigAddr)
		e.text("status", c.Status.String())
		e.checkObjects(c.Objects)
		e.close('}')
	}
	e.close(']')
}

func (e *encoder) checkObjects(objects []state.CheckObject) {
	e.name("objects")
	if len(objects) == 0 {
		e.buf = append(e.buf, "null"...)
		return
	}
	e.open('[')
	for _, o := range objects {
		e.next()
		e.open('{')
		e.text("object_addr", o.Addr)
		e.text("status", o.Status.String())
		if len(o.Failures) > 0 {
			e.name("failure_messages")
			e.open('[')
			for _, f := range o.Failures {
				e.next()
				e.buf = appendQuoted(e.buf, f)
			}
			e.close(']')
		}
		e.close('}')
	}
	e.close(']')
}
