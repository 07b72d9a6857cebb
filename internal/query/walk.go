package query

import (
	"context"
	"slices"
	"sync"

	"github.com/plumb-iac/plumb/addr"
	"github.com/plumb-iac/plumb/diag"
	"github.com/plumb-iac/plumb/event"
	"github.com/plumb-iac/plumb/internal/converse"
	"github.com/plumb-iac/plumb/internal/ephemeral"
	"github.com/plumb-iac/plumb/internal/evaluate"
	"github.com/plumb-iac/plumb/internal/lang"
	"github.com/plumb-iac/plumb/internal/schedule"
	"github.com/plumb-iac/plumb/plan"
	"github.com/plumb-iac/plumb/provider"
	"github.com/plumb-iac/plumb/value"
	"github.com/zclconf/go-cty/cty"
)

// Watcher hears what is found as soon as it is.
type Watcher interface {
	Began(l *List)
	Found(l *List, o *Object)
	Ended(l *List)
}

// Options are what a search needs beside the run.
type Options struct {
	Clients converse.Clients
	Watcher Watcher
	// Generate writes configuration for what is found.
	Generate                 bool
	Emit                     func(event.Event)
	Halted                   func() bool
	Parallelism, Evaluations int
	Clock                    ephemeral.Clock
}

// List is the search of one instance of a list block, with what it found.
type List struct {
	Addr addr.AbsInstance
	// Config is what the provider was asked with.
	Config value.Bare
	// Sensitive are the paths of the objects' attributes that are not shown.
	Sensitive []cty.Path
	Found     []*Object
}

// Object is a remote object.
type Object struct {
	DisplayName string
	Identity    value.Bare
	// IdentityVersion is the version of the identity's schema.
	IdentityVersion int64
	// Value is the whole object where it was asked for.
	Value value.Bare
	// Name is the generated resource name; Config and Import are the blocks.
	Name, Config, Import string
}

// Run searches. The lists come in the order of their addresses.
func Run(ctx context.Context, run *evaluate.Run, o Options) ([]*List, diag.List) {
	w := &walk{Run: run, Options: o, nodes: map[int]*node{}, names: map[string]bool{}}
	w.active = make([]bool, len(run.Sites()))
	for _, s := range run.Sites() {
		if isList(s) {
			w.take(s.ID)
		}
	}
	ephemeral.Run(ctx, run, w.graph(), w, ephemeral.Options{Emit: o.Emit, Clock: o.Clock,
		Limits: schedule.Limits{Evaluations: max(1, o.Evaluations), Calls: max(1, o.Parallelism), Halted: w.Halted}})
	var lists []*List
	for _, n := range w.nodes {
		lists = append(lists, n.lists...)
	}
	slices.SortFunc(lists, func(a, b *List) int { return addr.Compare(a.Addr, b.Addr) })
	if w.Halted() || ctx.Err() != nil {
		run.Report(diag.Errs("execution halted", "The run was asked to stop before everything was searched."))
	}
	return lists, run.Diags()
}

func isList(s *evaluate.Site) bool {
	return s.Kind == evaluate.Resource && s.Resource.Addr.Resource.Mode == addr.List
}

// walk is the schedule's work: one node a site, of which those take part that a
// list block needs.
type walk struct {
	*evaluate.Run
	Options
	active []bool

	// book has the configured providers. A search offers them no deferral.
	book converse.Book

	mu    sync.Mutex // guards what follows
	nodes map[int]*node
	names map[string]bool
	// telling is held while a list is told as a whole.
	telling sync.Mutex
}

// node is a list block with its instances.
type node struct {
	lists  []*List
	scopes []*lang.Scope
	failed []bool
}

func (w *walk) take(id int) {
	if w.active[id] {
		return
	}
	w.active[id] = true
	for _, r := range w.Sites()[id].Reads {
		w.take(r)
	}
}

func (w *walk) graph() schedule.Graph {
	g := schedule.Graph{N: len(w.Sites())}
	for _, s := range w.Sites() {
		for _, id := range s.Reads {
			g.Edges = append(g.Edges, schedule.Edge{From: s.ID, To: id})
		}
	}
	return g
}

// Open starts a node.
func (w *walk) Open(_ context.Context, id int) int {
	if !w.active[id] {
		return 0
	}
	s := w.Sites()[id]
	switch {
	case s.Kind == evaluate.Provider:
		return 1
	case isList(s):
		return w.open(s)
	case s.Kind == evaluate.Resource:
		w.unsearched(s)
	default:
		w.Evaluate(s)
	}
	return 0
}

// open lists the instances of a list block.
func (w *walk) open(s *evaluate.Site) int {
	n := &node{}
	w.put(s.ID, n)
	if !w.Expand(s) {
		n.failed = []bool{true}
		return 0
	}
	for mi := range w.Instances(s.Module) {
		base, keys := w.Scope(s, mi), w.Keys(s, mi)
		for key := range keys.All() {
			n.lists = append(n.lists, &List{Addr: w.InstanceAddr(s, mi, key)})
			n.scopes = append(n.scopes, evaluate.ObjectScope(base, keys, key))
		}
	}
	n.failed = make([]bool, len(n.lists))
	return len(n.lists)
}

// unsearched is the value of a resource that a search does not look at.
func (w *walk) unsearched(s *evaluate.Site) {
	values := make([]value.V, len(w.Instances(s.Module)))
	for i := range values {
		values[i] = cty.DynamicVal
	}
	w.Put(s, values)
}

// Object configures a provider or searches.
func (w *walk) Object(ctx context.Context, id, i int) {
	s := w.Sites()[id]
	if s.Kind == evaluate.Provider {
		w.book.Open(ctx, w.Run, w.Clients, s, addr.NoKey, false)
		return
	}
	n := w.node(id)
	x := &search{walk: w, site: s, list: n.lists[i], scope: n.scopes[i]}
	x.run(ctx)
	n.failed[i] = x.diags.HasErrors()
	w.Report(x.diags)
}

func (w *walk) put(id int, n *node) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.nodes[id] = n
}

func (w *walk) node(id int) *node {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.nodes[id]
}

// Close ends a node: what a list found becomes its slot.
func (w *walk) Close(_ context.Context, id int) bool {
	if !w.active[id] {
		return true
	}
	s := w.Sites()[id]
	if s.Kind == evaluate.Provider {
		return w.Configured(s, addr.NoKey) != nil
	}
	n := w.node(id)
	if n == nil {
		return true
	}
	if slices.Contains(n.failed, true) {
		return false
	}
	w.aggregate(s, n)
	return true
}

// aggregate writes the slot of a list block: objects with what was found as
// data.
func (w *walk) aggregate(s *evaluate.Site, n *node) {
	values := map[addr.AbsInstance]value.V{}
	for _, l := range n.lists {
		values[l.Addr] = l.value()
	}
	out := make([]value.V, len(w.Instances(s.Module)))
	for mi := range out {
		out[mi] = w.Keys(s, mi).Aggregate(func(key addr.InstanceKey) cty.Value { return values[w.InstanceAddr(s, mi, key)] })
	}
	w.Put(s, out)
}

// value is what a list is worth to other list blocks.
func (l *List) value() value.V {
	var found []cty.Value
	for _, o := range l.Found {
		attrs := map[string]cty.Value{"display_name": cty.StringVal(o.DisplayName), "identity": o.Identity.Cty()}
		attrs["state"] = cty.NullVal(cty.DynamicPseudoType)
		if !o.Value.IsZero() {
			attrs["state"] = o.Value.Cty()
		}
		found = append(found, cty.ObjectVal(attrs))
	}
	return cty.ObjectVal(map[string]cty.Value{"data": cty.TupleVal(found)})
}

// Skip does nothing: what a failed site hides is found when it is mended.
func (w *walk) Skip(int) {}

// Panicked ends a node, or a list of it, that ran into a mistake of the engine's. Of
// a provider that was not opened the book knows.
func (w *walk) Panicked(id, i int, cause any) {
	s := w.Sites()[id]
	w.Crashed(s.Addr(), cause)
	if i < 0 {
		w.put(id, &node{failed: []bool{true}})
	} else if s.Kind != evaluate.Provider {
		w.node(id).failed[i] = true
	}
}

// Halted says whether a stop was asked for.
func (w *walk) Halted() bool { return w.Options.Halted != nil && w.Options.Halted() }

// Active says whether a site takes part.
func (w *walk) Active(id int) bool { return w.active[id] }

// Pending is never so: a search changes nothing.
func (w *walk) Pending(*evaluate.Site) bool { return false }

// PutOff is never called: a search offers no deferral.
func (w *walk) PutOff(*evaluate.Site, addr.AbsInstance, addr.ProviderConfig, plan.DeferReason) {}

// Ends are none: a search changes nothing.
func (w *walk) Ends(*evaluate.Site) []int { return nil }

// Configured is the provider at a provider's site; nil when it could not be
// configured.
func (w *walk) Configured(s *evaluate.Site, key addr.InstanceKey) provider.Provider {
	return w.book.Client(s, key)
}
