package install

import (
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

// moduleSource is where a module's package is and which part of it is meant.
type moduleSource struct {
	// kind is git, http or file.
	kind   string
	url    *url.URL
	subdir string
	// ref and depth are git's, archive is the form of a file to be fetched.
	ref, depth, sshKey, archive string
}

// String is the package's address, for telling packages apart.
func (s moduleSource) String() string {
	return s.kind + "::" + s.url.String() + "?" + s.ref + "&" + s.archive
}

// shorthands are source addresses that stand for git repositories.
var shorthands = []struct {
	pattern *regexp.Regexp
	becomes string
}{
	{regexp.MustCompile(`^(github\.com|gitlab\.com|bitbucket\.org)/([^/?]+)/([^/?]+?)(?:\.git)?((?:/.*)?(?:\?.*)?)$`), "git::https://$1/$2/$3.git$4"},
	{regexp.MustCompile(`^(?:git::)?([A-Za-z0-9_.-]+@[A-Za-z0-9_.-]+):([^/].*)$`), "git::ssh://$1/$2"},
}

var errUnknownSource = errors.New("the source is none of the known kinds: a path beginning with ./ or ../, a registry address, an absolute path, git:: or an https URL of an archive")

// parseModuleSource reads the address of a package that has to be fetched.
func parseModuleSource(text string) (moduleSource, error) {
	for _, s := range shorthands {
		if s.pattern.MatchString(text) {
			text = s.pattern.ReplaceAllString(text, s.becomes)
			break
		}
	}
	if filepath.IsAbs(text) {
		text = "file://" + filepath.ToSlash(text)
	}
	s := moduleSource{kind: "http"}
	if kind, rest, forced := strings.Cut(text, "::"); forced {
		s.kind, text = kind, rest
		if kind == "https" {
			s.kind = "http"
		}
	}
	text, s.subdir = splitSubdir(text)
	u, err := url.Parse(text)
	if err != nil || u.Scheme == "" {
		return s, errUnknownSource
	}
	if s.kind == "http" && (strings.HasSuffix(u.Path, ".git") || u.Scheme == "ssh" || u.Scheme == "git") {
		s.kind = "git"
	}
	if s.kind == "http" && u.Scheme == "file" {
		s.kind = "file"
	}
	if s.kind != "git" && s.kind != "http" && s.kind != "file" {
		return s, fmt.Errorf("sources of the kind %q are not supported by this version of plumb", s.kind)
	}
	s.url = u
	return s, s.options()
}

// options takes what is meant for plumb out of the query.
func (s *moduleSource) options() error {
	q := s.url.Query()
	take := func(name string) string {
		v := q.Get(name)
		q.Del(name)
		return v
	}
	if s.kind == "git" {
		s.ref, s.depth, s.sshKey = take("ref"), take("depth"), take("sshkey")
	}
	s.archive = take("archive")
	if sum := take("checksum"); sum != "" {
		return errors.New("the checksum argument of a source is not supported by this version of plumb")
	}
	s.url.RawQuery = q.Encode()
	if strings.HasPrefix(s.ref, "-") || strings.HasPrefix(s.url.Host, "-") || strings.HasPrefix(s.depth, "-") {
		return errors.New("a revision, depth or host cannot begin with a dash")
	}
	return nil
}

// splitSubdir cuts the part behind a double slash off, but leaves the query.
func splitSubdir(text string) (pack, subdir string) {
	start := 0
	if i := strings.Index(text, "://"); i >= 0 {
		start = i + 3
	}
	body, query, asked := strings.Cut(text[start:], "?")
	pack, subdir, _ = strings.Cut(body, "//")
	if asked {
		pack += "?" + query
	}
	return text[:start] + pack, subdir
}

// subdirectory is the part of a package that is meant. A star stands for any
// one name.
func subdirectory(dir, subdir string) (string, error) {
	if subdir == "" {
		return dir, nil
	}
	if !filepath.IsLocal(filepath.FromSlash(subdir)) {
		return "", fmt.Errorf("the directory %q is not inside the package", subdir)
	}
	matches, err := filepath.Glob(filepath.Join(dir, filepath.FromSlash(subdir)))
	if err != nil || len(matches) == 0 {
		return "", fmt.Errorf("there is no directory %q in the package", subdir)
	}
	if len(matches) > 1 {
		return "", fmt.Errorf("the package has several directories %q", subdir)
	}
	if info, err := os.Stat(matches[0]); err != nil || !info.IsDir() {
		return "", fmt.Errorf("%q in the package is not a directory", subdir)
	}
	return matches[0], nil
}
