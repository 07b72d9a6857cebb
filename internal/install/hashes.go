package install

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// hashes remembers the hashes of packages by what their files look like, so
// that a large program is not read at every start.
type hashes struct {
	file    string
	known   map[string]remembered
	changed bool
}

type remembered struct {
	// Look is the fingerprint of names, sizes, times and inodes.
	Look string `json:"look"`
	Hash string `json:"hash"`
}

func openHashes(dataDir string) *hashes {
	h := &hashes{file: filepath.Join(dataDir, "plumb-hashes.json"), known: map[string]remembered{}}
	if src, err := os.ReadFile(h.file); err == nil {
		if json.Unmarshal(src, &h.known) != nil || h.known == nil {
			h.known = map[string]remembered{}
		}
	}
	return h
}

// of is the h1 hash of a package.
func (h *hashes) of(dir string) (string, error) {
	real, err := filepath.EvalSymlinks(dir)
	if err != nil {
		return "", err
	}
	look, err := look(real)
	if err != nil {
		return "", err
	}
	key, err := filepath.Abs(real)
	if err != nil {
		return "", err
	}
	if r, ok := h.known[key]; ok && r.Look == look {
		return r.Hash, nil
	}
	hash, err := hashDir(real)
	if err != nil {
		return "", err
	}
	h.known[key], h.changed = remembered{look, hash}, true
	return hash, nil
}

// anew is the h1 hash of a package that is read, whatever is remembered: nothing
// of it is believed any more.
func (h *hashes) anew(dir string) (string, error) {
	clear(h.known)
	return h.of(dir)
}

// save keeps what was learned. Failing to is no harm: it is learned again.
func (h *hashes) save() {
	if !h.changed {
		return
	}
	if src, err := json.Marshal(h.known); err == nil {
		_ = writeFile(h.file, src)
	}
}

// look fingerprints the files of a directory without reading them.
func look(dir string) (string, error) {
	sum := sha256.New()
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		info, err := os.Stat(path)
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(dir, path)
		fmt.Fprintf(sum, "%q %d %d %d\n", rel, info.Size(), info.ModTime().UnixNano(), inode(info))
		return err
	})
	return hex.EncodeToString(sum.Sum(nil)), err
}
