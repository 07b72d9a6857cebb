package install

import (
	"archive/zip"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/apparentlymart/go-versions/versions"
	"github.com/plumb-iac/plumb/addr"
	"github.com/plumb-iac/plumb/diag"
	"github.com/plumb-iac/plumb/internal/lockfile"
	"golang.org/x/mod/sumdb/dirhash"
)

// LockPlatforms adds the checksums of packages for other platforms to the lock
// file, without installing them.
func LockPlatforms(ctx context.Context, req InstallRequest, platforms []string) (Result, diag.List) {
	c, existed, diags := newCollector(ctx, req)
	if diags.HasErrors() {
		return *c.result, diags
	}
	c.after = c.before
	c.each(platforms, func(lock lockfile.Lock, _ string, pkg packed) error {
		known, _ := c.after.Lock(lock.Provider)
		if known.Version != lock.Version {
			known = lock
		}
		c.after = c.after.With(known.Learning(append(pkg.vouched, pkg.hash)...))
		return nil
	})
	if !c.diags.HasErrors() {
		c.writeLock(existed)
	}
	return *c.result, c.diags
}

// MirrorTo puts packages of all required providers into a directory that can
// be a filesystem mirror, and served as a network mirror.
func MirrorTo(ctx context.Context, req InstallRequest, dir string, platforms []string) diag.List {
	c, _, diags := newCollector(ctx, req)
	if diags.HasErrors() {
		return diags
	}
	c.each(platforms, func(lock lockfile.Lock, platform string, pkg packed) error {
		return addToMirror(dir, lock, platform, pkg)
	})
	return c.diags
}

func newCollector(ctx context.Context, req InstallRequest) (*installer, bool, diag.List) {
	before, existed, diags := ReadLock(req.Dir)
	result := Result{Lock: before}
	return &installer{ctx: ctx, req: req, before: before, after: before, result: &result, diags: diags}, existed, diags
}

// packed is a package as it comes and unpacked in a temporary directory.
type packed struct {
	archive, dir string
	hash, trust  string
	vouched      []string
}

// each gets the package of every required provider for every platform.
func (i *installer) each(platforms []string, use func(lockfile.Lock, string, packed) error) {
	for _, r := range i.req.Required {
		if r.Provider.IsBuiltin() || i.req.Skip[r.Provider] {
			continue
		}
		lock, err := i.selected(r, platforms)
		if err != nil {
			i.query(r.Provider, err)
			continue
		}
		for _, platform := range platforms {
			if err := i.collect(lock, platform, use); err != nil {
				i.fail(r.Provider, "Could not retrieve providers", fmt.Errorf("%s %s for %s: %w", i.name(r.Provider), lock.Version, platform, err))
			}
		}
	}
}

// selected is the locked version, or the newest one that all modules allow: where
// there is no such lock, or newer versions are wanted.
func (i *installer) selected(r Requirement, platforms []string) (lockfile.Lock, error) {
	constraints, err := r.text()
	if err != nil {
		return lockfile.Lock{}, err
	}
	allowed, err := lockfile.Allowed(constraints)
	if err != nil {
		return lockfile.Lock{}, err
	}
	if old, ok := i.before.Lock(r.Provider); ok && !i.req.Upgrade {
		if v, err := versions.ParseVersion(old.Version); err == nil && (constraints == "" || allowed.Has(v)) {
			old.Constraints = constraints
			return old, nil
		}
	}
	i.tell(Event{Kind: Finding, Provider: r.Provider, Constraints: constraints})
	q := i.req.Sources.search(i.ctx, r.Provider, platforms[0])
	if err := q.unsure(); err != nil {
		return lockfile.Lock{}, err
	}
	var list versions.List
	for v := range q.all {
		list = append(list, v)
	}
	newest := list.NewestInSet(allowed)
	if newest == versions.Unspecified {
		return lockfile.Lock{}, fmt.Errorf("no available releases match the given constraints %s", constraints)
	}
	return lockfile.Lock{Provider: r.Provider, Version: newest.String(), Constraints: constraints}, nil
}

func (i *installer) collect(lock lockfile.Lock, platform string, use func(lockfile.Lock, string, packed) error) error {
	p := lock.Provider
	v, err := versions.ParseVersion(lock.Version)
	if err != nil {
		return err
	}
	q := i.req.Sources.search(i.ctx, p, platform)
	f, ok := q.all[v]
	if !ok {
		return errors.Join(errors.New("there is no package of this version"), q.err())
	}
	i.tell(Event{Kind: Fetching, Provider: p, Version: lock.Version, Platform: platform})
	temp, err := os.MkdirTemp("", "plumb-package-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(temp)
	pkg, err := unpack(i.ctx, f, temp)
	if err != nil {
		return err
	}
	// The hashes of other platforms are no reason to refuse this one.
	if err := use(lock, platform, pkg); err != nil {
		return err
	}
	i.tell(Event{Kind: Retrieved, Provider: p, Version: lock.Version, Platform: platform, Trust: pkg.trust})
	return nil
}

// unpack gets a package and its hash.
func unpack(ctx context.Context, f found, temp string) (packed, error) {
	pkg := packed{archive: f.path, trust: "unauthenticated"}
	var expect []string
	if f.unpacked {
		pkg.archive, pkg.dir = "", f.path
	} else {
		if f.remote != nil {
			got, err := f.remote(ctx, temp)
			if err != nil {
				return pkg, err
			}
			pkg.archive, pkg.trust, pkg.vouched, expect = got.archive, got.trust, got.hashes, got.expect
		}
		pkg.dir = filepath.Join(temp, "unpacked")
		if err := os.Mkdir(pkg.dir, 0o755); err != nil {
			return pkg, err
		}
		if err := extract(pkg.archive, pkg.dir); err != nil {
			return pkg, err
		}
	}
	var err error
	pkg.hash, err = hashDir(pkg.dir)
	if err == nil && len(expect) > 0 && !slices.Contains(expect, pkg.hash) {
		err = errors.New("the package has none of the checksums that its source gives for it")
	}
	return pkg, err
}

// addToMirror writes the archive and what a network mirror says about it.
func addToMirror(dir string, lock lockfile.Lock, platform string, pkg packed) error {
	p := lock.Provider
	base := filepath.Join(dir, p.Host, p.Namespace, p.Type)
	if err := os.MkdirAll(base, 0o755); err != nil {
		return err
	}
	name := archiveName(p, lock.Version, platform)
	if err := copyArchive(pkg, filepath.Join(base, name)); err != nil {
		return err
	}
	index := struct {
		Versions map[string]struct{} `json:"versions"`
	}{}
	if err := amend(filepath.Join(base, "index.json"), &index, func() {
		if index.Versions == nil {
			index.Versions = map[string]struct{}{}
		}
		index.Versions[lock.Version] = struct{}{}
	}); err != nil {
		return err
	}
	type archive struct {
		Hashes []string `json:"hashes"`
		URL    string   `json:"url"`
	}
	list := struct {
		Archives map[string]archive `json:"archives"`
	}{}
	return amend(filepath.Join(base, lock.Version+".json"), &list, func() {
		if list.Archives == nil {
			list.Archives = map[string]archive{}
		}
		list.Archives[platform] = archive{Hashes: []string{pkg.hash}, URL: name}
	})
}

func archiveName(p addr.Provider, version, platform string) string {
	return "terraform-provider-" + p.Type + "_" + version + "_" + platform + ".zip"
}

// amend changes a JSON file, which need not exist. One that is there and cannot be read
// stays: it may list more than what is added.
func amend(name string, into any, change func()) error {
	src, err := os.ReadFile(name)
	if err == nil {
		if err := json.Unmarshal(src, into); err != nil {
			return fmt.Errorf("%s is damaged: %w", name, err)
		}
	} else if !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	change()
	src, err = json.MarshalIndent(into, "", "  ")
	if err != nil {
		return err
	}
	return writeFile(name, append(src, '\n'))
}

// copyArchive writes the archive as it came, or makes one of the files.
func copyArchive(pkg packed, to string) error {
	if pkg.archive != "" {
		src, err := os.ReadFile(pkg.archive)
		if err != nil {
			return err
		}
		return writeFile(to, src)
	}
	f, err := os.CreateTemp(filepath.Dir(to), ".new-*")
	if err != nil {
		return err
	}
	defer os.Remove(f.Name())
	err = errors.Join(pack(f, pkg.dir), f.Chmod(0o644), f.Close())
	if err != nil {
		return err
	}
	return os.Rename(f.Name(), to)
}

// pack writes the archive of a package: the files that its hash is of, and for a
// link to a file what it leads to.
func pack(w io.Writer, dir string) error {
	real, err := filepath.EvalSymlinks(dir)
	if err != nil {
		return err
	}
	names, err := dirhash.DirFiles(real, "")
	if err != nil {
		return err
	}
	z := zip.NewWriter(w)
	for _, name := range names {
		if err := packFile(z, real, name); err != nil {
			return err
		}
	}
	return z.Close()
}

// packFile adds one file, name being its path below dir with slashes.
func packFile(z *zip.Writer, dir, name string) error {
	f, err := os.Open(filepath.Join(dir, filepath.FromSlash(name)))
	if err != nil {
		return err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return err
	}
	h, err := zip.FileInfoHeader(info)
	if err != nil {
		return err
	}
	h.Name, h.Method = name, zip.Deflate
	w, err := z.CreateHeader(h)
	if err != nil {
		return err
	}
	_, err = io.Copy(w, f)
	return err
}
