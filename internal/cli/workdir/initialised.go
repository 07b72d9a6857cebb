package workdir

import (
	"encoding/json"
	"errors"
	"hash/fnv"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"github.com/plumb-iac/plumb/internal/osfiles"
)

// Initialised is what init set up: the place of the state, and how the block
// looked that it was set up for.
type Initialised struct {
	// Place is nil when no backend was configured.
	Place *Place
	hash  uint64
}

// backendFile is the file that remembers the backend, in the incumbents' form.
type backendFile struct {
	Version          int          `json:"version"`
	TerraformVersion string       `json:"terraform_version"`
	Backend          *backendPart `json:"backend,omitempty"`
}

type backendPart struct {
	Type   string             `json:"type"`
	Config map[string]*string `json:"config"`
	Hash   uint64             `json:"hash"`
}

func (d *Dir) backendPath() string { return d.S.DataPath("terraform.tfstate") }

func (d *Dir) initialised() (Initialised, error) {
	var none Initialised
	src, err := os.ReadFile(d.backendPath())
	if errors.Is(err, fs.ErrNotExist) {
		return none, nil
	}
	if err != nil {
		return none, err
	}
	var f backendFile
	if err := json.Unmarshal(src, &f); err != nil {
		return none, err
	}
	if f.Backend == nil {
		return none, nil
	}
	p := &Place{Type: f.Backend.Type, Args: map[string]string{}}
	for k, v := range f.Backend.Config {
		if v != nil {
			p.Args[k] = *v
		}
	}
	return Initialised{Place: p, hash: f.Backend.Hash}, nil
}

// remember records what init set up; a nil place forgets it.
func (d *Dir) remember(p *Place, block *Place) error {
	if p == nil {
		err := os.Remove(d.backendPath())
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		return err
	}
	part := &backendPart{Type: p.Type, Config: map[string]*string{}, Hash: block.digest()}
	for _, name := range backendArgs[p.Type] {
		part.Config[name] = nil
		if v, set := p.Args[name]; set {
			part.Config[name] = &v
		}
	}
	text, err := json.MarshalIndent(backendFile{Version: 3, TerraformVersion: d.S.Language, Backend: part}, "", "  ")
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(d.backendPath()), 0o755); err != nil {
		return err
	}
	return osfiles.Replace(d.backendPath(), osfiles.Replacement{Private: true, Content: osfiles.Bytes(append(text, '\n'))})
}

// digest identifies a block as it is written.
func (p *Place) digest() uint64 {
	h := fnv.New32a()
	h.Write([]byte(p.Type))
	for _, k := range slices.Sorted(maps.Keys(p.Args)) {
		h.Write([]byte("\x00" + k + "\x00" + p.Args[k]))
	}
	return uint64(h.Sum32())
}

// differs says why the configured place is not the one that was set up. A block
// may leave arguments to init's -backend-config.
func (i Initialised) differs(block *Place) string {
	switch {
	case i.Place == nil && block == nil:
		return ""
	case i.Place == nil:
		return "Initial configuration of the requested backend \"" + block.Type + "\""
	case block == nil:
		return "Unsetting the previously set backend \"" + i.Place.Type + "\""
	case i.Place.Type != block.Type:
		return "Backend type changed from \"" + i.Place.Type + "\" to \"" + block.Type + "\""
	case i.hash == block.digest() || maps.Equal(i.Place.Args, block.Args):
		return ""
	}
	return "Backend configuration block has changed"
}
