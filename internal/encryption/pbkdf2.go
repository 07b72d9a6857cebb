package encryption

import (
	"context"
	"crypto/pbkdf2"
	"crypto/rand"
	"crypto/sha256"
	"crypto/sha512"
	"encoding/json"
	"errors"
	"fmt"
	"hash"
)

// The bounds of what pbkdf2 is configured with, and of what is read back: the
// latter is not authenticated, and must not keep a run busy for hours.
const (
	minPassphrase     = 16
	minIterations     = 200_000
	maxIterations     = 100_000_000
	maxLength         = 1 << 16
	defaultIterations = 600_000
	defaultLength     = 32
)

// hashes are the hash functions of pbkdf2 by name.
var hashes = map[string]func() hash.Hash{"sha512": sha512.New, "sha256": sha256.New}

// derived makes keys from a passphrase (RFC 8018).
type derived struct {
	passphrase string
	// chain gives the passphrase instead; nil for none.
	chain                             *provider
	iterations, keyLength, saltLength int
	hash                              string
}

// derivation is what is kept of a derived key.
type derivation struct {
	Salt       []byte `json:"salt"`
	Iterations int    `json:"iterations"`
	Hash       string `json:"hash_function"`
	KeyLength  int    `json:"key_length"`
}

// check says what is wrong with the arguments.
func (d *derived) check() error {
	switch {
	case d.passphrase != "" && d.chain != nil:
		return errors.New("passphrase and chain are mutually exclusive")
	case d.passphrase == "" && d.chain == nil:
		return errors.New("no passphrase provided and no chained provider defined")
	case d.chain == nil && len(d.passphrase) < minPassphrase:
		return fmt.Errorf("passphrase is too short (minimum %d characters)", minPassphrase)
	case d.keyLength <= 0 || d.keyLength > maxLength:
		return fmt.Errorf("the key length must be larger than zero, and at most %d", maxLength)
	case d.saltLength <= 0 || d.saltLength > maxLength:
		return fmt.Errorf("the salt length must be larger than zero, and at most %d", maxLength)
	case d.iterations <= 0:
		return errors.New("the number of iterations must be larger than zero")
	case d.iterations < minIterations:
		return fmt.Errorf("the number of iterations is dangerously low (<%d), refusing to generate key", minIterations)
	case d.iterations > maxIterations:
		return fmt.Errorf("the number of iterations is larger than %d, which would take minutes each time", maxIterations)
	case hashes[d.hash] == nil:
		return fmt.Errorf("invalid hash function name: %s; there are sha512 and sha256", d.hash)
	}
	return nil
}

func (d *derived) fresh(ctx context.Context) (key, meta []byte, err error) {
	secret := []byte(d.passphrase)
	if d.chain != nil {
		if secret, err = d.chain.fresh(ctx); err != nil {
			return nil, nil, err
		}
	}
	kept := derivation{make([]byte, d.saltLength), d.iterations, d.hash, d.keyLength}
	_, _ = rand.Read(kept.Salt) // never fails
	if key, err = kept.key(secret); err != nil {
		return nil, nil, err
	}
	meta, err = json.Marshal(kept)
	return key, meta, err
}

func (d *derived) again(ctx context.Context, meta []byte, all metas) ([]byte, error) {
	var kept derivation
	if err := json.Unmarshal(meta, &kept); err != nil {
		return nil, fmt.Errorf("what it has kept is damaged: %w", err)
	}
	if kept.Iterations <= 0 || kept.Iterations > maxIterations || kept.KeyLength <= 0 || kept.KeyLength > maxLength || hashes[kept.Hash] == nil {
		return nil, fmt.Errorf("what it has kept is damaged: %d iterations of %q for %d bytes cannot be", kept.Iterations, kept.Hash, kept.KeyLength)
	}
	secret := []byte(d.passphrase)
	if d.chain != nil {
		var err error
		if secret, err = d.chain.again(ctx, all); err != nil {
			return nil, err
		}
	}
	return kept.key(secret)
}

func (d derivation) key(secret []byte) ([]byte, error) {
	return pbkdf2.Key(hashes[d.Hash], string(secret), d.Salt, d.Iterations, d.KeyLength)
}
