package engine

import (
	"context"
	"sync"
	"time"

	"github.com/plumb-iac/plumb/internal/ledger"
)

// Persister is a store that is told of the state while an apply goes on, because
// what is kept here may not outlive this machine's part in the run.
type Persister interface {
	// PersistInterval is how much time there is at least between two of these
	// writes; 0 for none of them. After a Stop they follow each other.
	PersistInterval() time.Duration
}

// look is how often it is looked whether the state is to be stored.
const look = time.Second

// persist stores the state from time to time, until the function it gives is called
// and has returned. That a write fails is known to the ledger.
func (e *Engine) persist(ctx context.Context, books *ledger.Ledger, store Store) (end func()) {
	p, can := store.(Persister)
	if !can || p.PersistInterval() <= 0 {
		return func() {}
	}
	ticker, ended := time.NewTicker(look), make(chan struct{})
	var running sync.WaitGroup
	running.Go(func() {
		last := time.Now()
		for {
			select {
			case <-ended:
				return
			case now := <-ticker.C:
				if e.halted.Load() || now.Sub(last) >= p.PersistInterval() {
					_ = books.Snapshot(ctx)
					last = time.Now()
				}
			}
		}
	})
	return func() { ticker.Stop(); close(ended); running.Wait() }
}
