package std

import (
	"encoding/base64"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func contents(t *testing.T, path string) string {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func mode(t *testing.T, path string) string {
	t.Helper()
	f, err := readFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return f.permission()
}

func TestFileLife(t *testing.T) {
	r := newRig(t)
	dir := t.TempDir()
	at := filepath.Join(dir, "a", "b", "hello.txt")
	config := values{"path": at, "content": "hello"}

	plan := r.plan(r.none("std_file"), config)
	if got := plan.text("sha256"); got != sha256Hex([]byte("hello")) {
		t.Errorf("sha256 is not planned: %v", plan.attrs())
	}
	file := r.apply(r.none("std_file"), plan, config)
	if contents(t, at) != "hello" || mode(t, at) != "0644" {
		t.Errorf("wrote %q with %s", contents(t, at), mode(t, at))
	}
	if info, err := os.Stat(filepath.Dir(at)); err != nil || info.Mode().Perm() != 0o755 {
		t.Errorf("directory: %v %v", info, err)
	}
	if left, _ := filepath.Glob(filepath.Join(dir, "a", "b", ".std_file*")); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
	r.settledOn(file, config)

	config = values{"path": at, "content": "hello", "file_permission": "0600"}
	file = r.update(file, config)
	if mode(t, at) != "0600" {
		t.Errorf("mode is %s", mode(t, at))
	}

	if plan := r.plan(file, values{"path": at + "2", "content": "hello"}); strings.Join(plan.replace, " ") != "path" {
		t.Errorf("a new path replaces because of %v", plan.replace)
	}
	if plan := r.plan(file, values{"path": at, "content": unknown}); plan.attrs()["sha256"] != unknown || plan.text("id") != at {
		t.Errorf("unknown content plans %v", plan.attrs())
	}

	r.destroy(file)
	if _, err := os.Stat(at); !os.IsNotExist(err) {
		t.Errorf("still there: %v", err)
	}
	if _, there := r.read(file); there {
		t.Error("a removed file is still read")
	}
	r.destroy(file) // already gone is gone
}

func TestFileDrift(t *testing.T) {
	binary := "\xff\x00\xfe"
	encode := base64.StdEncoding.EncodeToString
	for _, tc := range []struct {
		name     string
		config   values
		found    string
		at, want string // attribute that shows the drift
		repaired string
	}{
		{"text", values{"content": "a"}, "b", "content", "b", "a"},
		{"sensitive", values{"sensitive_content": "a"}, "b", "sensitive_content", "b", "a"},
		{"base64", values{"content_base64": encode([]byte("a"))}, "b", "content_base64", encode([]byte("b")), "a"},
		{"empty", values{}, "b", "content", "b", ""},
		{"text became binary", values{"content": "a"}, binary, "content_base64", encode([]byte(binary)), "a"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			r := newRig(t)
			at := filepath.Join(t.TempDir(), "f")
			tc.config["path"] = at
			file := r.create("std_file", tc.config)
			r.settledOn(file, tc.config)
			if err := os.WriteFile(at, []byte(tc.found), 0o600); err != nil {
				t.Fatal(err)
			}
			drifted, _ := r.read(file)
			if got := drifted.text(tc.at); got != tc.want {
				t.Errorf("%s reads %q", tc.at, got)
			}
			if got := drifted.text("sha256"); got != sha256Hex([]byte(tc.found)) {
				t.Errorf("sha256 reads %s", got)
			}
			r.update(drifted, tc.config)
			if contents(t, at) != tc.repaired {
				t.Errorf("repaired to %q", contents(t, at))
			}
		})
	}
}

func TestFilePermissionDrift(t *testing.T) {
	r := newRig(t)
	at := filepath.Join(t.TempDir(), "key")
	config := values{"path": at, "sensitive_content": "s3cret"}
	file := r.create("std_file", config)
	if mode(t, at) != "0600" {
		t.Errorf("a secret is written with %s", mode(t, at))
	}
	r.must(os.Chmod(at, 0o666))
	drifted, _ := r.read(file)
	if got := drifted.text("file_permission"); got != "0666" {
		t.Errorf("reads %s", got)
	}
	r.update(drifted, config)
	if mode(t, at) != "0600" {
		t.Errorf("repaired to %s", mode(t, at))
	}
	// The same bits in another spelling are no drift.
	config = values{"path": at, "sensitive_content": "s3cret", "file_permission": "600"}
	file = r.update(file, config)
	file, _ = r.read(file)
	r.settledOn(file, config)
}

func TestFileBase64SpelledOddly(t *testing.T) {
	r := newRig(t)
	config := values{"path": filepath.Join(t.TempDir(), "f"), "content_base64": "aGVs\nbG8="}
	file, _ := r.read(r.create("std_file", config))
	r.settledOn(file, config)
}

func TestFileLinkIsFollowed(t *testing.T) {
	r := newRig(t)
	dir := t.TempDir()
	target, link := filepath.Join(dir, "target"), filepath.Join(dir, "link")
	r.must(os.WriteFile(target, []byte("old"), 0o644))
	r.must(os.Symlink(target, link))
	r.create("std_file", values{"path": link, "content": "new"})
	if info, err := os.Lstat(link); err != nil || info.Mode()&os.ModeSymlink == 0 {
		t.Errorf("the link was replaced: %v %v", info, err)
	}
	if contents(t, target) != "new" {
		t.Errorf("target has %q", contents(t, target))
	}
}

func TestFileImport(t *testing.T) {
	r := newRig(t)
	at := filepath.Join(t.TempDir(), "f")
	r.must(os.WriteFile(at, []byte("here"), 0o640))
	r.must(os.Chmod(at, 0o640))
	file := r.imported("std_file", at)
	r.settledOn(file, values{"path": at, "content": "here", "file_permission": "0640"})
	missing, said := r.tryImport("std_file", at+"-missing")
	if said != "" {
		t.Fatal(said)
	}
	if _, there := r.read(missing); there {
		t.Error("imported a file that does not exist")
	}
}

func TestFileRefusals(t *testing.T) {
	r := newRig(t)
	for _, tc := range []struct {
		config values
		say    string
	}{
		{values{"path": "x", "content": "a", "content_base64": "YQ=="}, "content and content_base64 are set, and only one of them may be."},
		{values{"path": "x", "content": "a", "sensitive_content": unknown}, ""},
		{values{"path": "x", "content_base64": "%%%"}, "content_base64 must be standard base64 with padding."},
		{values{"path": "x", "file_permission": "rw-r--r--"}, `"rw-r--r--" is not.`},
		{values{"path": ""}, "path must be a non-empty string"},
	} {
		said := r.validate("std_file", tc.config)
		if tc.say == "" && said != "" || !strings.Contains(said, tc.say) {
			t.Errorf("%v: %s", tc.config, said)
		}
	}
	config := values{"path": t.TempDir(), "content": "a"}
	if _, said := r.tryApply(r.none("std_file"), r.plan(r.none("std_file"), config), config); !strings.Contains(said, "Cannot write file") {
		t.Errorf("writing to a directory: %s", said)
	}
}

func TestFileData(t *testing.T) {
	r := newRig(t)
	at := filepath.Join(t.TempDir(), "f")
	r.must(os.WriteFile(at, []byte("data"), 0o600))
	got, said := r.data("std_file", values{"path": at})
	if said != "" || got["content"] != "data" || got["size"] != 4 || got["sha256"] != sha256Hex([]byte("data")) {
		t.Errorf("%v %s", got, said)
	}
	r.must(os.WriteFile(at, []byte{0xff}, 0o600))
	if got, _ := r.data("std_file", values{"path": at}); got["content"] != nil || got["content_base64"] != "/w==" {
		t.Errorf("binary: %v", got)
	}
	if _, said := r.data("std_file", values{"path": at + "x"}); !strings.Contains(said, "Cannot read file") {
		t.Error(said)
	}
}
