package session

import (
	"context"
	"sync"
)

// Interrupts turns signals into the two ways to end: the first one drains what
// is running, the second one stops it.
type Interrupts struct {
	mu    sync.Mutex
	drain func()
}

// OnInterrupt says what drains the work that is running, until done is called.
// Without work to drain the first signal stops the command.
func (i *Interrupts) OnInterrupt(drain func()) (done func()) {
	i.set(drain)
	return func() { i.set(nil) }
}

func (i *Interrupts) set(drain func()) {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.drain = drain
}

func (i *Interrupts) current() func() {
	i.mu.Lock()
	defer i.mu.Unlock()
	return i.drain
}

// Watch listens for signals until ctx ends; stop is the second way to end.
func (s *Session) Watch(ctx context.Context, i *Interrupts, stop context.CancelFunc) {
	for received := 0; ; {
		select {
		case <-ctx.Done():
			return
		case <-s.Signals:
			received++
		}
		drain := i.current()
		if received == 1 && drain != nil {
			s.Print("\nInterrupt received.\nWhat is running is brought to an end, so that the state stays true. Please wait.\nA second interrupt stops at once.\n")
			drain()
			continue
		}
		if drain != nil {
			s.Complain("\nTwo interrupts received. Exiting immediately. Objects whose creation was under way are listed at the next start.\n")
		}
		stop()
		return
	}
}
