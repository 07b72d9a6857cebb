package state

import (
	"bytes"
	"maps"
	"slices"

	"github.com/zclconf/go-cty/cty"
)

// Equal compares what is stored: serial, lineage and the writer's version do
// not count.
func (s *Snapshot) Equal(o *Snapshot) bool {
	if s == o {
		return true
	}
	s, o = s.copy(), o.copy()
	return sameTree(s.resources, o.resources, (*Resource).Equal) &&
		sameTree(s.outputs, o.outputs, Output.Equal) &&
		equalChecks(s.checks, o.checks)
}

// sameTree compares entry by entry. Shared trees are equal without looking.
func sameTree[K ordered[K], V any](a, b *node[K, V], equal func(V, V) bool) bool {
	if a == b {
		return true
	}
	if a.len() != b.len() {
		return false
	}
	return a.walk(func(k K, v V) bool {
		w, ok := b.get(k)
		return ok && equal(v, w)
	})
}

// Equal compares the instances, or the providers of husks.
func (r *Resource) Equal(o *Resource) bool {
	return r == o || r.addr == o.addr && (r.Len() > 0 || r.Provider() == o.Provider()) &&
		sameTree(r.instances, o.instances, (*Instance).Equal)
}

// Equal compares provider and objects. Whether the provider is recorded for
// the instance or the resource does not count.
func (i *Instance) Equal(o *Instance) bool {
	if i == o {
		return true
	}
	return i.key == o.key && i.Provider() == o.Provider() && i.current.Equal(o.current) &&
		slices.EqualFunc(i.deposed, o.deposed, func(a, b deposed) bool {
			return a.key == b.key && a.object.Equal(b.object)
		})
}

// Equal compares everything. Attributes are compared as they are encoded.
func (o *Object) Equal(p *Object) bool {
	if o == p {
		return true
	}
	if o == nil || p == nil {
		return false
	}
	return o.Status == p.Status && o.SchemaVersion == p.SchemaVersion &&
		o.CreateBeforeDestroy == p.CreateBeforeDestroy && o.SkipDestroy == p.SkipDestroy &&
		o.IdentityVersion == p.IdentityVersion && bytes.Equal(o.Identity, p.Identity) &&
		bytes.Equal(o.Attrs, p.Attrs) && (o.Flat == nil) == (p.Flat == nil) && maps.Equal(o.Flat, p.Flat) &&
		bytes.Equal(o.Private, p.Private) && slices.Equal(o.Dependencies, p.Dependencies) &&
		slices.EqualFunc(o.Sensitive, p.Sensitive, cty.Path.Equals)
}

// Equal compares value, sensitivity and deprecation.
func (o Output) Equal(p Output) bool {
	return o.Sensitive == p.Sensitive && o.Deprecated == p.Deprecated && o.Value.RawEquals(p.Value)
}

func equalChecks(a, b []CheckResult) bool {
	return slices.EqualFunc(a, b, CheckResult.Equal)
}

// Equal compares everything.
func (c CheckResult) Equal(d CheckResult) bool {
	return c.Kind == d.Kind && c.ConfigAddr == d.ConfigAddr && c.Status == d.Status &&
		slices.EqualFunc(c.Objects, d.Objects, func(a, b CheckObject) bool {
			return a.Addr == b.Addr && a.Status == b.Status && slices.Equal(a.Failures, b.Failures)
		})
}

func cloneChecks(in []CheckResult) []CheckResult {
	out := slices.Clone(in)
	for i := range out {
		out[i].Objects = slices.Clone(out[i].Objects)
	}
	return out
}
