package schedule_test

import (
	"context"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/plumb-iac/plumb/internal/schedule"
	"pgregory.net/rapid"
)

// span is a work of nodes that each have as many objects.
type span struct {
	objects int
	object  func(ctx context.Context, i int)
}

func (s span) Open(context.Context, int) int            { return s.objects }
func (s span) Object(ctx context.Context, _ int, i int) { s.object(ctx, i) }
func (s span) Close(context.Context, int) bool          { return true }
func (s span) Skip(int)                                 {}
func (s span) Panicked(_, _ int, cause any)             { panic(cause) }

// run works through a number of such nodes.
func (s span) run(nodes, evaluations, calls int) {
	schedule.Run(context.Background(), schedule.Graph{N: nodes}, s, schedule.Limits{Evaluations: evaluations, Calls: calls})
}

// gauge is how many are inside, and how many there were at most.
type gauge struct{ now, most atomic.Int32 }

func (g *gauge) enter() {
	n := g.now.Add(1)
	for most := g.most.Load(); n > most && !g.most.CompareAndSwap(most, n); most = g.most.Load() {
	}
}

func (g *gauge) leave() { g.now.Add(-1) }

// TestLeave draws runs whose objects leave their places before they end, or do not: no
// more objects have a place than there are calls, no more have left theirs, and all come
// to their end (H6).
func TestLeave(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		calls := rapid.IntRange(1, 4).Draw(t, "calls")
		leaves := rapid.SliceOfN(rapid.IntRange(0, 2), 1, 30).Draw(t, "leaves")
		var calling, begun gauge
		var done atomic.Int32
		work := span{objects: len(leaves), object: func(ctx context.Context, i int) {
			begun.enter()
			calling.enter()
			runtime.Gosched()
			calling.leave()
			for range leaves[i] {
				schedule.Leave(ctx)
				runtime.Gosched()
			}
			done.Add(1)
			begun.leave()
		}}
		nodes := rapid.IntRange(1, 3).Draw(t, "nodes")
		work.run(nodes, 2, calls)
		if int(done.Load()) != nodes*len(leaves) {
			t.Errorf("%d objects came to their end, want %d", done.Load(), nodes*len(leaves))
		}
		if int(calling.most.Load()) > calls || int(begun.most.Load()) > 2*calls {
			t.Errorf("with %d calls %d objects had a place and %d were begun", calls, calling.most.Load(), begun.most.Load())
		}
	})
}

// Objects that have left make room for as many others, and for no more.
func TestLeaveMakesRoom(t *testing.T) {
	var all sync.WaitGroup
	all.Add(4)
	var begun gauge
	span{objects: 9, object: func(ctx context.Context, i int) {
		begun.enter()
		defer begun.leave()
		if schedule.Leave(ctx); i < 4 {
			all.Done()
			all.Wait() // hangs unless four are begun
		}
	}}.run(1, 1, 2)
	if n := begun.most.Load(); n != 4 {
		t.Errorf("%d objects were begun at a time, want 4", n)
	}
}

// With one call at a time nothing else begins before an object has ended.
func TestLeaveAlone(t *testing.T) {
	for _, evaluations := range []int{1, 2} {
		var begun gauge
		span{objects: 3, object: func(ctx context.Context, _ int) {
			begun.enter()
			defer begun.leave()
			schedule.Leave(ctx)
			time.Sleep(time.Millisecond)
		}}.run(1, evaluations, 1)
		if n := begun.most.Load(); n != 1 {
			t.Errorf("%d evaluations: %d objects were begun at a time, want 1", evaluations, n)
		}
	}
}

// Outside of a run there is nothing to leave.
func TestLeaveNothing(*testing.T) { schedule.Leave(context.Background()) }
