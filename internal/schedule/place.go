package schedule

import "context"

// place is what an object takes while it is worked on. There are as many as calls may
// be made at a time.
type place struct {
	run  *run
	left bool
}

// placeKey is the key of an object's place in the context that its Object is given.
type placeKey struct{}

// in is the context of an object at its place. Where there is but one place nobody
// leaves it early: objects are worked on one after the other then.
func (p *place) in(ctx context.Context) context.Context {
	if p.run.calls == 1 {
		return ctx
	}
	return context.WithValue(ctx, placeKey{}, p)
}

// Leave says that the object whose Object was given ctx makes no more calls: another
// one may, in its place, while it comes to its end. It is for the goroutine of that
// Object alone. With any other context, and the second time, it does nothing.
func Leave(ctx context.Context) {
	p, _ := ctx.Value(placeKey{}).(*place)
	if p == nil || p.left {
		return
	}
	p.left = true
	p.run.mu.Lock()
	defer p.run.mu.Unlock()
	p.run.places++
	p.run.offer()
}

// startable says whether an object can be started: there is one, and a place for it.
func (r *run) startable() bool { return len(r.spans) > 0 && r.places > 0 }

// offer wakes a worker if there is something to start. Whoever starts an object offers
// the next one, so that one worker at a time is woken.
func (r *run) offer() {
	if r.startable() {
		r.turn.Signal()
	}
}
