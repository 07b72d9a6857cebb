package state

import (
	"iter"
	"slices"

	"github.com/plumb-iac/plumb/addr"
)

// Snapshot is everything known at one moment. The nil Snapshot is empty and
// may be read, but not edited.
type Snapshot struct {
	serial  uint64
	lineage string
	version string

	resources *node[sortKey, *Resource]
	outputs   *node[nameKey, Output]
	checks    []CheckResult
	objects   int

	// recent is the provider configuration last put, shared with the resources
	// put after it.
	recent *addr.ProviderConfig
}

// New is the empty snapshot of a lineage, serial 0.
func New(lineage string) *Snapshot { return &Snapshot{lineage: lineage} }

// Serial counts the stored versions of the lineage.
func (s *Snapshot) Serial() uint64 {
	if s == nil {
		return 0
	}
	return s.serial
}

// Lineage tells unrelated states apart. Empty until one has been given.
func (s *Snapshot) Lineage() string {
	if s == nil {
		return ""
	}
	return s.lineage
}

// Version is the version of the program that wrote the snapshot, as found in
// the file.
func (s *Snapshot) Version() string {
	if s == nil {
		return ""
	}
	return s.version
}

// WithSerial is s with another serial.
func (s *Snapshot) WithSerial(n uint64) *Snapshot { c := s.copy(); c.serial = n; return c }

// WithLineage is s with another lineage.
func (s *Snapshot) WithLineage(lineage string) *Snapshot {
	c := s.copy()
	c.lineage = lineage
	return c
}

// WithVersion is s with another writer's version.
func (s *Snapshot) WithVersion(v string) *Snapshot { c := s.copy(); c.version = v; return c }

func (s *Snapshot) copy() *Snapshot {
	if s == nil {
		return &Snapshot{}
	}
	c := *s
	return &c
}

// Empty says whether s holds neither resources nor outputs.
func (s *Snapshot) Empty() bool {
	return s == nil || s.resources == nil && s.outputs == nil
}

// Len is the number of resources.
func (s *Snapshot) Len() int {
	if s == nil {
		return 0
	}
	return s.resources.len()
}

// Count is the number of objects, current and deposed.
func (s *Snapshot) Count() int {
	if s == nil {
		return 0
	}
	return s.objects
}

// Resources are the resources in the order of their addresses.
func (s *Snapshot) Resources() iter.Seq[*Resource] {
	return func(yield func(*Resource) bool) {
		if s != nil {
			s.resources.walk(func(_ sortKey, r *Resource) bool { return yield(r) })
		}
	}
}

// Objects are all objects with their addresses, in order.
func (s *Snapshot) Objects() iter.Seq2[addr.Object, *Object] {
	return func(yield func(addr.Object, *Object) bool) {
		for r := range s.Resources() {
			for i := range r.Instances() {
				for at, o := range i.Objects() {
					if !yield(addr.Object{Instance: r.addr.Instance(i.key), Deposed: at}, o) {
						return
					}
				}
			}
		}
	}
}

// Resource is the resource at a, nil if there is none.
func (s *Snapshot) Resource(a addr.AbsResource) *Resource {
	if s == nil {
		return nil
	}
	r, _ := s.resources.get(sortKeyOf(a))
	return r
}

// Instance is the instance at a, nil if there is none.
func (s *Snapshot) Instance(a addr.AbsInstance) *Instance {
	return s.Resource(a.Abs()).Instance(a.Key)
}

// Object is the object at a, current or deposed; nil if there is none.
func (s *Snapshot) Object(a addr.Object) *Object {
	return s.Instance(a.Instance).Object(a.Deposed)
}

// Outputs are the root module's output values, sorted by name.
func (s *Snapshot) Outputs() iter.Seq2[string, Output] {
	return func(yield func(string, Output) bool) {
		if s != nil {
			s.outputs.walk(func(k nameKey, o Output) bool { return yield(string(k), o) })
		}
	}
}

// Output is one output value.
func (s *Snapshot) Output(name string) (Output, bool) {
	if s == nil {
		return Output{}, false
	}
	return s.outputs.get(nameKey(name))
}

// Checks are the outcomes of the last run's checks; nil when none ran.
func (s *Snapshot) Checks() []CheckResult {
	if s == nil {
		return nil
	}
	return slices.Clone(s.checks)
}
