package state

import (
	"iter"
	"slices"
	"strings"

	"github.com/plumb-iac/plumb/addr"
)

// Resource is all that is known of one resource in one module instance. The
// nil Resource has no instances.
type Resource struct {
	addr      addr.AbsResource
	sort      sortKey
	provider  *addr.ProviderConfig
	instances *node[addr.InstanceKey, *Instance]
}

// Addr is the resource's address.
func (r *Resource) Addr() addr.AbsResource { return r.addr }

// Provider is the provider configuration that new instances take over. Those
// that exist may have another one: see [Instance.Provider].
func (r *Resource) Provider() addr.ProviderConfig { return deref(r.provider) }

// Len is the number of instances.
func (r *Resource) Len() int {
	if r == nil {
		return 0
	}
	return r.instances.len()
}

// Instances are the instances sorted by key.
func (r *Resource) Instances() iter.Seq[*Instance] {
	return func(yield func(*Instance) bool) {
		if r != nil {
			r.instances.walk(func(_ addr.InstanceKey, i *Instance) bool { return yield(i) })
		}
	}
}

// Instance is the instance with key k, nil if there is none.
func (r *Resource) Instance(k addr.InstanceKey) *Instance {
	if r == nil {
		return nil
	}
	i, _ := r.instances.get(k)
	return i
}

// Instance is the objects of one resource instance. The nil Instance has none.
type Instance struct {
	key     addr.InstanceKey
	current *Object
	deposed []deposed
	// provider is the resource's, or the instance's own where own is set.
	provider *addr.ProviderConfig
	own      bool
}

type deposed struct {
	key    addr.DeposedKey
	object *Object
}

// Key tells the instance from its siblings.
func (i *Instance) Key() addr.InstanceKey { return i.key }

// Current is the current object, nil if only deposed ones exist.
func (i *Instance) Current() *Object {
	if i == nil {
		return nil
	}
	return i.current
}

// Deposed are the objects left behind by replacements, sorted by key.
func (i *Instance) Deposed() iter.Seq2[addr.DeposedKey, *Object] {
	return func(yield func(addr.DeposedKey, *Object) bool) {
		if i == nil {
			return
		}
		for _, d := range i.deposed {
			if !yield(d.key, d.object) {
				return
			}
		}
	}
}

// HasDeposed says whether there is a deposed object.
func (i *Instance) HasDeposed() bool { return i != nil && len(i.deposed) > 0 }

// Objects are the current object, under the empty key, and the deposed ones.
func (i *Instance) Objects() iter.Seq2[addr.DeposedKey, *Object] {
	return func(yield func(addr.DeposedKey, *Object) bool) {
		if i == nil || i.current != nil && !yield("", i.current) {
			return
		}
		i.Deposed()(yield)
	}
}

// Object is the current object (empty key) or a deposed one; nil if there is
// none.
func (i *Instance) Object(k addr.DeposedKey) *Object {
	switch {
	case i == nil:
		return nil
	case k == "":
		return i.current
	}
	if at, ok := i.find(k); ok {
		return i.deposed[at].object
	}
	return nil
}

// Provider is the provider configuration that manages the instance.
func (i *Instance) Provider() addr.ProviderConfig { return deref(i.provider) }

// OwnProvider says whether the provider configuration is recorded for this
// instance alone, as with a provider block that has for_each.
func (i *Instance) OwnProvider() bool { return i.own }

func (i *Instance) find(k addr.DeposedKey) (int, bool) {
	return slices.BinarySearchFunc(i.deposed, k, func(d deposed, k addr.DeposedKey) int {
		return strings.Compare(string(d.key), string(k))
	})
}

// len is the number of objects.
func (i *Instance) len() int {
	if i == nil {
		return 0
	}
	n := len(i.deposed)
	if i.current != nil {
		n++
	}
	return n
}

// with is i with object o at k; nil removes it.
func (i *Instance) with(k addr.DeposedKey, o *Object) *Instance {
	c := *i
	if k == "" {
		c.current = o
		return &c
	}
	at, found := i.find(k)
	switch {
	case found && o == nil:
		c.deposed = append(slices.Clone(i.deposed[:at]), i.deposed[at+1:]...)
	case found:
		c.deposed = slices.Clone(i.deposed)
		c.deposed[at].object = o
	case o != nil:
		c.deposed = slices.Insert(slices.Clone(i.deposed), at, deposed{k, o})
	}
	return &c
}

// without is i with objects that do not depend on r.
func (i *Instance) without(r addr.ConfigResource) *Instance {
	for k, o := range i.Objects() {
		if deps := Others(o.Dependencies, r); len(deps) < len(o.Dependencies) {
			c := *o
			c.Dependencies = deps
			i = i.with(k, &c)
		}
	}
	return i
}

func deref(p *addr.ProviderConfig) addr.ProviderConfig {
	if p == nil {
		return addr.ProviderConfig{}
	}
	return *p
}
