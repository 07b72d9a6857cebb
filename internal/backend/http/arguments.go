package http

import (
	"cmp"
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/plumb-iac/plumb/internal/backend"
	"github.com/zclconf/go-cty/cty"
)

// Arguments are those of a block of this backend.
func Arguments() []backend.Argument {
	return []backend.Argument{
		{Name: "address", Type: cty.String, Env: "TF_HTTP_ADDRESS"},
		{Name: "update_method", Type: cty.String, Env: "TF_HTTP_UPDATE_METHOD"},
		{Name: "lock_address", Type: cty.String, Env: "TF_HTTP_LOCK_ADDRESS"},
		{Name: "lock_method", Type: cty.String, Env: "TF_HTTP_LOCK_METHOD"},
		{Name: "unlock_address", Type: cty.String, Env: "TF_HTTP_UNLOCK_ADDRESS"},
		{Name: "unlock_method", Type: cty.String, Env: "TF_HTTP_UNLOCK_METHOD"},
		{Name: "username", Type: cty.String, Env: "TF_HTTP_USERNAME"},
		{Name: "password", Type: cty.String, Env: "TF_HTTP_PASSWORD"},
		{Name: "skip_cert_verification", Type: cty.Bool},
		{Name: "retry_max", Type: cty.Number, Env: "TF_HTTP_RETRY_MAX"},
		{Name: "retry_wait_min", Type: cty.Number, Env: "TF_HTTP_RETRY_WAIT_MIN"},
		{Name: "retry_wait_max", Type: cty.Number, Env: "TF_HTTP_RETRY_WAIT_MAX"},
		{Name: "client_ca_certificate_pem", Type: cty.String, Env: "TF_HTTP_CLIENT_CA_CERTIFICATE_PEM"},
		{Name: "client_certificate_pem", Type: cty.String, Env: "TF_HTTP_CLIENT_CERTIFICATE_PEM"},
		{Name: "client_private_key_pem", Type: cty.String, Env: "TF_HTTP_CLIENT_PRIVATE_KEY_PEM"},
		{Name: "headers", Type: cty.Map(cty.String)},
	}
}

// arguments reads values, completed from the environment, and collects what is
// wrong with them.
type arguments struct {
	given    backend.Arguments
	env      func(name string) string
	mistakes []backend.Mistake
}

func (a *arguments) wrong(name, summary, detail string) {
	a.mistakes = append(a.mistakes, backend.Mistake{Argument: name, Summary: summary, Detail: detail})
}

// variable is the environment variable of an argument.
func variable(name string) string {
	all := Arguments()
	return all[slices.IndexFunc(all, func(x backend.Argument) bool { return x.Name == name })].Env
}

// text is the value of an argument that is a string. An empty one counts as not
// set.
func (a *arguments) text(name, otherwise string) string {
	return cmp.Or(a.given.Text(name), a.env(variable(name)), otherwise)
}

// number is the value of an argument that is a whole number.
func (a *arguments) number(name string, otherwise int) int {
	text := a.env(variable(name))
	from := variable(name)
	if v, set := a.given[name]; set {
		text, from = v.AsBigFloat().Text('f', -1), name
	} else if text == "" {
		return otherwise
	}
	n, err := strconv.Atoi(strings.TrimSpace(text))
	if err != nil {
		a.wrong(name, "invalid "+name+": a whole number is required", fmt.Sprintf("%s is %q.", from, text))
		return otherwise
	}
	return max(n, 0)
}

func (a *arguments) seconds(name string, otherwise int) time.Duration {
	return time.Duration(a.number(name, otherwise)) * time.Second
}

// address is the value of an argument that is a URL; nil where it is not set.
func (a *arguments) address(name string) *url.URL {
	text := a.text(name, "")
	if text == "" {
		return nil
	}
	u, err := url.Parse(text)
	switch {
	case err != nil:
		// The error has the address in it, and that may have a password.
		a.wrong(name, "failed to parse "+name+" URL", "It is no URL. One such as \"https://example.com/states/network\" is expected.")
		return nil
	case u.Scheme != "http" && u.Scheme != "https" || u.Host == "":
		a.wrong(name, name+" must be HTTP or HTTPS", "It has to begin with https:// or http://, and a host has to follow.")
		return nil
	}
	return u
}

// addresses are the places and methods of what can be asked.
type addresses struct {
	state, lock, unlock                    *url.URL
	updateMethod, lockMethod, unlockMethod string
}

func (a *arguments) addresses() addresses {
	out := addresses{
		state: a.address("address"), lock: a.address("lock_address"), unlock: a.address("unlock_address"),
		updateMethod: a.text("update_method", "POST"), lockMethod: a.text("lock_method", "LOCK"), unlockMethod: a.text("unlock_method", "UNLOCK"),
	}
	if out.state == nil && len(a.mistakes) == 0 {
		a.wrong("address", "address argument is required", "The backend has to know where the state is: give address in the backend block, with -backend-config, or in TF_HTTP_ADDRESS.")
	}
	return out
}

var headerName = regexp.MustCompile(`^[A-Za-z0-9_-]+$`)

// headers are those that go with every request.
func (a *arguments) headers(username string) map[string]string {
	out := map[string]string{}
	if !a.given.Has("headers") {
		return out
	}
	for name, v := range a.given["headers"].AsValueMap() {
		quoted := fmt.Sprintf("headers %q ", name)
		switch lower := strings.ToLower(name); {
		case !headerName.MatchString(name):
			a.wrong("headers", quoted+"name must not be empty and only contain A-Za-z0-9-_ characters", "")
		case v.IsNull() || strings.ContainsFunc(v.AsString(), func(r rune) bool { return r < ' ' && r != '\t' || r == 0x7f }):
			a.wrong("headers", quoted+"value must not be null or contain control characters", "")
		case lower == "content-type" || lower == "content-md5":
			a.wrong("headers", quoted+"is reserved", "The backend sets this one itself, after what it sends.")
		case lower == "authorization" && username != "":
			a.wrong("headers", quoted+"cannot be set when providing username", "Both say who is asking. Leave out username and password, or this header.")
		default:
			out[name] = v.AsString()
		}
	}
	return out
}

// tls are the settings for encrypted connections.
func (a *arguments) tls() *tls.Config {
	out := &tls.Config{}
	if v, set := a.given["skip_cert_verification"]; set {
		out.InsecureSkipVerify = v.True()
	}
	if authority := a.text("client_ca_certificate_pem", ""); authority != "" {
		out.RootCAs = x509.NewCertPool()
		if !out.RootCAs.AppendCertsFromPEM([]byte(authority)) {
			a.wrong("client_ca_certificate_pem", "failed to append certs", "There is no certificate in the value of client_ca_certificate_pem. It is the content of a PEM file, not its name.")
		}
	}
	certificate, key := a.text("client_certificate_pem", ""), a.text("client_private_key_pem", "")
	switch {
	case certificate == "" && key == "":
	case key == "":
		a.wrong("client_private_key_pem", "client_certificate_pem is set but client_private_key_pem is not", "A certificate proves nothing without its key.")
	case certificate == "":
		a.wrong("client_certificate_pem", "client_private_key_pem is set but client_certificate_pem is not", "The server knows the key by its certificate.")
	default:
		pair, err := tls.X509KeyPair([]byte(certificate), []byte(key))
		if err != nil {
			a.wrong("client_certificate_pem", "cannot load client certificate: "+err.Error(), "Both are the contents of PEM files, not their names.")
			break
		}
		out.Certificates = []tls.Certificate{pair}
	}
	return out
}
