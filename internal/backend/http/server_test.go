package http_test

import (
	"context"
	"testing"
	"time"

	"github.com/plumb-iac/plumb/internal/backend"
	plumbhttp "github.com/plumb-iac/plumb/internal/backend/http"
	"github.com/plumb-iac/plumb/test/stateserver"
	"github.com/zclconf/go-cty/cty"
)

func newServer(t *testing.T) *stateserver.Server {
	t.Helper()
	s := stateserver.New()
	t.Cleanup(s.Close)
	return s
}

// arguments are those that make full use of the server.
func arguments(s *stateserver.Server) backend.Arguments {
	at := cty.StringVal(s.URL + "/state?of=network")
	return backend.Arguments{"address": at, "lock_address": at, "unlock_address": at}
}

// pauses are those between the attempts of a backend.
type pauses []string

func (p *pauses) sleep(ctx context.Context, d time.Duration) error {
	*p = append(*p, d.String())
	return ctx.Err()
}

// open gives the backend for arguments.
func open(t *testing.T, dir string, args backend.Arguments, env map[string]string) (*plumbhttp.Backend, *pauses) {
	t.Helper()
	p := &pauses{}
	b, mistakes := plumbhttp.New(plumbhttp.Options{
		Arguments: args, Env: func(name string) string { return env[name] }, Dir: dir, Form: backend.Form{Version: "1.0.0"}, Sleep: p.sleep,
	})
	if len(mistakes) > 0 {
		t.Fatal(mistakes)
	}
	return b, p
}

func info(id string) backend.LockInfo {
	return backend.LockInfo{ID: id, Operation: "OperationTypeApply", Who: "me@here", Created: time.Unix(0, 0).UTC()}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
