package encryption

import (
	"context"
	"crypto/aes"
	"crypto/cipher"
	"crypto/rand"
	"errors"
	"fmt"
)

// method encrypts and decrypts with keys of its provider.
type method interface {
	// provider is where its keys are from; nil when it needs none.
	provider() *provider
	seal(ctx context.Context, key, plain []byte) ([]byte, error)
	open(ctx context.Context, key, sealed []byte) ([]byte, error)
}

// gcm is AES in Galois/Counter Mode: a nonce, what is encrypted, and the tag.
type gcm struct {
	keys *provider
	// extra is authenticated with the content, and not kept.
	extra []byte
}

func (g *gcm) provider() *provider { return g.keys }

func (g *gcm) seal(_ context.Context, key, plain []byte) ([]byte, error) {
	c, err := g.cipher(key)
	if err != nil {
		return nil, err
	}
	nonce := make([]byte, c.NonceSize(), c.NonceSize()+len(plain)+c.Overhead())
	_, _ = rand.Read(nonce) // never fails
	return c.Seal(nonce, nonce, plain, g.extra), nil
}

func (g *gcm) open(_ context.Context, key, sealed []byte) ([]byte, error) {
	c, err := g.cipher(key)
	if err != nil {
		return nil, err
	}
	if len(sealed) < c.NonceSize()+c.Overhead() {
		return nil, errors.New("what is encrypted is shorter than it can be, so it was cut off")
	}
	plain, err := c.Open(nil, sealed[:c.NonceSize()], sealed[c.NonceSize():], g.extra)
	if err != nil {
		return nil, errors.New("the key is another one, or what is encrypted was altered")
	}
	return plain, nil
}

func (g *gcm) cipher(key []byte) (cipher.AEAD, error) {
	switch len(key) {
	case 16, 24, 32:
	default:
		return nil, fmt.Errorf("AES-GCM requires the key length to be one of: 16, 24, 32, received %d bytes in the encryption key", len(key))
	}
	block, err := aes.NewCipher(key)
	if err != nil {
		return nil, err
	}
	return cipher.NewGCM(block)
}
