package backend

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/user"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/plumb-iac/plumb/diag"
)

// LockInfo tells who holds a lock and why. Its JSON form is shared with other
// tools.
type LockInfo struct {
	ID        string
	Operation string
	Info      string
	Who       string
	Version   string
	Created   time.Time
	Path      string
}

// Claim is the information for a lock that this process wants at a time, for an
// operation of the program of a version.
func Claim(s Store, operation, version string, at time.Time) LockInfo {
	return LockInfo{ID: uuid.NewString(), Operation: operation, Who: who(), Version: version, Created: at.UTC(), Path: s.Path()}
}

// who names the person and machine for others who wait for the lock.
func who() string {
	name := "unknown"
	if u, err := user.Current(); err == nil {
		name = u.Username
	}
	host, err := os.Hostname()
	if err != nil {
		return name
	}
	return name + "@" + host
}

// ParseLockInfo reads the JSON form.
func ParseLockInfo(src []byte) (*LockInfo, error) {
	var i LockInfo
	if err := json.Unmarshal(src, &i); err != nil {
		return nil, err
	}
	return &i, nil
}

// JSON is the form that is stored.
func (i LockInfo) JSON() []byte {
	b, err := json.Marshal(i)
	if err != nil { // a year beyond 9999
		i.Created = time.Time{}
		b, _ = json.Marshal(i)
	}
	return b
}

// String is the form for people.
func (i LockInfo) String() string {
	return fmt.Sprintf("Lock Info:\n  ID:        %s\n  Path:      %s\n  Operation: %s\n  Who:       %s\n  Version:   %s\n  Created:   %s\n  Info:      %s\n",
		i.ID, i.Path, i.Operation, i.Who, i.Version, i.Created, i.Info)
}

// LockedError says that somebody else holds the lock.
type LockedError struct {
	// Holder is nil when it is not known who.
	Holder *LockInfo
	Err    error
}

// Error is the cause alone; the holder is for [LockDiag].
func (e *LockedError) Error() string { return e.Err.Error() }

// Unwrap is the cause.
func (e *LockedError) Unwrap() error { return e.Err }

// HeldError says that a lock is still held, under an ID that is not the one that it was
// asked for with.
type HeldError struct {
	ID  string
	Err error
}

// Error is the cause.
func (e *HeldError) Error() string { return e.Err.Error() }

// Unwrap is the cause.
func (e *HeldError) Unwrap() error { return e.Err }

// pauses are those between attempts: they double from the first to the longest.
type pauses struct{ first, longest time.Duration }

// A server is asked ever less often. A file costs nothing to ask for, and runs
// that began together would otherwise find each other in the way every time, and
// most of them give up while nobody has the lock.
var (
	ofServer = pauses{first: time.Second, longest: 16 * time.Second}
	ofFile   = pauses{first: 50 * time.Millisecond, longest: 400 * time.Millisecond}
)

// Sleep waits, or gives the context's error.
type Sleep func(ctx context.Context, d time.Duration) error

// AcquireLock takes the lock, trying again for as long as timeout says while
// somebody else holds it. A nil sleep waits in real time.
func AcquireLock(ctx context.Context, s Store, info LockInfo, timeout time.Duration, sleep Sleep) diag.List {
	if sleep == nil {
		sleep = Pause
	}
	wait := ofFile
	if s.Remote() {
		wait = ofServer
	}
	left := timeout
	for pause := wait.first; ; pause = min(2*pause, wait.longest) {
		err := s.Lock(ctx, info)
		var locked *LockedError
		if err == nil || !errors.As(err, &locked) || left <= 0 {
			return LockDiag(err)
		}
		pause = min(pause, left)
		left -= pause
		if stopped := sleep(ctx, pause); stopped != nil {
			return LockDiag(&LockedError{locked.Holder, fmt.Errorf("%w; waiting for it ended: %w", locked.Err, stopped)})
		}
	}
}

// Pause waits for d, or gives the error that ends ctx before.
func Pause(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// LockDiag explains why the lock was not taken; nil for a nil error.
func LockDiag(err error) diag.List {
	if err == nil {
		return nil
	}
	var b strings.Builder
	fmt.Fprintf(&b, "Error message: %s\n", strings.TrimSuffix(err.Error(), "."))
	var locked *LockedError
	if errors.As(err, &locked) && locked.Holder != nil {
		b.WriteString(locked.Holder.String())
	}
	b.WriteString("\nThe lock keeps two runs from changing the state at once. Wait until the other run has ended and try again, or use -lock-timeout to wait for it here.")
	if locked == nil {
		b.Reset()
		fmt.Fprintf(&b, "Error message: %s\n\nThe state could not be locked, and nothing was changed. Locking needs a state that can be written; -lock=false would only move the failure to a later moment.", err)
	}
	return diag.List{operator("Error acquiring the state lock", b.String())}
}

// UnlockDiag explains why the lock was not given back; nil for a nil error.
func UnlockDiag(err error, id string) diag.List {
	if err == nil {
		return nil
	}
	var held *HeldError
	if errors.As(err, &held) {
		id = held.ID
	}
	return diag.List{operator("Error releasing the state lock", fmt.Sprintf(
		"Error message: %v\n\nThe lock %s may still be held. When you are sure that no other run uses this state, \"force-unlock %s\" removes it.", err, id, id))}
}
