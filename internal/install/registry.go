package install

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/apparentlymart/go-versions/versions"
	"github.com/plumb-iac/plumb/addr"
	"github.com/plumb-iac/plumb/internal/settings"
)

// registry talks to provider registries and network mirrors.
type registry struct {
	// http downloads, asks puts questions.
	http, asks *http.Client
	network    settings.Network
	// agent is the name under which requests are made.
	agent    string
	services map[string]map[string]string
	token    credentials
}

func newRegistry(cli settings.CLI, plugins []string) *registry {
	out := &registry{
		network:  cli.Network,
		agent:    "plumb",
		services: cli.Services,
		token:    fixed(func(host string) string { return cli.Tokens[host] }).or(helped(cli.Helper, plugins)),
	}
	return out.withHTTP(&http.Client{Transport: &http.Transport{Proxy: http.ProxyFromEnvironment, TLSHandshakeTimeout: 10 * time.Second, ResponseHeaderTimeout: 30 * time.Second}})
}

func (r *registry) withToken(token func(string) string) *registry {
	out := *r
	out.token = fixed(token).or(r.token)
	return &out
}

func (r *registry) withHTTP(c *http.Client) *registry {
	out, asks := *r, *c
	asks.Timeout = r.network.Timeout
	out.http, out.asks = c, &asks
	return &out
}

func (r *registry) as(agent string) *registry {
	out := *r
	out.agent = agent
	return &out
}

const (
	// maxAnswer bounds a document, maxArchive a package.
	maxAnswer  = 16 << 20
	maxArchive = 4 << 30
	// firstPause is how long an attempt that failed is waited after; later pauses
	// are twice as long each, up to longestPause.
	firstPause, longestPause = 250 * time.Millisecond, 8 * time.Second
)

var errNotFound = errors.New("not found")

// request is a question or the wish for a download, with the credentials of a host,
// "" for none.
func (r *registry) request(ctx context.Context, at *url.URL, host string) (*http.Request, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, at.String(), nil)
	if err != nil {
		return nil, err
	}
	token := ""
	if host != "" {
		if token, err = r.token(ctx, host); err != nil {
			return nil, err
		}
	}
	req.Header.Set("User-Agent", strings.TrimSpace(r.agent+" "+r.network.AppendUserAgent))
	if token != "" {
		req.Header.Set("Authorization", "Bearer "+token)
	}
	return req, nil
}

// open begins a download.
func (r *registry) open(ctx context.Context, at *url.URL, host string) (*http.Response, error) {
	return r.try(ctx, r.http, r.network.DownloadRetries, at, host)
}

// try makes a request, again when the network or the server fails.
func (r *registry) try(ctx context.Context, client *http.Client, retries int, at *url.URL, host string) (*http.Response, error) {
	var last error
	for n := range retries + 1 {
		if n > 0 && !pause(ctx, n) {
			return nil, last
		}
		req, err := r.request(ctx, at, host)
		if err != nil {
			return nil, err
		}
		res, err := client.Do(req)
		switch {
		case err != nil:
			last = err
		case res.StatusCode == http.StatusOK:
			return res, nil
		case res.StatusCode >= 500:
			last = errors.Join(fmt.Errorf("%s answered %s", at.Redacted(), res.Status), res.Body.Close())
		case res.StatusCode == http.StatusNotFound:
			return nil, errors.Join(errNotFound, res.Body.Close())
		case res.StatusCode == http.StatusUnauthorized || res.StatusCode == http.StatusForbidden:
			return nil, errors.Join(fmt.Errorf("%s refuses access (%s); check the credentials for it in the CLI configuration%s", at.Host, res.Status, variable(at)), res.Body.Close())
		default:
			return nil, errors.Join(fmt.Errorf("%s answered %s", at.Redacted(), res.Status), res.Body.Close())
		}
	}
	return nil, last
}

// variable names the environment variable of a host's token. A host with a port has
// none.
func variable(at *url.URL) string {
	if at.Port() != "" {
		return ""
	}
	return " or in TF_TOKEN_" + strings.NewReplacer(".", "_", "-", "__").Replace(at.Hostname())
}

// pause waits after the nth attempt; false when there is no time for another.
func pause(ctx context.Context, n int) bool {
	t := time.NewTimer(min(firstPause<<(n-1), longestPause))
	defer t.Stop()
	select {
	case <-ctx.Done():
		return false
	case <-t.C:
		return true
	}
}

// bytes fetches a small document.
func (r *registry) bytes(ctx context.Context, at *url.URL, host string) ([]byte, error) {
	res, err := r.try(ctx, r.asks, r.network.Retries, at, host)
	if err != nil {
		return nil, err
	}
	defer res.Body.Close()
	var doc bytes.Buffer
	err = copyAtMost(&doc, res.Body, maxAnswer)
	return doc.Bytes(), err
}

func (r *registry) json(ctx context.Context, at *url.URL, host string, into any) error {
	src, err := r.bytes(ctx, at, host)
	if err != nil {
		return err
	}
	if err := json.Unmarshal(src, into); err != nil {
		return fmt.Errorf("the answer of %s makes no sense: %w", at.Redacted(), err)
	}
	return nil
}

// discover finds where a host has a service.
func (r *registry) discover(ctx context.Context, host, service string) (*url.URL, error) {
	base := &url.URL{Scheme: "https", Host: host, Path: "/.well-known/terraform.json"}
	services := map[string]any{}
	if known, ok := r.services[host]; ok {
		for name, at := range known {
			services[name] = at
		}
	} else if err := r.json(ctx, base, host, &services); err != nil {
		return nil, fmt.Errorf("could not connect to %s: %w", host, err)
	}
	text, ok := services[service].(string)
	if !ok {
		return nil, fmt.Errorf("the host %s does not offer %s", host, service)
	}
	at, err := url.Parse(text)
	if err != nil {
		return nil, fmt.Errorf("the host %s says that its %s is at %q", host, service, text)
	}
	at = base.ResolveReference(at)
	if !strings.HasSuffix(at.Path, "/") {
		at.Path += "/"
	}
	return at, nil
}

// target is a platform.
type target struct{ OS, Arch string }

// versionList is a registry's answer about the versions of a provider.
type versionList struct {
	Versions []struct {
		Version   string
		Protocols []string
		Platforms []target
	}
	Warnings []string
}

// offer is what a registry has of a provider for a platform.
type offer struct {
	versions map[versions.Version]found
	warnings []string
	// why says why there are no versions.
	why string
}

// offers are the versions in the registry that can be used here.
func (r *registry) offers(ctx context.Context, p addr.Provider, platform string) (offer, error) {
	base, err := r.discover(ctx, p.Host, "providers.v1")
	if err != nil {
		return offer{}, err
	}
	at := base.JoinPath(p.Namespace, p.Type)
	var list versionList
	switch err := r.json(ctx, at.JoinPath("versions"), p.Host, &list); {
	case errors.Is(err, errNotFound):
		return offer{}, fmt.Errorf("the registry %s has no provider %s/%s", p.Host, p.Namespace, p.Type)
	case err != nil:
		return offer{}, err
	}
	var on target
	on.OS, on.Arch, _ = strings.Cut(platform, "_")
	out := offer{versions: map[versions.Version]found{}, warnings: list.Warnings}
	for _, one := range list.Versions {
		v, err := versions.ParseVersion(one.Version)
		if err != nil || !speaks(one.Protocols) {
			continue
		}
		if one.Platforms != nil && !slices.Contains(one.Platforms, on) {
			continue
		}
		out.versions[v] = found{remote: func(ctx context.Context, temp string) (download, error) {
			return r.fetch(ctx, p.Host, at.JoinPath(one.Version, "download", on.OS, on.Arch), temp)
		}}
	}
	if len(out.versions) == 0 && len(list.Versions) > 0 {
		out.why = fmt.Sprintf("none of the %d versions in the registry %s is for %s and speaks protocol 5 or 6 of providers", len(list.Versions), p.Host, platform)
	}
	return out, nil
}

// speaks says whether one of a provider's protocols is one that plumb speaks.
func speaks(protocols []string) bool {
	for _, p := range protocols {
		if strings.HasPrefix(p, "5.") || strings.HasPrefix(p, "6.") {
			return true
		}
	}
	return len(protocols) == 0
}
