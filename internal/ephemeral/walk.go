package ephemeral

import (
	"context"
	"slices"
	"sync"
	"time"

	"github.com/plumb-iac/plumb/addr"
	"github.com/plumb-iac/plumb/event"
	"github.com/plumb-iac/plumb/internal/evaluate"
	"github.com/plumb-iac/plumb/internal/lang"
	"github.com/plumb-iac/plumb/internal/schedule"
	"github.com/plumb-iac/plumb/plan"
	"github.com/plumb-iac/plumb/provider"
	"github.com/plumb-iac/plumb/value"
	"github.com/zclconf/go-cty/cty"
)

// Host is the walk that the ephemeral objects belong to. Its first nodes are
// the sites of the program, by their ids.
type Host interface {
	schedule.Work
	// Active says whether a site takes part in the walk.
	Active(id int) bool
	// Configured is an instance of the provider at a provider's site; nil when
	// there is none.
	Configured(site *evaluate.Site, key addr.InstanceKey) provider.Provider
	// Pending says whether something that the site depends on is going to change
	// after this walk, so that the site's objects cannot be opened yet. It is
	// asked once, when all that the site reads is there.
	Pending(site *evaluate.Site) bool
	// PutOff takes note of an object that cannot be opened in this run, nor in
	// one that follows from it.
	PutOff(site *evaluate.Site, at addr.AbsInstance, config addr.ProviderConfig, why plan.DeferReason)
	// Ends are the nodes that end objects of a resource.
	Ends(site *evaluate.Site) []int
}

// Options are what a run needs beside the host.
type Options struct {
	Emit  func(event.Event)
	Clock Clock
	// Deferral offers providers to put the opening off.
	Deferral bool
	Limits   schedule.Limits
}

// Clock is the time that renewals go by.
type Clock struct {
	Now   func() time.Time
	After func(time.Duration) <-chan time.Time
}

// Run works through the graph of a host. It returns when every node was closed
// or skipped and every ephemeral object is closed, and gives the host's nodes that
// wait for each other in a circle, so that they were skipped.
func Run(ctx context.Context, run *evaluate.Run, g schedule.Graph, host Host, o Options) (stuck []int) {
	w := &walk{Host: host, run: run, Options: o, base: g.N, nodes: map[int]*node{}}
	for _, s := range run.Sites() {
		if isEphemeral(s) && host.Active(s.ID) {
			n := &node{site: s}
			w.order, w.nodes[s.ID] = append(w.order, n), n
		}
	}
	stuck = schedule.Run(ctx, w.closers(g), w, o.Limits)
	w.closeRest(ctx)
	return slices.DeleteFunc(stuck, func(id int) bool { return id >= w.base })
}

func isEphemeral(s *evaluate.Site) bool {
	return s.Kind == evaluate.Resource && s.Resource.Addr.Resource.Mode == addr.Ephemeral
}

// walk is the host's work with that of the ephemeral resources.
type walk struct {
	Host
	Options
	run *evaluate.Run
	// base+i is the node that closes order[i].
	base  int
	order []*node
	nodes map[int]*node

	mu sync.Mutex
	// leases are the objects that were opened, in that order.
	leases []*lease
}

// node is the site of an ephemeral resource.
type node struct {
	site    *evaluate.Site
	objects []object
	// pending says that the objects cannot be opened yet.
	pending bool
	// closing are the leases that the closing node works on.
	closing []*lease
}

// object is one ephemeral object.
type object struct {
	addr   addr.AbsInstance
	config addr.ProviderConfig
	scope  *lang.Scope
	value  value.V
	lease  *lease
	failed bool
	// uncertain says that nobody knows yet whether there is such an object.
	uncertain bool
}

// Open starts a node.
func (w *walk) Open(ctx context.Context, id int) int {
	if id >= w.base {
		n := w.order[id-w.base]
		for i := range n.objects {
			if l := n.objects[i].lease; l != nil {
				n.closing = append(n.closing, l)
			}
		}
		return len(n.closing)
	}
	if n := w.nodes[id]; n != nil {
		return w.expand(n)
	}
	return w.Host.Open(ctx, id)
}

// expand lists the objects of a resource.
func (w *walk) expand(n *node) int {
	s := n.site
	n.pending = w.Pending(s)
	if !w.run.Expand(s) {
		n.objects = []object{{failed: true}}
		return 0
	}
	for mi := range w.run.Instances(s.Module) {
		base, keys := w.run.Scope(s, mi), w.run.Keys(s, mi)
		for key := range keys.All() {
			sc := evaluate.ObjectScope(base, keys, key)
			config, diags := w.run.ProviderOf(s, mi, func() *lang.Scope { return sc })
			w.run.Report(diags)
			if diags.HasErrors() {
				n.objects = []object{{failed: true}}
				return 0
			}
			n.objects = append(n.objects, object{addr: w.run.InstanceAddr(s, mi, key), config: config, scope: sc, uncertain: w.run.Uncertain(s, mi)})
		}
	}
	return len(n.objects)
}

// Object works on one object of a node.
func (w *walk) Object(ctx context.Context, id, i int) {
	if id >= w.base {
		w.release(ctx, w.order[id-w.base].closing[i])
		return
	}
	n := w.nodes[id]
	if n == nil {
		w.Host.Object(ctx, id, i)
		return
	}
	w.open(ctx, n, &n.objects[i])
}

// Panicked ends a node, or an object of it, that ran into a mistake of the engine's.
// What was opened is still closed.
func (w *walk) Panicked(id, i int, cause any) {
	if id >= w.base {
		w.run.Crashed(w.order[id-w.base].site.Addr(), cause)
		return
	}
	n := w.nodes[id]
	switch {
	case n == nil:
		w.Host.Panicked(id, i, cause)
	case i < 0:
		w.run.Crashed(n.site.Addr(), cause)
		n.objects = append(n.objects, object{failed: true})
	default:
		w.run.Crashed(n.objects[i].addr.String(), cause)
		n.objects[i].failed = true
	}
}

// release closes an object.
func (w *walk) release(ctx context.Context, l *lease) {
	defer func() {
		if p := recover(); p != nil {
			w.run.Crashed(l.addr.String(), p)
		}
	}()
	w.run.Report(l.release(ctx))
}

// Close ends a node: the values of an ephemeral resource become its slot.
func (w *walk) Close(ctx context.Context, id int) bool {
	if id >= w.base {
		return true
	}
	n := w.nodes[id]
	if n == nil {
		return w.Host.Close(ctx, id)
	}
	for i := range n.objects {
		if n.objects[i].failed {
			return false
		}
	}
	w.run.Put(n.site, w.values(n))
	return true
}

// values are a resource's values, one a module instance.
func (w *walk) values(n *node) []value.V {
	byAddr := make(map[addr.AbsInstance]value.V, len(n.objects))
	for i := range n.objects {
		byAddr[n.objects[i].addr] = n.objects[i].value
	}
	out := make([]value.V, len(w.run.Instances(n.site.Module)))
	for mi := range out {
		if w.run.Keys(n.site, mi).IsUnknown() {
			out[mi] = value.Mark(cty.DynamicVal, value.Ephemeral)
			continue
		}
		out[mi] = w.run.Keys(n.site, mi).Aggregate(func(key addr.InstanceKey) cty.Value {
			return orUnknown(byAddr[w.run.InstanceAddr(n.site, mi, key)])
		})
	}
	return out
}

// orUnknown stands in for an object that a halted run did not come to.
func orUnknown(v value.V) value.V {
	if v == cty.NilVal {
		return value.Mark(cty.DynamicVal, value.Ephemeral)
	}
	return v
}

// Skip notes that a node will not run. What it would have closed is closed when
// the walk is over.
func (w *walk) Skip(id int) {
	if id < w.base {
		w.Host.Skip(id)
	}
}

// closeRest closes what a run that was halted left open, the latest first.
func (w *walk) closeRest(ctx context.Context) {
	for i := len(w.leases) - 1; i >= 0; i-- {
		w.release(ctx, w.leases[i])
	}
}
