package std

import (
	"crypto/x509"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/crypto/ssh"
)

func TestTLSKeyAlgorithms(t *testing.T) {
	r := newRig(t)
	for _, tc := range []struct {
		config      values
		bits, curve any
		begins      string
	}{
		{values{"algorithm": "RSA"}, 2048, nil, "-----BEGIN RSA PRIVATE KEY-----"},
		{values{"algorithm": "ECDSA"}, nil, "P256", "-----BEGIN EC PRIVATE KEY-----"},
		{values{"algorithm": "ECDSA", "ecdsa_curve": "P224"}, nil, "P224", "-----BEGIN EC PRIVATE KEY-----"},
		{values{"algorithm": "ED25519"}, nil, nil, "-----BEGIN PRIVATE KEY-----"},
	} {
		key := r.create("std_tls_key", tc.config)
		r.settledOn(key, tc.config)
		got := key.attrs()
		if got["rsa_bits"] != tc.bits || got["ecdsa_curve"] != tc.curve || !strings.HasPrefix(key.text("private_key_pem"), tc.begins) {
			t.Errorf("%v: bits %v, curve %v, %.40s", tc.config, got["rsa_bits"], got["ecdsa_curve"], key.text("private_key_pem"))
		}
		checkForms(t, key)
	}
}

// checkForms: all forms of a key are the same key.
func checkForms(t *testing.T, key object) {
	t.Helper()
	private, err := parseKey(key.text("private_key_pem"))
	if err != nil {
		t.Fatal(err)
	}
	public, err := x509.MarshalPKIXPublicKey(private.Public())
	if err != nil {
		t.Fatal(err)
	}
	if key.text("public_key_pem") != encodePEM("PUBLIC KEY", public) || key.text("id") != sha256Hex(public) {
		t.Error("the public key is another one")
	}
	forms := []string{"private_key_pem_pkcs8"}
	if line := key.text("public_key_openssh"); line != "" {
		forms = append(forms, "private_key_openssh")
		parsed, _, _, _, err := ssh.ParseAuthorizedKey([]byte(line))
		if err != nil || ssh.FingerprintSHA256(parsed) != key.text("public_key_fingerprint_sha256") {
			t.Errorf("fingerprint of %s: %v", line, err)
		}
	}
	for _, form := range forms {
		same, err := parseKey(key.text(form))
		if err != nil {
			t.Errorf("%s: %v", form, err)
			continue
		}
		again, _ := x509.MarshalPKIXPublicKey(same.Public())
		if !slices.Equal(again, public) {
			t.Errorf("%s is another key", form)
		}
	}
}

func TestTLSKeyPlans(t *testing.T) {
	r := newRig(t)
	none := r.none("std_tls_key")
	if got := r.plan(none, values{"algorithm": "ECDSA"}).attrs(); got["ecdsa_curve"] != "P256" || got["rsa_bits"] != nil {
		t.Errorf("plans %v", got)
	}
	config := values{"algorithm": unknown}
	plan := r.plan(none, config)
	if got := plan.attrs(); got["ecdsa_curve"] != unknown || got["rsa_bits"] != unknown {
		t.Errorf("plans %v", got)
	}
	key := r.create("std_tls_key", values{"algorithm": "ECDSA"})
	if got := r.plan(key, values{"algorithm": "ED25519"}).replace; strings.Join(got, " ") != "algorithm" {
		t.Errorf("replaced because of %v", got)
	}
	if said := r.validate("std_tls_key", values{"algorithm": "ECDSA", "rsa_bits": 2048}); !strings.Contains(said, "rsa_bits applies to algorithm RSA only") {
		t.Error(said)
	}
	if said := r.validate("std_tls_key", values{"algorithm": "DSA"}); !strings.Contains(said, "one of RSA, ECDSA, ED25519") {
		t.Error(said)
	}
}

func TestTLSKeyImport(t *testing.T) {
	r := newRig(t)
	key := r.create("std_tls_key", values{"algorithm": "ED25519"})
	at := filepath.Join(t.TempDir(), "key.pem")
	r.must(os.WriteFile(at, []byte(key.text("private_key_openssh")), 0o600))
	if got := r.imported("std_tls_key", at); got.text("private_key_pem") != key.text("private_key_pem") {
		t.Error("another key was imported")
	}
	r.must(os.WriteFile(at, []byte("secret nonsense"), 0o600))
	if _, said := r.tryImport("std_tls_key", at); !strings.Contains(said, "does not hold a key") || strings.Contains(said, "nonsense") {
		t.Error(said)
	}
}

// testClock is a clock that a test turns.
type testClock struct{ at time.Time }

func (c *testClock) now() time.Time { return c.at }

func TestTLSCertChain(t *testing.T) {
	clock := &testClock{at: time.Date(2030, 5, 6, 7, 8, 9, 10, time.UTC)}
	r := newRigAt(t, clock.now)
	caKey := r.create("std_tls_key", values{"algorithm": "ECDSA"}).text("private_key_pem")
	key := r.create("std_tls_key", values{"algorithm": "ED25519"}).text("private_key_pem")

	ca := r.create("std_tls_cert", values{
		"private_key_pem": caKey, "is_ca": true, "validity_period_hours": 1000,
		"subject": values{"common_name": "Test CA", "organization": "Plumb", "street_address": []any{"1 Lead Lane"}},
	})
	config := values{
		"private_key_pem": key, "validity_period_hours": 24,
		"subject":   values{"common_name": "svc"},
		"dns_names": []any{"svc.test", "*.svc.test"}, "ip_addresses": []any{"10.1.2.3", "::1"}, "uris": []any{"spiffe://test/svc"},
		"ca_cert_pem": ca.text("cert_pem"), "ca_private_key_pem": caKey,
	}
	cert := r.create("std_tls_cert", config)
	r.settledOn(cert, config)
	if cert.text("validity_start_time") != "2030-05-06T07:08:09Z" || cert.text("validity_end_time") != "2030-05-07T07:08:09Z" {
		t.Errorf("valid from %s to %s", cert.text("validity_start_time"), cert.text("validity_end_time"))
	}
	roots := x509.NewCertPool()
	roots.AppendCertsFromPEM([]byte(ca.text("cert_pem")))
	parsed, err := parseCertificate(cert.text("cert_pem"))
	r.must(err)
	for _, host := range []string{"svc.test", "a.svc.test", "10.1.2.3", "::1"} {
		if _, err := parsed.Verify(x509.VerifyOptions{DNSName: host, Roots: roots, CurrentTime: clock.at}); err != nil {
			t.Errorf("%s: %v", host, err)
		}
	}
	if parsed.URIs[0].String() != "spiffe://test/svc" || parsed.SerialNumber.String() != cert.text("serial") {
		t.Errorf("uris %v, serial %v", parsed.URIs, parsed.SerialNumber)
	}
}

func TestTLSCertRenewal(t *testing.T) {
	clock := &testClock{at: time.Date(2030, 1, 1, 0, 0, 0, 0, time.UTC)}
	r := newRigAt(t, clock.now)
	key := r.create("std_tls_key", values{"algorithm": "ECDSA"}).text("private_key_pem")
	config := func(early int) values {
		return values{"private_key_pem": key, "validity_period_hours": 100, "early_renewal_hours": early}
	}
	cert := r.create("std_tls_cert", config(10))
	r.settledOn(cert, config(10))

	clock.at = clock.at.Add(89 * time.Hour)
	cert, _ = r.read(cert)
	r.settledOn(cert, config(10))
	if got := r.plan(cert, config(11)).replace; strings.Join(got, " ") != "ready_for_renewal" {
		t.Errorf("a longer window replaces because of %v", got)
	}

	clock.at = clock.at.Add(time.Hour)
	if got := r.plan(cert, config(10)).replace; strings.Join(got, " ") != "ready_for_renewal" {
		t.Errorf("unread, replaced because of %v", got)
	}
	ripe, _ := r.read(cert)
	if ripe.attrs()["ready_for_renewal"] != true {
		t.Error("read does not look at the clock")
	}
	if got := r.plan(ripe, config(10)).replace; strings.Join(got, " ") != "ready_for_renewal" {
		t.Errorf("replaced because of %v", got)
	}
	shorter := r.update(ripe, config(5))
	if shorter.attrs()["ready_for_renewal"] != false || shorter.text("cert_pem") != cert.text("cert_pem") {
		t.Errorf("a shorter window gives %v", shorter.attrs())
	}
}

func TestTLSCertRefusals(t *testing.T) {
	r := newRig(t)
	key := r.create("std_tls_key", values{"algorithm": "ECDSA"}).text("private_key_pem")
	leaf := r.create("std_tls_cert", values{"private_key_pem": key, "validity_period_hours": 1})
	base := func(more values) values {
		out := values{"private_key_pem": key, "validity_period_hours": 10}
		for name, v := range more {
			out[name] = v
		}
		return out
	}
	for _, tc := range []struct {
		config values
		say    string
	}{
		{base(values{"early_renewal_hours": 10}), "would be replaced by every plan"},
		{base(values{"ca_cert_pem": leaf.text("cert_pem")}), "works only together with ca_private_key_pem"},
		{base(values{"ip_addresses": []any{"10.0.0.256"}}), `"10.0.0.256" is not`},
		{base(values{"allowed_uses": []any{"world_domination"}}), "must be one of digital_signature"},
		{values{"private_key_pem": "hunter2", "validity_period_hours": 1}, "private_key_pem must be in PEM format"},
	} {
		said := r.validate("std_tls_cert", tc.config)
		if !strings.Contains(said, tc.say) || strings.Contains(said, "hunter2") {
			t.Errorf("%s\nwant: %s", said, tc.say)
		}
	}
	config := base(values{"ca_cert_pem": leaf.text("cert_pem"), "ca_private_key_pem": key})
	if _, said := r.tryApply(r.none("std_tls_cert"), r.plan(r.none("std_tls_cert"), config), config); !strings.Contains(said, "may not sign others") {
		t.Errorf("signed by a leaf: %s", said)
	}
}
