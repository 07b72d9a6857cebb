package http_test

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"fmt"
	"io"
	"log"
	"math/big"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/plumb-iac/plumb/internal/backend"
	"github.com/plumb-iac/plumb/internal/backend/backendtest"
	plumbhttp "github.com/plumb-iac/plumb/internal/backend/http"
	"github.com/plumb-iac/plumb/state"
	"github.com/plumb-iac/plumb/test/stateserver"
	"github.com/zclconf/go-cty/cty"
)

// TestSuite: with the server's lock, and with none but this machine's.
func TestSuite(t *testing.T) {
	backendtest.Run(t, func(t *testing.T) func() backend.Backend {
		s, dir := newServer(t), t.TempDir()
		return func() backend.Backend { b, _ := open(t, dir, arguments(s), nil); return b }
	})
}

// TestRequests: what is asked, by which method and where, and who is asking.
func TestRequests(t *testing.T) {
	ctx := context.Background()
	s := newServer(t)
	round := func(args backend.Arguments, env map[string]string) (string, http.Header) {
		t.Helper()
		b, _ := open(t, t.TempDir(), args, env)
		store := b.Store("default")
		must(t, store.Lock(ctx, info("i d")))
		must(t, store.Write(ctx, state.New("l").WithSerial(1)))
		if got, diags := store.Read(ctx); diags.HasErrors() || got.Serial() != 1 {
			t.Fatal(got, diags)
		}
		must(t, store.Unlock(ctx, "i d"))
		asked, header := s.Asked()
		return fmt.Sprint(asked), header
	}
	got, header := round(arguments(s), nil)
	if want := "[LOCK /state?of=network POST /state?ID=i+d&of=network GET /state?of=network UNLOCK /state?of=network]"; got != want || header.Get("Authorization") != "" {
		t.Error(got, header)
	}
	got, header = round(backend.Arguments{
		"address": cty.StringVal(s.URL), "update_method": cty.StringVal("PUT"), "username": cty.StringVal("u"), "password": cty.StringVal("p"),
		"headers": cty.MapVal(map[string]cty.Value{"X-Test": cty.StringVal("v")}),
	}, map[string]string{"TF_HTTP_ADDRESS": "http://nowhere.invalid", "TF_HTTP_PASSWORD": "q"})
	if user, password, _ := (&http.Request{Header: header}).BasicAuth(); got != "[PUT / GET /]" || user != "u" || password != "p" || header.Get("X-Test") != "v" {
		t.Error(got, header)
	}
	got, _ = round(nil, map[string]string{
		"TF_HTTP_ADDRESS": s.URL + "/e", "TF_HTTP_UPDATE_METHOD": "PUT",
		"TF_HTTP_LOCK_ADDRESS": s.URL + "/l", "TF_HTTP_LOCK_METHOD": "LOCK", "TF_HTTP_UNLOCK_ADDRESS": s.URL + "/u", "TF_HTTP_UNLOCK_METHOD": "UNLOCK",
	})
	if want := "[LOCK /l PUT /e?ID=i+d GET /e UNLOCK /u]"; got != want {
		t.Error(got)
	}
}

// TestMistakes: each says which argument, and never a password.
func TestMistakes(t *testing.T) {
	for _, c := range []struct{ name, value, env, want string }{
		{"", "", "", "address: address argument is required"},
		{"address", "", "", "address: address argument is required"},
		{"address", "ftp://u:secret@x/y", "", "address: address must be HTTP or HTTPS"},
		{"address", "https:", "", "address: address must be HTTP or HTTPS"},
		{"address", "http://u:secret@[::1", "", "address: failed to parse address URL"},
		{"lock_address", "x", "", "lock_address: lock_address must be HTTP or HTTPS"},
		{"unlock_address", "x", "", "unlock_address: unlock_address must be HTTP or HTTPS"},
		{"client_certificate_pem", "x", "", "client_private_key_pem: client_certificate_pem is set but client_private_key_pem is not"},
		{"client_private_key_pem", "x", "", "client_certificate_pem: client_private_key_pem is set but client_certificate_pem is not"},
		{"client_ca_certificate_pem", "x", "", "client_ca_certificate_pem: failed to append certs"},
		{"", "", "TF_HTTP_RETRY_MAX=x", "retry_max: invalid retry_max: a whole number is required"},
		{"", "", "TF_HTTP_RETRY_WAIT_MIN=1.5", "retry_wait_min: invalid retry_wait_min: a whole number is required"},
		{"header", "Content-MD5", "", `headers: headers "Content-MD5" is reserved`},
		{"header", "X Y", "", `headers: headers "X Y" name must not be empty and only contain A-Za-z0-9-_ characters`},
		{"header", "authorization", "TF_HTTP_USERNAME=u", `headers: headers "authorization" cannot be set when providing username`},
	} {
		args := backend.Arguments{"address": cty.StringVal("http://localhost")}
		switch c.name {
		case "":
			if c.env == "" {
				args = nil
			}
		case "header":
			args["headers"] = cty.MapVal(map[string]cty.Value{c.value: cty.StringVal("v")})
		default:
			args[c.name] = cty.StringVal(c.value)
		}
		_, mistakes := plumbhttp.New(plumbhttp.Options{Arguments: args, Env: func(name string) string {
			v, _ := strings.CutPrefix(c.env, name+"=")
			if v == c.env {
				return ""
			}
			return v
		}})
		if len(mistakes) != 1 || mistakes[0].Argument+": "+mistakes[0].Summary != c.want || strings.Contains(mistakes[0].Detail, "secret") {
			t.Errorf("%+v: %+v", c, mistakes)
		}
	}
}

// TestAnswers is what each status means.
func TestAnswers(t *testing.T) {
	ctx := context.Background()
	for _, c := range []struct {
		method   string
		fault    stateserver.Fault
		attempts int
		want     string // of the error, "" for none
	}{
		{"GET", stateserver.Fault{Status: 200}, 1, ""},
		{"GET", stateserver.Fault{Status: 204}, 1, ""},
		{"GET", stateserver.Fault{Status: 404, Body: "none"}, 1, ""},
		{"GET", stateserver.Fault{Status: 201, Body: "{}"}, 1, "unexpected HTTP response code 201"},
		{"GET", stateserver.Fault{Status: 400, Body: "no\x1b[31m  such\nproject"}, 1, "the server says: no [31m such project"},
		{"GET", stateserver.Fault{Status: 401}, 1, "HTTP remote state endpoint requires auth"},
		{"GET", stateserver.Fault{Status: 403, Body: "why"}, 1, "HTTP remote state endpoint invalid auth"},
		{"GET", stateserver.Fault{Status: 429}, 3, "unexpected HTTP response code 429 (429 Too Many Requests) (3 attempts)"},
		{"GET", stateserver.Fault{Status: 500}, 3, "unexpected HTTP response code 500"},
		{"GET", stateserver.Fault{Status: 501}, 1, "unexpected HTTP response code 501"},
		{"GET", stateserver.Fault{Cut: true}, 3, "EOF"},
		{"GET", stateserver.Fault{Status: 200, Body: "garbage"}, 1, "Unsupported state file format"},
		{"GET", stateserver.Fault{Status: 200, Body: "{", Header: map[string]string{"Content-MD5": "AAAA"}}, 1, "Content-MD5"},
		{"POST", stateserver.Fault{Status: 201}, 1, ""},
		{"POST", stateserver.Fault{Status: 204}, 1, ""},
		{"POST", stateserver.Fault{Status: 202}, 1, "does not take the state: unexpected HTTP response code 202"},
		{"POST", stateserver.Fault{Status: 413, Body: "too large"}, 1, "too large"},
		{"POST", stateserver.Fault{Status: 423, Body: `{"ID":"z","Who":"her@there"}`}, 1, "somebody else holds its lock now, her@there with the ID z"},
		{"POST", stateserver.Fault{Status: 301, Header: map[string]string{"Location": "/elsewhere"}}, 1, "would turn the request into a GET"},
		{"POST", stateserver.Fault{Status: 503}, 3, "unexpected HTTP response code 503"},
		{"LOCK", stateserver.Fault{Status: 201}, 1, "unexpected HTTP response code 201"},
		{"LOCK", stateserver.Fault{Status: 401}, 1, "requires auth"},
		{"LOCK", stateserver.Fault{Status: 403}, 1, "invalid auth"},
		{"LOCK", stateserver.Fault{Status: 409, Body: `{"ID":"z"}`}, 1, "HTTP remote state already locked: ID=z"},
		{"LOCK", stateserver.Fault{Status: 423, Body: `taken`}, 1, "HTTP remote state already locked, failed to unmarshal body"},
		{"LOCK", stateserver.Fault{Cut: true, After: true}, 1, "EOF"},
		{"UNLOCK", stateserver.Fault{Status: 404}, 1, "unexpected HTTP response code 404"},
		{"UNLOCK", stateserver.Fault{Status: 500}, 3, "unexpected HTTP response code 500"},
	} {
		s := newServer(t)
		s.Trouble(stateserver.First(c.method, 99, c.fault))
		b, _ := open(t, t.TempDir(), arguments(s), nil)
		store := b.Store("default")
		var err error
		switch c.method {
		case "GET":
			_, diags := store.Read(ctx)
			if diags.HasErrors() {
				err = errors.New(diags[0].Summary + diags[0].Detail)
			}
		case "POST":
			err = store.Write(ctx, state.New("l").WithSerial(1))
		case "LOCK":
			err = store.Lock(ctx, info("a"))
		case "UNLOCK":
			must(t, store.Lock(ctx, info("a")))
			err = store.Unlock(ctx, "a")
		}
		if c.method == "LOCK" && c.fault.Cut {
			c.attempts = 3
		}
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) || s.Seen(c.method) != c.attempts {
			t.Errorf("%s %+v: %v after %d attempts", c.method, c.fault, err, s.Seen(c.method))
		}
		if err != nil && strings.Contains(err.Error(), "of=network") {
			t.Errorf("the query is shown: %v", err)
		}
		var locked *backend.LockedError
		if c.method == "LOCK" && errors.As(err, &locked) != (c.fault.Status == 409 || c.fault.Status == 423) {
			t.Errorf("%+v: %v", c.fault, err)
		}
	}
}

// TestPasses: what may pass is tried again, at growing distances.
func TestPasses(t *testing.T) {
	ctx := context.Background()
	for _, c := range []struct {
		n     int
		fault stateserver.Fault
		env   map[string]string
		want  string
	}{
		{2, stateserver.Fault{Status: 502}, nil, "1s 2s"},
		{2, stateserver.Fault{Cut: true}, nil, "1s 2s"},
		{1, stateserver.Fault{Status: 503, Header: map[string]string{"Retry-After": "7"}}, nil, "7s"},
		{4, stateserver.Fault{Status: 500}, map[string]string{"TF_HTTP_RETRY_MAX": "4", "TF_HTTP_RETRY_WAIT_MIN": "2", "TF_HTTP_RETRY_WAIT_MAX": "5"}, "2s 4s 5s 5s"},
	} {
		s := newServer(t)
		s.Trouble(stateserver.First("POST", c.n, c.fault))
		b, p := open(t, t.TempDir(), arguments(s), c.env)
		must(t, b.Store("default").Write(ctx, state.New("l").WithSerial(1)))
		if got := strings.Join(*p, " "); got != c.want {
			t.Errorf("%+v: %s", c, got)
		}
	}
}

// TestLostAnswer: the lock whose answer was lost is ours; somebody else's is not.
func TestLostAnswer(t *testing.T) {
	ctx := context.Background()
	s := newServer(t)
	s.Trouble(stateserver.First("LOCK", 1, stateserver.Fault{Cut: true, After: true}))
	b, _ := open(t, t.TempDir(), arguments(s), nil)
	a, other := b.Store("default"), b.Store("default")
	must(t, a.Lock(ctx, info("a")))
	var locked *backend.LockedError
	if err := other.Lock(ctx, info("b")); !errors.As(err, &locked) || locked.Holder.ID != "a" {
		t.Error(err)
	}
	must(t, a.Unlock(ctx, "a"))
}

// TestWithoutServerLock: processes of this machine exclude each other all the same,
// and a failure here gives the server's lock back.
func TestWithoutServerLock(t *testing.T) {
	ctx := context.Background()
	s, dir := newServer(t), t.TempDir()
	args := backend.Arguments{"address": cty.StringVal(s.URL)}
	b, _ := open(t, dir, args, nil)
	a, other := b.Store("default"), b.Store("default")
	must(t, a.Lock(ctx, info("a")))
	var locked *backend.LockedError
	if err := other.Lock(ctx, info("b")); !errors.As(err, &locked) || locked.Holder == nil || locked.Holder.ID != "a" || !other.Busy(ctx) {
		t.Error(err)
	}
	args["lock_address"], args["unlock_address"] = args["address"], args["address"]
	b, _ = open(t, dir, args, nil)
	if err := b.Store("default").Lock(ctx, info("c")); !errors.As(err, &locked) || s.Lock() != nil {
		t.Errorf("%v, the server's lock is %s", err, s.Lock())
	}
	if err := a.ForceUnlock(ctx, "a"); err == nil {
		t.Error("there was a lock to remove")
	}
	must(t, a.Unlock(ctx, "a"))
	if left, _ := filepath.Glob(filepath.Join(dir, "*")); len(left) > 0 {
		t.Error(left)
	}
}

// TestJournalPlace: by the address, whoever asks; and nobody else may read it.
func TestJournalPlace(t *testing.T) {
	dir := t.TempDir()
	path := func(address string) string {
		b, _ := open(t, dir, backend.Arguments{"address": cty.StringVal(address)}, nil)
		j, err := b.Store("default").Journal(context.Background())
		must(t, err)
		return j.Path()
	}
	if path("http://h/a") != path("http://u:p@h/a") || path("http://h/a") == path("http://h/b") || path("http://h/a?x=1") == path("http://h/a?x=2") {
		t.Error("journals are mixed up")
	}
	b, _ := open(t, dir, backend.Arguments{"address": cty.StringVal("http://h/a")}, nil)
	j, err := b.Store("default").Journal(context.Background())
	must(t, err)
	must(t, j.Append([]byte("x")))
	if f, err := os.Stat(j.Path()); err != nil || f.Mode().Perm() != 0o600 {
		t.Error(f, err)
	}
}

// TestTLS: the server is known by its authority, the client by its certificate.
func TestTLS(t *testing.T) {
	ctx := context.Background()
	certificate, key := selfSigned(t)
	var seen int
	s := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		seen = len(r.TLS.PeerCertificates)
		w.WriteHeader(http.StatusNotFound)
	}))
	s.TLS = &tls.Config{ClientAuth: tls.RequestClientCert}
	s.Config.ErrorLog = log.New(io.Discard, "", 0)
	s.StartTLS()
	defer s.Close()
	authority := string(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: s.Certificate().Raw}))
	for _, c := range []struct {
		args  backend.Arguments
		seen  int
		works bool
	}{
		{backend.Arguments{}, 0, false},
		{backend.Arguments{"skip_cert_verification": cty.True}, 0, true},
		{backend.Arguments{"client_ca_certificate_pem": cty.StringVal(authority)}, 0, true},
		{backend.Arguments{"client_ca_certificate_pem": cty.StringVal(certificate)}, 0, false},
		{backend.Arguments{"skip_cert_verification": cty.True, "client_certificate_pem": cty.StringVal(certificate), "client_private_key_pem": cty.StringVal(key)}, 1, true},
	} {
		c.args["address"] = cty.StringVal(s.URL)
		b, p := open(t, t.TempDir(), c.args, nil)
		_, diags := b.Store("default").Read(ctx)
		if diags.HasErrors() == c.works || c.works && seen != c.seen || len(*p) > 0 {
			t.Errorf("%v: %v, %d certificates, pauses %v", c.args, diags, seen, *p)
		}
	}
}

func selfSigned(t *testing.T) (certificate, key string) {
	t.Helper()
	k, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	must(t, err)
	template := &x509.Certificate{SerialNumber: big.NewInt(1), NotAfter: time.Now().Add(time.Hour)}
	der, err := x509.CreateCertificate(rand.Reader, template, template, k.Public(), k)
	must(t, err)
	raw, err := x509.MarshalPKCS8PrivateKey(k)
	must(t, err)
	return string(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der})), string(pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: raw}))
}
