package process_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"runtime/pprof"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/hashicorp/go-plugin"
	"github.com/hashicorp/terraform-plugin-framework/providerserver"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6/tf6server"
	"github.com/plumb-iac/plumb/addr"
	"github.com/plumb-iac/plumb/diag"
	"github.com/plumb-iac/plumb/provider"
	"github.com/plumb-iac/plumb/provider/process"
	"github.com/plumb-iac/plumb/provider/wire"
	"github.com/plumb-iac/plumb/test/testprovider"
	"github.com/plumb-iac/plumb/value"
	"github.com/zclconf/go-cty/cty"
)

var testAddr = addr.Provider{Host: addr.DefaultHost, Namespace: "test", Type: "test"}

// program is the test provider, built once.
var program = sync.OnceValues(func() (string, error) {
	dir, err := os.MkdirTemp("", "plumb-process-test")
	if err != nil {
		return "", err
	}
	built = dir
	out := filepath.Join(dir, "terraform-provider-test")
	text, err := exec.Command("go", "build", "-o", out, "github.com/plumb-iac/plumb/test/testprovider/terraform-provider-test").CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("%w: %s", err, text)
	}
	return out, nil
})

var built string

func TestMain(m *testing.M) {
	code := m.Run()
	if code == 0 {
		code = leftovers()
	}
	if built != "" {
		_ = os.RemoveAll(built)
	}
	os.Exit(code)
}

// leftovers is R3 after everything that the tests did: errors, panics, cancelled calls and
// starts. Nothing of a provider goes on when it was closed, no goroutine and no program.
func leftovers() (code int) {
	var stacks, children string
	for range 100 {
		stacks, children = "", ""
		var all bytes.Buffer
		_ = pprof.Lookup("goroutine").WriteTo(&all, 2) // a buffer takes everything
		for _, g := range strings.Split(all.String(), "\n\n")[1:] {
			// What waits for the end of an attached process is go-plugin's, and that process
			// is this one.
			if !strings.Contains(g, "signal.loop") && !strings.Contains(g, "cmdrunner.pidWait") {
				stacks += g + "\n\n"
			}
		}
		if found, err := filepath.Glob("/proc/self/task/*/children"); err == nil {
			for _, f := range found {
				text, _ := os.ReadFile(f) // a thread may have ended
				children += string(text)
			}
		}
		if stacks == "" && children == "" {
			return 0
		}
		time.Sleep(50 * time.Millisecond)
	}
	fmt.Printf("still there after the tests: processes %q, goroutines:\n\n%s", children, stacks)
	return 1
}

// launch describes a run of the test provider.
func launch(t *testing.T, environ ...string) process.Launch {
	t.Helper()
	path, err := program()
	if err != nil {
		t.Fatal(err)
	}
	return process.Launch{Provider: testAddr, Path: path, Environ: append(os.Environ(), environ...)}
}

func run(t *testing.T, l process.Launch) *wire.Client {
	t.Helper()
	c := process.New(l)
	t.Cleanup(func() { _ = c.Close() })
	return c
}

// TestEveryCall drives every call through a real provider, over both
// protocols, inside this process and outside.
func TestEveryCall(t *testing.T) {
	t.Run("in process 5", func(t *testing.T) { everyCall(t, process.InProcess(testAddr, testprovider.Register5)) })
	t.Run("in process 6", func(t *testing.T) { everyCall(t, process.InProcess(testAddr, testprovider.Register6)) })
	t.Run("process 5", func(t *testing.T) { everyCall(t, run(t, launch(t, "TEST_PROTOCOL=5"))) })
	t.Run("process 6", func(t *testing.T) { everyCall(t, run(t, launch(t))) })
	t.Run("process 6 encrypted", func(t *testing.T) {
		l := launch(t)
		l.TLS = process.TLSAlways
		everyCall(t, run(t, l))
	})
}

func everyCall(t *testing.T, c provider.Provider) {
	ctx := context.Background()
	defer func() { _ = c.Close() }()
	ok := func(what string, diags diag.List) {
		t.Helper()
		if diags.HasErrors() {
			t.Fatalf("%s: %v", what, diags)
		}
	}
	schemas, diags := c.Schemas(ctx)
	ok("schemas", diags)
	r, diags := schemas.Type(addr.Managed, "test_thing")
	ok("type", diags)
	if r.Identity == nil || !r.Block.HasWriteOnly() || r.Version != 1 || !schemas.Capabilities().PlanDestroy {
		t.Fatalf("schema: %#v", r)
	}
	region := value.MustBare(cty.ObjectVal(map[string]cty.Value{"region": cty.StringVal("eu")}))
	prepared, diags := c.ValidateProvider(ctx, region)
	ok("validate provider", diags)
	ok("configure", c.Configure(ctx, provider.ConfigureRequest{Config: prepared, LanguageVersion: "1.16.0"}))

	config := thing(r.Block.Type(), "a", cty.StringVal("s"), cty.NullVal(cty.String))
	ok("validate", c.ValidateResource(ctx, "test_thing", config))
	plan, diags := c.Plan(ctx, provider.PlanRequest{TypeName: "test_thing", Prior: value.Null(r.Block.Type()), Proposed: config, Config: config})
	ok("plan", diags)
	if plan.Planned.Cty().GetAttr("id").IsKnown() || !plan.Planned.Cty().GetAttr("secret").IsNull() {
		t.Fatalf("planned: %#v", plan.Planned.Cty())
	}
	made, diags := c.Apply(ctx, provider.ApplyRequest{TypeName: "test_thing", Prior: value.Null(r.Block.Type()), Planned: plan.Planned, Config: config, Private: plan.Private})
	ok("apply", diags)
	if made.New.Cty().GetAttr("id").AsString() != "id-a" || made.Identity.Cty().GetAttr("id").AsString() != "id-a" || !strings.Contains(string(made.Private), "made") {
		t.Fatalf("made: %#v", made)
	}
	read, diags := c.Read(ctx, provider.ReadRequest{TypeName: "test_thing", Prior: made.New, Private: made.Private, Identity: made.Identity})
	ok("read", diags)
	if !read.New.Cty().RawEquals(made.New.Cty()) {
		t.Fatalf("read: %#v", read.New.Cty())
	}
	other := thing(r.Block.Type(), "b", cty.NullVal(cty.String), cty.StringVal("id-a"))
	plan, diags = c.Plan(ctx, provider.PlanRequest{TypeName: "test_thing", Prior: made.New, Proposed: other, Config: other, PriorPrivate: read.Private, PriorIdentity: read.Identity})
	ok("plan a replacement", diags)
	if len(plan.RequiresReplace) != 1 || value.PathString(plan.RequiresReplace[0]) != ".name" {
		t.Fatalf("replace: %v", plan.RequiresReplace)
	}
	gone, diags := c.Apply(ctx, provider.ApplyRequest{TypeName: "test_thing", Prior: made.New, Planned: value.Null(r.Block.Type()), Config: value.Null(r.Block.Type())})
	ok("delete", diags)
	if !gone.New.Cty().IsNull() {
		t.Fatal("the deleted object is still there")
	}
	up, diags := c.UpgradeState(ctx, provider.UpgradeRequest{TypeName: "test_thing", Version: 1, JSON: []byte(`{"id":"i","name":"n","size":3,"secret":null,"tags":{"k":"v"},"rule":[{"port":1}]}`)})
	ok("upgrade", diags)
	if n, _ := up.Upgraded.Cty().GetAttr("size").AsBigFloat().Int64(); n != 3 {
		t.Fatalf("upgraded: %#v", up.Upgraded.Cty())
	}
	imported, diags := c.Import(ctx, provider.ImportRequest{TypeName: "test_thing", Identity: value.MustBare(cty.ObjectVal(map[string]cty.Value{"id": cty.StringVal("x")}))})
	ok("import", diags)
	if len(imported.Imported) != 1 || imported.Imported[0].State.Cty().GetAttr("id").AsString() != "x" {
		t.Fatalf("imported: %#v", imported)
	}
	failed, diags := c.Apply(ctx, provider.ApplyRequest{TypeName: "test_thing", Prior: value.Null(r.Block.Type()),
		Planned: thing(r.Block.Type(), "fail", cty.NullVal(cty.String), cty.UnknownVal(cty.String)), Config: thing(r.Block.Type(), "fail", cty.NullVal(cty.String), cty.NullVal(cty.String))})
	if len(diags) != 1 || diags[0].Summary != "Name refused" || diags[0].Attribute != ".name" || failed.New.IsZero() {
		t.Fatalf("failed: %#v %v", failed, diags)
	}
	others(t, c, ok)
}

// others are the calls that are not about managed resources.
func others(t *testing.T, c provider.Provider, ok func(string, diag.List)) {
	ctx := context.Background()
	say := value.MustBare(cty.ObjectVal(map[string]cty.Value{"say": cty.StringVal("hi"), "said": cty.NullVal(cty.String)}))
	ok("validate data", c.ValidateData(ctx, "test_echo", say))
	data, diags := c.ReadData(ctx, provider.ReadDataRequest{TypeName: "test_echo", Config: say})
	ok("data", diags)
	if data.State.Cty().GetAttr("said").AsString() != "hi" {
		t.Fatalf("data: %#v", data.State.Cty())
	}
	token := value.MustBare(cty.ObjectVal(map[string]cty.Value{"token": cty.NullVal(cty.String)}))
	ok("validate ephemeral", c.ValidateEphemeral(ctx, "test_session", token))
	open, diags := c.Open(ctx, provider.OpenRequest{TypeName: "test_session", Config: token})
	ok("open", diags)
	if open.Result.Cty().GetAttr("token").AsString() != "t-1" || !open.RenewAt.IsZero() {
		t.Fatalf("open: %#v", open)
	}
	if closed := c.CloseEphemeral(ctx, "test_session", open.Private); len(closed) != 1 || closed[0].Detail != `"t-1"` {
		t.Fatalf("close: %v", closed)
	}
	arg := func(s string) []value.Bare { return []value.Bare{value.MustBare(cty.StringVal(s))} }
	if got := c.CallFunction(ctx, "twice", arg("ab")); got.Error != "" || got.Result.Cty().AsString() != "abab" {
		t.Fatalf("function: %#v", got)
	}
	if got := c.CallFunction(ctx, "twice", arg("")); got.Error != "nothing to repeat" || got.Argument != 0 {
		t.Fatalf("function: %#v", got)
	}
	search := provider.ListRequest{TypeName: "test_thing", Config: value.MustBare(cty.ObjectVal(map[string]cty.Value{"prefix": cty.NullVal(cty.String)})), Limit: 10}
	ok("validate list", c.ValidateList(ctx, search))
	var found []string
	ok("list", c.ListResources(ctx, search, func(l provider.Listed) bool {
		found = append(found, l.Identity.Cty().GetAttr("id").AsString())
		return true
	}))
	if strings.Join(found, " ") != "id-0 id-1" {
		t.Fatalf("found: %v", found)
	}
	text := value.MustBare(cty.ObjectVal(map[string]cty.Value{"text": cty.StringVal("x")}))
	ok("validate action", c.ValidateAction(ctx, "test_note", text))
	_, diags = c.PlanAction(ctx, provider.PlanActionRequest{TypeName: "test_note", Config: text})
	ok("plan action", diags)
	var said []string
	ok("invoke", c.InvokeAction(ctx, "test_note", text, func(m string) { said = append(said, m) }))
	if strings.Join(said, "") != "noting x" {
		t.Fatalf("said: %v", said)
	}
	if err := c.Stop(ctx); err != nil {
		t.Fatalf("stop: %v", err)
	}
	if err := c.Close(); err != nil {
		t.Fatalf("close: %v", err)
	}
	if diags := c.ValidateData(ctx, "test_echo", say); len(diags) != 1 || diags[0].Code != process.CodeClosed {
		t.Fatalf("after close: %v", diags)
	}
}

func thing(t cty.Type, name string, secret, id cty.Value) value.Bare {
	attrs := map[string]cty.Value{}
	for n, at := range t.AttributeTypes() {
		attrs[n] = cty.NullVal(at)
	}
	attrs["name"], attrs["secret"], attrs["id"] = cty.StringVal(name), secret, id
	attrs["rule"] = cty.SetValEmpty(t.AttributeType("rule").ElementType())
	return value.MustBare(cty.ObjectVal(attrs))
}

// TestCrash: a provider that dies leaves a diagnostic with its last words, and
// what is asked of it afterwards fails at once.
func TestCrash(t *testing.T) {
	for _, c := range []struct{ name, words string }{{"panic", "panic: told to panic"}, {"exit", "exit status 7"}} {
		t.Run(c.name, func(t *testing.T) {
			p := run(t, launch(t))
			create := func() diag.List {
				typ := thingType(t, p)
				config := thing(typ, c.name, cty.NullVal(cty.String), cty.NullVal(cty.String))
				_, diags := p.Apply(context.Background(), provider.ApplyRequest{TypeName: "test_thing", Prior: value.Null(typ),
					Planned: thing(typ, c.name, cty.NullVal(cty.String), cty.UnknownVal(cty.String)), Config: config})
				return diags
			}
			for range 2 {
				diags := create()
				if len(diags) != 1 || diags[0].Summary != "Plugin did not respond" || diags[0].Blame != diag.Provider {
					t.Fatalf("got %v", diags)
				}
				if d := diags[0].Detail; !strings.Contains(d, "test/test") || !strings.Contains(d, "ApplyResourceChange") || !strings.Contains(d, c.words) {
					t.Errorf("detail: %s", d)
				}
			}
		})
	}
}

func thingType(t *testing.T, p provider.Provider) cty.Type {
	t.Helper()
	schemas, diags := p.Schemas(context.Background())
	if diags.HasErrors() {
		t.Fatal(diags)
	}
	r, _ := schemas.Type(addr.Managed, "test_thing")
	return r.Block.Type()
}

func TestInProcessPanic(t *testing.T) {
	p := process.InProcess(testAddr, testprovider.Register6)
	defer func() { _ = p.Close() }()
	typ := thingType(t, p)
	config := thing(typ, "panic", cty.NullVal(cty.String), cty.NullVal(cty.String))
	_, diags := p.Apply(context.Background(), provider.ApplyRequest{TypeName: "test_thing", Prior: value.Null(typ), Planned: config, Config: config})
	if len(diags) != 1 || diags[0].Summary != "Plugin error" || !strings.Contains(diags[0].Detail, "told to panic") {
		t.Errorf("got %v", diags)
	}
}

// TestStartFailures: each way not to start is explained in its own words.
func TestStartFailures(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the programs are shell scripts")
	}
	for _, c := range []struct {
		name, script string
		mode         os.FileMode
		say          []string
	}{
		{"exits at once", "echo 'cannot load config' >&2; exit 3", 0o755, []string{"ended before it was ready", "exit status 3", "cannot load config"}},
		{"hangs", "exec sleep 100", 0o755, []string{"within the time allowed"}},
		{"hangs with a child", "sleep 100; exit", 0o755, []string{"within the time allowed"}},
		{"another protocol", "echo '1|4|unix|/nowhere|grpc'; exec sleep 100", 0o755, []string{"versions 5 and 6"}},
		{"net/rpc", "echo '1|5|unix|/nowhere|netrpc'; exec sleep 100", 0o755, []string{"no connection", "netrpc"}},
		{"says something else", "echo 'hello'; exec sleep 100", 0o755, []string{"probably not a provider", "hello"}},
		{"listens nowhere", "echo '1|5|unix|/nowhere|grpc'; exec sleep 100", 0o755, []string{"did not respond"}},
		{"not executable", "exit 0", 0o644, []string{"may not be executed"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "terraform-provider-test")
			if err := os.WriteFile(path, []byte("#!/bin/sh\n"+c.script+"\n"), c.mode); err != nil {
				t.Fatal(err)
			}
			p := process.New(process.Launch{Provider: testAddr, Path: path, Environ: []string{"PATH=/bin:/usr/bin"}, Timeout: 300 * time.Millisecond})
			began := time.Now()
			_, diags := p.Schemas(context.Background())
			if len(diags) == 0 {
				t.Fatal("it started")
			}
			_, again := p.Schemas(context.Background())
			if len(again) == 0 || p.Close() != nil {
				t.Fatal("the second time it is fine")
			}
			if took := time.Since(began); took > 10*time.Second {
				t.Errorf("took %s", took)
			}
			text := strings.ToLower(diags[0].Summary + " " + diags[0].Detail)
			for _, say := range append(c.say, "test/test") {
				if !strings.Contains(text, strings.ToLower(say)) {
					t.Errorf("%q is not in: %s", say, text)
				}
			}
		})
	}
	t.Run("not there", func(t *testing.T) {
		p := process.New(process.Launch{Provider: testAddr, Path: filepath.Join(t.TempDir(), "no")})
		if _, diags := p.Schemas(context.Background()); len(diags) != 1 || !strings.Contains(diags[0].Detail, "no such program") {
			t.Errorf("got %v", diags)
		}
	})
	t.Run("not a program", func(t *testing.T) {
		path := filepath.Join(t.TempDir(), "x")
		if err := os.WriteFile(path, []byte("\x7fELFgarbage"), 0o755); err != nil {
			t.Fatal(err)
		}
		p := process.New(process.Launch{Provider: testAddr, Path: path})
		if _, diags := p.Schemas(context.Background()); len(diags) != 1 || !strings.Contains(diags[0].Detail, "not a program for this") {
			t.Errorf("got %v", diags)
		}
	})
	t.Run("cancelled", func(t *testing.T) {
		path := filepath.Join(t.TempDir(), "x")
		if err := os.WriteFile(path, []byte("#!/bin/sh\necho started >&2\nexec sleep 100\n"), 0o755); err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithTimeout(context.Background(), 100*time.Millisecond)
		defer cancel()
		p := process.New(process.Launch{Provider: testAddr, Path: path})
		if _, diags := p.Schemas(ctx); len(diags) != 1 || diags[0].Summary != "Request cancelled" {
			t.Errorf("got %v", diags)
		}
	})
}

// TestGroup: a program leads a group of its own, which the terminal does not talk
// to, and what it has started ends with it.
func TestGroup(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("there are no process groups")
	}
	dir := t.TempDir()
	path := filepath.Join(dir, "x")
	script := "#!/bin/sh\nkill -0 -$$ && echo >leads\n(while sleep 0.1; do echo x >>lives; done) &\nwait\n"
	if err := os.WriteFile(path, []byte(script), 0o755); err != nil {
		t.Fatal(err)
	}
	p := process.New(process.Launch{Provider: testAddr, Path: path, Dir: dir, Environ: []string{"PATH=/bin:/usr/bin"}, Timeout: 500 * time.Millisecond})
	if _, diags := p.Schemas(context.Background()); len(diags) == 0 || p.Close() != nil {
		t.Fatal("it started")
	}
	if _, err := os.Stat(filepath.Join(dir, "leads")); err != nil {
		t.Error("the program is in the group of the one that runs it")
	}
	size := func() int64 {
		info, err := os.Stat(filepath.Join(dir, "lives"))
		if err != nil {
			t.Fatal(err)
		}
		return info.Size()
	}
	time.Sleep(100 * time.Millisecond) // for what was being written
	before := size()
	time.Sleep(400 * time.Millisecond)
	if after := size(); after != before {
		t.Errorf("what it started goes on: %d bytes, then %d", before, after)
	}
}

// TestFlood: output without end at the start neither blocks nor grows.
func TestFlood(t *testing.T) {
	p := run(t, launch(t, "TEST_START=flood"))
	thingType(t, p)
}

func TestReattach(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	configs, closed := make(chan *plugin.ReattachConfig, 1), make(chan struct{})
	go func() {
		_ = tf6server.Serve("registry.terraform.io/test/test", providerserver.NewProtocol6(testprovider.New()), tf6server.WithDebug(ctx, configs, closed), tf6server.WithoutLogStderrOverride())
	}()
	config := <-configs
	text, err := json.Marshal(map[string]any{"registry.terraform.io/-/test": map[string]any{
		"Protocol": config.Protocol, "ProtocolVersion": config.ProtocolVersion, "Pid": config.Pid, "Test": config.Test,
		"Addr": map[string]string{"Network": config.Addr.Network(), "String": config.Addr.String()},
	}})
	if err != nil {
		t.Fatal(err)
	}
	found, diags := process.ParseReattach(string(text), addr.DefaultHost)
	if len(diags) > 0 || len(found) != 1 || found[0].Provider.Namespace != "-" || found[0].Protocol != wire.V6 {
		t.Fatalf("%v %v", found, diags)
	}
	for range 2 { // Close must not have ended it.
		p := process.Attach(found[0], nil)
		thingType(t, p)
		if err := p.Close(); err != nil {
			t.Fatal(err)
		}
	}
	cancel()
	<-closed
}

func TestParseReattach(t *testing.T) {
	entry := func(e string) string { return `{"hashicorp/x":` + e + `}` }
	for text, say := range map[string]string{
		"nonsense":       "not a JSON object",
		`{"a/b/c/d":{}}`: "not a provider source address",
		entry(`{"Protocol":"netrpc","Addr":{"Network":"unix"}}`):   "only \"grpc\"",
		entry(`{"ProtocolVersion":4,"Addr":{"Network":"unix"}}`):   "version 4",
		entry(`{"ProtocolVersion":6,"Addr":{"Network":"pigeon"}}`): "pigeon",
	} {
		if _, diags := process.ParseReattach(text, addr.DefaultHost); len(diags) != 1 || !strings.Contains(diags[0].Detail, say) {
			t.Errorf("%s: %v", text, diags)
		}
	}
	got, diags := process.ParseReattach(entry(`{"Pid":3,"Test":true,"Addr":{"Network":"tcp","String":"1.2.3.4:5"}}`), "registry.opentofu.org")
	want := process.Reattach{Provider: addr.Provider{Host: "registry.opentofu.org", Namespace: "hashicorp", Type: "x"}, Protocol: wire.V5, Pid: 3, Test: true, Network: "tcp", Address: "1.2.3.4:5"}
	if len(diags) > 0 || len(got) != 1 || got[0] != want {
		t.Errorf("%v %v", got, diags)
	}
	if got, diags := process.ParseReattach("", "h"); got != nil || diags != nil {
		t.Error("nothing is something")
	}
}

// TestCache: schemas outlive the process on disk, are shared by instances, and
// damage to the files only costs time.
func TestCache(t *testing.T) {
	dir := t.TempDir()
	with := func(c *process.Cache, trust bool) *wire.Client {
		l := launch(t)
		l.Cache, l.TrustCache = c, trust
		return run(t, l)
	}
	c := process.NewCache(dir)
	if c.Schemas(launch(t)) != nil {
		t.Fatal("schemas of a program that never ran")
	}
	first, diags := with(c, false).Schemas(context.Background())
	if diags.HasErrors() {
		t.Fatal(diags)
	}
	second, _ := with(c, false).Schemas(context.Background())
	if first != second {
		t.Error("two instances do not share their schemas")
	}
	fresh := process.NewCache(dir)
	if s := fresh.Schemas(launch(t)); s == nil || strings.Join(s.TypeNames(addr.Managed), " ") != "test_thing" {
		t.Fatal("nothing was kept on disk")
	}
	files, err := filepath.Glob(filepath.Join(dir, "*", "*"))
	if err != nil || len(files) != 2 {
		t.Fatal(files, err)
	}
	for _, f := range files {
		raw, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		for _, damaged := range [][]byte{nil, raw[:len(raw)/2], append(append([]byte(nil), raw[:len(raw)-1]...), raw[len(raw)-1]^1)} {
			if err := os.WriteFile(f, damaged, 0o644); err != nil {
				t.Fatal(err)
			}
			if s := process.NewCache(dir).Schemas(launch(t)); s != nil && strings.Join(s.TypeNames(addr.Managed), " ") != "test_thing" {
				t.Errorf("%s: damaged schemas", f)
			}
		}
		thingType(t, with(process.NewCache(dir), false))
	}
	// A provider may give other schemas elsewhere.
	elsewhere := launch(t)
	elsewhere.Environ = append(elsewhere.Environ, "BETA=1")
	if process.NewCache(dir).Schemas(elsewhere) != nil {
		t.Error("schemas of other surroundings")
	}
	elsewhere.Cache = process.NewCache(dir)
	thingType(t, run(t, elsewhere))
	if c := process.NewCache(dir); c.Schemas(elsewhere) == nil || c.Schemas(launch(t)) == nil {
		t.Error("the same answer in other surroundings is not kept for both")
	}
	elsewhere.Environ = append(elsewhere.Environ, "PWD=/", "SHLVL=9", "TF_VAR_a=b")
	if process.NewCache(dir).Schemas(elsewhere) == nil {
		t.Error("variables that belong to the shell and the engine make other surroundings")
	}
	// One program may be several providers, by its name.
	renamed := launch(t)
	renamed.Path = filepath.Join(t.TempDir(), "terraform-provider-other")
	if err := os.Symlink(launch(t).Path, renamed.Path); err != nil {
		t.Fatal(err)
	}
	if process.NewCache(dir).Schemas(renamed) != nil {
		t.Error("schemas of a program of another name")
	}
	// Trusted, nothing is run: the program may even be one that cannot.
	if _, diags := with(process.NewCache(dir), true).Schemas(context.Background()); diags.HasErrors() {
		t.Error(diags)
	}
}

func BenchmarkStart(b *testing.B) {
	path, err := program()
	if err != nil {
		b.Fatal(err)
	}
	for _, tls := range []process.TLS{process.TLSNeeded, process.TLSAlways} {
		b.Run(fmt.Sprintf("tls=%d", tls), func(b *testing.B) {
			for b.Loop() {
				p := process.New(process.Launch{Provider: testAddr, Path: path, Environ: os.Environ(), TLS: tls})
				if _, diags := p.Schemas(context.Background()); diags.HasErrors() {
					b.Fatal(diags)
				}
				_ = p.Close()
			}
		})
	}
}

func BenchmarkRead(b *testing.B) {
	path, err := program()
	if err != nil {
		b.Fatal(err)
	}
	for _, tls := range []process.TLS{process.TLSNeeded, process.TLSAlways} {
		b.Run(fmt.Sprintf("tls=%d", tls), func(b *testing.B) {
			p := process.New(process.Launch{Provider: testAddr, Path: path, Environ: os.Environ(), TLS: tls})
			schemas, _ := p.Schemas(context.Background())
			r, _ := schemas.Type(addr.Managed, "test_thing")
			prior := thing(r.Block.Type(), "a", cty.NullVal(cty.String), cty.StringVal("id-a"))
			for b.Loop() {
				if _, diags := p.Read(context.Background(), provider.ReadRequest{TypeName: "test_thing", Prior: prior}); diags.HasErrors() {
					b.Fatal(diags)
				}
			}
			_ = p.Close()
		})
	}
}
