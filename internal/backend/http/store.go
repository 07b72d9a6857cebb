package http

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"

	"github.com/plumb-iac/plumb/diag"
	"github.com/plumb-iac/plumb/internal/backend"
	"github.com/plumb-iac/plumb/internal/backend/here"
	"github.com/plumb-iac/plumb/state"
)

// store is the state at one address.
type store struct {
	client *client
	at     addresses
	form   backend.Form
	shown  string
	here   here.Place
	held   *here.Held
	stale  bool
}

// Path names the state for people.
func (s *store) Path() string { return s.shown }

// Remote is true: the server is another machine, or has to be taken for one.
func (s *store) Remote() bool { return true }

// Stale says that what Read found is to be written again although its content
// stays.
func (s *store) Stale() bool { return s.stale }

// Read asks for the state; nil for none.
func (s *store) Read(ctx context.Context) (*state.Snapshot, diag.List) {
	src, err := s.fetch(ctx)
	if err != nil {
		return nil, diag.List{diag.Err("Failed to load state", "The state at "+s.shown+" could not be read: "+err.Error()+".").By(diag.Operator)}
	}
	snapshot, stale, diags := s.form.Parse(ctx, src, s.shown)
	s.stale = stale
	return snapshot, diags
}

// fetch asks for what is stored; nothing for no state.
func (s *store) fetch(ctx context.Context) ([]byte, error) {
	a, err := s.client.do(ctx, http.MethodGet, s.at.state, nil)
	switch {
	case err != nil:
		return nil, err
	case a.status == http.StatusNotFound || a.status == http.StatusNoContent:
		return nil, nil
	case a.status != http.StatusOK:
		return nil, a.unexpected()
	case a.md5 != "" && a.md5 != checksum(a.body):
		return nil, errors.New("what arrived is not what was sent: its checksum is not the one in the header Content-MD5")
	}
	return a.body, nil
}

// Write replaces the state.
func (s *store) Write(ctx context.Context, snapshot *state.Snapshot) error {
	var body bytes.Buffer
	if err := s.form.Content(ctx, snapshot)(&body); err != nil {
		return err
	}
	a, err := s.client.do(ctx, s.at.updateMethod, s.stateUnderLock(), body.Bytes())
	if err != nil {
		return err
	}
	switch a.status {
	case http.StatusOK, http.StatusCreated, http.StatusNoContent:
		s.stale = false
		return nil
	case http.StatusConflict, http.StatusLocked:
		if holder := a.holder(); holder != nil {
			return fmt.Errorf("%s refuses the state (%s): somebody else holds its lock now, %s with the ID %s", s.shown, a.text, holder.Who, holder.ID)
		}
	}
	return fmt.Errorf("%s does not take the state: %w", s.shown, a.unexpected())
}

// stateUnderLock is the address for writing, which tells the lock's ID.
func (s *store) stateUnderLock() *url.URL {
	if s.held == nil || s.at.lock == nil {
		return s.at.state
	}
	at := *s.at.state
	query := at.Query()
	query.Set("ID", s.held.Info.ID)
	at.RawQuery = query.Encode()
	return &at
}

// Probe reads the state, since there is no other question that changes nothing. It
// makes sure of the keys, too, and that the journal finds a place.
func (s *store) Probe(ctx context.Context) error {
	if err := s.form.Encryption.Ready(ctx); err != nil {
		return err
	}
	if err := s.here.Room(); err != nil {
		return err
	}
	_, err := s.fetch(ctx)
	return err
}

// Journal opens the journal of this directory.
func (s *store) Journal(ctx context.Context) (backend.Journal, error) {
	return s.here.Journal(ctx, s.form.Encryption)
}

var (
	_ backend.Backend = (*Backend)(nil)
	_ backend.Store   = (*store)(nil)
)
