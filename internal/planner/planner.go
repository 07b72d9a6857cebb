package planner

import (
	"context"
	"slices"
	"sync"
	"time"

	"github.com/plumb-iac/plumb/addr"
	"github.com/plumb-iac/plumb/diag"
	"github.com/plumb-iac/plumb/event"
	"github.com/plumb-iac/plumb/internal/converse"
	"github.com/plumb-iac/plumb/internal/ephemeral"
	"github.com/plumb-iac/plumb/internal/evaluate"
	"github.com/plumb-iac/plumb/internal/schedule"
	"github.com/plumb-iac/plumb/plan"
	"github.com/plumb-iac/plumb/provider"
	"github.com/plumb-iac/plumb/schema"
	"github.com/plumb-iac/plumb/state"
	"github.com/plumb-iac/plumb/value"
)

// Options are what a plan is made of beside the program.
type Options struct {
	Mode plan.Mode
	// PrevRun is the state with moves applied but not refreshed; Stored is what
	// the store has.
	PrevRun, Stored *state.Snapshot
	// Moved tells the previous address of objects that moved.
	Moved map[addr.AbsInstance]addr.AbsInstance
	// Forgotten says whether the objects of a resource that left the
	// configuration are forgotten instead of destroyed.
	Forgotten   func(addr.AbsInstance) bool
	Targets     []addr.Target
	Excludes    []addr.Target
	Replace     []addr.AbsInstance
	SkipRefresh bool
	// Deferral leaves what cannot be planned yet to a later run, instead of
	// failing, and offers providers to do the same.
	Deferral bool
	// Invoke names actions to run for their own sake.
	Invoke []addr.AbsAction

	// NamesTriggerOnCreate is the dialect's reading of replace_triggered_by for
	// objects that do not exist yet.
	NamesTriggerOnCreate bool
	// EmptyUnset is the dialect's reading of empty strings in objects that
	// configuration is generated for.
	EmptyUnset bool
	// ForgetFirst is the dialect's order in a replacement that forgets.
	ForgetFirst bool
	// RemembersKept has the state remember lifecycle.destroy = false, so that
	// it holds when the block is gone.
	RemembersKept bool
	// SpreadsUp has the state remember create-first of what is updated behind a
	// create-first replacement.
	SpreadsUp bool
	// WholeRelevantPaths is the dialect's reading of relevant attributes.
	WholeRelevantPaths bool

	Clients converse.Clients
	// Instead gives what answers for one object, its provider or what stands in
	// for it; nil for always the provider.
	Instead     func(addr.AbsInstance, provider.Provider) provider.Provider
	Emit        func(event.Event)
	Halted      func() bool
	Parallelism int
	Evaluations int
	Now         func() time.Time
	// Clock is what ephemeral objects are renewed by.
	Clock ephemeral.Clock
	// Trace notes the artefacts of objects that are to be explained.
	Trace Tracer
}

// Plan makes a plan. The run holds the planned values afterwards. There is no
// document when planning could not begin.
func Plan(ctx context.Context, run *evaluate.Run, o Options) (*plan.Document, diag.List) {
	w := newWalk(run, o)
	if gone := w.homeless(); gone.HasErrors() {
		return nil, gone
	}
	w.Report(w.matchless())
	ephemeral.Run(ctx, run, w.graph(), w, ephemeral.Options{Emit: o.Emit, Clock: o.Clock, Deferral: o.Deferral,
		Limits: schedule.Limits{Evaluations: max(1, o.Evaluations), Calls: max(1, o.Parallelism), Halted: w.Halted}})
	return w.document(ctx)
}

// walk is the schedule's work: one node a site, then one a resource that only
// the state knows.
type walk struct {
	*evaluate.Run
	Options
	// leftovers are the resources of the state that the configuration does not
	// declare; their nodes follow the sites'.
	leftovers []*leftover
	// byConfig finds the resources of the state by their address without keys.
	byConfig map[addr.ConfigResource][]*state.Resource
	replace  map[addr.AbsInstance]bool
	active   []bool
	// first are the sites of resources that are replaced create-first.
	first []bool
	// triggering are the nodes that replace_triggered_by names somewhere.
	triggering map[int]bool
	// doomed are the resources that a targeted destroy plan takes, dependants the
	// instances that it takes because they depend on targeted ones, kept the
	// resources that a destroy plan leaves because of what is excluded.
	doomed, kept map[addr.ConfigResource]bool
	// needed are the targeted resources that others of them need.
	needed     map[addr.ConfigResource]bool
	dependants map[addr.AbsInstance]bool
	nodes      []nodeState

	book converse.Book
	mu   sync.Mutex // guards what PutOff writes
}

// leftover is a resource in the state without a declaration.
type leftover struct {
	addr      addr.ConfigResource
	resources []*state.Resource
}

// nodeState is what a node works on.
type nodeState struct {
	objects []object
	results []result
	scopes  []scope
	// triggers are the changes, where others are triggered by them.
	triggers triggers
	// deps are the resources that the site depends on, as the state records
	// them. They are as many as a chain is long, so they are found when somebody
	// asks, and let go of with the node.
	deps func() []addr.ConfigResource
	// pending says where something a data source depends on is going to change.
	pending pending
	failed  bool
	skipped bool

	// deferred says that a wanted object of the node waits for a later run,
	// awaits that something does which the node reads.
	deferred, awaits bool
	// held is what the objects need that were left alone.
	held []addr.ConfigResource
	// unopened are the ephemeral objects that wait for a later run.
	unopened []*plan.DeferredChange
}

// object is one object to plan.
type object struct {
	addr    addr.AbsInstance
	deposed addr.DeposedKey
	mi      int
	// wanted says that the configuration has the object; reason says why not.
	wanted bool
	reason plan.Reason
	config addr.ProviderConfig
	// waits says why the object is deferred, unserved that it is not known which
	// provider configuration it has.
	waits    plan.DeferReason
	unserved bool
}

// result is what became of an object.
type result struct {
	change *plan.Change
	drift  *plan.Change
	// stored is the object as refreshing left it; nil when it is gone.
	stored *state.Object
	// touched says that stored differs from the state.
	touched bool
	value   value.V
	failed  bool
	// invocations are the actions that the change triggers. Where the change waits
	// so do they: for the reason of their own that they have, or that of the
	// change.
	invocations []*plan.DeferredInvocation
	// deferred holds the change instead, if it waits for a later run.
	deferred *plan.DeferredChange
}

func newWalk(run *evaluate.Run, o Options) *walk {
	w := &walk{Run: run, Options: o,
		byConfig: map[addr.ConfigResource][]*state.Resource{},
		replace:  map[addr.AbsInstance]bool{}, triggering: map[int]bool{}}
	for _, s := range run.Sites() {
		if s.Kind != evaluate.Resource {
			continue
		}
		for _, t := range s.Resource.Triggers {
			if t.Site != nil {
				w.triggering[t.Site.ID] = true
			}
		}
	}
	for _, a := range o.Replace {
		w.replace[a] = true
	}
	var order []addr.ConfigResource
	for r := range o.PrevRun.Resources() {
		c := r.Addr().Config()
		if w.byConfig[c] == nil {
			order = append(order, c)
		}
		w.byConfig[c] = append(w.byConfig[c], r)
	}
	for _, c := range order {
		if s := run.Resource(c); s == nil {
			w.leftovers = append(w.leftovers, &leftover{addr: c, resources: w.byConfig[c]})
		}
	}
	w.nodes = make([]nodeState, len(run.Sites())+len(w.leftovers))
	w.active = w.selectNodes()
	w.first = w.createsFirst()
	return w
}

// graph is what the nodes need, and what actions wait for that are invoked.
func (w *walk) graph() schedule.Graph {
	g := schedule.Graph{N: len(w.nodes)}
	for id := range w.nodes {
		for _, needed := range w.needs(id) {
			g.Edges = append(g.Edges, schedule.Edge{From: id, To: needed})
		}
	}
	g.Edges = append(g.Edges, w.callers()...)
	return g
}

// needs are the nodes that a node needs: those that its site reads, and the
// providers that the state alone names for its objects. Where the resource's
// provider has no instances, that serves them all.
func (w *walk) needs(id int) []int {
	s := w.site(id)
	switch {
	case s == nil:
		return w.recorded(nil, w.leftovers[id-len(w.Sites())].resources)
	case s.Kind == evaluate.Resource && s.Resource.Provider.Provider.ForEach != nil:
		return slices.Concat(s.Reads, w.recorded(s, w.byConfig[s.Resource.Addr]))
	}
	return s.Reads
}

// recorded are the providers that the state names for objects of a resource,
// without its own, and without those whose configuration needs the resource.
func (w *walk) recorded(s *evaluate.Site, rs []*state.Resource) []int {
	seen := map[addr.ProviderConfig]bool{}
	var out []int
	for _, r := range rs {
		for i := range r.Instances() {
			at := i.Provider()
			if seen[at] {
				continue
			}
			seen[at] = true
			p, _ := w.Using(s, at)
			if p == nil || s != nil && (p == s.Resource.Provider || slices.Contains(w.Reached(p), s.ID)) {
				continue
			}
			out = append(out, p.ID)
		}
	}
	return out
}

// site is the node's site, nil for a leftover.
func (w *walk) site(id int) *evaluate.Site {
	if id < len(w.Sites()) {
		return w.Sites()[id]
	}
	return nil
}

// Open starts a node.
func (w *walk) Open(ctx context.Context, id int) int {
	if !w.active[id] {
		w.nodes[id].skipped = true
		return 0
	}
	s := w.site(id)
	w.awaits(id)
	switch {
	case s == nil:
		w.nodes[id].objects = w.leftoverObjects(w.leftovers[id-len(w.Sites())])
	case s.Kind == evaluate.Provider:
		if !w.ExpandProvider(s) || !s.Provider.Used {
			return 0
		}
		return w.ProviderKeys(s).Len()
	case s.Kind == evaluate.Resource:
		return w.openResource(s)
	case s.Kind == evaluate.Action:
		return w.openAction(s)
	case s.Kind == evaluate.Import && w.Mode != plan.Normal:
		return 0 // nothing is brought in
	default:
		w.nodes[id].failed = !w.Evaluate(s)
		return 0
	}
	n := &w.nodes[id]
	n.results = make([]result, len(n.objects))
	return len(n.objects)
}

// nodeName names a node for people.
func (w *walk) nodeName(id int) string {
	if s := w.site(id); s != nil {
		return s.Addr()
	}
	return w.leftovers[id-len(w.Sites())].addr.String()
}

// Object opens a provider or plans one object.
func (w *walk) Object(ctx context.Context, id, i int) {
	n, s := &w.nodes[id], w.site(id)
	if s != nil && s.Kind == evaluate.Provider {
		w.book.Open(ctx, w.Run, w.Clients, s, w.ProviderKeys(s).At(i), w.Deferral)
		return
	}
	if s != nil && s.Kind == evaluate.Action {
		n.results[i] = w.invoke(ctx, s, &n.objects[i])
		return
	}
	n.results[i] = w.plan(ctx, s, n, &n.objects[i])
}

// Close ends a node: the values of a resource become its slot.
func (w *walk) Close(_ context.Context, id int) bool {
	n := &w.nodes[id]
	if n.skipped {
		return true
	}
	for i := range n.results {
		n.failed = n.failed || n.results[i].failed
		n.deferred = n.deferred || n.results[i].deferred != nil && n.objects[i].wanted
	}
	if s := w.site(id); s != nil && s.Kind == evaluate.Provider {
		n.failed = n.failed || !w.book.Complete(w.Run, s)
	}
	if s := w.site(id); s != nil && s.Kind == evaluate.Resource {
		w.aggregate(s, n)
		if w.triggering[id] {
			n.triggers = triggersOf(n.objects, n.results)
		}
	}
	n.deps = nil
	return !n.failed
}

// Skip notes that a node will not be planned because of an error before it.
func (w *walk) Skip(id int) { w.nodes[id].skipped = true; w.nodes[id].failed = true }

// Panicked ends a node, or an object of it, that ran into a mistake of the engine's.
// Of a provider that was not opened the book knows.
func (w *walk) Panicked(id, i int, cause any) {
	w.Crashed(w.nodeName(id), cause)
	n := &w.nodes[id]
	if i < 0 {
		n.failed = true
	} else if i < len(n.results) {
		n.results[i].failed = true
	}
}

// Halted says whether a stop was asked for.
func (w *walk) Halted() bool { return w.Options.Halted != nil && w.Options.Halted() }

// client is the configured provider of an object.
func (w *walk) client(s *evaluate.Site, o *object) provider.Provider {
	client := w.book.Client(w.Using(s, o.config))
	if client != nil && w.Instead != nil {
		return w.Instead(o.addr, client)
	}
	return client
}

// schema is the schema of an object's type.
func (w *walk) schema(s *evaluate.Site, o *object) (*schema.Resource, diag.List) {
	if s != nil {
		return s.Resource.Schema, nil
	}
	schemas, diags := w.Schemas(o.config.Provider)
	if diags.HasErrors() {
		return nil, diags
	}
	found, diags := schemas.Type(o.addr.Resource.Mode, o.addr.Resource.Type)
	if found == nil && !diags.HasErrors() {
		diags = diag.Errs("no schema available for "+o.addr.String()+" while reading state",
			"The state holds this object, but the provider "+o.config.Provider.Display()+" has no such type any more. Use a version of the provider that has it, or remove the object from the state.")
	}
	return found, diags
}
