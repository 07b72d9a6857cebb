package schedule_test

import (
	"context"
	"fmt"
	"sync"
	"testing"

	"github.com/plumb-iac/plumb/internal/schedule"
	"pgregory.net/rapid"
)

// trace records what the scheduler does and fails nodes on request.
type trace struct {
	mu     sync.Mutex
	spans  map[int]int
	fails  map[int]bool
	closed map[int]bool
	skips  map[int]bool
	opened map[int]bool
	seen   map[[2]int]int
	broken []string
	// bombs are where work panics: a node and an object of it, or -1 and -2 for Open
	// and Close. told are the panics that were told.
	bombs, told map[[2]int]bool
	deps        map[int][]schedule.Edge
}

func (t *trace) Open(_ context.Context, id int) int {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, e := range t.deps[id] {
		settled := t.closed[e.To] || t.skips[e.To]
		bad := !e.Soft && (t.skips[e.To] || t.fails[e.To])
		if !settled || bad {
			t.broken = append(t.broken, fmt.Sprintf("%d opened although dependency %d is not done", id, e.To))
		}
	}
	t.opened[id] = true
	t.tread(id, -1)
	return t.spans[id]
}

func (t *trace) Object(_ context.Context, id, i int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if !t.opened[id] || t.closed[id] {
		t.broken = append(t.broken, fmt.Sprintf("object %d/%d outside its node", id, i))
	}
	t.seen[[2]int{id, i}]++
	t.tread(id, i)
}

func (t *trace) Close(_ context.Context, id int) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	for i := range t.spans[id] {
		if t.bombs[[2]int{id, -1}] {
			break
		}
		if t.seen[[2]int{id, i}] != 1 {
			t.broken = append(t.broken, fmt.Sprintf("object %d/%d ran %d times", id, i, t.seen[[2]int{id, i}]))
		}
	}
	t.closed[id] = true
	t.tread(id, -2)
	return !t.fails[id]
}

func (t *trace) tread(id, i int) {
	if t.bombs[[2]int{id, i}] {
		panic("boom")
	}
}

func (t *trace) Panicked(id, i int, cause any) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if i < 0 && t.closed[id] {
		i = -2
	}
	if cause != "boom" || t.told[[2]int{id, i}] {
		t.broken = append(t.broken, fmt.Sprintf("%d/%d: told of %v", id, i, cause))
	}
	t.told[[2]int{id, i}] = true
	t.fails[id] = t.fails[id] || i < 0
}

func (t *trace) Skip(id int) { t.mu.Lock(); t.skips[id] = true; t.mu.Unlock() }

func newTrace() *trace {
	return &trace{spans: map[int]int{}, fails: map[int]bool{}, closed: map[int]bool{}, skips: map[int]bool{},
		opened: map[int]bool{}, seen: map[[2]int]int{}, deps: map[int][]schedule.Edge{},
		bombs: map[[2]int]bool{}, told: map[[2]int]bool{}}
}

// TestRun draws acyclic graphs with nodes that fail and panic, and checks H1 to H3 and H5.
func TestRun(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(0, 30).Draw(t, "nodes")
		tr := newTrace()
		g := schedule.Graph{N: n}
		for id := range n {
			tr.spans[id] = rapid.IntRange(0, 4).Draw(t, "span")
			tr.fails[id] = rapid.IntRange(0, 9).Draw(t, "fails") == 0
			if rapid.IntRange(0, 9).Draw(t, "panics") == 0 {
				tr.bombs[[2]int{id, rapid.IntRange(-2, tr.spans[id]-1).Draw(t, "where")}] = true
			}
			if id == 0 {
				continue
			}
			for range rapid.IntRange(0, 3).Draw(t, "deps") {
				e := schedule.Edge{From: id, To: rapid.IntRange(0, id-1).Draw(t, "to"), Soft: rapid.Bool().Draw(t, "soft")}
				g.Edges = append(g.Edges, e)
				tr.deps[id] = append(tr.deps[id], e)
			}
		}
		schedule.Run(context.Background(), g, tr, schedule.Limits{Evaluations: rapid.IntRange(1, 2).Draw(t, "evaluations"), Calls: rapid.IntRange(1, 4).Draw(t, "calls")})
		for _, b := range tr.broken {
			t.Error(b)
		}
		for id := range n {
			if tr.closed[id] == tr.skips[id] {
				t.Errorf("node %d: closed %v, skipped %v", id, tr.closed[id], tr.skips[id])
			}
		}
		for at := range tr.bombs {
			if tr.told[at] != tr.opened[at[0]] {
				t.Errorf("panic at %v: told %v", at, tr.told[at])
			}
		}
	})
}

// TestHalted starts nothing when the run is halted before it begins.
func TestHalted(t *testing.T) {
	tr := newTrace()
	tr.spans[0] = 3
	schedule.Run(context.Background(), schedule.Graph{N: 2, Edges: []schedule.Edge{{From: 1, To: 0}}}, tr, schedule.Limits{Halted: func() bool { return true }})
	if len(tr.opened) != 0 || len(tr.skips) != 2 {
		t.Errorf("opened %v, skipped %v; want nothing opened and both skipped", tr.opened, tr.skips)
	}
}

// A circle is skipped with what needs it, and the rest is done.
func TestCircle(t *testing.T) {
	for _, l := range []schedule.Limits{{Evaluations: 1, Calls: 1}, {Evaluations: 2, Calls: 3}} {
		edges := []schedule.Edge{{From: 1, To: 2}, {From: 2, To: 1}, {From: 3, To: 2, Soft: true}, {From: 2, To: 0}, {From: 4, To: 0}}
		tr := newTrace()
		tr.spans = map[int]int{0: 2, 4: 1}
		stuck := schedule.Run(context.Background(), schedule.Graph{N: 5, Edges: edges}, tr, l)
		if fmt.Sprint(stuck) != "[1 2 3]" || len(tr.skips) != 3 || len(tr.closed) != 2 || tr.broken != nil {
			t.Errorf("%+v: stuck %v, skipped %v, closed %v, %v", l, stuck, tr.skips, tr.closed, tr.broken)
		}
	}
}
