package install

import (
	"archive/zip"
	"bytes"
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/plumb-iac/plumb/addr"
	"github.com/plumb-iac/plumb/config"
	"github.com/plumb-iac/plumb/diag"
	"github.com/plumb-iac/plumb/internal/lockfile"
	"github.com/plumb-iac/plumb/internal/settings"
)

var probe = addr.Provider{Host: addr.DefaultHost, Namespace: "conformance", Type: "probe"}

const platform = "linux_amd64"

// bench is a working directory beside a mirror.
type bench struct {
	t        *testing.T
	dir      string
	required []Requirement
	lines    []string
	request  func(*InstallRequest)
}

func newBench(t *testing.T, constraints ...string) *bench {
	b := &bench{t: t, dir: t.TempDir()}
	b.required = []Requirement{{Provider: addr.Builtin("terraform")}, {Provider: probe, Constraints: constraints, InConfig: true}}
	return b
}

func (b *bench) path(parts ...string) string {
	return filepath.Join(append([]string{b.dir}, parts...)...)
}

func (b *bench) write(name, text string) {
	b.t.Helper()
	if err := os.MkdirAll(filepath.Dir(b.path(name)), 0o755); err != nil {
		b.t.Fatal(err)
	}
	if err := os.WriteFile(b.path(name), []byte(text), 0o755); err != nil {
		b.t.Fatal(err)
	}
}

// offer puts an unpacked package into the mirror.
func (b *bench) offer(version, text string) {
	b.write("mirror/"+probe.String()+"/"+version+"/"+platform+"/terraform-provider-probe_v"+version, text)
}

func (b *bench) offerZip(version string, files map[string]string) {
	b.t.Helper()
	name := "mirror/" + probe.String() + "/terraform-provider-probe_" + version + "_" + platform + ".zip"
	b.write(name, "")
	f, err := os.Create(b.path(name))
	if err != nil {
		b.t.Fatal(err)
	}
	defer f.Close()
	z := zip.NewWriter(f)
	for name, text := range files {
		w, err := z.Create(name)
		if err != nil {
			b.t.Fatal(err)
		}
		if _, err := w.Write([]byte(text)); err != nil {
			b.t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		b.t.Fatal(err)
	}
}

func (b *bench) install() (Result, diag.List) {
	b.t.Helper()
	b.lines = nil
	cli := settings.CLI{Methods: []settings.Method{{Kind: settings.FilesystemMirror, Location: b.path("mirror")}}}
	req := InstallRequest{
		Dir: b.dir, DataDir: b.path(".terraform"), Platform: platform, DefaultHost: addr.DefaultHost,
		Required: b.required, BuiltIn: []addr.Provider{addr.Builtin("terraform"), addr.Builtin("std")}, Sources: NewSources(cli, nil, nil),
		Observe: func(e Event) { b.lines = append(b.lines, e.String()) },
	}
	if b.request != nil {
		b.request(&req)
	}
	return Install(context.Background(), req)
}

func (b *bench) locate() (map[addr.Provider]Package, diag.List) {
	return Locate(LocateRequest{Dir: b.dir, DataDir: b.path(".terraform"), Platform: platform, Required: b.required})
}

func (b *bench) expect(diags diag.List, summary string, lines ...string) {
	b.t.Helper()
	errs := diags.Errors()
	if summary == "" && len(errs) > 0 || summary != "" && (len(errs) != 1 || errs[0].Summary != summary) {
		b.t.Fatalf("want %q: %v", summary, diags)
	}
	if got, want := strings.Join(b.lines, "\n"), strings.Join(append([]string{"- terraform.io/builtin/terraform is built in to Plumb"}, lines...), "\n"); len(lines) > 0 && got != want {
		b.t.Fatalf("got:\n%s\nwant:\n%s", got, want)
	}
}

func TestInstallAndReuse(t *testing.T) {
	b := newBench(t, ">= 1", "< 3")
	b.offer("1.0.0", "one")
	b.offer("2.1.0", "two")
	b.offer("2.2.0-rc1", "candidate")
	b.offer("3.0.0", "three")
	r, diags := b.install()
	b.expect(diags, "",
		`- Finding conformance/probe versions matching ">= 1.0.0, < 3.0.0"...`,
		"- Installing conformance/probe v2.1.0...",
		"- Installed conformance/probe v2.1.0 (unauthenticated)")
	if !r.Created || r.Changed || len(diags.Warnings()) != 1 || diags.Warnings()[0].Summary != "Incomplete lock file information for providers" {
		t.Error(r, diags)
	}
	r, diags = b.install()
	b.expect(diags, "", "- Reusing previous version of conformance/probe from the dependency lock file", "- Using previously-installed conformance/probe v2.1.0")
	if r.Created || r.Changed || len(diags) != 0 {
		t.Error(r, diags)
	}
	b.offer("2.5.0", "newer")
	b.request = func(q *InstallRequest) { q.Upgrade = true }
	_, diags = b.install()
	b.expect(diags, "")
	packages, diags := b.locate()
	b.expect(diags, "")
	if p := packages[probe]; p.Version != "2.5.0" || !strings.HasSuffix(p.Executable, "terraform-provider-probe_v2.5.0") {
		t.Error(packages)
	}
}

func TestArchive(t *testing.T) {
	b := newBench(t)
	b.offerZip("1.0.0", map[string]string{"terraform-provider-probe_v1.0.0": "zipped", "docs/README.md": "r"})
	_, diags := b.install()
	b.expect(diags, "", "- Finding latest version of conformance/probe...", "- Installing conformance/probe v1.0.0...", "- Installed conformance/probe v1.0.0 (unauthenticated)")
	p, diags := b.locate()
	b.expect(diags, "")
	if text, err := os.ReadFile(p[probe].Executable); err != nil || string(text) != "zipped" {
		t.Error(string(text), err)
	}
	if info, err := os.Stat(p[probe].Executable); err != nil || info.Mode().Perm()&0o400 == 0 {
		t.Error(info, err)
	}
}

// TestCopyAtMost: what is too large is refused, not cut.
func TestCopyAtMost(t *testing.T) {
	for text, fits := range map[string]bool{"": true, "1234": true, "12345": false} {
		var got bytes.Buffer
		if err := copyAtMost(&got, strings.NewReader(text), 4); (err == nil) != fits || fits && got.String() != text {
			t.Errorf("%q: %q, %v", text, got.String(), err)
		}
	}
}

func TestArchiveStaysInside(t *testing.T) {
	for _, name := range []string{"../evil", "/evil", `..\evil`, "a/../../evil"} {
		b := newBench(t)
		b.offerZip("1.0.0", map[string]string{name: "x", "terraform-provider-probe": "p"})
		_, diags := b.install()
		b.expect(diags, "Failed to install provider")
		_ = filepath.WalkDir(b.dir, func(path string, _ fs.DirEntry, _ error) error {
			if filepath.Base(path) == "evil" {
				t.Errorf("%s escaped to %s", name, path)
			}
			return nil
		})
		if _, err := os.Stat(b.path(lockfile.Name)); err == nil {
			t.Error("a lock file was written")
		}
	}
}

// TestBuiltIn: a source that only looks like a built-in provider is refused, and a
// name without a source is not searched for in vain.
func TestBuiltIn(t *testing.T) {
	b := newBench(t, "1.0.0")
	b.required = append(b.required[:1], Requirement{Provider: addr.Builtin("stdd")})
	_, diags := b.install()
	b.expect(diags, "Invalid dependency on built-in provider")

	b.required[1] = Requirement{Provider: addr.ImpliedProvider("std", addr.DefaultHost)}
	_, diags = b.install()
	b.expect(diags, "Failed to query available provider packages")
	if !strings.Contains(diags[0].Detail, `source = "terraform.io/builtin/std"`) {
		t.Error(diags)
	}
}

func TestRefusals(t *testing.T) {
	b := newBench(t, "1.0.0")
	_, diags := b.install()
	b.expect(diags, "Failed to query available provider packages")
	_, diags = b.locate()
	b.expect(diags, "Inconsistent dependency lock file")

	b.offer("1.0.0", "one")
	_, diags = b.install()
	b.expect(diags, "")
	b.offer("1.0.0", "changed on disk")
	_, diags = b.locate()
	b.expect(diags, "Required plugins are not installed")
	_, diags = b.install()
	b.expect(diags, "Failed to install provider")

	b.required[1].Constraints = []string{"2.0.0"}
	_, diags = b.install()
	b.expect(diags, "Failed to query available provider packages")
	_, diags = b.locate()
	b.expect(diags, "Inconsistent dependency lock file")

	each, diags := Locate(LocateRequest{Dir: t.TempDir(), DataDir: b.path("none"), Platform: platform, Required: b.required, Each: true})
	if len(each) != 0 || len(diags) != 1 || diags[0].Summary != "Missing required provider" {
		t.Error(each, diags)
	}
}

func TestReadonlyLock(t *testing.T) {
	b := newBench(t)
	b.offer("1.0.0", "one")
	b.request = func(q *InstallRequest) { q.ReadonlyLock = true }
	_, diags := b.install()
	b.expect(diags, "Provider dependency changes detected")
	b.request = nil
	_, diags = b.install()
	b.expect(diags, "")
	b.request = func(q *InstallRequest) { q.ReadonlyLock = true }
	b.required[1].Constraints = []string{">= 1"}
	_, diags = b.install()
	b.expect(diags, "")
	if len(diags) != 1 || diags[0].Summary != "Provider lock file not updated" {
		t.Error(diags)
	}
}

func TestSharedCache(t *testing.T) {
	b := newBench(t)
	b.offer("1.0.0", "one")
	cache := t.TempDir()
	b.request = func(q *InstallRequest) { q.CacheDir = cache }
	_, diags := b.install()
	b.expect(diags, "")
	if err := os.RemoveAll(b.path(".terraform")); err != nil {
		t.Fatal(err)
	}
	_, diags = b.install()
	b.expect(diags, "", "- Reusing previous version of conformance/probe from the dependency lock file", "- Using conformance/probe v1.0.0 from the shared cache directory")
	_, diags = b.locate()
	b.expect(diags, "")
}

func TestDevOverride(t *testing.T) {
	b := newBench(t)
	b.write("dev/terraform-provider-probe", "dev")
	b.request = func(q *InstallRequest) { q.Skip = map[addr.Provider]bool{probe: true} }
	_, diags := b.install()
	b.expect(diags, "")
	req := LocateRequest{Dir: b.dir, DataDir: b.path(".terraform"), Platform: platform, Required: b.required, DevOverrides: map[addr.Provider]string{probe: b.path("dev")}}
	packages, diags := Locate(req)
	if packages[probe].Executable != b.path("dev/terraform-provider-probe") || len(diags) != 1 || diags.HasErrors() {
		t.Error(packages, diags)
	}
	// One that is not built matters where it is required.
	other := addr.Provider{Host: addr.DefaultHost, Namespace: "conformance", Type: "other"}
	req.DevOverrides[other] = b.path("nowhere")
	if _, diags := Locate(req); len(diags) != 1 || diags.HasErrors() || !strings.Contains(diags[0].Detail, "nowhere") {
		t.Error(diags)
	}
	req.Required = append(req.Required, Requirement{Provider: other})
	if _, diags := Locate(req); !diags.HasErrors() {
		t.Error(diags)
	}
}

// A package that looks the same is not read again; one that does not is.
func TestHashMemory(t *testing.T) {
	b := newBench(t)
	b.write("p/terraform-provider-probe", "one")
	h := openHashes(b.path(".terraform"))
	first, err := h.of(b.path("p"))
	if err != nil {
		t.Fatal(err)
	}
	h.save()
	h = openHashes(b.path(".terraform"))
	if again, err := h.of(b.path("p")); again != first || err != nil || h.changed {
		t.Error("the hash was not remembered", err)
	}
	b.write("p/terraform-provider-probe", "other")
	if other, _ := h.of(b.path("p")); other == first || !h.changed {
		t.Error("a changed package was believed")
	}
}

// A memory that is damaged inside of a hash refuses no package, and is mended.
func TestDamagedMemory(t *testing.T) {
	b := newBench(t)
	b.offer("1.0.0", "one")
	_, diags := b.install()
	b.expect(diags, "", "- Finding latest version of conformance/probe...", "- Installing conformance/probe v1.0.0...", "- Installed conformance/probe v1.0.0 (unauthenticated)")
	_, diags = b.locate()
	b.expect(diags, "")
	memory := b.path(".terraform/plumb-hashes.json")
	good, err := os.ReadFile(memory)
	if err != nil {
		t.Fatal(err)
	}
	at := bytes.Index(good, []byte("h1:")) + 5
	bad := bytes.Clone(good)
	bad[at] ^= 1
	if err := os.WriteFile(memory, bad, 0o644); err != nil {
		t.Fatal(err)
	}
	_, diags = b.locate()
	b.expect(diags, "")
	if now, err := os.ReadFile(memory); err != nil || !bytes.Equal(now, good) {
		t.Errorf("%s %v", now, err)
	}
}

// The hash is that of the incumbents: dirhash of the files, names without a
// directory before them.
func TestKnownHash(t *testing.T) {
	b := newBench(t)
	b.write("p/a", "x")
	const want = "h1:SkuHSh6XdqUuOP2CoFOCXzCfRhh6gDoPwMZnDGZw52g="
	if got, err := hashDir(b.path("p")); err != nil || got != want {
		t.Error(got, err)
	}
}

type disk struct{ root string }

func (d disk) ReadFile(name string) ([]byte, error) { return os.ReadFile(filepath.Join(d.root, name)) }
func (d disk) ReadDir(name string) ([]fs.DirEntry, error) {
	return os.ReadDir(filepath.Join(d.root, name))
}

func TestModules(t *testing.T) {
	b := newBench(t)
	b.write("main.tf", "module \"b\" {\n  source = \"./x/\"\n}\nmodule \"a\" {\n  source = \"./y\"\n}\n")
	b.write("x/main.tf", "module \"c\" {\n  source = \"../y\"\n}\n")
	b.write("y/main.tf", "variable \"v\" {\n  default = 1\n}\n")
	var lines []string
	see := func(e Event) { lines = append(lines, e.String()) }
	_, diags := modules(disk{b.dir}, ".", b.path(".terraform"), config.LoadOptions{}, true, see)
	if diags.HasErrors() {
		t.Fatal(diags)
	}
	if got := strings.Join(lines, "\n"); got != "- a in y\n- b in x\n- b.c in y" {
		t.Error(got)
	}
	src, _ := os.ReadFile(ManifestFile(b.path(".terraform")))
	const want = `{"Modules":[{"Key":"","Source":"","Dir":"."},{"Key":"a","Source":"./y","Dir":"y"},{"Key":"b","Source":"./x","Dir":"x"},{"Key":"b.c","Source":"../y","Dir":"y"}]}`
	if string(src) != want {
		t.Error(string(src))
	}
	manifest, _ := ReadManifest(b.path(".terraform"))
	tree, diags := config.Load(disk{b.dir}, ".", config.LoadOptions{Resolve: manifest.Resolve})
	if diags.HasErrors() || len(tree.Modules()) != 4 {
		t.Error(diags)
	}
	b.write("main.tf", "module \"a\" {\n  source = \"s3::https://x.example.com/y\"\n}\n")
	if _, diags = modules(disk{b.dir}, ".", b.path(".terraform"), config.LoadOptions{}, true, nil); !diags.HasErrors() || diags[0].Summary != "Failed to download module" {
		t.Error(diags)
	}
	b.write("main.tf", "module \"a\" {\n  source = \"y\"\n}\n")
	if _, diags = modules(disk{b.dir}, ".", b.path(".terraform"), config.LoadOptions{}, true, nil); !diags.HasErrors() || diags[0].Summary != "Invalid module source address" {
		t.Error(diags)
	}
	b.write("needs/main.tf", "variable \"v\" {}\n")
	b.write("main.tf", "module \"a\" {\n  source = \"./needs\"\n}\n")
	if _, diags = modules(disk{b.dir}, ".", b.path(".terraform"), config.LoadOptions{}, true, nil); diags.HasErrors() {
		t.Error("without an argument, as those fetch modules who only want to look at them:", diags)
	}
	b.write("main.tf", "module \"a\" {\n  source = \"./y\"\n  nope = 1\n}\n")
	if _, diags = modules(disk{b.dir}, ".", b.path(".terraform"), config.LoadOptions{}, true, nil); !diags.HasErrors() || diags[0].Summary != "Unsupported argument" {
		t.Error(diags)
	}
}

func TestRequired(t *testing.T) {
	b := newBench(t)
	b.write("main.tf", "terraform {\n  required_providers {\n    p = { source = \"conformance/probe\", version = \">= 1\" }\n  }\n}\nresource \"null_resource\" \"n\" {}\nresource \"terraform_data\" \"n\" {}\nimport {\n  to = time_static.x\n  id = \"1\"\n}\n")
	tree, diags := config.Load(disk{b.dir}, ".", config.LoadOptions{})
	if diags.HasErrors() {
		t.Fatal(diags)
	}
	gone := addr.Provider{Host: "example.com", Namespace: "a", Type: "b"}
	var got []string
	for _, r := range Required(tree, []addr.Provider{gone}) {
		got = append(got, r.Provider.String()+" "+strings.Join(r.Constraints, ","))
	}
	const want = "example.com/a/b |registry.terraform.io/conformance/probe >= 1|registry.terraform.io/hashicorp/null |registry.terraform.io/hashicorp/time |terraform.io/builtin/terraform "
	if s := strings.Join(got, "|"); s != want {
		t.Error(s)
	}
}

// modules loads the configuration in dir and installs the modules it calls;
// see [InstallModules].
func modules(files config.FS, dir, dataDir string, o config.LoadOptions, checkCalls bool, observe func(Event)) (*config.Tree, diag.List) {
	return InstallModules(context.Background(), ModuleRequest{
		Files: files, Dir: dir, DataDir: dataDir, Load: o, CheckCalls: checkCalls, Observe: observe,
		Sources: NewSources(settings.CLI{}, nil, nil), Env: os.Environ(),
	})
}
