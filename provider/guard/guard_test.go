package guard

import (
	"context"
	"errors"
	"runtime"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/plumb-iac/plumb/addr"
	"github.com/plumb-iac/plumb/diag"
	"github.com/plumb-iac/plumb/provider"
	"github.com/plumb-iac/plumb/provider/builtin"
	"github.com/plumb-iac/plumb/provider/wire"
	"github.com/plumb-iac/plumb/value"
)

var theirs = addr.Provider{Host: "registry.example.com", Namespace: "a", Type: "b"}

// scripted does what the test says in the methods that it looks at. The tests of
// package engine go through them all.
type scripted struct {
	provider.Provider
	read   func(context.Context) provider.ReadResponse
	list   func(each func(provider.Listed) bool)
	invoke func(progress func(string))
	close  func() error
}

func (s scripted) Close() error { return s.close() }

func (s scripted) Read(ctx context.Context, _ provider.ReadRequest) (provider.ReadResponse, diag.List) {
	return s.read(ctx), nil
}

func (s scripted) ListResources(_ context.Context, _ provider.ListRequest, each func(provider.Listed) bool) diag.List {
	s.list(each)
	return nil
}

func (s scripted) InvokeAction(_ context.Context, _ string, _ value.Bare, progress func(string)) diag.List {
	s.invoke(progress)
	return nil
}

func only(t *testing.T, diags diag.List, code diag.Code, words string) {
	t.Helper()
	if len(diags) != 1 || diags[0].Code != code || !strings.Contains(diags[0].Detail, words) {
		t.Errorf("%v, want %s with %q", diags, code, words)
	}
}

// TestEnds is GU1, and what else keeps a call from answering.
func TestEnds(t *testing.T) {
	for words, read := range map[string]func(context.Context) provider.ReadResponse{
		"a/b answered Read for disk with an unexpected error: panic: boom": func(context.Context) provider.ReadResponse { panic(errors.New("boom")) },
		"its goroutine ended": func(context.Context) provider.ReadResponse { runtime.Goexit(); return provider.ReadResponse{} },
	} {
		_, diags := around(theirs, scripted{read: read}).Read(t.Context(), provider.ReadRequest{TypeName: "disk"})
		only(t, diags, wire.CodeFailed, words)
	}
}

// TestLeft is GU2: who heeds the context can say what he did, who does not is left.
func TestLeft(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		heeds := scripted{read: func(ctx context.Context) provider.ReadResponse {
			<-ctx.Done()
			return provider.ReadResponse{Private: []byte("done")}
		}}
		if res, diags := around(theirs, heeds).Read(ctx, provider.ReadRequest{}); diags.HasErrors() || string(res.Private) != "done" {
			t.Errorf("%s, %v", res.Private, diags)
		}
		never := make(chan struct{})
		defer close(never)
		deaf := scripted{read: func(context.Context) provider.ReadResponse { <-never; return provider.ReadResponse{} }}
		began := time.Now()
		_, diags := around(theirs, deaf).Read(ctx, provider.ReadRequest{})
		only(t, diags, wire.CodeCancelled, "Read")
		if took := time.Since(began); took != grace {
			t.Errorf("it took %s", took)
		}
	})
}

// TestClosed is GU2 for a provider that does not end.
func TestClosed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		never := make(chan struct{})
		defer close(never)
		began := time.Now()
		err := around(theirs, scripted{close: func() error { <-never; return nil }}).Close()
		if took := time.Since(began); err == nil || took != grace {
			t.Errorf("%v after %s", err, took)
		}
		for words, ends := range map[string]func() error{
			"":           func() error { return nil },
			"lost":       func() error { return errors.New("lost") },
			"panic: off": func() error { panic("off") },
		} {
			if err := around(theirs, scripted{close: ends}).Close(); (err == nil) != (words == "") || err != nil && !strings.Contains(err.Error(), words) {
				t.Errorf("%v, want %q", err, words)
			}
		}
	})
}

// TestTold is GU3.
func TestTold(t *testing.T) {
	var late func(provider.Listed) bool
	n := 0 // unguarded, so that the race detector sees two at a time
	crowd := scripted{
		list: func(each func(provider.Listed) bool) {
			late = each
			var all sync.WaitGroup
			for range 8 {
				all.Go(func() { each(provider.Listed{}) })
			}
			all.Wait()
		},
		invoke: func(progress func(string)) {
			progress("one")
			go progress("late") // in time or not
		},
	}
	p := around(theirs, crowd)
	p.ListResources(t.Context(), provider.ListRequest{}, func(provider.Listed) bool { n++; return n < 5 })
	if n != 5 {
		t.Errorf("%d objects heard, and no more than five wanted", n)
	}
	if late(provider.Listed{}) || n != 5 {
		t.Error("something is heard after the call")
	}
	heard := 0
	p.InvokeAction(t.Context(), "note", value.Bare{}, func(string) { heard++ })
	if heard == 0 {
		t.Error("nothing is heard of an action")
	}
}

// empty opens nothing, for no reason.
type empty struct{}

func (empty) Open(context.Context, addr.Provider) (provider.Provider, diag.List) { return nil, nil }
func (empty) Schemas(context.Context, addr.Provider) (provider.Schemas, diag.List) {
	return nil, diag.List{diag.Warn("odd", "")}
}

// TestNothing has a reason for everything that is not there.
func TestNothing(t *testing.T) {
	_, diags := Source{empty{}}.Open(t.Context(), theirs)
	only(t, diags, wire.CodeFailed, "a/b answered Open")
	_, diags = Source{empty{}}.Schemas(t.Context(), theirs)
	only(t, diags[1:], wire.CodeFailed, "a/b answered Schemas")
}

// TestBare hands out as it is what needs no wall.
func TestBare(t *testing.T) {
	for _, p := range []provider.Provider{&wire.Client{}, &builtin.Provider{}} {
		if around(theirs, p) != p {
			t.Errorf("%T has a wall", p)
		}
	}
}
