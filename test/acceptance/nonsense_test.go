package acceptance

import (
	"fmt"
	"io"
	"maps"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/hashicorp/go-plugin"
	"github.com/plumb-iac/plumb/test/acceptance/nonsense"
)

// setting is how a stage is come to: what was applied before, what is configured
// now, and the command in which the provider answers nonsense.
type setting struct {
	before, now string
	// planned says that the plan is made by an honest provider.
	planned bool
	// there is an object that the state does not know of.
	there   bool
	command []string
	file    string
}

const (
	thingA   = "resource \"nonsense_thing\" \"a\" { name = \"a\" }\n"
	biggerA  = "resource \"nonsense_thing\" \"a\" {\n  name = \"a\"\n  size = 2\n}\n"
	required = "terraform {\n  required_providers {\n    nonsense = { source = \"hashicorp/nonsense\" }\n  }\n}\n"
)

var (
	planIt  = []string{"plan"}
	applyIt = []string{"apply", "tfplan"}
	doIt    = []string{"apply", "-auto-approve"}
)

var settings = map[string]setting{
	"schema":      {before: thingA, now: biggerA, command: planIt},
	"configure":   {before: thingA, now: biggerA, command: planIt},
	"validate":    {before: thingA, now: biggerA, command: planIt},
	"upgrade":     {before: thingA, now: biggerA, command: planIt},
	"read":        {before: thingA, now: biggerA, command: planIt},
	"plan":        {before: thingA, now: biggerA, command: planIt},
	"second plan": {before: thingA, now: biggerA, planned: true, command: applyIt},
	"create":      {now: biggerA, planned: true, command: applyIt},
	"update":      {before: thingA, now: biggerA, planned: true, command: applyIt},
	"delete":      {before: thingA, planned: true, command: applyIt},
	"import":      {now: thingA + "import {\n  to = nonsense_thing.a\n  id = \"thing-a\"\n}\n", there: true, command: doIt},
	"move":        {before: thingA, now: "resource \"nonsense_other\" \"a\" { name = \"a\" }\nmoved {\n  from = nonsense_thing.a\n  to   = nonsense_other.a\n}\n", command: doIt},
	"data":        {now: "data \"nonsense_thing\" \"d\" { name = \"d\" }\n", command: doIt},
	"open":        {now: "ephemeral \"nonsense_thing\" \"e\" { name = \"e\" }\n", command: planIt},
	"renew": {now: "ephemeral \"nonsense_thing\" \"e\" { name = \"e\" }\nephemeral \"nonsense_thing\" \"s\" { name = ephemeral.nonsense_thing.e.note == \"found\" ? \"slow\" : \"\" }\n",
		command: planIt},
	"close":       {now: "ephemeral \"nonsense_thing\" \"e\" { name = \"e\" }\n", command: planIt},
	"function":    {now: "output \"o\" { value = provider::nonsense::same(\"a\") }\n", command: doIt},
	"list":        {now: "", file: "list \"nonsense_thing\" \"all\" { provider = nonsense }\n", command: []string{"query"}},
	"plan action": {now: "action \"nonsense_act\" \"x\" {}\n", command: []string{"plan", "-invoke=action.nonsense_act.x"}},
	"invoke":      {now: "action \"nonsense_act\" \"x\" {}\n", command: []string{"apply", "-auto-approve", "-invoke=action.nonsense_act.x"}},
}

// absurdities are, for each stage, what a provider may answer there.
var absurdities = []struct {
	stage string
	kinds []string
}{
	{"schema", []string{"required and computed", "error", "panic", "exit"}},
	{"configure", []string{"error", "panic", "exit"}},
	{"validate", []string{"error", "panic", "exit"}},
	{"upgrade", []string{"wrong type", "missing attribute", "garbage", "no value", "null", "infinite", "unknown", "error", "panic", "exit", "cut"}},
	{"read", []string{"wrong type", "missing attribute", "garbage", "no value", "null", "infinite", "unknown", "unknown object", "extra blocks", "wrong identity", "error", "panic", "exit", "cut"}},
	{"plan", []string{"wrong type", "missing attribute", "garbage", "no value", "null", "infinite", "unknown object", "another value", "extra blocks", "replaces what is not there", "error", "panic", "exit", "cut"}},
	{"second plan", []string{"wrong type", "missing attribute", "garbage", "no value", "null", "infinite", "unknown object", "another value", "extra blocks", "replaces", "error", "panic", "exit", "cut"}},
	{"create", []string{"wrong type", "missing attribute", "garbage", "no value", "null", "infinite", "unknown", "unknown object", "another value", "extra blocks", "wrong identity", "error", "error-state", "error-unknown-state", "panic", "panic-after", "exit", "exit-after", "cut", "cut-after"}},
	{"update", []string{"wrong type", "missing attribute", "garbage", "no value", "null", "infinite", "unknown", "unknown object", "another value", "extra blocks", "wrong identity", "error", "error-state", "error-unknown-state", "panic", "panic-after", "exit", "exit-after", "cut", "cut-after"}},
	{"delete", []string{"wrong type", "garbage", "no value", "unknown", "unknown object", "another value", "error", "error-state", "panic", "panic-after", "exit", "exit-after", "cut", "cut-after"}},
	{"import", []string{"wrong type", "missing attribute", "garbage", "no value", "null", "infinite", "unknown", "none", "another type", "wrong identity", "error", "panic", "exit", "cut"}},
	{"move", []string{"wrong type", "missing attribute", "garbage", "no value", "null", "infinite", "unknown", "wrong identity", "error", "panic", "exit", "cut"}},
	{"data", []string{"wrong type", "missing attribute", "garbage", "no value", "null", "infinite", "unknown", "another value", "extra blocks", "error", "panic", "exit", "cut"}},
	{"open", []string{"wrong type", "missing attribute", "garbage", "no value", "null", "unknown", "another value", "extra blocks", "error", "panic", "exit", "cut"}},
	{"renew", []string{"error", "panic", "exit", "cut"}},
	{"close", []string{"error", "panic", "exit", "cut"}},
	{"function", []string{"wrong type", "garbage", "no value", "null", "unknown", "error", "error of an argument that is not there", "panic", "exit", "cut"}},
	{"list", []string{"no identity", "wrong identity", "error", "panic", "exit", "cut"}},
	{"plan action", []string{"error", "panic", "exit", "cut"}},
	{"invoke", []string{"no end", "error", "panic", "exit", "cut"}},
}

// TestNonsense has a provider answer nonsense at every stage and says what comes of
// it: the diagnostic, the rule that it names, what the state has then, and what
// there is in truth. Whatever the answer, the state is true afterwards, or the next
// run says that it may not be.
func TestNonsense(t *testing.T) {
	if testing.Short() {
		t.Skip("short run: this test starts some hundred providers; run without -short")
	}
	newStage(t, nil) // or skip
	bin := t.TempDir()
	if out, err := exec.Command("go", "build", "-o", bin, "./nonsense/terraform-provider-nonsense").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	rows := make([][][]string, len(absurdities))
	t.Run("each", func(t *testing.T) {
		for i, a := range absurdities {
			rows[i] = make([][]string, len(a.kinds))
			for j, kind := range a.kinds {
				t.Run(a.stage+"/"+kind, func(t *testing.T) {
					t.Parallel()
					rows[i][j] = absurd(t, bin, a.stage, kind)
				})
			}
		}
	})
	told := func(rows [][]string) bool {
		return !slices.ContainsFunc(rows, func(r []string) bool { return r == nil })
	}
	if t.Failed() && !*update || slices.ContainsFunc(rows, func(r [][]string) bool { return !told(r) }) {
		return // some were left out with -run
	}
	var out strings.Builder
	out.WriteString(nonsenseHead)
	for i, a := range absurdities {
		fmt.Fprintf(&out, "\n## %s\n\n", a.stage)
		out.WriteString(table(append([][]string{{"the answer", "the diagnostic", "rule", "the state", "there is", "the next plan"}}, rows[i]...)))
	}
	golden(t, "nonsense.md", out.String())
}

const nonsenseHead = `# What comes of nonsense

A provider is honest but for one stage, where it answers as no provider may: with a
value of another type, with bytes that are no value, with nothing, with an object
that is not there or not known, or not at all, because it panics, ends, or loses the
connection, before the deed or (-after, -state) when it is done. Written by
TestNonsense.

The columns are the error and the rule of the contract that it names; what the state
has afterwards, with what became of the object's status; what there is in truth; and
what an honest provider's next plan has to say about it. "No" is the provider's own
error. Where something may be there that the state does not have, the next plan says
so; the test holds every row to that.
`

// absurd runs one stage with nonsense and gives its row.
func absurd(t *testing.T, bin, stage, kind string) []string {
	t.Helper()
	s := newStage(t, nil)
	world := t.TempDir()
	honest := slices.Concat(s.env, []string{"NONSENSE_WORLD=" + world})
	s.override("nonsense", bin)
	s.env = honest
	set := settings[stage]
	if set.there {
		if err := os.WriteFile(filepath.Join(world, "thing-a"), []byte("a"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if set.before != "" {
		s.write(required + set.before)
		s.must("apply", "-auto-approve", "-no-color")
	}
	s.write(required + set.now)
	if set.file != "" {
		if err := os.WriteFile(filepath.Join(s.dir, "main.tfquery.hcl"), []byte(set.file), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if set.planned {
		s.must("plan", "-out=tfplan", "-no-color")
	}
	at := strings.TrimPrefix(stage, "second ")
	liar := &nonsense.Provider{World: world, Stage: at, Kind: kind}
	if strings.HasPrefix(kind, "cut") {
		s.env = slices.Concat(honest, []string{"TF_REATTACH_PROVIDERS=" + cuttable(t, liar)})
	} else {
		s.env = slices.Concat(honest, []string{"NONSENSE_STAGE=" + at, "NONSENSE_KIND=" + kind})
	}
	said, rule := s.complaints(set.command...)
	liar.Deeds.Wait()
	s.env = honest
	known, there := s.known(), remote(t, world)
	next, _ := s.complaints("plan")
	for _, id := range there {
		if !strings.Contains(known, id) && !strings.Contains(next, "unknown outcome") && !set.there {
			t.Errorf("%s is there, but the state has %q and the next plan says %q", id, known, next)
		}
	}
	return []string{kind, said, rule, known, strings.Join(there, ", "), next}
}

// override has the program take a provider from a directory.
func (s *stage) override(name, dir string) {
	s.t.Helper()
	text := "provider_installation {\n  dev_overrides {\n"
	for _, host := range []string{"registry.terraform.io", "registry.opentofu.org"} {
		text += fmt.Sprintf("    %q = %q\n", host+"/hashicorp/"+name, dir)
	}
	if err := os.WriteFile(filepath.Join(s.dir, "none"), []byte(text+"  }\n  direct {}\n}\n"), 0o600); err != nil {
		s.t.Fatal(err)
	}
}

var ruled = regexp.MustCompile(`\((P[CW]\d+)\)`)

// complaints are the errors of a command, and warnings about what may exist; and the
// rules that they name.
func (s *stage) complaints(command ...string) (said, rules string) {
	s.t.Helper()
	stdout, stderr, _ := s.run(slices.Insert(slices.Clone(command), 1, "-json", "-no-color")...)
	if strings.Contains(stderr+stdout, "goroutine ") && strings.Contains(stderr+stdout, "plumb/internal") {
		s.t.Errorf("the program panicked:\n%s", stderr)
	}
	summaries, codes := map[string]bool{}, map[string]bool{}
	for line := range strings.Lines(stdout) {
		var shown struct{ Diagnostic *problem }
		s.decode(line, &shown)
		if d := shown.Diagnostic; d != nil && !strings.HasPrefix(d.Summary, "Provider development overrides") {
			mark := ""
			if d.Severity == "warning" {
				mark = "warning: "
			}
			summaries[mark+d.Summary] = true
			for _, m := range ruled.FindAllStringSubmatch(d.Detail, -1) {
				codes[m[1]] = true
			}
		}
	}
	return strings.Join(slices.Sorted(maps.Keys(summaries)), "; "), strings.Join(slices.Sorted(maps.Keys(codes)), " ")
}

// known words what the state has.
func (s *stage) known() string {
	s.t.Helper()
	var file struct {
		Resources []struct {
			Mode      string
			Instances []struct {
				Status     string
				Attributes map[string]any
			}
		}
	}
	if text := s.must("state", "pull"); text != "" {
		s.decode(text, &file)
	}
	var out []string
	for _, r := range file.Resources {
		for _, i := range r.Instances {
			words := fmt.Sprint(i.Attributes["id"])
			if r.Mode == "data" {
				words = "data " + words
			}
			if size := i.Attributes["size"]; size != nil {
				words += fmt.Sprintf(" size %v", size)
			}
			if n, ok := i.Attributes["part"].([]any); ok && len(n) > 0 {
				words += " with blocks"
			}
			if i.Status != "" {
				words += ", " + i.Status
			}
			out = append(out, words)
		}
	}
	return strings.Join(out, "; ")
}

// remote are the objects that there are.
func remote(t *testing.T, world string) []string {
	t.Helper()
	files, err := os.ReadDir(world)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, f := range files {
		out = append(out, f.Name())
	}
	return out
}

// wire is a line between the program and a provider, which can be cut.
type wire struct {
	listener net.Listener
	to       net.Addr
	mu       sync.Mutex
	ends     []net.Conn
}

// lay accepts connections and passes on what is said on them.
func (w *wire) lay() {
	for {
		in, err := w.listener.Accept()
		if err != nil {
			return // it is cut
		}
		out, err := net.Dial(w.to.Network(), w.to.String())
		if err != nil {
			_ = in.Close()
			return
		}
		w.mu.Lock()
		w.ends = append(w.ends, in, out)
		w.mu.Unlock()
		go func() { _, _ = io.Copy(in, out) }()
		go func() { _, _ = io.Copy(out, in) }()
	}
}

func (w *wire) cut() {
	_ = w.listener.Close()
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, c := range w.ends {
		_ = c.Close()
	}
}

// cuttable serves a provider that can lose its connection and lives on; it gives
// the value of TF_REATTACH_PROVIDERS.
func cuttable(t *testing.T, p *nonsense.Provider) string {
	t.Helper()
	at := serve(t, "nonsense", p)
	dir, err := os.MkdirTemp("", "cut") // the path of a socket has to be short
	if err != nil {
		t.Fatal(err)
	}
	l, err := net.Listen("unix", filepath.Join(dir, "s"))
	if err != nil {
		t.Fatal(err)
	}
	w := &wire{listener: l, to: at.Addr}
	p.Cut = w.cut
	go w.lay()
	t.Cleanup(func() { w.cut(); _ = os.RemoveAll(dir) })
	through := *at
	through.Addr = l.Addr()
	return reattach(t, map[string]*plugin.ReattachConfig{"registry.terraform.io/hashicorp/nonsense": &through, "registry.opentofu.org/hashicorp/nonsense": &through})
}
