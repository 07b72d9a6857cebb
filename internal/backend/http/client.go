package http

import (
	"bytes"
	"context"
	"crypto/md5" //nolint:gosec // the protocol's checksum, no protection
	"crypto/tls"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"
	"unicode"

	"github.com/plumb-iac/plumb/internal/backend"
)

// How long the parts of a request may take. What the server takes to answer
// depends on the size of the state; a whole request has no limit.
const (
	dialTimeout   = 30 * time.Second
	tlsTimeout    = 10 * time.Second
	answerTimeout = 2 * time.Minute
	// longestRest bounds what a server may ask for with Retry-After.
	longestRest = time.Minute
)

// client asks, and asks again what may pass.
type client struct {
	http               *http.Client
	headers            map[string]string
	username, password string
	// retries is how often a request is made again, after pauses that double from
	// the shortest to the longest.
	retries           int
	shortest, longest time.Duration
	sleep             backend.Sleep
}

func (a *arguments) client(sleep backend.Sleep) *client {
	c := &client{
		username: a.text("username", ""), password: a.text("password", ""),
		retries: a.number("retry_max", 2), shortest: a.seconds("retry_wait_min", 1), longest: a.seconds("retry_wait_max", 30),
		sleep: sleep,
	}
	c.headers = a.headers(c.username)
	c.http = &http.Client{CheckRedirect: sameMethod, Transport: &http.Transport{
		Proxy: http.ProxyFromEnvironment, DialContext: (&net.Dialer{Timeout: dialTimeout}).DialContext,
		TLSClientConfig: a.tls(), TLSHandshakeTimeout: tlsTimeout, ResponseHeaderTimeout: answerTimeout, ForceAttemptHTTP2: true,
	}}
	return c
}

// errRedirected is a redirection that would ask for something else.
var errRedirected = errors.New("the server redirects in a way that would turn the request into a GET, and nothing would come of it; use the address that it redirects to")

// sameMethod follows redirections that leave a request what it is.
func sameMethod(next *http.Request, via []*http.Request) error {
	if next.Method != via[0].Method {
		return errRedirected
	}
	if len(via) > 10 {
		return errors.New("the server redirects more than 10 times")
	}
	return nil
}

// answer is what a server said.
type answer struct {
	status   int
	text     string
	body     []byte
	md5      string
	rest     time.Duration
	attempts int
}

// do makes a request until there is an answer that will not pass. An error is one
// of the connection; it names the place without credentials.
func (c *client) do(ctx context.Context, method string, at *url.URL, body []byte) (answer, error) {
	pause := c.shortest
	for attempt := 1; ; attempt++ {
		a, err := c.once(ctx, method, at, body)
		a.attempts = attempt
		if !passing(a, err) || attempt > c.retries || ctx.Err() != nil {
			return a, c.explain(method, at, attempt, err)
		}
		if stopped := c.sleep(ctx, max(min(pause, c.longest), a.rest)); stopped != nil {
			return a, c.explain(method, at, attempt, errors.Join(err, stopped))
		}
		pause *= 2
	}
}

// passing says whether what came of a request may be different the next time.
func passing(a answer, err error) bool {
	var certificate *tls.CertificateVerificationError
	switch {
	case errors.Is(err, errRedirected) || errors.As(err, &certificate):
		return false
	case err != nil:
		return true
	}
	return a.status == http.StatusTooManyRequests || a.status >= 500 && a.status != http.StatusNotImplemented
}

func (c *client) explain(method string, at *url.URL, attempts int, err error) error {
	if err == nil {
		return nil
	}
	var from *url.Error
	if errors.As(err, &from) { // it has the whole address
		err = from.Err
	}
	return fmt.Errorf("%s %s failed%s: %w", method, shown(at), tries(attempts), err)
}

func tries(n int) string {
	if n < 2 {
		return ""
	}
	return fmt.Sprintf(" (%d attempts)", n)
}

// shown is an address without what may be a secret in it.
func shown(at *url.URL) string {
	return (&url.URL{Scheme: at.Scheme, Host: at.Host, Path: at.Path}).String()
}

// once makes a request and reads the whole answer.
func (c *client) once(ctx context.Context, method string, at *url.URL, body []byte) (answer, error) {
	req, err := http.NewRequestWithContext(ctx, method, at.String(), bytes.NewReader(body))
	if err != nil {
		return answer{}, err
	}
	for name, v := range c.headers {
		req.Header.Set(name, v)
	}
	if c.username != "" {
		req.SetBasicAuth(c.username, c.password)
	}
	if method != http.MethodGet {
		req.Header.Set("Content-Type", "application/json")
		req.Header.Set("Content-MD5", checksum(body))
	}
	res, err := c.http.Do(req)
	if err != nil {
		return answer{}, err
	}
	defer res.Body.Close()
	a := answer{status: res.StatusCode, text: res.Status, md5: res.Header.Get("Content-MD5"), rest: rest(res.Header.Get("Retry-After"))}
	a.body, err = io.ReadAll(res.Body)
	return a, err
}

// checksum is what Content-MD5 says of a body.
func checksum(body []byte) string {
	sum := md5.Sum(body) //nolint:gosec // see the import
	return base64.StdEncoding.EncodeToString(sum[:])
}

// rest is how long a server asks to be left alone.
func rest(after string) time.Duration {
	n, err := strconv.Atoi(after)
	if err != nil || n < 0 {
		return 0
	}
	return min(time.Duration(n)*time.Second, longestRest)
}

// unexpected is the error that an answer stands for where it is none of those that
// have a meaning.
func (a answer) unexpected() error {
	switch a.status {
	case http.StatusUnauthorized:
		return fmt.Errorf("HTTP remote state endpoint requires auth (%s): give username and password, or TF_HTTP_USERNAME and TF_HTTP_PASSWORD%s", a.text, a.said())
	case http.StatusForbidden:
		return fmt.Errorf("HTTP remote state endpoint invalid auth (%s): the server does not let these credentials do this%s", a.text, a.said())
	}
	return fmt.Errorf("unexpected HTTP response code %d (%s)%s%s", a.status, a.text, tries(a.attempts), a.said())
}

// mostSaid is how much of an answer is shown.
const mostSaid = 300

// said is what the server had to say, as one line.
func (a answer) said() string {
	text := strings.Join(strings.FieldsFunc(string(a.body), func(r rune) bool { return unicode.IsSpace(r) || !unicode.IsPrint(r) }), " ")
	if text == "" {
		return ""
	}
	if r := []rune(text); len(r) > mostSaid {
		text = string(r[:mostSaid]) + " …"
	}
	return "; the server says: " + text
}
