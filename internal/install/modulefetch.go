package install

import (
	"archive/tar"
	"compress/gzip"
	"context"
	"encoding/base64"
	"encoding/json"
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

func (f fetcher) fetch(from moduleSource, target string) error {
	if from.kind == "git" {
		return f.git(from, target)
	}
	return f.web(from, target, 3)
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
	if err := os.MkdirAll(target, 0o755); err != nil {
		return err
	}
	if form == "zip" {
		return extract(name, target)
	}
	return extractTar(name, target)
}

// archiveForm is zip or tar.gz, or "" when the address is not of an archive.
func archiveForm(from moduleSource) string {
	name := from.url.Path
	if from.archive != "" {
		name = "." + from.archive
	}
	switch {
	case strings.HasSuffix(name, ".zip"):
		return "zip"
	case strings.HasSuffix(name, ".tar.gz"), strings.HasSuffix(name, ".tgz"):
		return "tar.gz"
	}
	return ""
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
	if err := res.Body.Close(); err != nil || at == "" {
		return errors.New("the address is neither of an archive (.zip, .tar.gz) nor does it say where one is")
	}
	next, err := parseModuleSource(relativeTo(from.url, at))
	if err != nil {
		return err
	}
	if next.kind == "git" {
		return f.git(next, target)
	}
	return f.web(next, target, hops-1)
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

// extractTar unpacks a compressed tar file into dir and nowhere else.
func extractTar(name, dir string) error {
	f, err := os.Open(name)
	if err != nil {
		return err
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		return fmt.Errorf("the archive cannot be read: %w", err)
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return err
	}
	defer root.Close()
	for t := tar.NewReader(z); ; {
		h, err := t.Next()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return fmt.Errorf("the archive cannot be read: %w", err)
		}
		if err := extractTarFile(root, h, t); err != nil {
			return fmt.Errorf("%s in the archive: %w", h.Name, err)
		}
	}
}

func extractTarFile(root *os.Root, h *tar.Header, in io.Reader) error {
	name := filepath.FromSlash(path.Clean(h.Name))
	if name == "." || h.Typeflag == tar.TypeXGlobalHeader {
		return nil
	}
	if !filepath.IsLocal(name) {
		return errors.New("the path leads out of the package")
	}
	switch h.Typeflag {
	case tar.TypeDir:
		return root.MkdirAll(name, 0o755)
	case tar.TypeSymlink:
		return root.Symlink(h.Linkname, name)
	case tar.TypeReg:
	default:
		return nil
	}
	if err := root.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		return err
	}
	out, err := root.OpenFile(name, os.O_CREATE|os.O_TRUNC|os.O_WRONLY, 0o644|os.FileMode(h.Mode)&0o111)
	if err != nil {
		return err
	}
	_, err = io.Copy(out, io.LimitReader(in, maxEntry))
	return errors.Join(err, out.Close())
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
	err := r.json(ctx, at.JoinPath("versions"), r.token(host), &answer)
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
	req, err := r.request(ctx, at, r.token(host))
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
