package applier

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
	"github.com/plumb-iac/plumb/internal/explain"
	"github.com/plumb-iac/plumb/internal/lang"
	"github.com/plumb-iac/plumb/internal/schedule"
	"github.com/plumb-iac/plumb/plan"
	"github.com/plumb-iac/plumb/provider"
	"github.com/plumb-iac/plumb/schema"
	"github.com/plumb-iac/plumb/state"
	"github.com/plumb-iac/plumb/value"
	"github.com/zclconf/go-cty/cty"
)

// Ledger is the one writer of the state.
type Ledger interface {
	Current() *state.Snapshot
	// Commit returns when the edits are durable; Append does not wait, Sync does.
	Commit(edits ...state.Edit) error
	Append(edits ...state.Edit) error
	Sync() error
	// Intend makes it durable that an operation is about to be asked for.
	Intend(o addr.Object, op string) error
}

// Provisioner runs after creation or before destruction of an object.
type Provisioner interface {
	Run(ctx context.Context, config, connection cty.Value, output func(string)) diag.List
}

// Options are what applying needs beside the run.
type Options struct {
	Plan    *plan.Document
	Ledger  Ledger
	Clients converse.Clients
	// Instead gives what answers for one object, its provider or what stands in
	// for it; nil for always the provider.
	Instead      func(addr.AbsInstance, provider.Provider) provider.Provider
	Provisioners func(name string) Provisioner
	Removed      func(addr.AbsInstance) *evaluate.RemovedDecl
	Emit         func(event.Event)
	Halted       func() bool
	Parallelism  int
	Evaluations  int
	// Clock is what ephemeral objects are renewed by.
	Clock ephemeral.Clock
	// DeposedKey makes a new random key.
	DeposedKey func() addr.DeposedKey
	// Trace gives the place to note an object's final artefacts in, nil for an
	// object that nobody wants explained. A nil Trace is nobody.
	Trace func(addr.Object) *explain.Artefacts
}

// Apply carries out a plan. What was done is in the ledger, whatever the
// diagnostics say.
func Apply(ctx context.Context, run *evaluate.Run, o Options) diag.List {
	w := newWalk(run, o)
	w.imported()
	stuck := ephemeral.Run(ctx, run, w.graph(), w, ephemeral.Options{Emit: o.Emit, Clock: o.Clock,
		Limits: schedule.Limits{Evaluations: max(1, o.Evaluations), Calls: max(1, o.Parallelism), Halted: w.Halted}})
	w.circle(stuck)
	w.finish(ctx)
	return run.Diags()
}

// circle reports operations that could not begin because each waits for another.
func (w *walk) circle(stuck []int) {
	if len(stuck) == 0 {
		return
	}
	names := ""
	for _, id := range stuck {
		names += "\n - " + w.nodeName(id)
	}
	w.Report(diag.List{diag.Err("Cycle", "These operations wait for each other, directly or not, so none of them was begun. Everything else was done, and nothing is lost. "+
		"The plan should not have ordered them so:"+names).By(diag.Engine)})
}

// imported tells of the objects that the plan brought in. They were read when
// planning and are in the state that the apply began with.
func (w *walk) imported() {
	for _, c := range w.Plan.Changes {
		if c.Importing == nil {
			continue
		}
		identity := c.BeforeIdentity
		if identity.IsZero() || identity.Cty().IsNull() {
			identity = c.Importing.Identity
		}
		key, id := evaluate.IdentifyImport(c.Importing.ID, identity)
		w.Emit(event.Begun{Object: c.Object(), Op: event.Import, IDKey: key, IDValue: id})
		w.Emit(event.Ended{Object: c.Object(), Op: event.Import, IDKey: key, IDValue: id})
	}
}

// walk is the schedule's work: the sites (a resource's site is its make leg),
// then the end legs.
type walk struct {
	*evaluate.Run
	Options
	prior *state.Snapshot
	ends  []endLeg
	// endOf and endsAt find the end legs of a resource.
	endOf  map[endKey]int
	endsAt map[addr.ConfigResource][]int
	makes  map[int][]*plan.Change
	// triggered are the planned runs of actions by the object that triggers them,
	// invoked the others by the site of the action.
	triggered map[addr.AbsInstance][]*plan.Invocation
	invoked   map[int][]*plan.Invocation
	active    []bool
	// waiting are the sites that wait for a later run, with some of their objects
	// or with all.
	waiting []bool
	read    []bool // sites that somebody reads
	nodes   []nodeState

	mu   sync.Mutex
	book converse.Book
	// legs remembers what the first leg of a replacement did.
	legs   map[addr.AbsInstance]leg
	broken error
}

// endKey is one of the two end legs of a resource: what is replaced, and what
// goes for good. The one is tied to what is made, the other is not.
type endKey struct {
	addr addr.ConfigResource
	gone bool
}

// endLeg is everything of one resource that ends, for one of the two reasons.
type endLeg struct {
	endKey
	site    *evaluate.Site
	changes []*plan.Change
}

// leg is the outcome of the first leg of a replacement.
type leg struct {
	failed  bool
	deposed addr.DeposedKey
}

// nodeState is what a node works on.
type nodeState struct {
	changes []*plan.Change
	results []result
	scopes  []*lang.Scope
	deps    []addr.ConfigResource
	failed  bool
	skipped bool
}

// result is what became of an object in a make leg.
type result struct {
	value  value.V
	failed bool
}

func newWalk(run *evaluate.Run, o Options) *walk {
	w := &walk{Run: run, Options: o, prior: o.Plan.Prior, endOf: map[endKey]int{}, endsAt: map[addr.ConfigResource][]int{},
		makes: map[int][]*plan.Change{}, legs: map[addr.AbsInstance]leg{}, waiting: waiting(run, o.Plan)}
	for _, s := range run.Sites() {
		if s.Kind == evaluate.Resource {
			w.end(endKey{addr: s.Resource.Addr}, s)
		}
	}
	for _, c := range o.Plan.Changes {
		if c.Action.IsReplace() {
			w.legs[c.Addr] = leg{}
		}
		w.sort(c)
	}
	w.sortInvocations()
	w.nodes = make([]nodeState, len(run.Sites())+len(w.ends))
	w.selectNodes()
	return w
}

// end gives the index of an end leg.
func (w *walk) end(k endKey, s *evaluate.Site) int {
	i, ok := w.endOf[k]
	if !ok {
		i = len(w.ends)
		w.endOf[k] = i
		w.endsAt[k.addr] = append(w.endsAt[k.addr], i)
		w.ends = append(w.ends, endLeg{endKey: k, site: s})
	}
	return i
}

// sort puts a change into the legs that it has.
func (w *walk) sort(c *plan.Change) {
	r := c.Addr.Config()
	s := w.Resource(r)
	ops := operations(c)
	if len(ops.End) > 0 {
		// Deposed objects of an instance that is replaced end with it: they stay
		// when its successor cannot be made.
		_, replaced := w.legs[c.Addr]
		i := w.end(endKey{r, !replaced}, s)
		w.ends[i].changes = append(w.ends[i].changes, c)
	}
	if len(ops.Make) > 0 && s != nil {
		w.makes[s.ID] = append(w.makes[s.ID], c)
	}
}

// providerSite is the provider configuration of a change.
func (w *walk) providerSite(s *evaluate.Site, c *plan.Change) *evaluate.Site {
	at, _ := w.Using(s, c.Provider)
	return at
}

// Open starts a node.
func (w *walk) Open(ctx context.Context, id int) int {
	n := &w.nodes[id]
	if !w.active[id] {
		n.skipped = true
		return 0
	}
	if w.deprived(id) {
		w.Skip(id)
		return 0
	}
	if id >= len(w.Sites()) {
		n.changes = w.ends[id-len(w.Sites())].changes
		n.results = make([]result, len(n.changes))
		return len(n.changes)
	}
	switch s := w.Sites()[id]; s.Kind {
	case evaluate.Resource:
		return w.openMake(s, n)
	case evaluate.Provider:
		if w.ExpandProvider(s) && s.Provider.Used {
			return w.ProviderKeys(s).Len()
		}
	case evaluate.Action:
		n.results = make([]result, len(w.invoked[id]))
		return len(n.results)
	default:
		n.failed = !w.Evaluate(s)
	}
	return 0
}

func (w *walk) openMake(s *evaluate.Site, n *nodeState) int {
	if !w.Expand(s) {
		n.failed = true
		return 0
	}
	n.scopes = make([]*lang.Scope, len(w.Instances(s.Module)))
	for mi := range n.scopes {
		n.scopes[mi] = w.Scope(s, mi)
	}
	for _, c := range w.makes[s.ID] {
		if c.Action != plan.NoOp || s.Resource.HasConditions() {
			n.changes = append(n.changes, c)
		}
	}
	if len(n.changes) > 0 {
		n.deps = w.Closure(s)
	}
	n.results = make([]result, len(n.changes))
	return len(n.changes)
}

// nodeName names a node for people.
func (w *walk) nodeName(id int) string {
	if id < len(w.Sites()) {
		return w.Sites()[id].Addr()
	}
	return w.ends[id-len(w.Sites())].addr.String()
}

// Object opens a provider or works on one object of a leg.
func (w *walk) Object(ctx context.Context, id, i int) {
	n := &w.nodes[id]
	if id < len(w.Sites()) && w.Sites()[id].Kind == evaluate.Provider {
		s := w.Sites()[id]
		w.book.Open(ctx, w.Run, w.Clients, s, w.ProviderKeys(s).At(i), false)
		return
	}
	if id >= len(w.Sites()) {
		n.results[i].failed = !w.endObject(ctx, w.ends[id-len(w.Sites())].site, n.changes[i])
		return
	}
	if s := w.Sites()[id]; s.Kind == evaluate.Action {
		n.results[i].failed = !w.invoke(ctx, s, w.invoked[id][i])
		return
	}
	n.results[i] = w.makeObject(ctx, w.Sites()[id], n, n.changes[i])
}

// Close ends a node. What was appended becomes durable here, before dependants
// run.
func (w *walk) Close(_ context.Context, id int) bool {
	n := &w.nodes[id]
	if n.skipped {
		return !n.failed
	}
	for i := range n.results {
		n.failed = n.failed || n.results[i].failed
	}
	if id < len(w.Sites()) && w.Sites()[id].Kind == evaluate.Provider {
		n.failed = n.failed || !w.book.Complete(w.Run, w.Sites()[id])
	}
	if len(n.results) > 0 {
		w.saved(w.Ledger.Sync())
	}
	if id < len(w.Sites()) && w.Sites()[id].Kind == evaluate.Resource && w.read[id] && n.scopes != nil {
		w.aggregate(w.Sites()[id], n)
	}
	return !n.failed
}

// deprived says that one of the instances failed that a node reads by their keys.
// It waits for their whole resource, and runs when others of it failed.
func (w *walk) deprived(id int) bool {
	if id >= len(w.Sites()) {
		return false
	}
	for from, keys := range w.Sites()[id].Picks() {
		n := &w.nodes[from]
		if n.failed && len(n.results) == 0 {
			return true
		}
		for i, c := range n.changes {
			if n.results[i].failed && slices.Contains(keys, c.Addr.Key) {
				return true
			}
		}
	}
	return false
}

// Skip notes that a node will not run.
func (w *walk) Skip(id int) {
	w.nodes[id].skipped, w.nodes[id].failed = true, true
	if id >= len(w.Sites()) {
		w.doom(w.ends[id-len(w.Sites())].changes)
		return
	}
	w.doom(w.makes[id])
	if s := w.Sites()[id]; s.Kind == evaluate.Resource && nested(s) {
		for _, c := range w.makes[id] {
			w.husk(c)
		}
	}
}

// Panicked ends a node, or an object of it, that ran into a mistake of the engine's.
// Of a provider that was not opened the book knows.
func (w *walk) Panicked(id, i int, cause any) {
	w.Crashed(w.nodeName(id), cause)
	n := &w.nodes[id]
	if i < 0 {
		w.Skip(id)
		return
	}
	if i < len(n.results) {
		n.results[i].failed = true
	}
	if i < len(n.changes) {
		w.doom(n.changes[i : i+1])
	}
}

// doom marks the first legs of replacements as failed, so that the second ones
// are left out.
func (w *walk) doom(cs []*plan.Change) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, c := range cs {
		if c.Action.IsReplace() && c.Deposed == "" {
			l := w.legs[c.Addr]
			l.failed = true
			w.legs[c.Addr] = l
		}
	}
}

// Halted says whether a stop was asked for, or the state cannot be saved.
func (w *walk) Halted() bool {
	if w.Options.Halted != nil && w.Options.Halted() {
		return true
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.broken != nil
}

// saved takes note of a failure to save the state: it is told once, and nothing
// new is started.
func (w *walk) saved(err error) bool {
	if err == nil {
		return true
	}
	w.mu.Lock()
	first := w.broken == nil
	w.broken = err
	w.mu.Unlock()
	if first {
		w.Report(diag.List{diag.Err("Failed to save state",
			"The state could not be saved, so plumb starts nothing new: "+err.Error()+".").By(diag.Operator)})
	}
	return false
}

// client is the configured provider of a change; nil when there is none.
func (w *walk) client(s *evaluate.Site, c *plan.Change) provider.Provider {
	client := w.book.Client(w.Using(s, c.Provider))
	if client != nil && w.Instead != nil {
		return w.Instead(c.Addr, client)
	}
	return client
}

func (w *walk) schemaOf(s *evaluate.Site, c *plan.Change) (*schema.Resource, diag.List) {
	if s != nil {
		return s.Resource.Schema, nil
	}
	if c.Schema != nil {
		return c.Schema, nil
	}
	schemas, diags := w.Schemas(c.Provider.Provider)
	if diags.HasErrors() {
		return nil, diags
	}
	return schemas.Type(c.Addr.Resource.Mode, c.Addr.Resource.Type)
}
