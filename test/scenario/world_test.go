package scenario

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"maps"
	"path"
	"strings"
	"sync"
	"testing"
	"testing/fstest"

	"github.com/plumb-iac/plumb/addr"
	"github.com/plumb-iac/plumb/diag"
	"github.com/plumb-iac/plumb/internal/contract"
	"github.com/plumb-iac/plumb/provider"
	"github.com/plumb-iac/plumb/provider/fake"
	"github.com/plumb-iac/plumb/schema"
	"github.com/plumb-iac/plumb/state"
	"github.com/plumb-iac/plumb/state/journal"
	"github.com/plumb-iac/plumb/value"
	"github.com/zclconf/go-cty/cty"
)

// world is everything outside the engine.
type world struct {
	fakes map[string]*fake.Provider

	mu  sync.Mutex // held for a call together with its line in the log
	log []string
	// instances are the providers that were opened.
	instances []*instance
	// from is what each object was made from; crimes are destructions under
	// what is made from an object, and creations from what is not there.
	from   map[string]string
	crimes []string
}

// witness follows what becomes of objects that have the attribute "from".
func (w *world) witness(prior, planned, result cty.Value) {
	id := func(v cty.Value, name string) string {
		if v == cty.NilVal || v.IsNull() || !v.Type().HasAttribute(name) || !v.GetAttr(name).IsKnown() || v.GetAttr(name).IsNull() {
			return ""
		}
		return v.GetAttr(name).AsString()
	}
	switch was, is := id(prior, "id"), id(result, "id"); {
	case planned.IsNull() && (result == cty.NilVal || result.IsNull()):
		for user, from := range w.from {
			if from == was {
				w.crimes = append(w.crimes, was+" was destroyed while "+user+" is made from it")
			}
		}
		delete(w.from, was)
	case is != "":
		from := id(result, "from")
		if _, there := w.from[from]; from != "" && !there && was == "" {
			w.crimes = append(w.crimes, is+" was made from "+from+", which is not there")
		}
		w.from[is] = from
	}
}

func newWorld(t *testing.T, s *story) *world {
	t.Helper()
	w := &world{fakes: map[string]*fake.Provider{}, from: map[string]string{}}
	for name, script := range s.providers {
		p, err := fake.New(script)
		if err != nil {
			t.Fatalf("provider %s: %s", name, err)
		}
		w.fakes[name] = p
	}
	return w
}

// forget leaves objects out of account that a state does not know.
func (w *world) forget(s *state.Snapshot) {
	known := map[string]bool{}
	for _, o := range s.Objects() {
		var attrs struct{ ID string }
		if json.Unmarshal(o.Attrs, &attrs) == nil {
			known[attrs.ID] = true
		}
	}
	maps.DeleteFunc(w.from, func(id, _ string) bool { return !known[id] })
}

// takeLog gives the calls so far and forgets them.
func (w *world) takeLog() []string {
	w.mu.Lock()
	defer w.mu.Unlock()
	out := w.log
	w.log = nil
	return out
}

// Open implements engine.Providers.
func (w *world) Open(_ context.Context, p addr.Provider) (provider.Provider, diag.List) {
	f := w.fakes[p.Type]
	if f == nil {
		return nil, diag.Errs("No such provider", "The story has no provider "+p.Type+".")
	}
	i := &instance{Provider: f, world: w}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.instances = append(w.instances, i)
	return i, nil
}

// Schemas implements engine.Providers.
func (w *world) Schemas(ctx context.Context, p addr.Provider) (provider.Schemas, diag.List) {
	f := w.fakes[p.Type]
	if f == nil {
		return nil, diag.Errs("No such provider", "The story has no provider "+p.Type+".")
	}
	return f.Schemas(ctx)
}

// instance is an opened provider. The log says of each call which
// configuration the instance has.
type instance struct {
	*fake.Provider
	world *world
	as    string
	// said are the calls since the last judgement.
	said []contract.Call
}

// logged makes a call and moves its line from the fake's log to the world's.
func logged[T any](i *instance, call func() T) T {
	i.world.mu.Lock()
	defer i.world.mu.Unlock()
	out := call()
	for _, line := range strings.Split(strings.TrimSuffix(i.TakeCalls(), "\n"), "\n") {
		if line != "" {
			i.world.log = append(i.world.log, line+i.as)
		}
	}
	return out
}

type answer[T any] struct {
	v     T
	diags diag.List
}

func call[T any](i *instance, f func() (T, diag.List)) (T, diag.List) {
	a := logged(i, func() answer[T] { v, diags := f(); return answer[T]{v, diags} })
	return a.v, a.diags
}

func (i *instance) Configure(ctx context.Context, req provider.ConfigureRequest) diag.List {
	diags := logged(i, func() diag.List {
		diags := i.Provider.Configure(ctx, req)
		i.say("ConfigureProvider", "", contract.Call{Failed: diags.HasErrors()})
		return diags
	})
	var told []string
	if c := req.Config.Cty(); c.Type().IsObjectType() {
		for _, name := range sortedNames(c.AsValueMap()) {
			if v := c.GetAttr(name); !v.IsNull() && v.IsKnown() && v.Type() == cty.String {
				told = append(told, v.AsString())
			}
		}
	}
	if len(told) > 0 {
		i.as = "  @" + strings.Join(told, "/")
	}
	return diags
}

func (i *instance) ValidateProvider(ctx context.Context, v value.Bare) (value.Bare, diag.List) {
	return call(i, func() (value.Bare, diag.List) { return i.Provider.ValidateProvider(ctx, v) })
}

func (i *instance) ValidateData(ctx context.Context, name string, v value.Bare) diag.List {
	return logged(i, func() diag.List { return i.Provider.ValidateData(ctx, name, v) })
}

func (i *instance) ReadData(ctx context.Context, req provider.ReadDataRequest) (provider.ReadDataResponse, diag.List) {
	return call(i, func() (provider.ReadDataResponse, diag.List) { return i.Provider.ReadData(ctx, req) })
}

func (i *instance) CallFunction(ctx context.Context, name string, args []value.Bare) provider.FunctionResult {
	return logged(i, func() provider.FunctionResult { return i.Provider.CallFunction(ctx, name, args) })
}

func (i *instance) Stop(ctx context.Context) error { return nil }

// provisioner is local-exec without a shell: the log has the command, and
// "fail" fails.
type provisioner struct{ world *world }

func (provisioner) Schema() *schema.Block {
	return schema.NewBlock([]*schema.Attribute{{Name: "command", Type: cty.String, Required: true}}, nil)
}

func (p provisioner) Run(_ context.Context, config, _ cty.Value, output func(string)) diag.List {
	text := config.GetAttr("command").AsString()
	p.world.mu.Lock()
	p.world.log = append(p.world.log, "run "+text)
	p.world.mu.Unlock()
	output(text)
	if strings.HasPrefix(text, "fail") {
		return diag.Errs("local-exec provisioner error", "The command failed.")
	}
	return nil
}

// disk is where states and journals are kept. It can break.
type disk struct {
	stored *state.Snapshot
	bytes  []byte
	// wrote are the edits, ends the lengths that the journal had after each
	// record, both since the start of the command; size is what was written.
	wrote []state.Edit
	ends  []int
	size  int

	storeFails bool
	// records is how many records the journal still takes, negative for any
	// number; cut is the same in bytes. After either the disk is dead.
	records, cut int
	dead         bool
	// mute is after how many records the state cannot be stored any more.
	mute int
	// keeps says that the journal is not emptied any more.
	keeps bool
}

func newDisk(s *state.Snapshot) *disk { return &disk{stored: s, records: -1, cut: -1, mute: -1} }

// revive makes the disk whole again.
func (d *disk) revive() { d.records, d.cut, d.mute, d.dead, d.keeps = -1, -1, -1, false, false }

var errDisk = errors.New("the disk is full")

// start begins a command. Like every journal that is opened, this one drops what
// a death left of a record.
func (d *disk) start() {
	d.wrote, d.ends, d.size = nil, nil, 0
	d.bytes = d.bytes[:journal.Read(d.bytes).Size]
}

// recovered is the state with what the journal adds to it.
func (d *disk) recovered() *state.Snapshot {
	r, err := journal.Fold(d.stored, d.Log())
	if err != nil {
		return d.stored
	}
	return r.Snapshot
}

// Write implements engine.Store.
func (d *disk) Write(_ context.Context, s *state.Snapshot) error {
	if d.storeFails || d.dead || d.mute >= 0 && len(d.ends) >= d.mute {
		return errDisk
	}
	d.stored = s
	return nil
}

// Append implements engine.Journal.
func (d *disk) Append(records ...[]byte) error {
	if d.dead {
		return errDisk
	}
	for _, r := range records {
		d.append(r)
	}
	if over := d.size - d.cut; d.cut >= 0 && over > 0 {
		d.bytes, d.dead = d.bytes[:max(0, len(d.bytes)-over)], true
		return errDisk
	}
	if d.records >= 0 && len(d.ends) > d.records {
		d.dead = true
		return errDisk
	}
	return nil
}

// append takes in some records and notes where each ends.
func (d *disk) append(r []byte) {
	was := journal.Read(d.bytes)
	known := len(was.Edits)
	if bytes.Contains(r, []byte("plumb journal")) {
		known = 0 // the journal begins anew
	}
	for i := 1; i <= len(r); i++ {
		if l := journal.Read(append(bytes.Clone(d.bytes), r[:i]...)); l.Torn == 0 && l.Records > 0 {
			d.ends = append(d.ends, d.size+i)
		}
	}
	d.bytes = append(d.bytes, r...)
	d.size += len(r)
	d.wrote = append(d.wrote, journal.Read(d.bytes).Edits[known:]...)
}

// Reset implements engine.Journal.
func (d *disk) Reset() error {
	if d.dead {
		return errDisk
	}
	if !d.keeps {
		d.bytes = nil
	}
	return nil
}

// Log is what the journal holds, for a ledger that goes on with it.
func (d *disk) Log() *journal.Log { return journal.Read(d.bytes) }

// files reads configuration files from memory.
type files struct{ m fstest.MapFS }

func newFiles(of map[string][]byte) files {
	m := fstest.MapFS{}
	for name, data := range of {
		m[name] = &fstest.MapFile{Data: data}
	}
	return files{m}
}

func (f files) ReadFile(name string) ([]byte, error)       { return f.m.ReadFile(path.Clean(name)) }
func (f files) ReadDir(name string) ([]fs.DirEntry, error) { return f.m.ReadDir(path.Clean(name)) }
func (f files) Stat(name string) (fs.FileInfo, error)      { return f.m.Stat(path.Clean(name)) }
func (f files) Dir(name string) fs.FS                      { sub, _ := f.m.Sub(path.Clean(name)); return sub }
func (f files) Abs(name string) (string, error)            { return path.Join("/", name), nil }
func (f files) Home() (string, error)                      { return "/home", nil }
