package encryption

import (
	"context"
	"fmt"
	"strings"
)

// Target is something that is encrypted: states, plans, or states of others. A
// nil Target is one that is not. It may be used concurrently.
type Target struct {
	// name is what messages call it: "state", "plan".
	name    string
	methods []step
}

// step is one of the methods of a target.
type step struct {
	// address is method.TYPE.NAME.
	address string
	// method is nil for unencrypted.
	method method
}

// Plain says whether nothing is encrypted when it is written.
func (t *Target) Plain() bool { return t == nil || t.methods[0].method == nil }

// takesPlain says whether what is not encrypted may be read, and whether it is
// stale.
func (t *Target) takesPlain() (allowed, stale bool) {
	for i, s := range t.methods {
		if s.method == nil {
			return true, i > 0
		}
	}
	return false, false
}

// Ready makes sure that writing will not fail for want of a key.
func (t *Target) Ready(ctx context.Context) error {
	if t.Plain() {
		return nil
	}
	_, _, err := t.seal(ctx, []byte("plumb"))
	return err
}

// seal encrypts with the first method.
func (t *Target) seal(ctx context.Context, plain []byte) (sealed []byte, kept metas, err error) {
	first := t.methods[0]
	var key []byte
	kept = metas{}
	if p := first.method.provider(); p != nil {
		if key, err = p.fresh(ctx); err == nil {
			kept = p.kept()
		}
	}
	if err == nil {
		sealed, err = first.method.seal(ctx, key, plain)
	}
	if err != nil {
		return nil, nil, problem("Failed to encrypt the "+t.name, "%s could not encrypt it: %v. Nothing was written in the clear.", first.address, err)
	}
	return sealed, kept, nil
}

// open decrypts with the first method that can. stale says that it is not the
// one that encrypts.
func (t *Target) open(ctx context.Context, sealed []byte, kept metas) (plain []byte, stale bool, err error) {
	var tried []string
	for i, s := range t.methods {
		if s.method == nil {
			continue
		}
		plain, err := s.open(ctx, sealed, kept)
		if err == nil {
			return plain, i > 0, nil
		}
		tried = append(tried, fmt.Sprintf("  - %s: %v", s.address, err))
	}
	if len(tried) == 0 {
		return nil, false, problem("Failed to decrypt the "+t.name, "It is encrypted, and the only method configured for it is unencrypted. Add the method that it was encrypted with as a fallback.")
	}
	return nil, false, problem("Failed to decrypt the "+t.name, "None of the methods configured for it could decrypt it:\n%s\n\nNothing was changed. If keys or methods were changed since it was written, add what it was written with as a fallback block.", strings.Join(tried, "\n"))
}

func (s step) open(ctx context.Context, sealed []byte, kept metas) ([]byte, error) {
	var key []byte
	if p := s.method.provider(); p != nil {
		var err error
		if key, err = p.again(ctx, kept); err != nil {
			return nil, err
		}
	}
	return s.method.open(ctx, key, sealed)
}

// refused is the error about something that is not encrypted and should be.
func (t *Target) refused() error {
	return problem("The "+t.name+" is not encrypted", "It is stored in the clear (encountered unencrypted payload without unencrypted method configured), and the configuration says that it is encrypted. Either somebody has replaced it, or encryption is new here. In the latter case add a fallback block with a method of the type unencrypted for the time until it has been written again, as docs/encryption.md shows.")
}
