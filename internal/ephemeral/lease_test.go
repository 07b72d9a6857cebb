package ephemeral

import (
	"context"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/plumb-iac/plumb/addr"
	"github.com/plumb-iac/plumb/config"
	"github.com/plumb-iac/plumb/diag"
	"github.com/plumb-iac/plumb/event"
	"github.com/plumb-iac/plumb/internal/evaluate"
	"github.com/plumb-iac/plumb/provider"
)

// session is a provider of one object that counts in its private data how often
// it was renewed.
type session struct {
	provider.Provider
	mu      sync.Mutex
	calls   []string
	grants  int // renewals that ask for another one
	refuses bool
	err     error
}

func (s *session) note(words ...string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.calls = append(s.calls, strings.Join(words, " "))
}

func (s *session) Renew(_ context.Context, _ string, private []byte) (provider.RenewResponse, diag.List) {
	s.note("renew", string(private))
	if s.refuses {
		return provider.RenewResponse{Private: []byte("refused")}, diag.Errs("No renewal", "Go away.")
	}
	res := provider.RenewResponse{Private: append(private, '+')}
	if s.grants--; s.grants > 0 {
		res.RenewAt = start.Add(time.Hour)
	}
	return res, nil
}

func (s *session) CloseEphemeral(ctx context.Context, _ string, private []byte) diag.List {
	s.err = ctx.Err()
	s.note("close", string(private))
	return nil
}

var start = time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)

// watch is a clock that stands still; the test lets each timer fire.
type watch struct {
	asked chan time.Duration
	fires chan time.Time
}

func (w *watch) clock() Clock {
	return Clock{Now: func() time.Time { return start }, After: func(d time.Duration) <-chan time.Time {
		w.asked <- d
		return w.fires
	}}
}

// held opens a lease on s that is due after wait.
func held(ctx context.Context, s *session, wait time.Duration) (*lease, *watch, *walk) {
	t := &watch{asked: make(chan time.Duration), fires: make(chan time.Time)}
	w := &walk{run: evaluate.NewRun(program(), evaluate.Setup{}), Options: Options{Emit: func(event.Event) {}, Clock: t.clock()}}
	site := &evaluate.Site{Kind: evaluate.Resource, Resource: &evaluate.ResourceDecl{Config: &config.Resource{}}}
	res := provider.OpenResponse{Private: []byte("p")}
	if wait != 0 {
		res.RenewAt = start.Add(wait)
	}
	return w.hold(ctx, site, addr.AbsInstance{}, s, res), t, w
}

func program() *evaluate.Program {
	tree := &config.Tree{Root: &config.Module{}}
	p, _ := evaluate.Compile(tree, evaluate.Options{})
	return p
}

func TestRenewals(t *testing.T) {
	for _, test := range []struct {
		name    string
		session *session
		wait    time.Duration
		waits   []time.Duration // what the keeper waits for, one a renewal
		want    string
	}{
		{"none", &session{}, 0, nil, "close p"},
		{"one", &session{}, time.Minute, []time.Duration{time.Minute}, "renew p; close p+"},
		{"several", &session{grants: 2}, time.Minute, []time.Duration{time.Minute, time.Hour}, "renew p; renew p+; close p++"},
		{"overdue", &session{}, -time.Minute, []time.Duration{shortest}, "renew p; close p+"},
		{"hasty", &session{}, time.Millisecond, []time.Duration{shortest}, "renew p; close p+"},
		{"refused", &session{refuses: true, grants: 3}, time.Minute, []time.Duration{time.Minute}, "renew p; close p"},
	} {
		t.Run(test.name, func(t *testing.T) {
			ctx := context.Background()
			l, clock, w := held(ctx, test.session, test.wait)
			for _, want := range test.waits {
				if got := <-clock.asked; got != want {
					t.Errorf("waits %s, want %s", got, want)
				}
				clock.fires <- start
			}
			<-l.done // the last answer asked for no more
			w.closeRest(ctx)
			if diags := l.release(ctx); diags != nil {
				t.Errorf("the second close says %v", diags)
			}
			if got := strings.Join(test.session.calls, "; "); got != test.want {
				t.Errorf("got  %s\nwant %s", got, test.want)
			}
			if got := w.run.Diags().HasErrors(); got != test.session.refuses {
				t.Errorf("errors %v", w.run.Diags())
			}
		})
	}
}

// A keeper that waits ends when its object is closed, and when the walk is
// cancelled; closing works then, too.
func TestReleaseEndsTheKeeper(t *testing.T) {
	for _, cancelled := range []bool{false, true} {
		ctx, cancel := context.WithCancel(context.Background())
		s := &session{grants: 9}
		l, clock, _ := held(ctx, s, time.Minute)
		<-clock.asked
		if cancelled {
			cancel()
			<-l.done
		}
		l.release(ctx)
		<-l.done
		if got := strings.Join(s.calls, "; "); got != "close p" || s.err != nil {
			t.Errorf("cancelled %v: got %s, context %v", cancelled, got, s.err)
		}
		cancel()
	}
}
