package install

import (
	"archive/zip"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/ProtonMail/go-crypto/openpgp"       //nolint:staticcheck // As in the package.
	"github.com/ProtonMail/go-crypto/openpgp/armor" //nolint:staticcheck // As in the package.
	"github.com/ProtonMail/go-crypto/openpgp/packet"
	"github.com/plumb-iac/plumb/addr"
	"github.com/plumb-iac/plumb/internal/lockfile"
	"github.com/plumb-iac/plumb/internal/settings"
)

// signer is a maker of providers.
type signer struct {
	entity *openpgp.Entity
	public string
}

func newSigner(t *testing.T) signer {
	t.Helper()
	e, err := openpgp.NewEntity("maker", "", "maker@example.com", nil)
	if err != nil {
		t.Fatal(err)
	}
	return signer{e, armored(t, e)}
}

func armored(t *testing.T, e *openpgp.Entity) string {
	t.Helper()
	var b bytes.Buffer
	w, err := armor.Encode(&b, openpgp.PublicKeyType, nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := e.Serialize(w); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func (s signer) sign(t *testing.T, text string) string {
	t.Helper()
	var b bytes.Buffer
	at := &packet.Config{Time: func() time.Time { return s.entity.PrimaryKey.CreationTime.Add(time.Second) }}
	if err := openpgp.DetachSign(&b, s.entity, strings.NewReader(text), at); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func zipped(t *testing.T, files map[string]string) string {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for name, text := range files {
		w, err := z.Create(name)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write([]byte(text)); err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func sumOf(text string) string {
	h := sha256.Sum256([]byte(text))
	return hex.EncodeToString(h[:])
}

// host is a registry and a network mirror with documents by path.
func host(t *testing.T, documents map[string]string, instead ...func(http.ResponseWriter, *http.Request) bool) *httptest.Server {
	s := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		for _, answers := range instead {
			if answers(w, r) {
				return
			}
		}
		text, ok := documents[r.URL.Path]
		if !ok {
			http.NotFound(w, r)
			return
		}
		if strings.HasPrefix(r.URL.Path, "/v1/") && r.Header.Get("Authorization") != "Bearer secret" {
			http.Error(w, "who are you", http.StatusUnauthorized)
			return
		}
		_, _ = w.Write([]byte(text))
	}))
	t.Cleanup(s.Close)
	return s
}

func text(t *testing.T, v any) string {
	t.Helper()
	b, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func documents(t *testing.T, maker signer) map[string]string {
	pack := zipped(t, map[string]string{"terraform-provider-probe_v1.2.0": "program"})
	sums := sumOf(pack) + "  terraform-provider-probe_1.2.0_linux_amd64.zip\n" + strings.Repeat("a", 64) + "  terraform-provider-probe_1.2.0_darwin_arm64.zip\n"
	on := []map[string]string{{"os": "linux", "arch": "amd64"}}
	return map[string]string{
		"/.well-known/terraform.json": `{"providers.v1": "/v1/providers"}`,
		"/v1/providers/conformance/probe/versions": text(t, map[string]any{
			"versions": []any{
				map[string]any{"version": "1.0.0", "protocols": []string{"5.0"}, "platforms": on},
				map[string]any{"version": "1.2.0", "protocols": []string{"5.0"}, "platforms": on},
				map[string]any{"version": "1.3.0", "protocols": []string{"5.0"}, "platforms": []any{}},
				map[string]any{"version": "1.4.0", "protocols": []string{"4.0"}, "platforms": on},
			}, "warnings": []string{"is old"}}),
		"/v1/providers/conformance/probe/1.2.0/download/linux/amd64": text(t, map[string]any{
			"filename": "terraform-provider-probe_1.2.0_linux_amd64.zip", "shasum": sumOf(pack),
			"download_url": "/files/p.zip", "shasums_url": "/files/sums", "shasums_signature_url": "/files/sums.sig",
			"signing_keys": map[string]any{"gpg_public_keys": []any{map[string]string{"key_id": "ABCD", "ascii_armor": maker.public}}},
		}),
		"/files/p.zip": pack, "/files/sums": sums, "/files/sums.sig": maker.sign(t, sums),
	}
}

// fromRegistryAs is fromRegistry, asked in one way; instead answers before the host
// does.
func fromRegistryAs(t *testing.T, network settings.Network, documents map[string]string, instead ...func(http.ResponseWriter, *http.Request) bool) (*bench, func() (Result, string)) {
	return fromHost(t, host(t, documents, instead...), network)
}

// fromRegistry installs the probe from a host.
func fromRegistry(t *testing.T, documents map[string]string, methods ...settings.Method) (*bench, func() (Result, string)) {
	return fromHost(t, host(t, documents), settings.Network{}, methods...)
}

func fromHost(t *testing.T, s *httptest.Server, network settings.Network, methods ...settings.Method) (*bench, func() (Result, string)) {
	name := strings.TrimPrefix(s.URL, "https://")
	b := newBench(t)
	if len(methods) > 0 {
		methods[0].Location = s.URL + methods[0].Location
	} else {
		methods = []settings.Method{{Kind: settings.Direct}}
		b.required[1].Provider = addr.Provider{Host: name, Namespace: "conformance", Type: "probe"}
	}
	cli := settings.CLI{Methods: methods, Network: network, Tokens: map[string]string{name: "secret", "127.0.0.1": "secret"}}
	b.request = func(q *InstallRequest) {
		q.Sources = NewSources(cli, nil, nil).WithHTTP(s.Client())
		q.DefaultHost = b.required[1].Provider.Host
	}
	return b, func() (Result, string) {
		r, diags := b.install()
		problem := ""
		for _, d := range diags.Errors() {
			problem += d.Detail
		}
		return r, problem
	}
}

func TestRegistry(t *testing.T) {
	maker := newSigner(t)
	b, install := fromRegistry(t, documents(t, maker))
	r, problem := install()
	if problem != "" {
		t.Fatal(problem)
	}
	want := "- Finding latest version of conformance/probe...\n- Installing conformance/probe v1.2.0...\n- Installed conformance/probe v1.2.0 (signed, key ID " + maker.entity.PrimaryKey.KeyIdString() + ")"
	if got := strings.Join(b.lines[1:], "\n"); got != want {
		t.Error(got)
	}
	lock, _ := r.Lock.Lock(b.required[1].Provider)
	if len(lock.Hashes) != 3 || !strings.HasPrefix(lock.Hashes[0], lockfile.UnpackedScheme) || !lock.Accepts("zh:"+strings.Repeat("a", 64)) {
		t.Error(lock.Hashes)
	}
	if _, diags := b.locate(); diags.HasErrors() {
		t.Error(diags)
	}
	if _, problem = install(); problem != "" || !strings.HasPrefix(b.lines[2], "- Using previously-installed") {
		t.Error(problem, b.lines)
	}
}

func TestRegistryRefusals(t *testing.T) {
	maker, other := newSigner(t), newSigner(t)
	for name, c := range map[string]struct {
		change func(map[string]string)
		want   string
	}{
		"forged list":  {func(d map[string]string) { d["/files/sums.sig"] = other.sign(t, d["/files/sums"]) }, "not signed by any"},
		"changed list": {func(d map[string]string) { d["/files/sums"] += "\n" }, "not signed by any"},
		"other archive": {func(d map[string]string) {
			d["/files/p.zip"] = zipped(t, map[string]string{"terraform-provider-probe": "evil"})
		}, "does not have the checksum"},
		"no archive":  {func(d map[string]string) { delete(d, "/files/p.zip") }, "cannot be downloaded"},
		"no provider": {func(d map[string]string) { delete(d, "/v1/providers/conformance/probe/versions") }, "has no provider conformance/probe"},
		"no registry": {func(d map[string]string) { d["/.well-known/terraform.json"] = "{}" }, "does not offer providers.v1"},
		"nonsense":    {func(d map[string]string) { d["/v1/providers/conformance/probe/versions"] = "<html>" }, "makes no sense"},
		"no keys": {func(d map[string]string) {
			at := "/v1/providers/conformance/probe/1.2.0/download/linux/amd64"
			d[at] = strings.Replace(d[at], "gpg_public_keys", "none", 1)
		}, "publishes no key"},
		"no list": {func(d map[string]string) {
			at := "/v1/providers/conformance/probe/1.2.0/download/linux/amd64"
			d[at] = strings.Replace(d[at], "shasums_url", "none", 1)
		}, "does not say where the list of checksums is"},
		"nothing for us": {func(d map[string]string) {
			d["/v1/providers/conformance/probe/versions"] = `{"versions": [{"version": "1.0.0", "protocols": ["4.0"]}, {"version": "2.0.0", "platforms": []}]}`
		}, "none of the 2 versions in the registry"},
		"nobody at home": {func(d map[string]string) { delete(d, "/.well-known/terraform.json") }, "could not connect to"},
	} {
		t.Run(name, func(t *testing.T) {
			d := documents(t, maker)
			c.change(d)
			if _, problem := func() (Result, string) { _, install := fromRegistry(t, d); return install() }(); !strings.Contains(problem, c.want) {
				t.Error(problem)
			}
		})
	}
}

func TestNetworkMirror(t *testing.T) {
	pack := zipped(t, map[string]string{"terraform-provider-probe_v1.0.0": "program"})
	for name, c := range map[string]struct{ hashes, trust, fails string }{
		"archive hash": {`["zh:` + sumOf(pack) + `"]`, "verified checksum", ""},
		"no hash":      {`[]`, "unauthenticated", ""},
		"wrong hash":   {`["zh:00"]`, "", "none of the checksums"},
		"wrong files":  {`["h1:00"]`, "", "none of the checksums"},
	} {
		t.Run(name, func(t *testing.T) {
			base := "/m/" + probe.String() + "/"
			b, install := fromRegistry(t, map[string]string{
				base + "index.json": `{"versions": {"1.0.0": {}}}`,
				base + "1.0.0.json": fmt.Sprintf(`{"archives": {"linux_amd64": {"url": "p.zip", "hashes": %s}}}`, c.hashes),
				base + "p.zip":      pack,
			}, settings.Method{Kind: settings.NetworkMirror, Location: "/m"})
			_, problem := install()
			if c.fails != "" && !strings.Contains(problem, c.fails) || c.fails == "" && (problem != "" || !strings.HasSuffix(b.lines[3], "("+c.trust+")")) {
				t.Error(problem, b.lines)
			}
		})
	}
}

// A registry need not say of a version what it is for.
func TestRegistryReticent(t *testing.T) {
	d := documents(t, newSigner(t))
	d["/v1/providers/conformance/probe/versions"] = `{"versions": [{"version": "1.2.0"}]}`
	_, install := fromRegistry(t, d)
	if _, problem := install(); problem != "" {
		t.Error(problem)
	}
}

// A signature is as good when its key has expired, unless somebody says otherwise.
func TestExpiredKey(t *testing.T) {
	life := uint32(3600)
	long := time.Now().Add(-48 * time.Hour)
	e, err := openpgp.NewEntity("maker", "", "maker@example.com", &packet.Config{KeyLifetimeSecs: life, Time: func() time.Time { return long }})
	if err != nil {
		t.Fatal(err)
	}
	for _, fresh := range []bool{false, true} {
		d := documents(t, signer{e, armored(t, e)})
		_, install := fromRegistryAs(t, settings.Network{FreshKeys: fresh}, d)
		if _, problem := install(); strings.Contains(problem, "OPENTOFU_ENFORCE_GPG_EXPIRATION") != fresh || !fresh && problem != "" {
			t.Error(fresh, problem)
		}
	}
}

// What fails once is tried again, as often as it is to be, and says who asks.
func TestRetries(t *testing.T) {
	for name, c := range map[string]struct {
		path     string
		failures int
		network  settings.Network
		want     string
	}{
		"question":      {"/v1/providers/conformance/probe/versions", 1, settings.Network{Retries: 1}, ""},
		"no retries":    {"/v1/providers/conformance/probe/versions", 1, settings.Network{DownloadRetries: 3}, "503"},
		"more failures": {"/v1/providers/conformance/probe/versions", 2, settings.Network{Retries: 1}, "503"},
		"download":      {"/files/p.zip", 1, settings.Network{DownloadRetries: 1}, ""},
		"no downloads":  {"/files/p.zip", 1, settings.Network{Retries: 3}, "503"},
	} {
		t.Run(name, func(t *testing.T) {
			c.network.AppendUserAgent = "ci/7"
			_, install := fromRegistryAs(t, c.network, documents(t, newSigner(t)), func(w http.ResponseWriter, r *http.Request) bool {
				if got := r.Header.Get("User-Agent"); got != "plumb ci/7" {
					t.Error(got)
				}
				if r.URL.Path != c.path || c.failures == 0 {
					return false
				}
				c.failures--
				w.WriteHeader(http.StatusServiceUnavailable)
				return true
			})
			if _, problem := install(); !strings.Contains(problem, c.want) || c.want == "" && problem != "" {
				t.Error(problem)
			}
		})
	}
}

// The newest version is not known while a source does not answer; a locked one may
// come from another.
func TestSourceThatFails(t *testing.T) {
	pack := zipped(t, map[string]string{"terraform-provider-probe_v1.0.0": "program"})
	base := "/m/" + probe.String() + "/"
	d := map[string]string{
		base + "index.json": `{"versions": {"1.0.0": {}}}`,
		base + "1.0.0.json": `{"archives": {"linux_amd64": {"url": "p.zip"}}}`,
		base + "p.zip":      pack,
	}
	silent := settings.Method{Kind: settings.NetworkMirror, Location: "https://127.0.0.1:1/"}
	b, install := fromRegistry(t, d, settings.Method{Kind: settings.NetworkMirror, Location: "/m"}, silent)
	if _, problem := install(); !strings.Contains(problem, "127.0.0.1:1") {
		t.Error(problem)
	}
	if err := os.WriteFile(b.path(lockfile.Name), []byte("provider \""+probe.String()+"\" {\n  version = \"1.0.0\"\n}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, problem := install(); problem != "" {
		t.Error(problem)
	}
}
