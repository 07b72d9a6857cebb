package statestore_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/plumb-iac/plumb/addr"
	"github.com/plumb-iac/plumb/diag"
	"github.com/plumb-iac/plumb/internal/backend"
	"github.com/plumb-iac/plumb/internal/backend/backendtest"
	"github.com/plumb-iac/plumb/internal/backend/statestore"
	"github.com/plumb-iac/plumb/provider"
	"github.com/plumb-iac/plumb/provider/embedded"
	"github.com/plumb-iac/plumb/provider/process"
	"github.com/plumb-iac/plumb/state"
	"github.com/plumb-iac/plumb/test/testprovider"
	"github.com/plumb-iac/plumb/value"
	"github.com/zclconf/go-cty/cty"
)

func TestMain(m *testing.M) {
	if err := embedded.Quiet(); err != nil {
		panic(err)
	}
	os.Exit(m.Run())
}

var testAddr = addr.Provider{Host: "example.com", Namespace: "t", Type: "test"}

// shelf opens a store of the test provider over the wire, as a process of its own
// would be asked.
func shelf(t *testing.T, dir string, more map[string]string) provider.StateStore {
	t.Helper()
	p := process.InProcess(testAddr, testprovider.Register6)
	t.Cleanup(func() { p.Close() })
	config := map[string]cty.Value{"dir": cty.StringVal(dir), "broken": cty.NullVal(cty.String), "idle": cty.NullVal(cty.String)}
	for name, v := range more {
		config[name] = cty.StringVal(v)
	}
	s, diags := p.OpenStateStore(context.Background(), "test_shelf", value.MustBare(cty.ObjectVal(config)))
	if diags.HasErrors() {
		t.Fatal(diags)
	}
	return s
}

func open(t *testing.T, dir string, more map[string]string) backend.Backend {
	var lineages atomic.Int64
	return statestore.New(statestore.Options{
		Store: shelf(t, filepath.Join(dir, "shelf"), more), Type: "test_shelf", Key: "k", Dir: filepath.Join(dir, "data"),
		Form: backend.Form{Version: "1.0.0"}, NewLineage: func() string { return fmt.Sprint("l", lineages.Add(1)) },
	})
}

func TestBackend(t *testing.T) {
	backendtest.Run(t, func(t *testing.T) func() backend.Backend {
		dir := t.TempDir()
		return func() backend.Backend { return open(t, dir, nil) }
	})
}

// TestLarge: a state of many chunks arrives whole, and one of which the last chunk is
// full.
func TestLarge(t *testing.T) {
	s := shelf(t, t.TempDir(), nil)
	for _, size := range []int{1, 2<<20 - 1, 2 << 20, 2<<20 + 1, 6 << 20} {
		content := []byte(strings.Repeat("0123456789", size/10+1)[:size])
		if diags := s.WriteState(context.Background(), "large", content); diags.HasErrors() {
			t.Fatal(size, diags)
		}
		got, diags := s.ReadState(context.Background(), "large")
		if diags.HasErrors() || string(got) != string(content) {
			t.Errorf("%d bytes became %d: %v", size, len(got), diags)
		}
	}
}

// TestRefused: what the provider says is what people read, and nothing is taken for
// done.
func TestRefused(t *testing.T) {
	ctx := context.Background()
	info := backend.LockInfo{ID: "ours", Operation: "OperationTypeApply"}
	for operation, try := range map[string]func(backend.Backend) error{
		"write":  func(b backend.Backend) error { return b.Store("default").Write(ctx, state.New("l")) },
		"read":   func(b backend.Backend) error { _, diags := b.Store("default").Read(ctx); return said(diags) },
		"list":   func(b backend.Backend) error { _, diags := b.Workspaces(ctx); return said(diags) },
		"delete": func(b backend.Backend) error { return said(b.Delete(ctx, "old")) },
		"lock":   func(b backend.Backend) error { return b.Store("default").Lock(ctx, info) },
		"unlock": func(b backend.Backend) error {
			s := b.Store("default")
			if err := s.Lock(ctx, info); err != nil {
				return fmt.Errorf("not even locked: %w", err)
			}
			return s.Unlock(ctx, "ours")
		},
	} {
		t.Run(operation, func(t *testing.T) {
			err := try(open(t, t.TempDir(), map[string]string{"broken": operation}))
			if want := "The shelf does not " + operation; err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%v, want %q", err, want)
			}
		})
	}
}

// said are diagnostics as an error, nil for none.
func said(diags diag.List) error {
	if len(diags) == 0 {
		return nil
	}
	return fmt.Errorf("%s: %s", diags[0].Summary, diags[0].Detail)
}

// TestLeftLock: a lock that could not be given back is told by the store's own id,
// which is what removes it.
func TestLeftLock(t *testing.T) {
	ctx, dir := context.Background(), t.TempDir()
	s := open(t, dir, map[string]string{"broken": "unlock"}).Store("default")
	if err := s.Lock(ctx, backend.LockInfo{ID: "ours"}); err != nil {
		t.Fatal(err)
	}
	told := backend.UnlockDiag(s.Unlock(ctx, "ours"), "ours")[0].Detail
	src, err := os.ReadFile(filepath.Join(dir, "shelf", "default.lock"))
	if err != nil {
		t.Fatal(err)
	}
	id := strings.Split(string(src), `"`)[3]
	if !strings.Contains(told, "force-unlock "+id) {
		t.Errorf("the id %s is not in: %s", id, told)
	}
	mended := open(t, dir, nil).Store("default")
	if err := mended.ForceUnlock(ctx, id); err != nil {
		t.Fatal(err)
	}
	if err := mended.Lock(ctx, backend.LockInfo{ID: "next"}); err != nil {
		t.Error(err)
	}
}

// TestNoLocks: a store without locks is used without them, but for that of this
// machine.
func TestNoLocks(t *testing.T) {
	ctx, dir := context.Background(), t.TempDir()
	first, second := open(t, dir, map[string]string{"idle": "lock"}).Store("default"), open(t, dir, map[string]string{"idle": "lock"}).Store("default")
	if err := first.Lock(ctx, backend.LockInfo{ID: "1"}); err != nil {
		t.Fatal(err)
	}
	if err := second.Lock(ctx, backend.LockInfo{ID: "2"}); err == nil {
		t.Error("two runs of one directory at a time")
	}
	if err := first.Unlock(ctx, "1"); err != nil {
		t.Error(err)
	}
}
