package install

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"

	"github.com/apparentlymart/go-versions/versions"
	"github.com/plumb-iac/plumb/addr"
	"github.com/plumb-iac/plumb/internal/settings"
)

// found is a package that a source offers.
type found struct {
	// path is a directory (unpacked) or an archive.
	path     string
	unpacked bool
	// remote fetches the archive where there is none yet.
	remote func(ctx context.Context, temp string) (download, error)
}

// download is an archive that was fetched.
type download struct {
	archive string
	// hashes are those that somebody vouches for: signed checksums.
	hashes []string
	// expect are hashes of which the package has to have one; nil for any.
	expect []string
	// trust says in words how far the origin is known.
	trust string
}

// mirror is a directory with packages: HOST/NAMESPACE/TYPE/ and in it either
// VERSION/PLATFORM/ or terraform-provider-TYPE_VERSION_PLATFORM.zip.
type mirror struct{ dir string }

// offers lists the versions of p for a platform.
func (m mirror) offers(p addr.Provider, platform string) map[versions.Version]found {
	base := filepath.Join(m.dir, p.Host, p.Namespace, p.Type)
	entries, err := os.ReadDir(base)
	if err != nil {
		return nil
	}
	out := map[versions.Version]found{}
	for _, e := range entries {
		v, f, ok := m.entry(p, platform, base, e.Name())
		if !ok {
			continue
		}
		if old, taken := out[v]; !taken || !old.unpacked && f.unpacked {
			out[v] = f
		}
	}
	return out
}

func (m mirror) entry(p addr.Provider, platform, base, name string) (versions.Version, found, bool) {
	if stem, ok := strings.CutSuffix(name, "_"+platform+".zip"); ok {
		text, ok := strings.CutPrefix(stem, "terraform-provider-"+p.Type+"_")
		v, err := versions.ParseVersion(text)
		return v, found{path: filepath.Join(base, name)}, ok && err == nil
	}
	v, err := versions.ParseVersion(name)
	if err != nil {
		return v, found{}, false
	}
	dir := filepath.Join(base, name, platform)
	info, err := os.Stat(dir)
	return v, found{path: dir, unpacked: true}, err == nil && info.IsDir()
}

// Sources are the places where providers are looked for, in order.
type Sources struct {
	methods []settings.Method
	// implied directories stand before the registries when no installation
	// method is configured.
	implied  []mirror
	registry *registry
}

// NewSources gives the sources that the CLI configuration names, or the
// implied ones. Directories of -plugin-dir replace both.
func NewSources(cli settings.CLI, implied, pluginDirs []string) Sources {
	s := Sources{registry: newRegistry(cli, implied)}
	if len(pluginDirs) > 0 {
		for _, dir := range pluginDirs {
			s.methods = append(s.methods, settings.Method{Kind: settings.FilesystemMirror, Location: dir})
		}
		return s
	}
	if cli.Methods != nil {
		s.methods = cli.Methods
		return s
	}
	for _, dir := range implied {
		if info, err := os.Stat(dir); err == nil && info.IsDir() {
			s.implied = append(s.implied, mirror{dir})
		}
	}
	return s
}

// WithToken is s with another source of credentials, asked before the CLI
// configuration.
func (s Sources) WithToken(token func(host string) string) Sources {
	s.registry = s.registry.withToken(token)
	return s
}

// As is s under another name: requests say that it is agent that makes them.
func (s Sources) As(agent string) Sources {
	s.registry = s.registry.as(agent)
	return s
}

// WithHTTP is s with another client for the network.
func (s Sources) WithHTTP(c *http.Client) Sources {
	s.registry = s.registry.withHTTP(c)
	return s
}

// search is one look for a provider in all sources.
type search struct {
	ctx      context.Context
	sources  Sources
	provider addr.Provider
	platform string
	all      map[versions.Version]found
	searched []string
	// problems are sources that could not be asked.
	problems []error
	// why says of sources that they have versions, none of which can be used.
	why      []string
	warnings []string
}

func (s Sources) search(ctx context.Context, p addr.Provider, platform string) *search {
	q := &search{ctx: ctx, sources: s, provider: p, platform: platform, all: map[versions.Version]found{}}
	for _, m := range s.implied {
		q.mirror(m.dir)
	}
	if s.methods == nil && len(q.all) == 0 {
		q.direct()
	}
	for _, m := range s.methods {
		if m.Takes(p) {
			q.method(m)
		}
	}
	return q
}

func (q *search) method(m settings.Method) {
	switch m.Kind {
	case settings.FilesystemMirror:
		q.mirror(m.Location)
	case settings.Direct:
		q.direct()
	case settings.NetworkMirror:
		q.searched = append(q.searched, m.Location)
		q.take(q.sources.registry.mirrored(q.ctx, m.Location, q.provider, q.platform))
	default:
		q.problems = append(q.problems, fmt.Errorf("this version of plumb cannot install from an %s", m.Kind))
	}
}

func (q *search) mirror(dir string) {
	q.searched = append(q.searched, dir)
	q.take(mirror{dir}.offers(q.provider, q.platform), nil)
}

func (q *search) direct() {
	q.searched = append(q.searched, q.provider.Host)
	o, err := q.sources.registry.offers(q.ctx, q.provider, q.platform)
	q.warnings = append(q.warnings, o.warnings...)
	if o.why != "" {
		q.why = append(q.why, o.why)
	}
	q.take(o.versions, err)
}

// take adds offers; the first source that has a version provides it.
func (q *search) take(offers map[versions.Version]found, err error) {
	if err != nil {
		q.problems = append(q.problems, err)
	}
	for v, f := range offers {
		if _, taken := q.all[v]; !taken {
			q.all[v] = f
		}
	}
}

// unsure says which source could not be asked, and so may have what is better
// than the offers; nil when all could.
func (q *search) unsure() error {
	if len(q.all) == 0 || len(q.problems) == 0 {
		return q.err()
	}
	return errors.Join(q.problems...)
}

// err says why there are no offers at all; nil when there are.
func (q *search) err() error {
	where := ""
	if len(q.searched) > 0 {
		where = "\n\n  - " + strings.Join(q.searched, "\n  - ")
	}
	switch {
	case len(q.all) > 0:
		return nil
	case len(q.problems) > 0:
		return fmt.Errorf("%w.\n\nProvider %s was looked for in:%s\n\nWithout a network, put the package into a filesystem mirror and name that in a provider_installation block of the CLI configuration file, or pass -plugin-dir", errors.Join(q.problems...), q.provider, where)
	case len(q.why) > 0:
		return errors.New(strings.Join(q.why, "; "))
	case where != "":
		return fmt.Errorf("provider %s was not found in any of the search locations%s", q.provider, where)
	}
	return fmt.Errorf("provider %s is excluded by all installation methods of the CLI configuration", q.provider)
}
