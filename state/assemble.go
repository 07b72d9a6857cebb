package state

import (
	"fmt"
	"slices"

	"github.com/plumb-iac/plumb/addr"
)

// Header is what identifies a snapshot.
type Header struct {
	Serial  uint64
	Lineage string
	// Version is the writer's version.
	Version string
}

// Entry is one object of a snapshot to be assembled. A nil Value makes a husk
// of the resource.
type Entry struct {
	Object addr.Object
	// Provider is shared, not copied.
	Provider *addr.ProviderConfig
	// Own says that the provider configuration is recorded for the instance.
	Own   bool
	Value *Object
}

// Assemble makes a snapshot of parts in any order, at once and cheaper than
// edits would. It refuses two objects at one address.
func Assemble(h Header, entries []Entry, outputs map[string]Output, checks []CheckResult) (*Snapshot, error) {
	s := &Snapshot{serial: h.Serial, lineage: h.Lineage, version: h.Version, checks: checks}
	resources, err := assembleResources(entries)
	if err != nil {
		return nil, err
	}
	s.resources = plant(len(resources), func(i int) (sortKey, *Resource) { return resources[i].sort, resources[i] })
	for _, r := range resources {
		for i := range r.Instances() {
			s.objects += i.len()
		}
	}
	for name, o := range outputs {
		s.outputs = s.outputs.set(nameKey(name), o)
	}
	return s, nil
}

type keyedEntry struct {
	sort sortKey
	*Entry
}

func assembleResources(entries []Entry) ([]*Resource, error) {
	keyed := make([]keyedEntry, len(entries))
	for i := range entries {
		e := &entries[i]
		k := sortKey("")
		if i > 0 && entries[i-1].Object.Instance.Abs() == e.Object.Instance.Abs() {
			k = keyed[i-1].sort
		} else {
			k = sortKeyOf(e.Object.Instance.Abs())
		}
		keyed[i] = keyedEntry{k, e}
	}
	if !slices.IsSortedFunc(keyed, compareEntries) {
		slices.SortStableFunc(keyed, compareEntries)
	}
	var out []*Resource
	for len(keyed) > 0 {
		n := 1
		for n < len(keyed) && keyed[n].sort == keyed[0].sort {
			n++
		}
		r, err := assembleResource(keyed[:n])
		if err != nil {
			return nil, err
		}
		out = append(out, r)
		keyed = keyed[n:]
	}
	return out, nil
}

func compareEntries(a, b keyedEntry) int {
	switch {
	case a.sort != b.sort:
		return order(a.sort < b.sort)
	case a.Object.Instance.Key != b.Object.Instance.Key:
		return order(a.Object.Instance.Key.Less(b.Object.Instance.Key))
	case a.Object.Deposed != b.Object.Deposed:
		return order(a.Object.Deposed < b.Object.Deposed)
	}
	return 0
}

func order(less bool) int {
	if less {
		return -1
	}
	return 1
}

// assembleResource makes the resource that all entries belong to.
func assembleResource(entries []keyedEntry) (*Resource, error) {
	first := entries[0]
	r := &Resource{addr: first.Object.Instance.Abs(), sort: first.sort, provider: first.Provider}
	var all []*Instance
	for n, e := range entries {
		if e.Value == nil {
			continue
		}
		if n > 0 && entries[n-1].Value != nil && entries[n-1].Object == e.Object {
			return nil, fmt.Errorf("there are two objects at %s", e.Object)
		}
		if !e.Own {
			r.provider = e.Provider
		}
		if len(all) == 0 || all[len(all)-1].key != e.Object.Instance.Key {
			all = append(all, &Instance{key: e.Object.Instance.Key, provider: e.Provider, own: e.Own})
		}
		i := all[len(all)-1]
		if e.Object.Deposed == "" {
			i.current = e.Value
		} else {
			i.deposed = append(i.deposed, deposed{e.Object.Deposed, e.Value})
		}
	}
	r.instances = plant(len(all), func(n int) (addr.InstanceKey, *Instance) { return all[n].key, all[n] })
	return r, nil
}
