package http

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"net/url"

	"github.com/plumb-iac/plumb/diag"
	"github.com/plumb-iac/plumb/internal/backend"
	"github.com/plumb-iac/plumb/internal/backend/here"
)

// Options are what a backend works with.
type Options struct {
	// Arguments are those of the block.
	Arguments backend.Arguments
	// Env gives environment variables, which complete them.
	Env func(name string) string
	// Dir is where the journal and the lock of this machine are kept.
	Dir string
	// Form is how the state and the journal are written.
	Form backend.Form
	// Sleep waits before a request is made again; nil for real time.
	Sleep backend.Sleep
}

// Backend keeps one state on a server.
type Backend struct {
	o      Options
	at     addresses
	client *client
}

// New gives the backend, or says what is wrong with its arguments. Nothing is asked
// of the server.
func New(o Options) (*Backend, []backend.Mistake) {
	if o.Sleep == nil {
		o.Sleep = backend.Pause
	}
	a := &arguments{given: o.Arguments, env: o.Env}
	b := &Backend{o: o, at: a.addresses(), client: a.client(o.Sleep)}
	return b, a.mistakes
}

// Multiple is false: an address is one state.
func (b *Backend) Multiple() bool { return false }

// Workspaces is the default one.
func (b *Backend) Workspaces(context.Context) ([]string, diag.List) {
	return []string{backend.DefaultWorkspace}, nil
}

// Create refuses all but the default workspace.
func (b *Backend) Create(_ context.Context, workspace string) diag.List {
	if workspace == backend.DefaultWorkspace {
		return nil
	}
	return refused("There can be no workspace \"" + workspace + "\": the address is that of one state.")
}

// Delete refuses.
func (b *Backend) Delete(context.Context, string) diag.List {
	return refused("There is the default workspace and no other, and that cannot be deleted.")
}

func refused(why string) diag.List {
	return diag.List{diag.Err("Workspaces not supported", why).By(diag.Operator)}
}

// Store is the state, whatever the workspace.
func (b *Backend) Store(string) backend.Store {
	return &store{client: b.client, at: b.at, form: b.o.Form, shown: shown(b.at.state), here: here.New(b.o.Dir, "http-"+identity(b.at.state))}
}

// identity is a short name for an address, whoever asks there.
func identity(at *url.URL) string {
	anonymous := *at
	anonymous.User = nil
	sum := sha256.Sum256([]byte(anonymous.String()))
	return hex.EncodeToString(sum[:6])
}
