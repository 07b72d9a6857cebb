package growth

import (
	"context"
	"fmt"
	"io"
	"runtime"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/plumb-iac/plumb/addr"
	"github.com/plumb-iac/plumb/config"
	"github.com/plumb-iac/plumb/diag"
	"github.com/plumb-iac/plumb/engine"
	"github.com/plumb-iac/plumb/internal/view/diagview"
	"github.com/plumb-iac/plumb/internal/view/jsonlog"
	"github.com/plumb-iac/plumb/plan"
	"github.com/plumb-iac/plumb/provider"
	"github.com/plumb-iac/plumb/provider/fake"
	"github.com/plumb-iac/plumb/state"
)

// law is how much four times the work may cost.
const law = 4.4

const script = `
resource fake_disk
  id     string computed
  name   string required
  size   number optional
  tags   map(string) optional
  secret string optional sensitive
  block rule list
    port number required
data fake_image
  id   string computed
  name string required
`

// shapes are configurations of about n objects.
var shapes = []struct {
	name  string
	files func(n int) map[string]string
}{
	{"count", func(n int) map[string]string {
		return one(fmt.Sprintf(`
resource "fake_disk" "a" {
  count  = %d
  name   = "a${count.index}"
  secret = "s"
  tags   = { index = count.index }
  rule {
    port = count.index
  }
}`, n))
	}},
	{"for_each", func(n int) map[string]string {
		return one(fmt.Sprintf(`
locals {
  names = { for i, k in %s : k => i }
}
resource "fake_disk" "a" {
  for_each = local.names
  name     = each.key
  size     = each.value
}
output "ids" {
  value = { for k, d in fake_disk.a : k => d.id }
}`, keys(n)))
	}},
	{"pairs", func(n int) map[string]string {
		return one(fmt.Sprintf(`
resource "fake_disk" "a" {
  count = %[1]d
  name  = "a${count.index}"
}
resource "fake_disk" "b" {
  count = %[1]d
  name  = fake_disk.a[count.index].id
  tags  = { other = fake_disk.a[count.index].name }
}
data "fake_image" "i" {
  count = %[1]d
  name  = "i${count.index}"
}
resource "fake_disk" "c" {
  for_each = { for i, d in data.fake_image.i : d.name => d.id }
  name     = each.value
}`, n/4))
	}},
	{"modules", func(n int) map[string]string {
		files := one(fmt.Sprintf(`
module "m" {
  source   = "./m"
  for_each = toset(%s)
  name     = each.key
}
output "all" {
  value = [for m in module.m : m.id]
}`, keys(n/2)))
		files["m/main.tf"] = `
variable "name" {
  type = string
}
locals {
  full = "m-${var.name}"
}
resource "fake_disk" "a" {
  name = local.full
}
resource "fake_disk" "b" {
  name = fake_disk.a.id
}
output "id" {
  value = fake_disk.b.id
}`
		return files
	}},
	{"declarations", func(n int) map[string]string {
		var b strings.Builder
		b.WriteString("resource \"fake_disk\" \"base\" {\n  name = \"base\"\n}\n")
		for i := range n / 2 {
			fmt.Fprintf(&b, "resource \"fake_disk\" \"a%[1]d\" {\n  name = \"a%[1]d-${fake_disk.base.id}\"\n}\n", i)
			fmt.Fprintf(&b, "resource \"fake_disk\" \"b%[1]d\" {\n  name = fake_disk.a%[1]d.id\n  lifecycle {\n    create_before_destroy = true\n  }\n}\n", i)
		}
		return one(b.String())
	}},
	{"references", func(n int) map[string]string {
		files := map[string]string{"m/main.tf": "variable \"x\" {\n}\noutput \"o\" {\n  value = var.x\n}\n"}
		for i := range n / 2 {
			files[fmt.Sprintf("f%d.tf", i)] = fmt.Sprintf("variable \"v%[1]d\" {\n  default = \"v\"\n}\nmodule \"m%[1]d\" {\n  source = \"./m\"\n  x      = module.m%[2]d.o\n}\nlocals {\n  l%[1]d = \"${var.v%[1]d}${length(local.l%[2]d)}\"\n}\n", i+1, i)
		}
		files["f.tf"] = "module \"m0\" {\n  source = \"./m\"\n  x      = local.l0\n}\nlocals {\n  l0 = \"v\"\n}\n"
		return files
	}},
}

// keys is an expression for n keys.
func keys(n int) string {
	return fmt.Sprintf(`flatten([for a in range(%d) : [for b in range(64) : "k${a}-${b}"]])`, n/64)
}

func one(main string) map[string]string { return map[string]string{"main.tf": main} }

// TestGrowth compares n and 4n objects of each shape, command by command.
func TestGrowth(t *testing.T) {
	const n = 256
	for _, shape := range shapes {
		t.Run(shape.name, func(t *testing.T) {
			less, more := run(t, shape.files(n)), run(t, shape.files(4*n))
			for i, l := range less {
				m := more[i]
				count, size := ratio(l.count, m.count), ratio(l.size, m.size)
				t.Logf("%-14s %7d → %7d allocations (%.2f)  %6d → %6d KiB (%.2f)", l.name, l.count, m.count, count, l.size>>10, m.size>>10, size)
				if count > law || size > law {
					t.Errorf("%s grows %.2f times in allocations and %.2f times in bytes; at most %.1f is allowed", l.name, count, size, law)
				}
			}
		})
	}
}

// TestChain compares chains, along which the dependencies that states record add
// up. A plan of new objects records none, so it keeps the law; the other commands
// keep it in the number of allocations, though not in their size.
func TestChain(t *testing.T) {
	const n = 256
	chain := func(n int) map[string]string {
		var b strings.Builder
		b.WriteString("resource \"fake_disk\" \"a0\" {\n  name = \"a\"\n}\n")
		for i := 1; i < n; i++ {
			fmt.Fprintf(&b, "resource \"fake_disk\" \"a%d\" {\n  name = fake_disk.a%d.id\n}\n", i, i-1)
		}
		return one(b.String())
	}
	less, more := run(t, chain(n)), run(t, chain(4*n))
	for i, l := range less {
		m := more[i]
		count, size := ratio(l.count, m.count), ratio(l.size, m.size)
		t.Logf("%-14s %7d → %7d allocations (%.2f)  %6d → %6d KiB (%.2f)", l.name, l.count, m.count, count, l.size>>10, m.size>>10, size)
		if count > law || size > law && l.name == "create plan" {
			t.Errorf("%s grows %.2f times in allocations and %.2f times in bytes", l.name, count, size)
		}
	}
}

// TestGraph compares chains of modules, each of which depends on the one before, so
// that the last one's resource reads those of all others, though only one directly.
func TestGraph(t *testing.T) {
	drawn := func(n int) cost {
		files := map[string]string{"m/main.tf": "resource \"fake_disk\" \"a\" {\n  name = \"a\"\n}\n"}
		for i := range n {
			depends := ""
			if i > 0 {
				depends = fmt.Sprintf("  depends_on = [module.m%d]\n", i-1)
			}
			files[fmt.Sprintf("f%d.tf", i)] = fmt.Sprintf("module \"m%d\" {\n  source = \"./m\"\n%s}\n", i, depends)
		}
		e, _ := begin(t, files)
		defer e.Close()
		return measure("graph", func() {
			g, diags := e.Graph(context.Background())
			check(t, diags)
			if last := g.Resources[len(g.Resources)-1]; len(g.Resources) != n || len(last.Reads) != 1 {
				t.Errorf("%d resources, and %s reads %d", len(g.Resources), last.Addr, len(last.Reads))
			}
		})
	}
	if l, m := drawn(64), drawn(256); ratio(l.count, m.count) > law {
		t.Errorf("a graph grows %.2f times in allocations", ratio(l.count, m.count))
	}
}

// TestMistakes compares configurations with mistakes, and what is told of them.
func TestMistakes(t *testing.T) {
	const n = 256
	for name, form := range map[string]func(w io.Writer, l diag.List, source diagview.Source){
		"text": func(w io.Writer, l diag.List, source diagview.Source) {
			_ = diagview.Write(w, l, diagview.Options{Source: source})
		},
		"JSON": func(w io.Writer, l diag.List, source diagview.Source) { _ = diagview.Validate(w, l, source) },
		"lines": func(w io.Writer, l diag.List, source diagview.Source) {
			jsonlog.New(w, jsonlog.Options{Source: source}).Diagnostics(l)
		},
	} {
		t.Run(name, func(t *testing.T) {
			told := func(n int) cost {
				var b strings.Builder
				for i := range n {
					fmt.Fprintf(&b, "output \"o%[1]d\" {\n  value = local.none%[1]d\n}\n", i)
				}
				text := []byte(b.String())
				tree, diags := config.Load(fstest.MapFS{"main.tf": {Data: text}}, ".", config.LoadOptions{})
				check(t, diags)
				e := engine.New(engine.Options{Config: tree, Providers: &world{}})
				defer e.Close()
				return measure(name, func() {
					diags := e.Validate(context.Background())
					if len(diags) != n {
						t.Errorf("%d mistakes are told, of %d", len(diags), n)
					}
					form(io.Discard, diags, func(string) []byte { return text })
				})
			}
			// The file is parsed, into slices of tokens whose sizes grow by steps.
			const steps = 1
			l, m := told(n), told(4*n)
			if count, size := ratio(l.count, m.count), ratio(l.size, m.size); count > law || size > law+steps {
				t.Errorf("telling grows %.2f times in allocations and %.2f times in bytes; at most %.1f is allowed", count, size, law)
			}
		})
	}
}

// TestMistakesOfForm compares files with mistakes that are found before anything is
// evaluated.
func TestMistakesOfForm(t *testing.T) {
	const n = 256
	read := func(n int) cost {
		files := fstest.MapFS{}
		for i := range n {
			files[fmt.Sprintf("f%d.tf", i)] = &fstest.MapFile{Data: fmt.Appendf(nil, "check \"c%[1]d\" {\n  assert {\n    condition     = true\n    error_message = \"never\"\n  }\n}\nvariable \"v%[1]d\" {\n  type = none\n}\n", i)}
		}
		return measure("load", func() {
			_, diags := config.Load(files, ".", config.LoadOptions{})
			if len(diags) < 2*n {
				t.Errorf("%d mistakes are told, of %d", len(diags), 2*n)
			}
		})
	}
	l, m := read(n), read(4*n)
	if count, size := ratio(l.count, m.count), ratio(l.size, m.size); count > law || size > law {
		t.Errorf("loading grows %.2f times in allocations and %.2f times in bytes; at most %.1f is allowed", count, size, law)
	}
}

func ratio(a, b uint64) float64 { return float64(b) / float64(a) }

// cost is what a command allocated.
type cost struct {
	name        string
	count, size uint64
}

// run takes a configuration through its life.
func run(t *testing.T, files map[string]string) []cost {
	t.Helper()
	var e *engine.Engine
	var w *world
	out := []cost{measure("load", func() { e, w = begin(t, files) })}
	defer e.Close()
	out = append(out, measure("validate", func() { check(t, e.Validate(context.Background())) }))
	for _, step := range []struct {
		name string
		mode plan.Mode
	}{{"create", plan.Normal}, {"nothing", plan.Normal}, {"destroy", plan.Destroy}} {
		var doc *plan.Document
		out = append(out, measure(step.name+" plan", func() {
			var diags diag.List
			doc, diags = e.Plan(context.Background(), engine.PlanOptions{State: w.state, Mode: step.mode})
			check(t, diags)
		}))
		out = append(out, measure(step.name+" apply", func() {
			_, diags := e.Apply(context.Background(), doc, engine.ApplyOptions{Store: w, Journal: w})
			check(t, diags)
		}))
		w.provider.TakeCalls()
	}
	if !w.state.Empty() {
		t.Errorf("%d objects are left", w.state.Len())
	}
	return out
}

// begin loads a configuration for a world in which there is nothing yet.
func begin(t *testing.T, files map[string]string) (*engine.Engine, *world) {
	t.Helper()
	p, err := fake.New(script)
	if err != nil {
		t.Fatal(err)
	}
	m := fstest.MapFS{}
	for name, text := range files {
		m[name] = &fstest.MapFile{Data: []byte(text)}
	}
	tree, diags := config.Load(m, ".", config.LoadOptions{})
	check(t, diags)
	w := &world{provider: p, state: state.New("lineage")}
	return engine.New(engine.Options{Config: tree, Providers: w, Parallelism: 1}), w
}

func check(t *testing.T, diags diag.List) {
	t.Helper()
	for _, d := range diags.Errors() {
		t.Fatal(d.Summary, d.Detail, d.Subject)
	}
}

func measure(name string, f func()) cost {
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return cost{name, after.Mallocs - before.Mallocs, after.TotalAlloc - before.TotalAlloc}
}

// world is a provider, a store and a journal in memory.
type world struct {
	provider *fake.Provider
	state    *state.Snapshot
	journal  [][]byte
}

func (w *world) Open(context.Context, addr.Provider) (provider.Provider, diag.List) {
	return w.provider, nil
}

func (w *world) Schemas(ctx context.Context, _ addr.Provider) (provider.Schemas, diag.List) {
	return w.provider.Schemas(ctx)
}

func (w *world) Write(_ context.Context, s *state.Snapshot) error { w.state = s; return nil }

func (w *world) Append(records ...[]byte) error {
	for _, r := range records {
		w.journal = append(w.journal, append([]byte(nil), r...))
	}
	return nil
}

func (w *world) Reset(...[]byte) error { w.journal = nil; return nil }
