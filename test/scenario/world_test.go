package scenario

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"math/rand/v2"
	"path"
	"strings"
	"sync"
	"testing"
	"testing/fstest"
	"time"

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
	// slow has answers come after small delays, in whatever order that gives.
	slow bool
	// witness watches remote changes.
	witness witness
}

func newWorld(t *testing.T, s *story) *world {
	t.Helper()
	w := &world{fakes: map[string]*fake.Provider{}}
	for name, script := range s.providers {
		p, err := fake.New(script)
		if err != nil {
			t.Fatalf("provider %s: %s", name, err)
		}
		w.fakes[name] = p
	}
	return w
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
	if i.world.slow {
		time.Sleep(rand.N(300 * time.Microsecond))
		defer func() { time.Sleep(rand.N(300 * time.Microsecond)) }()
	}
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
	mu     sync.Mutex
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
	// stuck is how many records the journal takes while the disk is well otherwise.
	stuck int
	dead  bool
	// mute is after how many records the state cannot be stored any more.
	mute int
	// keeps says that the journal is not emptied any more.
	keeps bool
	// mourned are the objects that were said to be written down nowhere.
	mourned []addr.Object
}

func newDisk(s *state.Snapshot) *disk {
	return &disk{stored: s, records: -1, cut: -1, stuck: -1, mute: -1}
}

// revive makes the disk whole again.
func (d *disk) revive() {
	d.records, d.cut, d.stuck, d.mute, d.dead, d.keeps = -1, -1, -1, -1, false, false
}

var errDisk = errors.New("the disk is full")

// start begins a command. Like every journal that is opened, this one drops what
// a death left of a record.
func (d *disk) start() {
	d.wrote, d.ends, d.size, d.mourned = nil, nil, 0, nil
	d.bytes = d.bytes[:journal.Read(d.bytes).Size]
}

// recovered is the state with what the journal adds to it.
func (d *disk) recovered() journal.Recovery {
	d.mu.Lock()
	defer d.mu.Unlock()
	r, err := journal.Fold(d.stored, d.Log())
	if err != nil {
		panic(err)
	}
	return r
}

// Unrecorded implements engine.Mourner.
func (d *disk) Unrecorded(objects []addr.Object) { d.mourned = objects }

// Write implements engine.Store.
func (d *disk) Write(_ context.Context, s *state.Snapshot) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.storeFails || d.dead || d.mute >= 0 && len(d.ends) >= d.mute {
		return errDisk
	}
	d.stored = s
	return nil
}

// Append implements engine.Journal.
func (d *disk) Append(records ...[]byte) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.dead || d.stuck >= 0 && len(d.ends) >= d.stuck {
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
func (d *disk) Reset(records ...[]byte) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.dead {
		return errDisk
	}
	if !d.keeps {
		d.bytes = bytes.Join(records, nil)
	}
	return nil
}

// settle begins the journal of the stored state, with what is unresolved in it.
func (d *disk) settle(unresolved []state.Intent) error {
	if len(unresolved) == 0 {
		return d.Reset()
	}
	records, _, err := journal.Anew(d.stored, unresolved)
	if err != nil {
		return err
	}
	return d.Reset(records)
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
