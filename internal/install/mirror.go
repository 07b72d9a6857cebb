package install

import (
	"errors"
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
	implied []mirror
}

// NewSources gives the sources that the CLI configuration names, or the
// implied ones. Directories of -plugin-dir replace both.
func NewSources(cli settings.CLI, implied, pluginDirs []string) Sources {
	var s Sources
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

var errRegistry = errors.New("this version of plumb cannot install from registries and network mirrors yet")

// offers are all packages of p for a platform. The first source that has a
// version provides it. err tells of sources that could not be asked.
func (s Sources) offers(p addr.Provider, platform string) (all map[versions.Version]found, searched []string, err error) {
	all = map[versions.Version]found{}
	take := func(m mirror) {
		searched = append(searched, m.dir)
		for v, f := range m.offers(p, platform) {
			if _, taken := all[v]; !taken {
				all[v] = f
			}
		}
	}
	for _, m := range s.implied {
		take(m)
	}
	if s.methods == nil && len(all) == 0 {
		err = errRegistry
	}
	for _, m := range s.methods {
		switch {
		case !m.Takes(p):
		case m.Kind == settings.FilesystemMirror:
			take(mirror{m.Location})
		default:
			searched = append(searched, m.Kind.String()+" "+m.Location)
			err = errRegistry
		}
	}
	return all, searched, err
}
