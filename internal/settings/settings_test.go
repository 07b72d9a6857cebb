package settings

import (
	"fmt"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/plumb-iac/plumb/addr"
)

func load(t *testing.T, files map[string]string, environ ...string) CLI {
	t.Helper()
	m := fstest.MapFS{}
	for name, src := range files {
		m[name] = &fstest.MapFile{Data: []byte(src)}
	}
	cli, diags := Load(m, NewEnvironment(environ), "linux", addr.DefaultHost)
	if diags.HasErrors() {
		t.Fatal(diags)
	}
	return cli
}

func TestInstallation(t *testing.T) {
	cli := load(t, map[string]string{"rc": `
plugin_cache_dir = "$HOME/cache"
provider_installation {
  dev_overrides {
    "hashicorp/null" = "${HOME}/dev"
    "example.com/a/b" = "/b"
  }
  filesystem_mirror {
    path    = "/mirror"
    include = ["example.com/*/*"]
  }
  network_mirror { url = "https://m.example.com/" }
  direct {
    exclude = ["example.com/*/*", "hashicorp/aws"]
  }
}
credentials "app.example.com" {
  token = "t"
}
credentials_helper "x" {
  args = ["--y"]
}
host "h.example.com" {
  services = { "modules.v1" = "https://m/" }
}
unknown = 1
`}, "TF_CLI_CONFIG_FILE=rc", "HOME=/home/u")
	if cli.PluginCacheDir != "/home/u/cache" || cli.Tokens["app.example.com"] != "t" || cli.Services["h.example.com"]["modules.v1"] != "https://m/" || cli.Helper.Args[0] != "--y" {
		t.Errorf("%+v", cli)
	}
	null := addr.Provider{Host: addr.DefaultHost, Namespace: "hashicorp", Type: "null"}
	aws := addr.Provider{Host: addr.DefaultHost, Namespace: "hashicorp", Type: "aws"}
	ex := addr.Provider{Host: "example.com", Namespace: "a", Type: "b"}
	if cli.DevOverrides[null] != "/home/u/dev" || cli.DevOverrides[ex] != "/b" {
		t.Error(cli.DevOverrides)
	}
	got := ""
	for _, m := range cli.Methods {
		got += fmt.Sprintln(m.Kind, m.Location, m.Takes(null), m.Takes(aws), m.Takes(ex))
	}
	const want = "filesystem_mirror /mirror false false true\nnetwork_mirror https://m.example.com/ true true true\ndirect  true false false\n"
	if got != want {
		t.Error(got)
	}
}

func TestFilesInOrder(t *testing.T) {
	cli := load(t, map[string]string{
		"home/.terraformrc": `plugin_cache_dir = "/a"`,
		"home/.tofurc":      `plugin_cache_dir = "/b"`,
		"home/.terraform.d/credentials.tfrc.json": `{"credentials": {"h": {"token": "t"}}}`,
		"home/.terraform.d/x.tfrc":                `dialect = "opentofu"`,
	}, "HOME=home")
	if got := strings.Join(cli.Files, " "); got != "home/.terraformrc home/.terraform.d/credentials.tfrc.json home/.terraform.d/x.tfrc" {
		t.Error(got)
	}
	if cli.Tokens["h"] != "t" || cli.Dialect != "opentofu" || cli.PluginCacheDir != "/a" || cli.Methods != nil {
		t.Errorf("%+v", cli)
	}
}

func TestMissingAndBroken(t *testing.T) {
	helpers := fstest.MapFS{"rc": {Data: []byte("credentials_helper \"x\" {}\ncredentials_helper \"y\" {}\n")}}
	if _, diags := Load(helpers, NewEnvironment([]string{"TF_CLI_CONFIG_FILE=rc"}), "linux", addr.DefaultHost); !diags.HasErrors() || diags[0].Subject.Start.Line != 2 {
		t.Errorf("which of two helpers is to be asked is not known: %v", diags)
	}
	_, diags := Load(fstest.MapFS{}, NewEnvironment([]string{"TF_CLI_CONFIG_FILE=gone"}), "linux", addr.DefaultHost)
	if len(diags) != 1 || diags.HasErrors() {
		t.Errorf("a named file that is missing is worth a warning: %v", diags)
	}
	for _, src := range []string{"provider_installation {", "provider_installation {\n filesystem_mirror {}\n}", "provider_installation {\n direct {\n include = 1\n}\n}", "plugin_cache_dir = [1]", "provider_installation {\n dev_overrides {\n \"a/b/c/d\" = \"x\"\n}\n}"} {
		m := fstest.MapFS{"rc": {Data: []byte(src)}}
		if _, diags := Load(m, NewEnvironment([]string{"TF_CLI_CONFIG_FILE=rc"}), "linux", addr.DefaultHost); !diags.HasErrors() {
			t.Errorf("%q passes", src)
		}
	}
}

func TestEnvironment(t *testing.T) {
	e := NewEnvironment([]string{
		"TF_VAR_a=1", "TF_VAR_=x", "TF_CLI_ARGS=-no-color", `TF_CLI_ARGS_state_list=-id "a b" ''`, "TF_INPUT=0",
		"TF_TOKEN_my__host_example_com=t", "TF_LOG=json", "TF_DATA_DIR=d",
	})
	args, err := e.Args("state", "list")
	if fmt.Sprintf("%q %v", args, err) != `["-id" "a b" "" "-no-color"] <nil>` {
		t.Errorf("%q %v", args, err)
	}
	if v := e.Variables(); len(v) != 1 || v["a"] != "1" {
		t.Error(v)
	}
	if e.Input() || e.Token("my-host.example.com") != "t" || e.DataDir() != "d" || e.InAutomation() {
		t.Error("environment misread")
	}
	if l := e.Log(); l.Provider != "TRACE" || !l.JSON {
		t.Errorf("%+v", l)
	}
}

// Every row has a name, a question and two answers, and a yes has a no.
func TestDialectTable(t *testing.T) {
	names := map[string]bool{}
	for _, r := range Rows() {
		if r.Name == "" || r.Question == "" || r.Terraform == "" || r.OpenTofu == "" || r.Terraform == r.OpenTofu || names[r.Name] {
			t.Errorf("bad row %+v", r)
		}
		names[r.Name] = true
	}
	if Terraform.Yes(TofuFiles) || !OpenTofu.Yes(TofuFiles) || OpenTofu.Text(DefaultHost) != addr.OpenTofuHost {
		t.Error("table misread")
	}
	tofu := []addr.Provider{{Host: addr.OpenTofuHost, Namespace: "hashicorp", Type: "x"}}
	if Detect(nil, false) != Terraform || Detect(nil, true) != OpenTofu || Detect(tofu, false) != OpenTofu {
		t.Error("misdetected")
	}
}

func FuzzCLI(f *testing.F) {
	f.Add(`provider_installation { dev_overrides { "a/b" = "x" } direct {} }`, false)
	f.Add(`{"credentials": {"h": {"token": 1}}}`, true)
	f.Fuzz(func(t *testing.T, src string, asJSON bool) {
		name := "rc"
		if asJSON {
			name = "rc.json"
		}
		Load(fstest.MapFS{name: {Data: []byte(src)}}, NewEnvironment([]string{"TF_CLI_CONFIG_FILE=" + name}), "linux", addr.DefaultHost)
	})
}

func TestNetwork(t *testing.T) {
	rc := map[string]string{"rc": "registry_protocols {\n  retry_count = 5\n  request_timeout_seconds = 30\n}\n"}
	for name, c := range map[string]struct {
		files   map[string]string
		environ []string
		want    Network
	}{
		"nothing said": {nil, nil, Network{Retries: 1, DownloadRetries: 2, Timeout: 10 * time.Second}},
		"block":        {rc, []string{"TF_CLI_CONFIG_FILE=rc"}, Network{Retries: 5, DownloadRetries: 2, Timeout: 30 * time.Second}},
		"environment first": {rc, []string{"TF_CLI_CONFIG_FILE=rc", "TF_REGISTRY_DISCOVERY_RETRY=0", "TF_REGISTRY_CLIENT_TIMEOUT=3", "TF_PROVIDER_DOWNLOAD_RETRY=7", "TF_APPEND_USER_AGENT=ci/1"},
			Network{DownloadRetries: 7, Timeout: 3 * time.Second, AppendUserAgent: "ci/1"}},
		"nonsense":   {nil, []string{"TF_REGISTRY_DISCOVERY_RETRY=x", "TF_REGISTRY_CLIENT_TIMEOUT=0", "TF_PROVIDER_DOWNLOAD_RETRY=-1"}, Network{Retries: 1, DownloadRetries: 2, Timeout: 10 * time.Second}},
		"signatures": {nil, []string{"OPENTOFU_ENFORCE_GPG_VALIDATION=true", "OPENTOFU_ENFORCE_GPG_EXPIRATION=true"}, Network{Retries: 1, DownloadRetries: 2, Timeout: 10 * time.Second, AlwaysSigned: true, FreshKeys: true}},
	} {
		t.Run(name, func(t *testing.T) {
			if got := load(t, c.files, c.environ...).Network; got != c.want {
				t.Errorf("%+v", got)
			}
		})
	}
}

func TestMistakes(t *testing.T) {
	for src, want := range map[string]string{
		"credentials \"a b\" {\n}":                       "Invalid hostname",
		"host \"\" {\n}":                                 "Invalid hostname",
		"registry_protocols {\n  retry_count = \"x\"\n}": "Invalid CLI configuration",
		"provider_installation {\n  network_mirror {\n    url = \"http://example.com/\"\n  }\n}": "Invalid URL for provider installation source",
		"provider_installation {\n  network_mirror {\n    url = \"::\"\n  }\n}":                  "Invalid URL for provider installation source",
	} {
		_, diags := Load(fstest.MapFS{"rc": {Data: []byte(src + "\n")}}, NewEnvironment([]string{"TF_CLI_CONFIG_FILE=rc"}), "linux", addr.DefaultHost)
		if len(diags) != 1 || diags[0].Summary != want || diags[0].Subject == nil {
			t.Error(src, diags)
		}
	}
}
