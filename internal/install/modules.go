package install

import (
	"context"
	"errors"
	"os"
	"path"
	"path/filepath"

	"github.com/plumb-iac/plumb/addr"
	"github.com/plumb-iac/plumb/config"
	"github.com/plumb-iac/plumb/diag"
)

// ManifestFile is the module manifest below a data directory.
func ManifestFile(dataDir string) string { return filepath.Join(dataDir, "modules", "modules.json") }

// ReadManifest reads the module manifest; an absent one is empty.
func ReadManifest(dataDir string) (*config.Manifest, diag.List) {
	src, err := os.ReadFile(ManifestFile(dataDir))
	if err != nil {
		return config.NewManifest(nil), nil
	}
	m, err := config.ParseManifest(src)
	if err != nil {
		return m, diag.Errs("Invalid module manifest", "The file "+ManifestFile(dataDir)+" cannot be used: "+err.Error()+". Remove it and run \"plumb init\" again.")
	}
	return m, nil
}

// ModuleRequest says which modules to install where.
type ModuleRequest struct {
	Files config.FS
	// Dir is the root module, DataDir is .terraform or what stands for it.
	Dir, DataDir string
	Load         config.LoadOptions
	// CheckCalls makes arguments that a module has no variable for an error
	// already here.
	CheckCalls bool
	// Upgrade fetches modules again that are there already.
	Upgrade bool
	// Sources know the registries.
	Sources Sources
	// Env is the environment of git.
	Env []string
	// Observe is told each step; nil for nobody.
	Observe func(Event)
}

// InstallModules loads the configuration and installs the modules it calls:
// those with a local path are used in place, others are fetched into the data
// directory. All that are there are entered into the manifest, also when the
// modules have mistakes, so that validate can tell all of them. Calls with wrong
// arguments, where they are checked, count as not installed.
func InstallModules(ctx context.Context, req ModuleRequest) (*config.Tree, diag.List) {
	old, diags := ReadManifest(req.DataDir)
	if diags.HasErrors() {
		old, diags = config.NewManifest(nil), nil
	}
	m := &moduleInstaller{ctx: ctx, req: req, old: old, fetched: map[string]string{}}
	m.records = append(m.records, config.ManifestRecord{Dir: path.Clean(filepath.ToSlash(req.Dir))})
	req.Load.Resolve = m.resolve
	tree, more := config.Load(req.Files, req.Dir, req.Load)
	diags = diags.With(more)
	if diags.HasErrors() {
		m.keep()
	} else if req.CheckCalls {
		if diags = diags.With(config.CheckCalls(tree)); diags.HasErrors() {
			return tree, diags
		}
	}
	if len(m.records) == 1 && len(old.Records()) == 0 {
		return tree, diags
	}
	src := config.NewManifest(m.records).Bytes()
	if string(src) == string(old.Bytes()) {
		return tree, diags
	}
	if err := writeFile(ManifestFile(req.DataDir), src); err != nil {
		diags = diags.Append(diag.Err("Failed to save module manifest", err.Error()+".").By(diag.Operator))
	}
	return tree, diags
}

type moduleInstaller struct {
	ctx     context.Context
	req     ModuleRequest
	old     *config.Manifest
	records []config.ManifestRecord
	// fetched are the directories of packages fetched in this run, by address.
	fetched map[string]string
}

// keep makes the records of an installation with errors ones that can be used:
// without modules that are not there, and with those that it did not get to.
func (m *moduleInstaller) keep() {
	have := map[string]bool{}
	var kept []config.ManifestRecord
	for _, r := range m.records {
		if info, err := os.Stat(filepath.FromSlash(r.Dir)); err == nil && info.IsDir() {
			kept, have[r.Key] = append(kept, r), true
		}
	}
	for _, r := range m.old.Records() {
		if !have[r.Key] {
			kept = append(kept, r)
		}
	}
	m.records = kept
}

func (m *moduleInstaller) tell(e Event) {
	if m.req.Observe != nil {
		m.req.Observe(e)
	}
}

func (m *moduleInstaller) resolve(p addr.Module, call *config.ModuleCall, parentDir string) (string, diag.List) {
	record := config.ManifestRecord{Key: p.Key(), Source: config.NormalSource(call.Source, m.req.Load.Reading.DefaultHost)}
	if config.IsLocalSource(call.Source) {
		record.Dir = path.Join(parentDir, filepath.ToSlash(call.Source))
		return m.install(p, record)
	}
	if prior, ok := m.old.Record(p); ok && !m.req.Upgrade {
		if dir, diags := m.old.Resolve(p, call, parentDir); !diags.HasErrors() {
			if info, err := os.Stat(dir); err == nil && info.IsDir() {
				m.records = append(m.records, prior)
				return dir, nil
			}
		}
	}
	if err := m.download(&record, call); err != nil {
		return "", diag.List{diag.Err(downloadSummary(err),
			"Could not get module \""+call.Name+"\" from \""+call.Source+"\": "+err.Error()+".").At(call.SourceRange)}
	}
	return m.install(p, record)
}

// install enters a module and tells of it, unless it was there as it is.
func (m *moduleInstaller) install(p addr.Module, r config.ManifestRecord) (string, diag.List) {
	m.records = append(m.records, r)
	if prior, ok := m.old.Record(p); !ok || prior != r || m.req.Upgrade {
		m.tell(Event{Kind: Module, Key: r.Key, Dir: r.Dir})
	}
	return r.Dir, nil
}

// download fetches a module's package and fills in the record.
func (m *moduleInstaller) download(record *config.ManifestRecord, call *config.ModuleCall) error {
	source := record.Source
	if config.IsRegistrySource(call.Source) {
		found, err := m.req.Sources.registry.module(m.ctx, source, call.Version.Text)
		if err != nil {
			return &registryError{err}
		}
		record.Version, source = found.version, found.location
		m.tell(Event{Kind: Downloading, Name: record.Source, Version: found.version, Key: record.Key})
	} else {
		m.tell(Event{Kind: Downloading, Name: source, Key: record.Key})
	}
	from, err := parseModuleSource(source)
	if err != nil {
		return err
	}
	target := filepath.Join(m.req.DataDir, "modules", record.Key)
	if err := m.fetch(from, target); err != nil {
		return err
	}
	dir, err := subdirectory(target, from.subdir)
	if err != nil {
		return err
	}
	record.Dir = filepath.ToSlash(dir)
	return nil
}

// registryError is what a registry answered, or why it did not answer.
type registryError struct{ error }

// Unwrap gives what happened.
func (e *registryError) Unwrap() error { return e.error }

// downloadSummary is the name of what kept a module from being fetched.
func downloadSummary(err error) string {
	var registry *registryError
	switch {
	case errors.Is(err, errUnknownSource):
		return "Invalid module source address"
	case errors.Is(err, errNoModule):
		return "Module not found"
	case errors.Is(err, errNoVersion):
		return "Unresolvable module version constraint"
	case errors.As(err, &registry):
		return "Error accessing remote module registry"
	}
	return "Failed to download module"
}

// fetch gets a package, or copies it where it was fetched already.
func (m *moduleInstaller) fetch(from moduleSource, target string) error {
	if err := os.RemoveAll(target); err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(target), 0o755); err != nil {
		return err
	}
	if before, ok := m.fetched[from.String()]; ok {
		return os.CopyFS(target, os.DirFS(before))
	}
	f := fetcher{ctx: m.ctx, registry: m.req.Sources.registry, env: m.req.Env}
	if err := f.fetch(from, target); err != nil {
		return err
	}
	m.fetched[from.String()] = target
	return nil
}
