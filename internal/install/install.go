package install

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/apparentlymart/go-versions/versions"
	"github.com/plumb-iac/plumb/addr"
	"github.com/plumb-iac/plumb/diag"
	"github.com/plumb-iac/plumb/internal/lockfile"
)

// InstallRequest says what to install where.
type InstallRequest struct {
	// Dir is the working directory, where the lock file is.
	Dir string
	// DataDir is .terraform, or what stands for it; relative to the directory
	// plumb was started in.
	DataDir string
	// Platform is OS_ARCH.
	Platform string
	// DefaultHost is left out of names shown.
	DefaultHost string
	Required    []Requirement
	// BuiltIn are the providers that are part of the program.
	BuiltIn []addr.Provider
	Sources Sources
	// PluginDirs are remembered when they are given.
	PluginDirs []string
	// Skip are providers that are not ours to install: under development or
	// already running. Their locks are kept.
	Skip map[addr.Provider]bool
	// CacheDir is shared between working directories; "" for none.
	CacheDir          string
	CacheMayBreakLock bool
	// Upgrade looks for newer versions than the locked ones.
	Upgrade bool
	// Beside keeps the locks of providers that are not required: they are for another
	// request.
	Beside bool
	// ReadonlyLock refuses to change the lock file.
	ReadonlyLock bool
	// Observe is told each step; nil for nobody.
	Observe func(Event)
}

// Result is what an installation came to.
type Result struct {
	// Lock is the lock file as it is now.
	Lock *lockfile.File
	// Created and Changed say what happened to it.
	Created, Changed bool
	Packages         map[addr.Provider]Package
}

// builtinFirst is the order of work: what costs nothing is told first.
func builtinFirst(required []Requirement) []Requirement {
	out := slices.Clone(required)
	slices.SortStableFunc(out, func(a, b Requirement) int {
		switch {
		case a.Provider.IsBuiltin() == b.Provider.IsBuiltin():
			return 0
		case a.Provider.IsBuiltin():
			return -1
		}
		return 1
	})
	return out
}

// Install chooses versions, puts packages into the working directory and
// writes the lock file.
func Install(ctx context.Context, req InstallRequest) (Result, diag.List) {
	before, existed, diags := ReadLock(req.Dir)
	result := Result{Lock: before, Packages: map[addr.Provider]Package{}}
	if diags.HasErrors() {
		return result, diags
	}
	if req.Upgrade && req.ReadonlyLock {
		return result, diags.Append(diag.Err("Conflicting init options", "-upgrade looks for newer versions and -lockfile=readonly forbids to note them; use one of the two.").By(diag.Operator))
	}
	i := &installer{ctx: ctx, req: req, before: before, after: lockfile.New().InStyleOf(before), result: &result, diags: diags}
	if req.Beside {
		i.after = before
	}
	for _, r := range builtinFirst(req.Required) {
		if err := ctx.Err(); err != nil {
			return result, i.diags.Append(diag.Err("Installation interrupted", "Stopped before all providers were installed; the lock file is unchanged.").By(diag.Operator))
		}
		i.provider(r)
	}
	if i.diags.HasErrors() {
		return result, i.diags
	}
	i.finish(existed)
	return result, i.diags
}

type installer struct {
	ctx           context.Context
	req           InstallRequest
	before, after *lockfile.File
	result        *Result
	// local are the providers whose hashes nobody but this machine vouches for.
	local []addr.Provider
	diags diag.List
}

func (i *installer) tell(e Event) {
	if i.req.Observe != nil {
		e.Name = i.name(e.Provider)
		i.req.Observe(e)
	}
}

func (i *installer) name(p addr.Provider) string {
	if p.Host == i.req.DefaultHost {
		return p.Namespace + "/" + p.Type
	}
	return p.Display()
}

func (i *installer) provider(r Requirement) {
	p := r.Provider
	old, locked := i.before.Lock(p)
	switch {
	case p.IsBuiltin():
		i.builtIn(p)
		return
	case i.req.Skip[p]:
		if locked {
			i.after = i.after.With(old)
		}
		return
	}
	constraints, err := r.text()
	if err != nil {
		i.fail(p, "Invalid version constraint", err)
		return
	}
	chosen, offer, err := i.choose(p, constraints, old, locked)
	if err != nil {
		i.query(p, err)
		return
	}
	if old.Version != chosen.String() {
		old = lockfile.Lock{}
	}
	lock := lockfile.Lock{Provider: p, Version: chosen.String(), Constraints: constraints, Hashes: old.Hashes}
	pkg, err := i.obtain(lock, offer)
	if err != nil {
		i.fail(p, "Failed to install provider", fmt.Errorf("%s v%s: %w", i.name(p), lock.Version, err))
		return
	}
	if len(lock.Hashes) == 0 && len(pkg.vouched) == 0 {
		i.local = append(i.local, p)
	}
	i.after = i.after.With(lock.Learning(append(pkg.vouched, pkg.Hash)...))
	i.result.Packages[p] = pkg
}

// choose gives the version to use and where to get it.
func (i *installer) choose(p addr.Provider, constraints string, old lockfile.Lock, locked bool) (versions.Version, func() (found, error), error) {
	allowed, err := lockfile.Allowed(constraints)
	if err != nil {
		return versions.Unspecified, nil, err
	}
	if locked && !i.req.Upgrade {
		return i.reuse(p, constraints, allowed, old)
	}
	i.tell(Event{Kind: Finding, Provider: p, Constraints: constraints})
	offers, err := i.offers(p, (*search).unsure)
	if err != nil {
		return versions.Unspecified, nil, err
	}
	list := make(versions.List, 0, len(offers))
	for v := range offers {
		list = append(list, v)
	}
	newest := list.NewestInSet(allowed)
	if newest == versions.Unspecified {
		return newest, nil, fmt.Errorf("no available releases match the given constraints %s", constraints)
	}
	return newest, func() (found, error) { return offers[newest], nil }, nil
}

// reuse takes the locked version; the sources are only asked when its package
// is not here yet.
func (i *installer) reuse(p addr.Provider, constraints string, allowed versions.Set, old lockfile.Lock) (versions.Version, func() (found, error), error) {
	i.tell(Event{Kind: Reusing, Provider: p})
	v, err := versions.ParseVersion(old.Version)
	if err != nil {
		return v, nil, err
	}
	if !allowed.Has(v) && constraints != "" {
		return v, nil, fmt.Errorf("the locked version %s does not match the configured version constraint %s; run plumb init -upgrade to choose another", old.Version, constraints)
	}
	return v, func() (found, error) {
		offers, err := i.offers(p, (*search).err)
		if err != nil {
			return found{}, err
		}
		f, ok := offers[v]
		if !ok {
			return f, fmt.Errorf("the locked version %s is not available for %s from any source", old.Version, i.req.Platform)
		}
		return f, nil
	}, nil
}

// offers are the versions that the sources have. Whether what they did not say
// matters, problem knows.
func (i *installer) offers(p addr.Provider, problem func(*search) error) (map[versions.Version]found, error) {
	q := i.req.Sources.search(i.ctx, p, i.req.Platform)
	for _, w := range q.warnings {
		i.diags = i.diags.Append(diag.Warn("Additional provider information from registry", "The registry says of "+i.name(p)+": "+w))
	}
	return q.all, problem(q)
}

// obtain makes sure that the package is in the working directory and genuine.
func (i *installer) obtain(lock lockfile.Lock, offer func() (found, error)) (Package, error) {
	p := lock.Provider
	target := packageDir(filepath.Join(i.req.DataDir, "providers"), p, lock.Version, i.req.Platform)
	if pkg, err := i.check(target, lock); err == nil && len(lock.Hashes) > 0 {
		i.tell(Event{Kind: Present, Provider: p, Version: lock.Version})
		return pkg, nil
	}
	if i.req.CacheDir != "" {
		return i.throughCache(lock, target, offer)
	}
	return i.fetch(lock, target, offer)
}

func (i *installer) fetch(lock lockfile.Lock, target string, offer func() (found, error)) (Package, error) {
	f, err := offer()
	if err != nil {
		return Package{}, err
	}
	i.tell(Event{Kind: Installing, Provider: lock.Provider, Version: lock.Version})
	got := download{trust: "unauthenticated"}
	if f.remote != nil {
		temp, err := os.MkdirTemp("", "plumb-download-")
		if err != nil {
			return Package{}, err
		}
		defer os.RemoveAll(temp)
		if got, err = f.remote(i.ctx, temp); err != nil {
			return Package{}, err
		}
		f.path = got.archive
	}
	pkg, err := i.put(f, got, lock, target)
	if err != nil {
		return pkg, err
	}
	i.tell(Event{Kind: Installed, Provider: lock.Provider, Version: lock.Version, Trust: got.trust})
	return pkg, nil
}

// put places a package and checks it.
func (i *installer) put(f found, got download, lock lockfile.Lock, target string) (Package, error) {
	if f.unpacked {
		if _, err := i.check(f.path, lock); err != nil {
			return Package{}, err
		}
	}
	if err := place(f, target); err != nil {
		return Package{}, err
	}
	pkg, err := i.check(target, lock, got.hashes...)
	if err == nil && len(got.expect) > 0 && !slices.Contains(got.expect, pkg.Hash) {
		err = errors.New("the package has none of the checksums that its source gives for it")
	}
	if err != nil {
		return pkg, errors.Join(err, os.RemoveAll(target))
	}
	pkg.vouched = got.hashes
	return pkg, nil
}

// throughCache links the package from the shared cache. A package that is
// there is only trusted when the lock file knows it.
func (i *installer) throughCache(lock lockfile.Lock, target string, offer func() (found, error)) (Package, error) {
	var vouched []string
	cached := packageDir(i.req.CacheDir, lock.Provider, lock.Version, i.req.Platform)
	if _, err := i.check(cached, lock); err == nil && (len(lock.Hashes) > 0 || i.req.CacheMayBreakLock) {
		i.tell(Event{Kind: FromCache, Provider: lock.Provider, Version: lock.Version})
	} else if pkg, err := i.fetch(lock, cached, offer); err != nil {
		return Package{}, err
	} else {
		vouched = pkg.vouched
	}
	if err := place(found{path: cached, unpacked: true}, target); err != nil {
		return Package{}, err
	}
	pkg, err := i.check(target, lock, vouched...)
	pkg.vouched = vouched
	return pkg, err
}

// check finds the program of a package and compares the package with the lock.
// vouched are hashes of the archive that it came in.
func (i *installer) check(dir string, lock lockfile.Lock, vouched ...string) (Package, error) {
	pkg := Package{Provider: lock.Provider, Version: lock.Version, Dir: dir}
	var err error
	if pkg.Executable, err = executable(dir, lock.Provider); err != nil {
		return pkg, err
	}
	if pkg.Hash, err = hashDir(dir); err != nil {
		return pkg, err
	}
	if !lock.Accepts(append(vouched, pkg.Hash)...) {
		return pkg, fmt.Errorf("the package in %s doesn't match any of the checksums recorded in the dependency lock file. They may be those of packages for other platforms: \"plumb providers lock\" adds yours. If the package was changed on purpose, remove the provider's block from %s", dir, lockfile.Name)
	}
	return pkg, nil
}

func (i *installer) fail(p addr.Provider, summary string, err error) {
	i.diags = i.diags.Append(diag.Err(summary, "Installing "+p.String()+" failed: "+strings.TrimSuffix(err.Error(), ".")+".").By(diag.Operator))
}

func (i *installer) query(p addr.Provider, err error) {
	i.diags = i.diags.Append(diag.Err("Failed to query available provider packages",
		"Could not retrieve the list of available versions for provider "+i.name(p)+": "+err.Error()+"."+i.meant(p)+"\n\nTo see which modules need it and in what versions, run:\n    plumb providers").By(diag.Operator))
}

// meant names the built-in provider that somebody who gave no source, or a short
// one, may have had in mind.
func (i *installer) meant(p addr.Provider) string {
	builtin := addr.Builtin(p.Type)
	if p != addr.ImpliedProvider(p.Type, i.req.DefaultHost) || !slices.Contains(i.req.BuiltIn, builtin) {
		return ""
	}
	return "\n\nThere is a built-in provider of that name, which needs no installation. To use it, write in required_providers:\n    " + p.Type + " = {\n      source = \"" + builtin.String() + "\"\n    }"
}

func (i *installer) builtIn(p addr.Provider) {
	if slices.Contains(i.req.BuiltIn, p) {
		i.tell(Event{Kind: BuiltIn, Provider: p})
		return
	}
	i.diags = i.diags.Append(diag.Err("Invalid dependency on built-in provider",
		"The source "+p.String()+" means a provider that is part of the program, and there is none of the name \""+p.Type+"\". Mend the source in required_providers.").By(diag.Author))
}

// finish writes the lock file and what else is remembered.
func (i *installer) finish(existed bool) {
	if err := i.rememberPluginDirs(); err != nil {
		i.diags = i.diags.Append(diag.Err("Failed to save plugin directories", "The providers are installed, but the directories of -plugin-dir cannot be remembered for later commands: "+err.Error()+".").By(diag.Operator))
	}
	i.writeLock(existed)
}

func (i *installer) writeLock(existed bool) {
	i.result.Lock = i.after
	if i.after.Equal(i.before) {
		return
	}
	if i.req.ReadonlyLock {
		i.readonly()
		return
	}
	if err := writeFile(filepath.Join(i.req.Dir, lockfile.Name), i.after.Bytes()); err != nil {
		i.diags = i.diags.Append(diag.Err("Failed to save dependency lock file", "The packages are installed, but "+lockfile.Name+" cannot be written: "+err.Error()+".").By(diag.Operator))
		return
	}
	i.result.Created, i.result.Changed = !existed, existed
	i.incomplete()
}

func (i *installer) readonly() {
	i.result.Lock = i.before
	if !i.after.SameProviders(i.before) {
		i.diags = i.diags.Append(diag.Err("Provider dependency changes detected",
			"The configuration needs other providers than the lock file holds, and -lockfile=readonly forbids to change it. Run \"plumb init\" without it to choose and record them.").By(diag.Operator))
		return
	}
	i.diags = i.diags.Append(diag.Warn("Provider lock file not updated",
		"There is something to add to the lock file, and -lockfile=readonly forbids to change it. Run \"plumb init\" without it to record that.").By(diag.Operator))
}

// incomplete warns of locks that no other platform can use.
func (i *installer) incomplete() {
	if len(i.local) == 0 {
		return
	}
	names := make([]string, 0, len(i.local))
	for _, p := range i.local {
		names = append(names, "  - "+i.name(p))
	}
	i.diags = i.diags.Append(diag.Warn("Incomplete lock file information for providers",
		"The packages of these providers come from a mirror, so their checksums could only be computed from what is here:\n"+strings.Join(names, "\n")+
			"\n\nThe lock file therefore holds checksums for "+i.req.Platform+" alone, and an installation on another platform will fail.\n\nTo add the checksums of another platform, run:\n  plumb providers lock -platform="+i.req.Platform+"\n(with the platform in question in place of "+i.req.Platform+")"))
}

// sortedProviders are the keys of a map by address.
func sortedProviders[V any](m map[addr.Provider]V) []addr.Provider {
	return slices.SortedFunc(maps.Keys(m), func(a, b addr.Provider) int { return strings.Compare(a.String(), b.String()) })
}
