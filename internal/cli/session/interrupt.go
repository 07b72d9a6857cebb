package session

import (
	"context"
	"os"
	"os/signal"
	"sync"
	"syscall"
)

// Interrupts turns signals into the two ways to end: the first one drains what
// is running, the second one stops it. A terminal that is gone is a first one, never
// a second.
type Interrupts struct {
	mu   sync.Mutex
	work Draining
}

// Draining is work that is running and can be brought to an end.
type Draining struct {
	// Drain has nothing new begun; it does not wait.
	Drain func()
	// Why says what draining is for, Lost what comes of not waiting for it: whole
	// sentences.
	Why, Lost string
	// Tell writes for people where something else is drawn on their screen; nil
	// where nothing is.
	Tell func(text string)
}

// OnInterrupt says what drains the work that is running, until done is called.
// Without work to drain the first signal stops the command.
func (i *Interrupts) OnInterrupt(work Draining) (done func()) {
	i.set(work)
	return func() { i.set(Draining{}) }
}

func (i *Interrupts) set(work Draining) {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.work = work
}

func (i *Interrupts) current() Draining {
	i.mu.Lock()
	defer i.mu.Unlock()
	return i.work
}

// Signals are those that ask this process to end: an interrupt, a request to
// terminate, and a terminal that is gone, unless that is to be ignored (nohup).
//
// From then on the process outlives whoever reads its output: Go would end it for
// that, unless it takes the signal, and writing fails then.
func Signals() <-chan os.Signal {
	signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE)
	signals := make(chan os.Signal, 3)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	if !signal.Ignored(syscall.SIGHUP) {
		signal.Notify(signals, syscall.SIGHUP)
	}
	return signals
}

// Watch listens for signals until ctx ends; stop is the second way to end.
func (s *Session) Watch(ctx context.Context, i *Interrupts, stop context.CancelFunc) {
	for received := 0; ; {
		select {
		case <-ctx.Done():
			return
		case sig := <-s.Signals:
			if sig == syscall.SIGHUP && received > 0 {
				continue // the system and the shell both tell that the terminal is gone
			}
			received++
		}
		work := i.current()
		if received == 1 && work.Drain != nil {
			s.draining(work)
			work.Drain()
			continue
		}
		if work.Drain != nil {
			s.Complain("\nTwo interrupts received. Exiting immediately. %s\n", work.Lost)
		}
		stop()
		return
	}
}

// draining says what goes on after the first interrupt.
func (s *Session) draining(work Draining) {
	text := "\nInterrupt received.\n" + s.Style().Wrap(work.Why+" Please wait.") + "\nA second interrupt stops at once.\n"
	switch {
	case s.Machine:
		s.Complain("%s", text)
	case work.Tell != nil:
		work.Tell(text)
	default:
		s.Print("%s", text)
	}
}
