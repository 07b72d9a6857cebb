package planfile

import (
	"archive/zip"
	"compress/flate"
	"encoding/json"
	"fmt"
	"io"
	"slices"

	"github.com/plumb-iac/plumb/plan"
	"github.com/plumb-iac/plumb/state"
	v4 "github.com/plumb-iac/plumb/state/v4"
)

// Content is what a plan file holds.
type Content struct {
	Document *plan.Document
	// Sources are the configuration files by the names that ranges use, and
	// Modules is the module manifest, nil where no module was installed.
	Sources map[string][]byte
	Modules []byte
	// Lock is the dependency lock file, nil where there is none.
	Lock []byte
	// Providers are digests of the programs that made the plan, by source
	// address.
	Providers map[string]string
}

// The entries of the container. States and change lists are entries of their
// own so that none of them has to be in memory twice.
const (
	entryPlan    = "plumb-plan.json"
	entryChanges = "changes.jsonl"
	entryDrift   = "drift.jsonl"
	entryTypes   = "types.json"
	entryPrior   = "state.json"
	entryPrev    = "state-previous.json"
	entryModules = "modules.json"
	entryLock    = ".terraform.lock.hcl"
	dirConfig    = "config/"
	format       = 1
)

// magic is how a container begins.
const magic = "PK"

// Write writes a plan file.
func Write(w io.Writer, c *Content) error {
	z := zip.NewWriter(w)
	z.RegisterCompressor(zip.Deflate, func(out io.Writer) (io.WriteCloser, error) {
		return flate.NewWriter(out, flate.BestSpeed)
	})
	p := &packer{zip: z, types: newTypeTable()}
	p.plan(c)
	p.states(c.Document)
	p.sources(c)
	p.json(entryTypes, p.types.texts)
	if p.err != nil {
		return p.err
	}
	return z.Close()
}

// packer writes entries until the first error.
type packer struct {
	zip   *zip.Writer
	types *typeTable
	err   error
}

func (p *packer) create(name string) io.Writer {
	if p.err != nil {
		return io.Discard
	}
	w, err := p.zip.Create(name)
	p.fail(err)
	if w == nil {
		return io.Discard
	}
	return w
}

func (p *packer) fail(err error) {
	if p.err == nil {
		p.err = err
	}
}

func (p *packer) json(name string, v any) {
	p.fail(json.NewEncoder(p.create(name)).Encode(v))
}

func (p *packer) bytes(name string, b []byte) {
	_, err := p.create(name).Write(b)
	p.fail(err)
}

func (p *packer) plan(c *Content) {
	e := encoder{types: p.types}
	p.lines(entryChanges, c.Document.Changes, &e)
	p.lines(entryDrift, c.Document.Drift, &e)
	head := e.document(c.Document)
	head.Format, head.Providers = format, c.Providers
	head.SameState = c.Document.Prior == c.Document.PrevRun
	p.fail(e.err)
	p.json(entryPlan, head)
}

func (p *packer) lines(name string, changes []*plan.Change, e *encoder) {
	out := json.NewEncoder(p.create(name))
	for _, c := range changes {
		row := e.change(c)
		p.fail(e.err)
		if p.err != nil {
			return
		}
		p.fail(out.Encode(row))
	}
}

func (p *packer) states(d *plan.Document) {
	p.state(entryPrior, d.Prior)
	if d.PrevRun != d.Prior {
		p.state(entryPrev, d.PrevRun)
	}
}

func (p *packer) state(name string, s *state.Snapshot) {
	if s == nil {
		return
	}
	p.fail(v4.Write(p.create(name), s, v4.Options{}))
}

func (p *packer) sources(c *Content) {
	names := make([]string, 0, len(c.Sources))
	for n := range c.Sources {
		names = append(names, n)
	}
	slices.Sort(names)
	// Names may climb out of the directory ("../shared/main.tf"), which entry
	// names should not, so that entries are numbered and the index has names.
	p.json(dirConfig+"index.json", names)
	for i, n := range names {
		p.bytes(fmt.Sprintf("%s%d", dirConfig, i), c.Sources[n])
	}
	if c.Modules != nil {
		p.bytes(entryModules, c.Modules)
	}
	if c.Lock != nil {
		p.bytes(entryLock, c.Lock)
	}
}
