package workdir

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"hash/fnv"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"github.com/plumb-iac/plumb/addr"
	"github.com/plumb-iac/plumb/internal/backend"
	"github.com/plumb-iac/plumb/internal/osfiles"
	"github.com/zclconf/go-cty/cty"
	ctyjson "github.com/zclconf/go-cty/cty/json"
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
	StateStore       *storePart   `json:"state_store,omitempty"`
}

type storePart struct {
	Type     string          `json:"type"`
	Provider keeperPart      `json:"provider"`
	Config   json.RawMessage `json:"config"`
	Hash     uint64          `json:"hash"`
}

type keeperPart struct {
	Version string          `json:"version"`
	Source  string          `json:"source"`
	Config  json.RawMessage `json:"config"`
}

type backendPart struct {
	Type   string                     `json:"type"`
	Config map[string]json.RawMessage `json:"config"`
	Hash   uint64                     `json:"hash"`
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
	if f.StateStore != nil {
		place, err := f.StateStore.place()
		return Initialised{Place: place, hash: f.StateStore.Hash}, err
	}
	if f.Backend == nil {
		return none, nil
	}
	args, err := f.Backend.arguments()
	return Initialised{Place: &Place{Type: f.Backend.Type, Args: args}, hash: f.Backend.Hash}, err
}

// arguments reads the values that are set; none of a backend that there is not.
func (b *backendPart) arguments() (backend.Arguments, error) {
	out, k := backend.Arguments{}, kindOf(b.Type)
	if k == nil {
		return out, nil
	}
	for _, a := range k.arguments {
		text, has := b.Config[a.Name]
		if !has || string(text) == "null" {
			continue
		}
		v, err := ctyjson.Unmarshal(text, a.Type)
		if err != nil {
			return out, fmt.Errorf("the argument %q of the backend: %w", a.Name, err)
		}
		out[a.Name] = v
	}
	return out, nil
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
	file := backendFile{Version: 3, TerraformVersion: d.S.Language}
	if k := p.Keeper; k != nil {
		file.StateStore = &storePart{
			Type: p.Type, Config: k.Store, Hash: block.digest(),
			Provider: keeperPart{Version: k.Version, Source: k.Provider.String(), Config: k.Config},
		}
	} else {
		file.Backend = &backendPart{Type: p.Type, Config: p.written(), Hash: block.digest()}
	}
	text, err := json.MarshalIndent(file, "", "  ")
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(d.backendPath()), 0o755); err != nil {
		return err
	}
	return osfiles.Replace(d.backendPath(), osfiles.Replacement{Private: true, Content: osfiles.Bytes(append(text, '\n'))})
}

// written are the values of all arguments of a backend, null where they are not set.
func (p *Place) written() map[string]json.RawMessage {
	out := map[string]json.RawMessage{}
	for _, a := range kindOf(p.Type).arguments {
		v, set := p.Args[a.Name]
		if !set {
			v = cty.NullVal(a.Type)
		}
		out[a.Name] = encoded(v)
	}
	return out
}

// place is the state store that is remembered.
func (s *storePart) place() (*Place, error) {
	source, err := addr.ParseProvider(s.Provider.Source, addr.DefaultHost)
	if err != nil {
		return nil, fmt.Errorf("the provider of the state store: %w", err)
	}
	k := &Keeper{Provider: source, Version: s.Provider.Version}
	for _, part := range []struct {
		to   *json.RawMessage
		from json.RawMessage
	}{{&k.Config, s.Provider.Config}, {&k.Store, s.Config}} {
		var b bytes.Buffer
		if err := json.Compact(&b, part.from); err != nil {
			return nil, err
		}
		*part.to = b.Bytes()
	}
	return &Place{Type: s.Type, Keeper: k}, nil
}

// encoded is a value as JSON.
func encoded(v cty.Value) json.RawMessage {
	b, err := ctyjson.Marshal(v, v.Type())
	if err != nil { // arguments are known and without marks
		return json.RawMessage("null")
	}
	return b
}

// digest identifies a block as it is written.
func (p *Place) digest() uint64 {
	h := fnv.New32a()
	h.Write([]byte(p.Type))
	if k := p.Keeper; k != nil {
		fmt.Fprintf(h, "\x00%s\x00%s\x00%s", k.Provider, k.Config, k.Store)
	}
	for _, k := range slices.Sorted(maps.Keys(p.Args)) {
		h.Write([]byte("\x00" + k + "\x00"))
		h.Write(encoded(p.Args[k]))
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
		return "Initial configuration of the requested " + block.String()
	case block == nil:
		return "Unsetting the previously set " + i.Place.String()
	case i.Place.Keeper != nil || block.Keeper != nil:
		if same(i.Place, block) {
			return ""
		}
		return "The state was kept in the " + i.Place.String() + " and is to be kept in the " + block.String() + ", or what configures it has changed"
	case i.Place.Type != block.Type:
		return "Backend type changed from \"" + i.Place.Type + "\" to \"" + block.Type + "\""
	case i.hash == block.digest() || i.Place.Args.Equal(block.Args):
		return ""
	}
	return "Backend configuration block has changed"
}
