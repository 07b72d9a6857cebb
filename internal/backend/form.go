package backend

import (
	"bytes"
	"context"
	"errors"
	"io"

	"github.com/plumb-iac/plumb/diag"
	"github.com/plumb-iac/plumb/internal/encryption"
	"github.com/plumb-iac/plumb/state"
	v4 "github.com/plumb-iac/plumb/state/v4"
)

// Form is how states are turned into bytes: what every backend stores.
type Form struct {
	// Version is the program's version for the states.
	Version string
	// Encryption is how they are encrypted; nil for not at all.
	Encryption *encryption.Target
}

// Content writes a state in the form in which it is stored.
func (f Form) Content(ctx context.Context, s *state.Snapshot) func(io.Writer) error {
	return func(w io.Writer) error {
		if f.Encryption.Plain() {
			return v4.Write(w, s, v4.Options{Version: f.Version})
		}
		var plain bytes.Buffer
		if err := v4.Write(&plain, s, v4.Options{Version: f.Version}); err != nil {
			return err
		}
		sealed, err := f.Encryption.SealState(ctx, plain.Bytes(), s.Lineage(), s.Serial())
		if err == nil {
			_, err = w.Write(sealed)
		}
		return err
	}
}

// Parse reads what is stored in a place that where names; nil for nothing. stale is
// what [Store.Stale] says of it.
func (f Form) Parse(ctx context.Context, src []byte, where string) (s *state.Snapshot, stale bool, diags diag.List) {
	opened, err := f.open(ctx, src)
	if err != nil {
		return nil, false, encryption.Diags(err, where)
	}
	s, diags = v4.Parse(opened.Plain)
	for i := range diags {
		diags[i].Detail = "In " + where + ": " + diags[i].Detail
	}
	return s, opened.Stale, diags
}

// Again gives what is stored in the form in which it would be stored now: as it
// is, or encrypted anew.
func (f Form) Again(ctx context.Context, src []byte) ([]byte, error) {
	opened, err := f.open(ctx, src)
	if err != nil || !opened.Stale {
		return src, err
	}
	s, diags := v4.Parse(opened.Plain)
	if diags.HasErrors() || s == nil {
		return nil, errors.New("the present state cannot be read")
	}
	return f.Encryption.SealState(ctx, opened.Plain, s.Lineage(), s.Serial())
}

func (f Form) open(ctx context.Context, src []byte) (encryption.Opened, error) {
	if len(bytes.TrimSpace(src)) == 0 {
		return encryption.Opened{Plain: src}, nil
	}
	return f.Encryption.Open(ctx, src)
}
