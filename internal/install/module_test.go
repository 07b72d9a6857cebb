package install

import (
	"context"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/plumb-iac/plumb/config"
	"github.com/plumb-iac/plumb/diag"
	"github.com/plumb-iac/plumb/internal/settings"
)

func TestModuleSources(t *testing.T) {
	for text, want := range map[string]string{
		"github.com/a/b":                         "git https://github.com/a/b.git",
		"github.com/a/b//sub/dir?ref=v1":         "git https://github.com/a/b.git sub/dir v1",
		"git::https://x.example.com/y.git?ref=m": "git https://x.example.com/y.git m",
		"git@github.com:a/b.git//s":              "git ssh://git@github.com/a/b.git s",
		"git::git@github.com:a/b.git?depth=1":    "git ssh://git@github.com/a/b.git 1",
		"https://x.example.com/y.zip//s?k=v":     "http https://x.example.com/y.zip?k=v s",
		"https://x.example.com/y.git":            "git https://x.example.com/y.git",
		"git::https://x/y?ref=--upload-pack=z":   "error",
		"s3::https://x/y":                        "error",
		"nothing":                                "error",
		"/abs/dir//s":                            "file file:///abs/dir s",
		"https://x/y.zip?checksum=z":             "error",
	} {
		s, err := parseModuleSource(text)
		got := "error"
		if err == nil {
			got = strings.Join(strings.Fields(s.kind+" "+s.url.String()+" "+s.subdir+" "+s.ref+" "+s.depth), " ")
		}
		if got != want {
			t.Errorf("%s: %s, %v; want %s", text, got, err, want)
		}
	}
	if got := withSubdir("git::https://x/y.git//in?ref=1", "deep"); got != "git::https://x/y.git//in/deep?ref=1" {
		t.Error(got)
	}
}

// workshop is a working directory that is the current one.
func workshop(t *testing.T, main string) (run func(upgrade bool) ([]string, diag.List), sources *Sources) {
	t.Helper()
	t.Chdir(t.TempDir())
	if err := os.WriteFile("main.tf", []byte(main), 0o644); err != nil {
		t.Fatal(err)
	}
	s := NewSources(settings.CLI{}, nil, nil)
	return func(upgrade bool) (lines []string, diags diag.List) {
		_, diags = InstallModules(context.Background(), ModuleRequest{
			Files: disk{"."}, Dir: ".", DataDir: ".terraform", Upgrade: upgrade, Sources: s, Env: os.Environ(),
			Observe: func(e Event) { lines = append(lines, e.String()) },
		})
		return lines, diags
	}, &s
}

func TestGitModules(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not installed")
	}
	repo := t.TempDir()
	sh := func(script string) {
		t.Helper()
		cmd := exec.Command("/bin/sh", "-ec", script)
		cmd.Dir = repo
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
	}
	sh(`git init -q -b main && git config user.email a@example.com && git config user.name a && mkdir sub lib
printf 'module "lib" {\n  source = "../lib"\n}\n' > sub/main.tf; echo 'locals {}' > lib/main.tf
git add . && git commit -qm one && git tag v1 && echo 'bogus {}' > sub/later.tf && git add . && git commit -qm two`)
	run, _ := workshop(t, `module "m" {
  source = "git::file://`+repo+`//sub?ref=v1"
}
module "n" {
  source = "git::file://`+repo+`//lib?ref=v1"
}
`)
	lines, diags := run(false)
	if diags.HasErrors() {
		t.Fatal(diags)
	}
	got := strings.ReplaceAll(strings.Join(lines, "\n"), repo, "REPO")
	const want = `Downloading git::file://REPO//sub?ref=v1 for m...
- m in .terraform/modules/m/sub
- m.lib in .terraform/modules/m/lib
Downloading git::file://REPO//lib?ref=v1 for n...
- n in .terraform/modules/n/lib`
	if got != want {
		t.Error(got)
	}
	manifest, _ := ReadManifest(".terraform")
	tree, diags := config.Load(disk{"."}, ".", config.LoadOptions{Resolve: manifest.Resolve})
	if diags.HasErrors() || len(tree.Modules()) != 4 {
		t.Error(diags)
	}
	if lines, _ := run(false); len(lines) != 0 {
		t.Error("done again, or told again", lines)
	}
	if lines, _ := run(true); !strings.Contains(strings.Join(lines, "\n"), "Downloading") {
		t.Error("not fetched again")
	}
}

func TestRegistryModules(t *testing.T) {
	pack := zipped(t, map[string]string{"top/x/main.tf": "locals {}\n", "top/main.tf": "bogus {}\n"})
	var s *httptest.Server
	s = httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/.well-known/terraform.json":
			_, _ = w.Write([]byte(`{"modules.v1": "/m/"}`))
		case "/m/ns/net/aws/versions":
			_, _ = w.Write([]byte(`{"modules": [{"versions": [{"version": "1.0.0"}, {"version": "1.5.0"}, {"version": "2.0.0"}]}]}`))
		case "/m/ns/net/aws/1.5.0/download":
			w.Header().Set("X-Terraform-Get", "/page")
			w.WriteHeader(http.StatusNoContent)
		case "/page":
			w.Header().Set("X-Terraform-Get", s.URL+"/pack?archive=zip")
		case "/pack":
			_, _ = w.Write([]byte(pack))
		default:
			http.NotFound(w, r)
		}
	}))
	defer s.Close()
	cli := settings.CLI{Services: map[string]map[string]string{"mods.example.com": {"modules.v1": s.URL + "/m/"}}}
	run, sources := workshop(t, `module "m" {
  source  = "mods.example.com/ns/net/aws//*/x"
  version = "~> 1.2"
}
`)
	*sources = NewSources(cli, nil, nil).WithHTTP(s.Client())
	lines, diags := run(false)
	if diags.HasErrors() {
		t.Fatal(diags)
	}
	if got := strings.Join(lines, "\n"); got != "Downloading mods.example.com/ns/net/aws//*/x 1.5.0 for m...\n- m in .terraform/modules/m/top/x" {
		t.Error(got)
	}
	src, _ := os.ReadFile(filepath.FromSlash(".terraform/modules/modules.json"))
	if !strings.Contains(string(src), `{"Key":"m","Source":"mods.example.com/ns/net/aws//*/x","Version":"1.5.0","Dir":".terraform/modules/m/top/x"}`) {
		t.Error(string(src))
	}
}

// Archives of every form, pages that say where one is, and directories of this
// machine are packages.
func TestModulePackages(t *testing.T) {
	dir := t.TempDir()
	if err := os.CopyFS(dir, fstest.MapFS{"main.tf": {Data: []byte("locals {}\n")}, "sub/main.tf": {Data: []byte("locals {}\n")}}); err != nil {
		t.Fatal(err)
	}
	pack := func(flag string) string {
		t.Helper()
		out, err := exec.Command("tar", "-C", dir, "-c"+flag+"f", "-", ".").Output()
		if err != nil {
			t.Skip("tar cannot make archives of this form", err)
		}
		return string(out)
	}
	answers := map[string]string{"/a.tar.bz2": pack("j"), "/a.tar.xz": pack("J"), "/a.tgz": pack("z"), "/a.tar": pack(""), "/plain": "<html>none</html>"}
	var s *httptest.Server
	s = httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/meta":
			_, _ = w.Write([]byte(`<!DOCTYPE html><html><head><title>a & b</title><META name="terraform-get" content="` + s.URL + `/a.tgz//sub"></head><body>`))
		case "/body":
			_, _ = w.Write([]byte(`<html><body><meta name="terraform-get" content="/a.tgz"></body>`))
		default:
			_, _ = w.Write([]byte(answers[r.URL.Path]))
		}
	}))
	defer s.Close()
	for source, want := range map[string]string{
		s.URL + "/a.tar.bz2":     "- m in .terraform/modules/m",
		s.URL + "/a.tar.xz//sub": "- m in .terraform/modules/m/sub",
		s.URL + "/a.tar":         "- m in .terraform/modules/m",
		s.URL + "/meta":          "- m in .terraform/modules/m",
		s.URL + "/body":          "nor does it say where one is",
		s.URL + "/plain":         "nor does it say where one is",
		dir:                      "- m in .terraform/modules/m",
		dir + "//sub":            "- m in .terraform/modules/m/sub",
		"file://" + dir + "/x":   "no such file",
		os.TempDir():             "the working directory is a part of the module",
	} {
		run, sources := workshop(t, "module \"m\" {\n  source = \""+source+"\"\n}\n")
		*sources = sources.WithHTTP(s.Client())
		lines, diags := run(false)
		got := strings.Join(lines, "\n")
		for _, d := range diags.Errors() {
			got += d.Detail
		}
		if !strings.HasSuffix(got, want) && (len(diags) == 0 || !strings.Contains(got, want)) {
			t.Errorf("%s: %s", source, got)
		}
		if again, diags := run(false); !diags.HasErrors() && len(again) != 0 {
			t.Error("done again", source, again)
		}
	}
}
