package install

import (
	"path/filepath"
	"slices"
	"strings"

	"github.com/apparentlymart/go-versions/versions"
	"github.com/plumb-iac/plumb/addr"
	"github.com/plumb-iac/plumb/diag"
	"github.com/plumb-iac/plumb/internal/lockfile"
)

// LocateRequest says which providers are to be found.
type LocateRequest struct {
	Dir, DataDir, Platform string
	Required               []Requirement
	// DevOverrides are used as they are.
	DevOverrides map[addr.Provider]string
	// Running providers need no package.
	Running map[addr.Provider]bool
	// Each reports a missing provider by itself, as validate does, instead of
	// all in one diagnostic.
	Each bool
}

// Locate finds the packages that the lock file chose and checks that they are
// genuine. A package is hashed once; later its files only have to look the
// same.
func Locate(req LocateRequest) (map[addr.Provider]Package, diag.List) {
	lock, _, diags := ReadLock(req.Dir)
	l := &locator{req: req, lock: lock, packages: map[addr.Provider]Package{}, hashes: openHashes(req.DataDir), diags: diags}
	l.overrides()
	if diags.HasErrors() {
		return l.packages, l.diags
	}
	for _, r := range req.Required {
		l.provider(r)
	}
	l.hashes.save()
	l.report()
	return l.packages, l.diags
}

// notThere is what validate says of most that is absent.
const notThere = "but that provider isn't available"

// absence is a provider that cannot be used, and what validate says of it.
type absence struct {
	provider addr.Provider
	why      string
}

type locator struct {
	req      LocateRequest
	lock     *lockfile.File
	packages map[addr.Provider]Package
	hashes   *hashes
	// unlocked and changed are at odds with the lock file, missing with what is
	// installed.
	unlocked, changed, missing []string
	absent                     []absence
	diags                      diag.List
}

// overrides uses the packages of providers under development.
func (l *locator) overrides() {
	var lines []string
	for _, p := range sortedProviders(l.req.DevOverrides) {
		dir := l.req.DevOverrides[p]
		lines = append(lines, " - "+p.Display()+" in "+dir)
		exe, err := executable(dir, p)
		if err != nil && !l.requires(p) {
			continue // another directory's concern
		}
		if err != nil {
			l.diags = l.diags.Append(diag.Err("Failed to use provider development override", "The CLI configuration overrides "+p.String()+" by "+dir+": "+err.Error()+".").By(diag.Operator))
			continue
		}
		l.packages[p] = Package{Provider: p, Dir: dir, Executable: exe}
	}
	if len(lines) > 0 {
		l.diags = l.diags.Append(diag.Warn("Provider development overrides are in effect",
			"The CLI configuration overrides these providers:\n"+strings.Join(lines, "\n")+
				"\n\nThey may behave unlike any released version, and states written with them may not fit released versions.").By(diag.Operator))
	}
}

func (l *locator) requires(p addr.Provider) bool {
	return slices.ContainsFunc(l.req.Required, func(r Requirement) bool { return r.Provider == p })
}

func (l *locator) provider(r Requirement) {
	p := r.Provider
	if _, overridden := l.req.DevOverrides[p]; overridden || p.IsBuiltin() || l.req.Running[p] {
		return
	}
	lock, ok := l.lock.Lock(p)
	if !ok {
		l.absent = append(l.absent, absence{p, notThere})
		l.unlocked = append(l.unlocked, "  - provider "+p.String()+": required by this configuration but no version is selected")
		return
	}
	if constraints, err := r.text(); err == nil && constraints != "" {
		allowed, err := lockfile.Allowed(constraints)
		v, err2 := versions.ParseVersion(lock.Version)
		if err == nil && err2 == nil && !allowed.Has(v) {
			l.changed = append(l.changed, "  - provider "+p.String()+": locked version selection "+lock.Version+" doesn't match the updated version constraints \""+constraints+"\"")
			return
		}
	}
	l.found(lock)
}

func (l *locator) found(lock lockfile.Lock) {
	p := lock.Provider
	base := filepath.Join(l.req.DataDir, "providers")
	pkg := Package{Provider: p, Version: lock.Version, Dir: packageDir(base, p, lock.Version, l.req.Platform)}
	miss := func(why, told string) {
		l.absent = append(l.absent, absence{p, told})
		l.missing = append(l.missing, "  - "+p.String()+": "+why)
	}
	var err error
	if pkg.Executable, err = executable(pkg.Dir, p); err != nil {
		miss("there is no package for "+p.String()+" "+lock.Version+" cached in "+filepath.ToSlash(base), notThere)
		return
	}
	pkg.Hash, err = l.hashes.of(pkg.Dir)
	if err == nil && !lock.Accepts(pkg.Hash) {
		pkg.Hash, err = l.hashes.anew(pkg.Dir) // the memory may be damaged
	}
	if err != nil {
		why := "the package in " + pkg.Dir + " cannot be read: " + err.Error()
		miss(why, "but "+why)
		return
	}
	if !lock.Accepts(pkg.Hash) {
		why := "the cached package for " + p.String() + " " + lock.Version + " (in " + filepath.ToSlash(base) + ") does not match any of the checksums recorded in the dependency lock file"
		miss(why, "but "+why)
		return
	}
	l.packages[p] = pkg
}

func (l *locator) report() {
	if l.req.Each {
		for _, a := range l.absent {
			l.diags = l.diags.Append(diag.Err("Missing required provider",
				"This configuration requires provider "+a.provider.String()+", "+a.why+". You may be able to install it automatically by running:\n  plumb init").By(diag.Operator))
		}
		return
	}
	fix := "To make the initial selections, which the lock file records, run:\n  plumb init"
	lines := append(append([]string{}, l.unlocked...), l.changed...)
	if len(l.changed) > 0 {
		fix = "To choose versions that fit the changed configuration, run:\n  plumb init -upgrade"
	}
	if len(lines) > 0 {
		l.diags = l.diags.Append(diag.Err("Inconsistent dependency lock file",
			"The lock file and the configuration do not agree on these providers:\n"+strings.Join(lines, "\n")+"\n\n"+fix).By(diag.Operator))
		return
	}
	if len(l.missing) > 0 {
		l.diags = l.diags.Append(diag.Err("Required plugins are not installed",
			"The packages installed here are not those that the lock file selects:\n"+strings.Join(l.missing, "\n")+"\n\nTo install what is missing, run:\n  plumb init").By(diag.Operator))
	}
}
