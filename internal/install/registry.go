package install

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/apparentlymart/go-versions/versions"
	"github.com/plumb-iac/plumb/addr"
	"github.com/plumb-iac/plumb/internal/settings"
)

// registry talks to provider registries and network mirrors.
type registry struct {
	http     *http.Client
	services map[string]map[string]string
	token    func(host string) string
}

func newRegistry(cli settings.CLI) *registry {
	return &registry{
		http:     &http.Client{Transport: &http.Transport{Proxy: http.ProxyFromEnvironment, TLSHandshakeTimeout: 10 * time.Second, ResponseHeaderTimeout: 30 * time.Second}},
		services: cli.Services,
		token:    func(host string) string { return cli.Tokens[host] },
	}
}

func (r *registry) withToken(token func(string) string) *registry {
	out, before := *r, r.token
	out.token = func(host string) string {
		if t := token(host); t != "" {
			return t
		}
		return before(host)
	}
	return &out
}

func (r *registry) withHTTP(c *http.Client) *registry {
	out := *r
	out.http = c
	return &out
}

const (
	// maxAnswer bounds a document, maxArchive a package.
	maxAnswer  = 16 << 20
	maxArchive = 4 << 30
	attempts   = 2
)

var errNotFound = errors.New("not found")

// open requests a document, once more when the server fails.
func (r *registry) open(ctx context.Context, at *url.URL, token string) (*http.Response, error) {
	var last error
	for range attempts {
		req, err := http.NewRequestWithContext(ctx, http.MethodGet, at.String(), nil)
		if err != nil {
			return nil, err
		}
		if token != "" {
			req.Header.Set("Authorization", "Bearer "+token)
		}
		res, err := r.http.Do(req)
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
			return nil, errors.Join(fmt.Errorf("%s refuses access (%s); check the credentials for it in the CLI configuration or in TF_TOKEN_%s", at.Host, res.Status, strings.ReplaceAll(at.Hostname(), ".", "_")), res.Body.Close())
		default:
			return nil, errors.Join(fmt.Errorf("%s answered %s", at.Redacted(), res.Status), res.Body.Close())
		}
		if ctx.Err() != nil {
			break
		}
	}
	return nil, last
}

// bytes fetches a small document.
func (r *registry) bytes(ctx context.Context, at *url.URL, token string) ([]byte, error) {
	res, err := r.open(ctx, at, token)
	if err != nil {
		return nil, err
	}
	defer res.Body.Close()
	return io.ReadAll(io.LimitReader(res.Body, maxAnswer))
}

func (r *registry) json(ctx context.Context, at *url.URL, token string, into any) error {
	src, err := r.bytes(ctx, at, token)
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
	} else if err := r.json(ctx, base, r.token(host), &services); err != nil {
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

// versionList is a registry's answer about the versions of a provider.
type versionList struct {
	Versions []struct {
		Version   string
		Protocols []string
		Platforms []struct{ OS, Arch string }
	}
	Warnings []string
}

// offers are the versions in the registry that can be used here.
func (r *registry) offers(ctx context.Context, p addr.Provider, platform string) (map[versions.Version]found, []string, error) {
	base, err := r.discover(ctx, p.Host, "providers.v1")
	if err != nil {
		return nil, nil, err
	}
	at := base.JoinPath(p.Namespace, p.Type)
	var list versionList
	switch err := r.json(ctx, at.JoinPath("versions"), r.token(p.Host), &list); {
	case errors.Is(err, errNotFound):
		return nil, nil, fmt.Errorf("the registry %s has no provider %s/%s", p.Host, p.Namespace, p.Type)
	case err != nil:
		return nil, nil, err
	}
	out := map[versions.Version]found{}
	for _, one := range list.Versions {
		v, err := versions.ParseVersion(one.Version)
		if err != nil || !speaks(one.Protocols) {
			continue
		}
		for _, on := range one.Platforms {
			if on.OS+"_"+on.Arch == platform {
				out[v] = found{remote: func(ctx context.Context, temp string) (download, error) {
					return r.fetch(ctx, p.Host, at.JoinPath(one.Version, "download", on.OS, on.Arch), temp)
				}}
			}
		}
	}
	return out, list.Warnings, nil
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
