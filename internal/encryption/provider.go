package encryption

import (
	"context"
	"fmt"
	"maps"
	"sync"
)

// metas is what key providers keep beside what is encrypted, by their metadata
// keys.
type metas map[string][]byte

// keyMaker is what one type of key provider does.
type keyMaker interface {
	// fresh makes a key to encrypt with, and what is needed to make it again.
	fresh(ctx context.Context) (key, meta []byte, err error)
	// again makes the key that was made when meta was kept; all are the metas
	// kept beside the same content.
	again(ctx context.Context, meta []byte, all metas) ([]byte, error)
}

// provider is a configured key provider.
type provider struct {
	// address is key_provider.TYPE.NAME, metaKey what its metadata is kept
	// under.
	address, metaKey string
	maker            keyMaker
	// chain is the provider that this one gets its secret from; nil for none.
	chain *provider

	mu        sync.Mutex
	key, meta []byte
	known     map[string][]byte
}

// fresh is the key of this run.
func (p *provider) fresh(ctx context.Context) ([]byte, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.key != nil {
		return p.key, nil
	}
	key, meta, err := p.maker.fresh(ctx)
	if err != nil {
		return nil, p.failed(err)
	}
	p.key, p.meta = key, meta
	return key, nil
}

// kept is what has to be kept to make the keys of this run again.
func (p *provider) kept() metas {
	out := metas{}
	if p.chain != nil {
		maps.Copy(out, p.chain.kept())
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	out[p.metaKey] = p.meta
	return out
}

// again is the key that belongs to what was kept.
func (p *provider) again(ctx context.Context, all metas) ([]byte, error) {
	meta, found := all[p.metaKey]
	if !found {
		return nil, fmt.Errorf("%s has kept nothing with it (under %q), so it was not this key provider that made the key, or it had another name or encrypted_metadata_alias then", p.address, p.metaKey)
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	text := string(meta)
	if p.chain != nil {
		text += "\x00" + p.chain.secretsOf(all)
	}
	if key, ok := p.known[text]; ok {
		return key, nil
	}
	key, err := p.maker.again(ctx, meta, all)
	if err != nil {
		return nil, p.failed(err)
	}
	if p.known == nil {
		p.known = map[string][]byte{}
	}
	p.known[text] = key
	return key, nil
}

// secretsOf tells apart what the chain was made with.
func (p *provider) secretsOf(all metas) string {
	text := string(all[p.metaKey])
	if p.chain != nil {
		text += "\x00" + p.chain.secretsOf(all)
	}
	return text
}

func (p *provider) failed(err error) error {
	return fmt.Errorf("%s failed with error: %w", p.address, err)
}
