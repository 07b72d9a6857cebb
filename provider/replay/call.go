package replay

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"github.com/plumb-iac/plumb/addr"
)

// call is one line of a conversation.
type call struct {
	Operation string `json:"operation"`
	Type      string `json:"type,omitempty"`
	Request   any    `json:"request,omitempty"`
	Response  any    `json:"response,omitempty"`
	Diags     any    `json:"diagnostics,omitempty"`
}

// format is the first line of a conversation.
type format struct {
	Format   string `json:"format"`
	Version  int    `json:"version"`
	Provider string `json:"provider"`
}

const formatName = "plumb-provider-conversation"

// fileName is the file of a provider's conversation.
func fileName(dir string, p addr.Provider) string {
	return filepath.Join(dir, strings.ReplaceAll(p.String(), "/", "_")+".jsonl")
}

// book writes conversations: one file a provider, whatever the number of its
// instances. It is safe for concurrent use.
type book struct {
	dir     string
	secrets *Secrets

	mu    sync.Mutex
	files map[addr.Provider]*os.File
	// described are the schema calls that were written.
	described map[string]bool
	err       error
}

// write appends a call.
func (b *book) write(p addr.Provider, c call) {
	c.Request, c.Response, c.Diags = b.secrets.hide(c.Request), b.secrets.hide(c.Response), b.secrets.hide(c.Diags)
	b.mu.Lock()
	defer b.mu.Unlock()
	f, err := b.file(p)
	if err == nil {
		err = line(f, c)
	}
	if err != nil && b.err == nil {
		b.err = err
	}
}

func (b *book) file(p addr.Provider) (*os.File, error) {
	if f := b.files[p]; f != nil {
		return f, nil
	}
	if err := os.MkdirAll(b.dir, 0o700); err != nil {
		return nil, err
	}
	f, err := os.OpenFile(fileName(b.dir, p), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return nil, err
	}
	b.files[p] = f
	if info, err := f.Stat(); err != nil || info.Size() > 0 {
		return f, err
	}
	return f, line(f, format{formatName, 1, p.String()})
}

func line(f *os.File, x any) error {
	e := json.NewEncoder(f)
	e.SetEscapeHTML(false)
	return e.Encode(x)
}

// once says whether a schema was not written yet.
func (b *book) once(p addr.Provider, key string) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	key = p.String() + " " + key
	if b.described[key] {
		return false
	}
	b.described[key] = true
	return true
}

func (b *book) close() error {
	b.mu.Lock()
	defer b.mu.Unlock()
	err := b.err
	for _, f := range b.files {
		if e := f.Close(); err == nil {
			err = e
		}
	}
	clear(b.files)
	return err
}

// read reads a conversation.
func read(dir string, p addr.Provider) ([]call, error) {
	src, err := os.ReadFile(fileName(dir, p))
	if err != nil {
		return nil, err
	}
	d := json.NewDecoder(strings.NewReader(string(src)))
	d.UseNumber()
	var head format
	if err := d.Decode(&head); err != nil || head.Format != formatName || head.Version != 1 {
		return nil, fmt.Errorf("%s is not a recorded conversation that this version can read", fileName(dir, p))
	}
	var out []call
	for d.More() {
		var c call
		if err := d.Decode(&c); err != nil {
			return nil, fmt.Errorf("%s, call %d: %w", fileName(dir, p), len(out)+1, err)
		}
		out = append(out, c)
	}
	return out, nil
}
