package process

import (
	"crypto/sha256"
	"encoding/hex"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"

	"github.com/plumb-iac/plumb/addr"
	"github.com/plumb-iac/plumb/diag"
	"github.com/plumb-iac/plumb/provider"
	"github.com/plumb-iac/plumb/provider/wire"
)

// Cache remembers the schemas of provider programs by the digest of the
// program and its surroundings: inside this process compiled, so that all
// instances of a provider share them, and in a directory as they came over the
// wire.
type Cache struct {
	dir string

	mu      sync.Mutex
	loaded  map[cacheKey]*wire.Schemas
	digests map[string]string
}

type cacheKey struct {
	provider addr.Provider
	digest   string
	in       surroundings
}

// CacheDir is where this user's schemas are kept between runs; "" where there is
// no place for that.
func CacheDir() string {
	dir, err := os.UserCacheDir()
	if err != nil {
		return ""
	}
	return filepath.Join(dir, "plumb", "schemas")
}

// NewCache makes a cache in a directory, which need not exist. With an empty
// dir nothing is kept on disk.
func NewCache(dir string) *Cache {
	return &Cache{dir: dir, loaded: map[cacheKey]*wire.Schemas{}, digests: map[string]string{}}
}

// Schemas gives the remembered schemas of a launch without running it, or nil.
func (c *Cache) Schemas(l Launch) provider.Schemas {
	if s := c.of(l).Recall(); s != nil {
		return s
	}
	return nil
}

func (c *Cache) of(l Launch) memory {
	return memory{c, l.Provider, l.Path, surroundingsOf(l.Path, l.Environ)}
}

// memory is a cache's part for one program in its surroundings.
type memory struct {
	cache    *Cache
	provider addr.Provider
	program  string
	in       surroundings
}

var _ wire.Memory = memory{}

// Recall implements wire.Memory.
func (m memory) Recall() *wire.Schemas {
	c := m.cache
	c.mu.Lock()
	defer c.mu.Unlock()
	digest := c.digest(m.program)
	if digest == "" {
		return nil
	}
	key := cacheKey{m.provider, digest, m.in}
	if s := c.loaded[key]; s != nil {
		return s
	}
	kept, err := c.kept(digest)
	if err != nil || !kept.knows(m.in) {
		return nil
	}
	s, diags := wire.NewSchemas(m.provider, kept.Answer)
	if s == nil || diags.HasErrors() {
		return nil
	}
	c.loaded[key] = s
	return s
}

// Remember implements wire.Memory. An answer like the one before is the one
// before, so that what was compiled stays compiled.
func (m memory) Remember(answer wire.Answer) (*wire.Schemas, diag.List) {
	if old := m.Recall(); old != nil && old.Same(answer) {
		return old, nil
	}
	s, diags := wire.NewSchemas(m.provider, answer)
	if s == nil || diags.HasErrors() {
		return s, diags
	}
	c := m.cache
	c.mu.Lock()
	defer c.mu.Unlock()
	if digest := c.digest(m.program); digest != "" {
		c.loaded[cacheKey{m.provider, digest, m.in}] = s
		c.keep(digest, answer, m.in, s)
	}
	return s, diags
}

// kept is the answer on disk.
func (c *Cache) kept(digest string) (remembered, error) {
	if c.dir == "" {
		return remembered{}, errCacheFile
	}
	raw, err := os.ReadFile(c.schemaFile(digest))
	if err != nil {
		return remembered{}, err
	}
	return decodeAnswer(raw)
}

// keep writes an answer to disk. There is one file a program: an answer that
// differs takes the place of the one before, the same one is given in more
// surroundings.
func (c *Cache) keep(digest string, answer wire.Answer, in surroundings, s *wire.Schemas) {
	if c.dir == "" {
		return
	}
	out := remembered{Answer: answer}
	if old, err := c.kept(digest); err == nil && s.Same(old.Answer) {
		out.surroundings = old.surroundings
	}
	if !out.knows(in) {
		out.surroundings = append(out.surroundings, in)
	}
	replaceFile(c.schemaFile(digest), encodeAnswer(out))
}

func (c *Cache) schemaFile(digest string) string {
	return filepath.Join(c.dir, "schema", digest)
}

// digest is the SHA-256 of a program, or empty if it cannot be read. It is
// computed once for a file as it is: as long as its size, time and inode stay.
func (c *Cache) digest(program string) string {
	info, err := os.Stat(program)
	if err != nil || !info.Mode().IsRegular() {
		return ""
	}
	path, err := filepath.Abs(program)
	if err != nil {
		return ""
	}
	as := strings.Join([]string{
		strconv.FormatInt(info.Size(), 10), strconv.FormatInt(info.ModTime().UnixNano(), 10), inode(info), path,
	}, " ")
	if d := c.digests[as]; d != "" {
		return d
	}
	d := c.recallDigest(path, as)
	if d == "" {
		if d = digestOf(program); d != "" && c.dir != "" {
			replaceFile(c.digestFile(path), []byte(d+" "+as+"\n"))
		}
	}
	c.digests[as] = d
	return d
}

func (c *Cache) digestFile(path string) string {
	sum := sha256.Sum256([]byte(path))
	return filepath.Join(c.dir, "digest", hex.EncodeToString(sum[:16]))
}

func (c *Cache) recallDigest(path, as string) string {
	if c.dir == "" {
		return ""
	}
	raw, err := os.ReadFile(c.digestFile(path))
	if err != nil {
		return ""
	}
	d, rest, _ := strings.Cut(strings.TrimSuffix(string(raw), "\n"), " ")
	if rest != as || len(d) != 2*sha256.Size {
		return ""
	}
	if _, err := hex.DecodeString(d); err != nil {
		return ""
	}
	return d
}

func digestOf(program string) string {
	f, err := os.Open(program)
	if err != nil {
		return ""
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return ""
	}
	return hex.EncodeToString(h.Sum(nil))
}
