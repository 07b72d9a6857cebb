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
	"strings"
	"testing"

	"github.com/ProtonMail/go-crypto/openpgp"       //nolint:staticcheck // As in the package.
	"github.com/ProtonMail/go-crypto/openpgp/armor" //nolint:staticcheck // As in the package.
	"github.com/plumb-iac/plumb/addr"
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
	return signer{e, b.String()}
}

func (s signer) sign(t *testing.T, text string) string {
	t.Helper()
	var b bytes.Buffer
	if err := openpgp.DetachSign(&b, s.entity, strings.NewReader(text), nil); err != nil {
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
func host(t *testing.T, documents map[string]string) *httptest.Server {
	s := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
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

// fromRegistry installs the probe from a host.
func fromRegistry(t *testing.T, documents map[string]string, methods ...settings.Method) (*bench, func() (Result, string)) {
	s := host(t, documents)
	name := strings.TrimPrefix(s.URL, "https://")
	b := newBench(t)
	if len(methods) > 0 {
		methods[0].Location = s.URL + methods[0].Location
	} else {
		methods = []settings.Method{{Kind: settings.Direct}}
		b.required[1].Provider = addr.Provider{Host: name, Namespace: "conformance", Type: "probe"}
	}
	cli := settings.CLI{Methods: methods, Tokens: map[string]string{name: "secret", "127.0.0.1": "secret"}}
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
	const want = "- Finding latest version of conformance/probe...\n- Installing conformance/probe v1.2.0...\n- Installed conformance/probe v1.2.0 (signed, key ID ABCD)"
	if got := strings.Join(b.lines[1:], "\n"); got != want {
		t.Error(got)
	}
	lock, _ := r.Lock.Lock(b.required[1].Provider)
	if len(lock.Hashes) != 3 || !lock.Knows("h1:") || !lock.Accepts("zh:"+strings.Repeat("a", 64)) {
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
		"no archive":     {func(d map[string]string) { delete(d, "/files/p.zip") }, "cannot be downloaded"},
		"no provider":    {func(d map[string]string) { delete(d, "/v1/providers/conformance/probe/versions") }, "has no provider conformance/probe"},
		"no registry":    {func(d map[string]string) { d["/.well-known/terraform.json"] = "{}" }, "does not offer providers.v1"},
		"nonsense":       {func(d map[string]string) { d["/v1/providers/conformance/probe/versions"] = "<html>" }, "makes no sense"},
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
