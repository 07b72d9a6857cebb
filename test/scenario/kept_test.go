package scenario

import (
	"context"
	"testing"
	"testing/fstest"

	"github.com/plumb-iac/plumb/addr"
	"github.com/plumb-iac/plumb/config"
	"github.com/plumb-iac/plumb/diag"
	"github.com/plumb-iac/plumb/internal/backend"
	"github.com/plumb-iac/plumb/internal/backend/http"
	"github.com/plumb-iac/plumb/internal/backend/local"
	"github.com/plumb-iac/plumb/internal/encryption"
	"github.com/plumb-iac/plumb/state"
	"github.com/plumb-iac/plumb/state/journal"
	"github.com/plumb-iac/plumb/test/stateserver"
	"github.com/zclconf/go-cty/cty"
)

// kept is a state in a real backend, in place of the teller's disk. Every command opens
// it anew, as a process of its own would.
type kept struct {
	t      *testing.T
	store  func() backend.Store
	opened backend.Opened
}

// places are the backends that states are kept in.
var places = map[string]func(t *testing.T, form backend.Form) *kept{
	"local": func(t *testing.T, form backend.Form) *kept {
		at := local.New(local.Options{Dir: t.TempDir(), Form: form})
		return &kept{t: t, store: func() backend.Store { return at.Store(backend.DefaultWorkspace) }}
	},
	"http": func(t *testing.T, form backend.Form) *kept {
		server := stateserver.New()
		t.Cleanup(server.Close)
		at, mistakes := http.New(http.Options{Dir: t.TempDir(), Form: form, Env: func(string) string { return "" },
			Arguments: backend.Arguments{"address": cty.StringVal(server.URL + "/state")}})
		if len(mistakes) > 0 {
			t.Fatal(mistakes)
		}
		return &kept{t: t, store: func() backend.Store { return at.Store(backend.DefaultWorkspace) }}
	},
}

// sealed is an encryption of states.
func sealed(t *testing.T) *encryption.Target {
	t.Helper()
	tree, diags := config.Load(fstest.MapFS{"main.tf": {Data: []byte(`terraform {
  encryption {
    key_provider "pbkdf2" "k" {
      passphrase    = "a passphrase of some length"
      iterations    = 200000
      hash_function = "sha256"
    }
    method "aes_gcm" "m" {
      keys = key_provider.pbkdf2.k
    }
    state {
      method = method.aes_gcm.m
    }
  }
}
`)}}, ".", config.LoadOptions{})
	if diags.HasErrors() {
		t.Fatal(diags)
	}
	how, diags := encryption.Read(encryption.Options{Tree: tree})
	if diags.HasErrors() {
		t.Fatal(diags)
	}
	return how.State()
}

// open reads the state and its journal.
func (k *kept) open() journal.Recovery {
	k.t.Helper()
	k.close()
	o, diags := backend.Open(context.Background(), k.store(), "lineage")
	if diags.HasErrors() {
		k.t.Fatal(diags)
	}
	k.opened = o
	return journal.Recovery{Snapshot: o.Snapshot, Unresolved: o.Unresolved, Standing: o.Standing}
}

// close lets go of the journal.
func (k *kept) close() {
	if k.opened.Journal != nil {
		if err := k.opened.Journal.Close(); err != nil {
			k.t.Fatal(err)
		}
		k.opened.Journal = nil
	}
}

// replace is what a command does that edits the state.
func (k *kept) replace(next *state.Snapshot) {
	k.t.Helper()
	if err := k.Write(context.Background(), next); err != nil {
		k.t.Fatal(err)
	}
	if err := k.opened.Settle(next); err != nil {
		k.t.Fatal(err)
	}
}

// present is the state as a new process finds it, without its journal.
func (k *kept) present() *state.Snapshot {
	k.t.Helper()
	var s *state.Snapshot
	var diags diag.List
	if s, diags = k.store().Read(context.Background()); diags.HasErrors() {
		k.t.Fatal(diags)
	}
	if s == nil {
		s = state.New("lineage")
	}
	return s
}

// Write implements engine.Store.
func (k *kept) Write(ctx context.Context, s *state.Snapshot) error {
	if err := k.store().Write(ctx, s); err != nil {
		return err
	}
	k.opened.Applied(s)
	return nil
}

// recover is the state, with what is beside it.
func (tl *teller) recover() journal.Recovery {
	if tl.kept != nil {
		return tl.kept.open()
	}
	r, err := journal.Fold(tl.disk.stored, tl.disk.Log())
	tl.must(err)
	return r
}

// edit changes the state as a command of that name would: with what the journal
// has, which ends with it but for what nobody knows the outcome of.
func (tl *teller) edit(c command) {
	a, err := addr.ParseInstance(c.args[0])
	tl.must(err)
	found := tl.recover()
	var edit state.Edit = state.Taint{Instance: a, Tainted: c.verb == "taint"}
	here := found.Snapshot.Instance(a)
	switch c.verb {
	case "state-rm":
		edit = state.Drop{Object: addr.Object{Instance: a}}
	case "state-mv":
		to, err := addr.ParseInstance(c.args[1])
		tl.must(err)
		edit = state.Rebind{From: a, To: to}
		if found.Snapshot.Instance(to) != nil {
			here = nil
		}
	}
	if here == nil || here.Current() == nil && c.verb != "state-mv" {
		tl.line("there is nothing to change")
		return
	}
	next, err := found.Snapshot.Apply(edit)
	tl.must(err)
	if next == found.Snapshot && next == tl.disk.stored {
		return
	}
	next = next.WithSerial(tl.disk.stored.Serial() + 1)
	if tl.kept != nil {
		tl.kept.replace(next)
		return
	}
	tl.disk.stored = next
	tl.must(tl.disk.settle(found.Unresolved))
}
