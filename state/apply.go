package state

import (
	"slices"

	"github.com/plumb-iac/plumb/addr"
)

// Apply gives the snapshot after the edits, all or none of them. Edits that
// change nothing give s itself.
func (s *Snapshot) Apply(edits ...Edit) (*Snapshot, error) {
	d := draft{next: *s.copy()}
	for _, e := range edits {
		if err := e.apply(&d); err != nil {
			return s, err
		}
	}
	if !d.changed && s != nil {
		return s, nil
	}
	next := d.next
	return &next, nil
}

// draft is a snapshot in the making.
type draft struct {
	next    Snapshot
	changed bool
}

func refuse(e Edit, invariant, reason string) error {
	return &EditError{Edit: e, Invariant: invariant, Reason: reason}
}

func (d *draft) resource(a addr.AbsResource) (*Resource, sortKey) {
	k := sortKeyOf(a)
	r, _ := d.next.resources.get(k)
	return r, k
}

func (d *draft) instance(a addr.AbsInstance) (*Resource, *Instance) {
	r, _ := d.resource(a.Abs())
	return r, r.Instance(a.Key)
}

// put binds an instance; nil, or one without objects, removes it, and the
// resource with the last.
func (d *draft) put(r *Resource, k addr.InstanceKey, i *Instance) {
	d.changed = true
	d.next.objects += i.len() - r.Instance(k).len()
	c := *r
	if i.len() > 0 {
		c.instances = r.instances.set(k, i)
	} else {
		c.instances = r.instances.unset(k)
	}
	if c.instances == nil {
		d.next.resources = d.next.resources.unset(r.sort)
		return
	}
	d.next.resources = d.next.resources.set(r.sort, &c)
}

// share gives a pointer to p, the same one as last time where p is the same.
func (d *draft) share(p addr.ProviderConfig) *addr.ProviderConfig {
	if d.next.recent == nil || *d.next.recent != p {
		d.next.recent = &p
	}
	return d.next.recent
}

func (e Put) apply(d *draft) error {
	if invariant, reason := e.unfit(); invariant != "" {
		return refuse(e, invariant, reason)
	}
	r, key := d.resource(e.Object.Instance.Abs())
	i := r.Instance(e.Object.Instance.Key)
	if i.Object(e.Object.Deposed).Equal(e.New) && (e.Provider == addr.ProviderConfig{} || i.Provider() == e.Provider) {
		return nil
	}
	if r == nil {
		r = &Resource{addr: e.Object.Instance.Abs(), sort: key}
	}
	if i == nil {
		i = &Instance{key: e.Object.Instance.Key, provider: r.provider}
	}
	i = i.with(e.Object.Deposed, e.New)
	switch {
	case e.Provider == addr.ProviderConfig{}:
		if i.provider == nil {
			return refuse(e, "S8", "no provider configuration is given and none is recorded")
		}
	case e.Provider.Key != addr.NoKey:
		i.provider, i.own = d.share(e.Provider), true
		if r.provider == nil {
			c := *r
			c.provider = i.provider
			r = &c
		}
	default:
		r = r.managedBy(d.share(e.Provider))
		i.provider, i.own = r.provider, false
	}
	d.put(r, i.key, i)
	return nil
}

func (e Put) unfit() (invariant, reason string) {
	switch mode := e.Object.Instance.Resource.Mode; {
	case mode != addr.Managed && mode != addr.Data:
		return "S2", "objects of mode " + mode.String() + " are not stored"
	case e.New == nil:
		return "S3", "there is no object"
	case len(e.New.Attrs) == 0 && e.New.Flat == nil:
		return "S3", "the object has no attributes"
	case e.Object.Deposed != "" && !validDeposed(e.Object.Deposed):
		return "S5", "the deposed key is not eight hexadecimal digits"
	case mode == addr.Data && (e.Object.Deposed != "" || e.New.Status != Ready):
		return "S10", "a data source result is never tainted or deposed"
	}
	return "", ""
}

// managedBy is r with another provider configuration, which the instances
// without one of their own take over.
func (r *Resource) managedBy(p *addr.ProviderConfig) *Resource {
	if r.provider != nil && *r.provider == *p {
		return r
	}
	c := *r
	c.provider = p
	c.instances = plantWith(r, func(i Instance) Instance {
		if !i.own {
			i.provider = p
		}
		return i
	})
	return &c
}

// plantWith is the instances of r, each changed.
func plantWith(r *Resource, change func(Instance) Instance) *node[addr.InstanceKey, *Instance] {
	all := slices.Collect(r.Instances())
	return plant(len(all), func(n int) (addr.InstanceKey, *Instance) {
		i := change(*all[n])
		return i.key, &i
	})
}

func (e Drop) apply(d *draft) error {
	r, i := d.instance(e.Object.Instance)
	if i.Object(e.Object.Deposed) == nil {
		return nil
	}
	d.put(r, i.key, i.with(e.Object.Deposed, nil))
	return nil
}

func (e Depose) apply(d *draft) error {
	r, i := d.instance(e.Instance)
	switch {
	case i.Current() == nil:
		return refuse(e, "S6", "there is no current object")
	case !validDeposed(e.Key):
		return refuse(e, "S5", "the deposed key is not eight hexadecimal digits")
	case i.Object(e.Key) != nil:
		return refuse(e, "S5", "the deposed key is taken")
	case e.Instance.Resource.Mode != addr.Managed:
		return refuse(e, "S10", "a data source result is never tainted or deposed")
	}
	d.put(r, i.key, i.with(e.Key, i.current).with("", nil))
	return nil
}

func (e Undepose) apply(d *draft) error {
	r, i := d.instance(e.Instance)
	o := i.Object(e.Key)
	switch {
	case e.Key == "" || o == nil:
		return refuse(e, "S6", "there is no such deposed object")
	case i.current != nil:
		return refuse(e, "S7", "there is a current object")
	}
	d.put(r, i.key, i.with(e.Key, nil).with("", o))
	return nil
}

func (e Taint) apply(d *draft) error {
	r, i := d.instance(e.Instance)
	o := i.Current()
	want := Ready
	if e.Tainted {
		want = Tainted
	}
	switch {
	case o == nil:
		return refuse(e, "S6", "there is no current object")
	case e.Instance.Resource.Mode != addr.Managed:
		return refuse(e, "S10", "a data source result is never tainted or deposed")
	case o.Status == want:
		return nil
	}
	c := *o
	c.Status = want
	d.put(r, i.key, i.with("", &c))
	return nil
}

func (e Rebind) apply(d *draft) error {
	from, i := d.instance(e.From)
	if i == nil {
		return refuse(e, "S6", "nothing is known at the old address")
	}
	if e.From == e.To {
		return nil
	}
	if _, at := d.instance(e.To); at != nil {
		return refuse(e, "S7", "there is an object at the new address")
	}
	d.put(from, i.key, nil)
	c := *i.without(e.To.Config())
	c.key = e.To.Key
	to, key := d.resource(e.To.Abs())
	switch {
	case to == nil:
		to = &Resource{addr: e.To.Abs(), sort: key, provider: i.provider}
	case i.own:
	case i.provider.Provider == to.provider.Provider:
		c.provider = to.provider
	default:
		c.own = true
	}
	d.put(to, c.key, &c)
	return nil
}

func (e PutProvider) apply(d *draft) error {
	r, key := d.resource(e.Resource)
	switch mode := e.Resource.Resource.Mode; {
	case e.Provider == addr.ProviderConfig{}:
		return refuse(e, "S8", "no provider configuration is given")
	case mode != addr.Managed && mode != addr.Data:
		return refuse(e, "S2", "objects of mode "+mode.String()+" are not stored")
	case r == nil:
		r = &Resource{addr: e.Resource, sort: key}
	case r.uniform(e.Provider):
		return nil
	}
	c := *r
	c.provider = d.share(e.Provider)
	c.instances = plantWith(r, func(i Instance) Instance {
		i.provider, i.own = c.provider, false
		return i
	})
	d.changed = true
	d.next.resources = d.next.resources.set(key, &c)
	return nil
}

// uniform says whether p manages every instance of r, or r as a husk.
func (r *Resource) uniform(p addr.ProviderConfig) bool {
	for i := range r.Instances() {
		if *i.provider != p {
			return false
		}
	}
	return r.Len() > 0 || *r.provider == p
}

func (e Prune) apply(d *draft) error {
	for r := range d.next.Resources() {
		if r.Len() == 0 {
			d.next.resources = d.next.resources.unset(r.sort)
			d.changed = true
		}
	}
	return nil
}

func (e PutOutput) apply(d *draft) error {
	if !storable(e.Output.Value) {
		return refuse(e, "S9", "the value is missing, marked or not wholly known")
	}
	if old, ok := d.next.outputs.get(nameKey(e.Name)); ok && old.Equal(e.Output) {
		return nil
	}
	d.changed = true
	d.next.outputs = d.next.outputs.set(nameKey(e.Name), e.Output)
	return nil
}

func (e DropOutput) apply(d *draft) error {
	if rest := d.next.outputs.unset(nameKey(e.Name)); rest != d.next.outputs {
		d.changed = true
		d.next.outputs = rest
	}
	return nil
}

func (e PutChecks) apply(d *draft) error {
	if equalChecks(d.next.checks, e.Checks) {
		return nil
	}
	d.changed = true
	d.next.checks = cloneChecks(e.Checks)
	return nil
}

func (e Intent) apply(*draft) error { return nil }

func (e Settle) apply(*draft) error { return nil }
