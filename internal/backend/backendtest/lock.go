package backendtest

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/plumb-iac/plumb/internal/backend"
)

func lock(t *testing.T, open func() backend.Backend) {
	a, b := open().Store("default"), open().Store("default")
	must(t, a.Lock(ctx(), info("a")))
	for range 2 {
		err := b.Lock(ctx(), info("b"))
		var locked *backend.LockedError
		if !errors.As(err, &locked) || !tells(locked) {
			t.Fatalf("the second lock: %v", err)
		}
	}
	if err := a.Lock(ctx(), info("c")); err == nil {
		t.Error("the lock was taken twice through one store")
	}
	if a.Unlock(ctx(), "b") == nil || b.Unlock(ctx(), "a") == nil {
		t.Error("the lock was given back by somebody else")
	}
	if !b.Busy(ctx()) || a.Busy(ctx()) {
		t.Errorf("busy: %v for the other, %v for the holder", b.Busy(ctx()), a.Busy(ctx()))
	}
	must(t, a.Unlock(ctx(), "a"))
	if b.Busy(ctx()) {
		t.Error("busy after unlock")
	}
	must(t, b.Lock(ctx(), info("b")))
	must(t, b.Unlock(ctx(), "b"))
	if got := read(t, a); got != nil {
		t.Error("locking left a state behind")
	}
}

// tells says whether a refusal tells who holds the lock: the lock of the suite, or one
// of which a provider gives its own account.
func tells(e *backend.LockedError) bool {
	if e.Holder == nil {
		return strings.Contains(e.Error(), "Who: ")
	}
	return e.Holder.ID == "a" && e.Holder.Who == "me@here"
}

func lockFollows(t *testing.T, open func() backend.Backend) {
	a, b := open().Store("default"), open().Store("default")
	must(t, a.Lock(ctx(), info("a")))
	for n := 1; n < 4; n++ {
		write(t, a, n)
		if got := read(t, a); got.Count() != n {
			t.Fatalf("the holder reads %d objects after writing %d", got.Count(), n)
		}
		var locked *backend.LockedError
		if err := b.Lock(ctx(), info("b")); !errors.As(err, &locked) {
			t.Fatalf("after write %d another got the lock: %v", n, err)
		}
	}
	must(t, a.Unlock(ctx(), "a"))
	must(t, b.Lock(ctx(), info("b")))
	if got := read(t, b); got.Count() != 3 {
		t.Errorf("the next holder reads %d objects", got.Count())
	}
	must(t, b.Unlock(ctx(), "b"))
}

func lockWaits(t *testing.T, open func() backend.Backend) {
	a, b := open().Store("default"), open().Store("default")
	must(t, a.Lock(ctx(), info("a")))
	var pauses []time.Duration
	note := func(_ context.Context, d time.Duration) error { pauses = append(pauses, d); return nil }
	timeout, want := time.Second, "[50ms 100ms 200ms 400ms 250ms]"
	if b.Remote() {
		timeout, want = 40*time.Second, "[1s 2s 4s 8s 16s 9s]"
	}
	diags := backend.AcquireLock(ctx(), b, info("b"), timeout, note)
	if len(diags) != 1 || diags[0].Summary != "Error acquiring the state lock" || fmt.Sprint(pauses) != want {
		t.Errorf("%v after pauses %v", diags, pauses)
	}
	diags = backend.AcquireLock(ctx(), b, info("b"), time.Minute, func(context.Context, time.Duration) error { return a.Unlock(ctx(), "a") })
	fine(t, diags)
	must(t, b.Unlock(ctx(), "b"))
}

func forceUnlock(t *testing.T, open func() backend.Backend) {
	a := open().Store("default")
	if a.ForceUnlock(ctx(), "a") == nil {
		t.Error("a lock that is not there was removed")
	}
	must(t, a.Lock(ctx(), info("a")))
	if open().Store("default").ForceUnlock(ctx(), "b") == nil {
		t.Error("a lock was removed under another ID")
	}
	must(t, a.Unlock(ctx(), "a"))
}
