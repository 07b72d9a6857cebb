package install

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"sort"
	"strings"

	"github.com/apparentlymart/go-versions/versions"
	"github.com/plumb-iac/plumb/internal/lockfile"
)

// fetcher gets packages of modules.
type fetcher struct {
	ctx      context.Context
	registry *registry
	env      []string
}

// maxHops bounds how often an address may lead to another one.
const maxHops = 3

func (f fetcher) fetch(from moduleSource, target string) error { return f.hop(from, target, maxHops) }

func (f fetcher) hop(from moduleSource, target string, hops int) error {
	switch from.kind {
	case "git":
		return f.git(from, target)
	case "file":
		return f.file(from, target)
	}
	return f.web(from, target, hops)
}

// file copies a directory of this machine, or unpacks an archive.
func (f fetcher) file(from moduleSource, target string) error {
	name := filepath.FromSlash(from.url.Path)
	info, err := os.Stat(name)
	if err != nil {
		return err
	}
	if info.IsDir() {
		if around, err := within(name, "."); err != nil || around {
			return errors.Join(err, errors.New("the working directory is a part of the module"))
		}
		return os.CopyFS(target, os.DirFS(name))
	}
	return f.unpack(name, archiveForm(from), target)
}

// git clones a repository and checks a revision out.
func (f fetcher) git(from moduleSource, target string) error {
	env := append(append([]string{}, f.env...), "GIT_TERMINAL_PROMPT=0")
	if from.sshKey != "" {
		key, err := base64.StdEncoding.DecodeString(from.sshKey)
		if err != nil {
			return errors.New("the sshkey argument of the source is not base64")
		}
		dir, err := os.MkdirTemp("", "plumb-key-")
		if err != nil {
			return err
		}
		defer os.RemoveAll(dir)
		name := filepath.Join(dir, "key")
		if err := os.WriteFile(name, key, 0o600); err != nil {
			return err
		}
		env = append(env, "GIT_SSH_COMMAND=ssh -i "+name+" -o StrictHostKeyChecking=accept-new")
	}
	clone := []string{"clone", "--quiet"}
	if from.depth != "" {
		clone = append(clone, "--depth", from.depth)
		if from.ref != "" {
			clone = append(clone, "--branch", from.ref)
		}
	}
	if err := f.runGit(env, "", append(clone, "--", from.url.String(), target)...); err != nil {
		return err
	}
	if from.ref != "" && from.depth == "" {
		if err := f.runGit(env, target, "checkout", "--quiet", from.ref, "--"); err != nil {
			return err
		}
	}
	if _, err := os.Stat(filepath.Join(target, ".gitmodules")); err != nil {
		return nil
	}
	return f.runGit(env, target, "submodule", "--quiet", "update", "--init", "--recursive")
}

func (f fetcher) runGit(env []string, dir string, args ...string) error {
	cmd := exec.CommandContext(f.ctx, "git", args...)
	cmd.Dir, cmd.Env = dir, env
	out, err := cmd.CombinedOutput()
	if errors.Is(err, exec.ErrNotFound) {
		return errors.New("git is needed to fetch the module and is not installed")
	}
	if err != nil {
		return fmt.Errorf("git %s: %w: %s", args[0], err, strings.TrimSpace(string(out)))
	}
	return nil
}

// web fetches an archive, or asks the page where the package is. hops bounds
// how often it is sent elsewhere.
func (f fetcher) web(from moduleSource, target string, hops int) error {
	form := archiveForm(from)
	if form == "" {
		return f.page(from, target, hops)
	}
	temp, err := os.MkdirTemp("", "plumb-module-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(temp)
	name, _, err := f.registry.save(f.ctx, from.url, "", temp)
	if err != nil {
		return err
	}
	return f.unpack(name, form, target)
}

// page asks a web page for the address of the package.
func (f fetcher) page(from moduleSource, target string, hops int) error {
	if hops == 0 {
		return errors.New("the address leads from page to page without end")
	}
	u := *from.url
	q := u.Query()
	q.Set("terraform-get", "1")
	u.RawQuery = q.Encode()
	res, err := f.registry.open(f.ctx, &u, "")
	if err != nil {
		return err
	}
	at := res.Header.Get("X-Terraform-Get")
	if at == "" {
		at = metaLocation(io.LimitReader(res.Body, maxAnswer))
	}
	if err := res.Body.Close(); err != nil || at == "" {
		return errors.New("the address is neither of an archive (.zip, .tar.gz, .tar.bz2, .tar.xz) nor does it say where one is")
	}
	next, err := parseModuleSource(relativeTo(from.url, at))
	if err != nil {
		return err
	}
	if next.subdir == "" {
		return f.hop(next, target, hops-1)
	}
	return f.part(next, target, hops-1)
}

// part fetches a package of which one directory is the package that was asked for.
func (f fetcher) part(from moduleSource, target string, hops int) error {
	temp, err := os.MkdirTemp("", "plumb-module-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(temp)
	whole := filepath.Join(temp, "package")
	if err := f.hop(from, whole, hops); err != nil {
		return err
	}
	dir, err := subdirectory(whole, from.subdir)
	if err != nil {
		return err
	}
	return os.CopyFS(target, os.DirFS(dir))
}

// metaLocation is what a page says in <meta name="terraform-get" content="...">, ""
// for nothing.
func metaLocation(page io.Reader) string {
	d := xml.NewDecoder(page)
	d.Strict = false
	d.CharsetReader = func(_ string, in io.Reader) (io.Reader, error) { return in, nil }
	for {
		t, err := d.RawToken()
		if err != nil {
			return ""
		}
		e, ok := t.(xml.StartElement)
		switch {
		case ok && strings.EqualFold(e.Name.Local, "body"):
			return ""
		case ok && strings.EqualFold(e.Name.Local, "meta") && attribute(e, "name") == "terraform-get":
			return attribute(e, "content")
		}
	}
}

func attribute(e xml.StartElement, name string) string {
	for _, a := range e.Attr {
		if strings.EqualFold(a.Name.Local, name) {
			return a.Value
		}
	}
	return ""
}

// relativeTo makes a location that an answer gives absolute.
func relativeTo(base *url.URL, at string) string {
	if strings.HasPrefix(at, "/") || strings.HasPrefix(at, "./") || strings.HasPrefix(at, "../") {
		if u, err := base.Parse(at); err == nil {
			return u.String()
		}
	}
	return at
}

// registryModule is a version of a module in a registry.
type registryModule struct{ version, location string }

// module chooses a version of a module and asks where its package is. source
// has its host.
func (r *registry) module(ctx context.Context, source, constraint string) (registryModule, error) {
	pack, subdir, inside := strings.Cut(source, "//")
	host, rest, _ := strings.Cut(pack, "/")
	base, err := r.discover(ctx, host, "modules.v1")
	if err != nil {
		return registryModule{}, err
	}
	at := base.JoinPath(rest)
	v, err := r.moduleVersion(ctx, host, at, constraint)
	if err != nil {
		return registryModule{}, err
	}
	where, err := r.moduleLocation(ctx, host, at.JoinPath(v, "download"))
	if err != nil {
		return registryModule{}, err
	}
	if inside {
		where = withSubdir(where, subdir)
	}
	return registryModule{v, where}, nil
}

// What a registry may not have.
var (
	errNoModule  = errors.New("no such module")
	errNoVersion = errors.New("no version of the module in the registry meets")
)

func (r *registry) moduleVersion(ctx context.Context, host string, at *url.URL, constraint string) (string, error) {
	var answer struct {
		Modules []struct{ Versions []struct{ Version string } }
	}
	err := r.json(ctx, at.JoinPath("versions"), host, &answer)
	if errors.Is(err, errNotFound) || err == nil && len(answer.Modules) == 0 {
		return "", fmt.Errorf("the registry %s has %w", host, errNoModule)
	}
	if err != nil {
		return "", err
	}
	allowed, err := lockfile.Allowed(constraint)
	if err != nil {
		return "", err
	}
	var list versions.List
	texts := map[string]string{}
	for _, one := range answer.Modules[0].Versions {
		if v, err := versions.ParseVersion(one.Version); err == nil {
			list = append(list, v)
			texts[v.String()] = one.Version
		}
	}
	sort.Sort(list)
	v := list.NewestInSet(allowed)
	if v == versions.Unspecified {
		return "", fmt.Errorf("%w %q", errNoVersion, constraint)
	}
	return texts[v.String()], nil
}

func (r *registry) moduleLocation(ctx context.Context, host string, at *url.URL) (string, error) {
	req, err := r.request(ctx, at, host)
	if err != nil {
		return "", err
	}
	res, err := r.asks.Do(req)
	if err != nil {
		return "", err
	}
	defer res.Body.Close()
	if res.StatusCode != http.StatusOK && res.StatusCode != http.StatusNoContent {
		return "", fmt.Errorf("%s answered %s", at.Redacted(), res.Status)
	}
	var body struct{ Location string }
	src, err := io.ReadAll(io.LimitReader(res.Body, maxAnswer))
	if err == nil && len(src) > 0 {
		// Only some registries answer in the body; the header counts otherwise.
		_ = json.Unmarshal(src, &body)
	}
	where := body.Location
	if where == "" {
		where = res.Header.Get("X-Terraform-Get")
	}
	if where == "" {
		return "", fmt.Errorf("the registry %s does not say where the module's package is", host)
	}
	return relativeTo(at, where), nil
}

// withSubdir adds a directory to the one that a location names.
func withSubdir(location, subdir string) string {
	pack, inner := splitSubdir(location)
	body, query, asked := strings.Cut(pack, "?")
	out := body + "//" + path.Join(inner, subdir)
	if asked {
		out += "?" + query
	}
	return out
}
