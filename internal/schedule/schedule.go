package schedule

import (
	"context"
	"sync"
)

// Edge says that node From needs node To first. With Soft, From runs even when
// To failed or was skipped.
type Edge struct {
	From, To int
	Soft     bool
}

// Graph is N nodes, numbered from 0, and their edges. It should be acyclic.
type Graph struct {
	N     int
	Edges []Edge
}

// Work does what the nodes stand for.
type Work interface {
	// Open starts node id on the evaluation pool and says how many objects it
	// has.
	Open(ctx context.Context, id int) int
	// Object works on one object of node id on the call pool.
	Object(ctx context.Context, id, i int)
	// Close ends node id on the evaluation pool. With false the node failed and
	// its hard dependants are skipped.
	Close(ctx context.Context, id int) bool
	// Skip tells that node id will not run. It must return at once.
	Skip(id int)
	// Panicked tells that Object panicked for object i of node id, or Open or Close
	// where i is -1. A node that panicked in Open has no objects and is closed, one
	// that panicked in Close failed.
	Panicked(id, i int, cause any)
}

// Limits are what a run keeps to.
type Limits struct {
	// Evaluations and Calls are the sizes of the two pools; each is at least 1.
	Evaluations, Calls int
	// Halted says that nothing new may be started; nil for never.
	Halted func() bool
}

// Run works through the graph and returns when every node was closed or
// skipped. With pools of one the order is always the same. Nodes that wait for each
// other in a circle, and those that wait for them, are skipped when everything else
// is done, and given.
func Run(ctx context.Context, g Graph, w Work, l Limits) (stuck []int) {
	r := newRun(g, w, l.Halted)
	if l.Evaluations <= 1 && l.Calls <= 1 {
		r.alone(ctx)
		return r.stuck
	}
	var wg sync.WaitGroup
	for i := 0; i < max(1, l.Evaluations); i++ {
		wg.Go(func() { r.evaluate(ctx) })
	}
	for i := 0; i < max(1, l.Calls); i++ {
		wg.Go(func() { r.call(ctx) })
	}
	wg.Wait()
	return r.stuck
}

// node is the run's book about one node.
type node struct {
	waits   int  // dependencies not settled yet
	doomed  bool // a hard dependency failed
	objects int  // size of the span
	next    int  // first object not started
	running int  // objects started and not finished
}

type run struct {
	mu    sync.Mutex
	wake  *sync.Cond
	work  Work
	halt  func() bool
	nodes []node
	// dependants are the edges by To, in compressed rows.
	first []int32
	rows  []Edge

	opening []int // nodes ready to be opened or closed: ^id means close
	spans   []int // nodes with objects to start
	left    int   // nodes not settled
	busy    int   // workers that work on a node
	stuck   []int // nodes that could not be opened
}

func newRun(g Graph, w Work, halt func() bool) *run {
	r := &run{work: w, halt: halt, nodes: make([]node, g.N), left: g.N}
	r.wake = sync.NewCond(&r.mu)
	r.first = make([]int32, g.N+1)
	for _, e := range g.Edges {
		r.first[e.To+1]++
		r.nodes[e.From].waits++
	}
	for i := range g.N {
		r.first[i+1] += r.first[i]
	}
	r.rows = make([]Edge, len(g.Edges))
	at := append([]int32(nil), r.first...)
	for _, e := range g.Edges {
		r.rows[at[e.To]] = e
		at[e.To]++
	}
	for id := range r.nodes {
		if r.nodes[id].waits == 0 {
			r.opening = append(r.opening, id)
		}
	}
	return r
}

// alone does everything itself: it opens and closes what is ready, then makes
// one call.
func (r *run) alone(ctx context.Context) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for r.left > 0 {
		if len(r.opening) > 0 {
			r.advance(ctx)
			continue
		}
		if !r.stalled() {
			r.start(ctx)
		}
	}
}

// stalled says whether nothing can go on although nodes are left, and skips them.
func (r *run) stalled() bool {
	if len(r.opening)+len(r.spans)+r.busy > 0 || r.left == 0 {
		return false
	}
	for id := range r.nodes {
		if r.nodes[id].waits > 0 {
			r.stuck = append(r.stuck, id)
			r.work.Skip(id)
		}
	}
	r.left = 0
	r.wake.Broadcast()
	return true
}

// evaluate is an evaluation worker.
func (r *run) evaluate(ctx context.Context) {
	r.mu.Lock()
	for {
		for len(r.opening) == 0 && r.left > 0 && !r.stalled() {
			r.wake.Wait()
		}
		if r.left == 0 {
			r.mu.Unlock()
			return
		}
		r.advance(ctx)
	}
}

// advance opens or closes the first node that is ready.
func (r *run) advance(ctx context.Context) {
	id := r.opening[0]
	r.opening = r.opening[1:]
	if id < 0 {
		r.close(ctx, ^id)
		return
	}
	r.open(ctx, id)
}

// open is called with the lock held and gives it up while the node works.
func (r *run) open(ctx context.Context, id int) {
	if r.nodes[id].doomed || r.halted(ctx) {
		r.work.Skip(id)
		r.settle(id, false)
		return
	}
	n := 0
	r.outside(id, -1, func() { n = r.work.Open(ctx, id) })
	if n == 0 {
		r.close(ctx, id)
		return
	}
	r.nodes[id].objects = n
	r.spans = append(r.spans, id)
	r.wake.Broadcast()
}

func (r *run) close(ctx context.Context, id int) {
	ok := false
	r.outside(id, -1, func() { ok = r.work.Close(ctx, id) })
	r.settle(id, ok)
}

func (r *run) halted(ctx context.Context) bool {
	return r.halt != nil && r.halt() || ctx.Err() != nil
}

// outside works on a node, or on object i of it, without the lock.
func (r *run) outside(id, i int, work func()) {
	r.busy++
	r.mu.Unlock()
	r.guard(id, i, work)
	r.mu.Lock()
	r.busy--
}

// guard is H5. The work is told while the trace of the panic is still there.
func (r *run) guard(id, i int, work func()) {
	defer func() {
		if cause := recover(); cause != nil {
			r.work.Panicked(id, i, cause)
		}
	}()
	work()
}

// settle releases the dependants of a node.
func (r *run) settle(id int, ok bool) {
	r.left--
	for _, e := range r.rows[r.first[id]:r.first[id+1]] {
		d := &r.nodes[e.From]
		d.waits--
		d.doomed = d.doomed || !ok && !e.Soft
		if d.waits == 0 {
			r.opening = append(r.opening, e.From)
		}
	}
	r.wake.Broadcast()
}

// call is a provider-call worker.
func (r *run) call(ctx context.Context) {
	r.mu.Lock()
	for {
		for len(r.spans) == 0 && r.left > 0 && !r.stalled() {
			r.wake.Wait()
		}
		if r.left == 0 {
			r.mu.Unlock()
			return
		}
		r.start(ctx)
	}
}

// start makes the next call.
func (r *run) start(ctx context.Context) {
	id, i, ok := r.take(ctx)
	if !ok {
		return
	}
	r.outside(id, i, func() { r.work.Object(ctx, id, i) })
	r.finish(id)
}

// take starts the next object of the first span. When the run is halted the
// rest of the span is dropped.
func (r *run) take(ctx context.Context) (id, i int, ok bool) {
	id = r.spans[0]
	n := &r.nodes[id]
	if r.halted(ctx) {
		n.objects = n.next
		r.spans = r.spans[1:]
		if n.running == 0 {
			r.opening = append(r.opening, ^id)
			r.wake.Broadcast()
		}
		return 0, 0, false
	}
	i = n.next
	n.next++
	n.running++
	if n.next == n.objects {
		r.spans = r.spans[1:]
	}
	return id, i, true
}

func (r *run) finish(id int) {
	n := &r.nodes[id]
	n.running--
	if n.running == 0 && n.next >= n.objects {
		r.opening = append(r.opening, ^id)
		r.wake.Broadcast()
	}
}
