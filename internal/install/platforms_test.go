package install

import (
	"archive/zip"
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/plumb-iac/plumb/internal/lockfile"
	"github.com/plumb-iac/plumb/internal/settings"
)

func (b *bench) platformRequest(mirror string) InstallRequest {
	cli := settings.CLI{Methods: []settings.Method{{Kind: settings.FilesystemMirror, Location: mirror}}}
	return InstallRequest{Dir: b.dir, DataDir: b.path(".terraform"), Platform: platform, Required: b.required, Sources: NewSources(cli, nil, nil),
		Observe: func(e Event) { b.lines = append(b.lines, e.String()) }}
}

// A mirror made of a mirror serves the same packages, and locking platforms
// knows both.
func TestPlatforms(t *testing.T) {
	b := newBench(t, ">= 1")
	b.offer("1.0.0", "linux")
	b.write("mirror/"+probe.String()+"/1.0.0/darwin_arm64/terraform-provider-probe_v1.0.0", "darwin")
	diags := MirrorTo(context.Background(), b.platformRequest(b.path("mirror")), b.path("copy"), []string{platform, "darwin_arm64"})
	if diags.HasErrors() {
		t.Fatal(diags)
	}
	if got := b.lines[len(b.lines)-1]; got != "- Retrieved conformance/probe 1.0.0 for darwin_arm64 (unauthenticated)" {
		t.Error(got)
	}
	src, err := os.ReadFile(b.path("copy", probe.String(), "1.0.0.json"))
	if err != nil || !strings.Contains(string(src), `"url": "terraform-provider-probe_1.0.0_darwin_arm64.zip"`) || strings.Count(string(src), "h1:") != 2 {
		t.Error(string(src), err)
	}
	r, diags := LockPlatforms(context.Background(), b.platformRequest(b.path("copy")), []string{platform, "darwin_arm64"})
	lock, _ := r.Lock.Lock(probe)
	if diags.HasErrors() || len(lock.Hashes) != 2 || lock.Constraints != ">= 1.0.0" {
		t.Error(lock, diags)
	}
	if _, err := os.Stat(filepath.Join(b.dir, lockfile.Name)); err != nil {
		t.Error(err)
	}
	if _, diags := b.install(); diags.HasErrors() || len(diags) != 0 {
		t.Error("the unpacked package has another hash than the packed one", diags)
	}
	diags = MirrorTo(context.Background(), b.platformRequest(b.path("mirror")), b.path("copy"), []string{"plan9_mips"})
	if len(diags.Errors()) != 1 || diags[0].Summary != "Could not retrieve providers" {
		t.Error(diags)
	}
}

// TestMirrorOfLinks: a package may be made of links, as of programs that were just
// built.
func TestMirrorOfLinks(t *testing.T) {
	b := newBench(t, ">= 1")
	b.write("built/program", "program")
	b.write("built/notes/LICENSE", "licence")
	if err := os.MkdirAll(b.path("mirror", probe.String(), "1.0.0"), 0o755); err != nil {
		t.Fatal(err)
	}
	for from, to := range map[string]string{
		b.path("built"): b.path("mirror", probe.String(), "1.0.0", platform),
		"program":       b.path("built", "terraform-provider-probe"),
	} {
		if err := os.Symlink(from, to); err != nil {
			t.Skip(err)
		}
	}
	if diags := MirrorTo(context.Background(), b.platformRequest(b.path("mirror")), b.path("copy"), []string{platform}); diags.HasErrors() {
		t.Fatal(diags)
	}
	z, err := zip.OpenReader(b.path("copy", probe.String(), "terraform-provider-probe_1.0.0_"+platform+".zip"))
	if err != nil {
		t.Fatal(err)
	}
	defer z.Close()
	var names []string
	for _, f := range z.File {
		names = append(names, f.Name)
	}
	src, err := fs.ReadFile(z, "terraform-provider-probe")
	if slices.Sort(names); err != nil || string(src) != "program" || !slices.Equal(names, []string{"notes/LICENSE", "program", "terraform-provider-probe"}) {
		t.Error(names, string(src), err)
	}
	if _, diags := LockPlatforms(context.Background(), b.platformRequest(b.path("copy")), []string{platform}); diags.HasErrors() {
		t.Error("the archive has another hash than its index says", diags)
	}
}

// TestMirrorOfNewerVersions: the lock file says which version is mirrored, unless it
// is not to.
func TestMirrorOfNewerVersions(t *testing.T) {
	b := newBench(t, ">= 1.0.0")
	for _, v := range []string{"1.0.0", "1.1.0"} {
		b.offerZip(v, map[string]string{"terraform-provider-probe_v" + v: "program " + v})
		if v == "1.0.0" {
			if _, diags := b.install(); diags.HasErrors() {
				t.Fatal(diags)
			}
		}
	}
	for upgrade, want := range map[bool]string{false: "1.0.0.json", true: "1.1.0.json"} {
		req := b.platformRequest(b.path("mirror"))
		req.Upgrade = upgrade
		to := t.TempDir()
		if diags := MirrorTo(context.Background(), req, to, []string{platform}); diags.HasErrors() {
			t.Fatal(diags)
		}
		found, err := filepath.Glob(filepath.Join(to, probe.String(), "*.*.json"))
		if err != nil || len(found) != 1 || filepath.Base(found[0]) != want {
			t.Errorf("upgrade %t: %v %v", upgrade, found, err)
		}
	}
}
