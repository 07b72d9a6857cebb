package ephemeral

import (
	"context"
	"time"

	"github.com/plumb-iac/plumb/addr"
	"github.com/plumb-iac/plumb/diag"
	"github.com/plumb-iac/plumb/event"
	"github.com/plumb-iac/plumb/internal/evaluate"
	"github.com/plumb-iac/plumb/provider"
)

const (
	// shortest is the least time between renewals, whatever a provider wants.
	shortest = time.Second
	// grace is how long closing may take when the walk was cancelled.
	grace = 5 * time.Second
)

// lease is an open object. Its keeper renews it until it is released.
type lease struct {
	walk   *walk
	site   *evaluate.Site
	addr   addr.AbsInstance
	client provider.Provider
	// private belongs to the keeper while that runs.
	private  []byte
	released bool
	// stop tells the keeper to end; done is closed when it has.
	stop, done chan struct{}
}

// hold takes an object over that was opened, and starts its keeper where it is
// to be renewed.
func (w *walk) hold(ctx context.Context, s *evaluate.Site, a addr.AbsInstance, client provider.Provider, res provider.OpenResponse) *lease {
	l := &lease{walk: w, site: s, addr: a, client: client, private: res.Private, stop: make(chan struct{}), done: make(chan struct{})}
	w.mu.Lock()
	w.leases = append(w.leases, l)
	w.mu.Unlock()
	if res.RenewAt.IsZero() {
		close(l.done)
		return l
	}
	go l.keep(ctx, res.RenewAt)
	return l
}

// keep renews the object whenever it is time, until it is released, the walk is
// cancelled, or the provider needs or grants no more renewals.
func (l *lease) keep(ctx context.Context, at time.Time) {
	defer close(l.done)
	defer func() {
		if p := recover(); p != nil {
			l.walk.run.Crashed(l.addr.String(), p)
		}
	}()
	for !at.IsZero() {
		select {
		case <-l.stop:
			return
		case <-ctx.Done():
			return
		case <-l.walk.Clock.After(max(shortest, at.Sub(l.walk.Clock.Now()))):
		}
		at = l.renew(ctx)
	}
}

// renew asks for one renewal and tells when the next is due; never after a
// failure.
func (l *lease) renew(ctx context.Context) time.Time {
	object := addr.Object{Instance: l.addr}
	l.walk.Emit(event.Begun{Object: object, Op: event.Renew})
	res, diags := l.client.Renew(ctx, l.addr.Resource.Type, l.private)
	l.walk.run.Report(l.locate(diags))
	if diags.HasErrors() {
		l.walk.Emit(event.Failed{Object: object, Op: event.Renew})
		return time.Time{}
	}
	l.private = res.Private
	l.walk.Emit(event.Ended{Object: object, Op: event.Renew})
	return res.RenewAt
}

// release ends the renewals and closes the object; a second call does nothing.
// A cancelled walk closes its objects too, but does not wait for long.
func (l *lease) release(ctx context.Context) diag.List {
	if l.released {
		return nil
	}
	l.released = true
	close(l.stop)
	<-l.done
	if ctx.Err() != nil {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(context.WithoutCancel(ctx), grace)
		defer cancel()
	}
	object := addr.Object{Instance: l.addr}
	l.walk.Emit(event.Begun{Object: object, Op: event.CloseEphemeral})
	diags := l.client.CloseEphemeral(ctx, l.addr.Resource.Type, l.private)
	if diags.HasErrors() {
		l.walk.Emit(event.Failed{Object: object, Op: event.CloseEphemeral})
	} else {
		l.walk.Emit(event.Ended{Object: object, Op: event.CloseEphemeral})
	}
	return l.locate(diags)
}

func (l *lease) locate(diags diag.List) diag.List {
	return evaluate.Locate(diags, l.site.Resource.Body, l.site.Resource.Config.Range, l.addr.String())
}
