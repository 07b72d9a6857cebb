package install

import (
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

// Modules loads the configuration in dir and installs the modules it calls:
// those with a local path are used in place and entered into the manifest.
// The manifest is only written when there are no errors. checkCalls makes
// arguments that a module has no variable for an error already here.
func Modules(files config.FS, dir, dataDir string, o config.LoadOptions, checkCalls bool, observe func(Event)) (*config.Tree, diag.List) {
	old, diags := ReadManifest(dataDir)
	if diags.HasErrors() {
		old, diags = config.NewManifest(nil), nil
	}
	m := &moduleInstaller{old: old, host: o.Reading.DefaultHost, observe: observe}
	m.records = append(m.records, config.ManifestRecord{Dir: path.Clean(filepath.ToSlash(dir))})
	o.Resolve = m.resolve
	tree, more := config.Load(files, dir, o)
	diags = diags.With(more)
	if checkCalls && !diags.HasErrors() {
		diags = diags.With(config.CheckCalls(tree))
	}
	if diags.HasErrors() {
		return tree, diags
	}
	if len(m.records) == 1 && len(old.Records()) == 0 {
		return tree, diags
	}
	src := config.NewManifest(m.records).Bytes()
	if string(src) == string(old.Bytes()) {
		return tree, diags
	}
	if err := writeFile(ManifestFile(dataDir), src); err != nil {
		diags = diags.Append(diag.Err("Failed to save module manifest", err.Error()+".").By(diag.Operator))
	}
	return tree, diags
}

type moduleInstaller struct {
	old     *config.Manifest
	host    string
	records []config.ManifestRecord
	observe func(Event)
}

func (m *moduleInstaller) resolve(p addr.Module, call *config.ModuleCall, parentDir string) (string, diag.List) {
	record := config.ManifestRecord{Key: p.Key(), Source: config.NormalSource(call.Source, m.host)}
	if config.IsLocalSource(call.Source) {
		record.Dir = path.Join(parentDir, filepath.ToSlash(call.Source))
		return m.install(record)
	}
	if prior, ok := m.old.Record(p); ok && config.SameSource(prior.Source, call.Source) {
		if dir, diags := m.old.Resolve(p, call, parentDir); !diags.HasErrors() {
			if info, err := os.Stat(dir); err == nil && info.IsDir() {
				m.records = append(m.records, prior)
				return dir, nil
			}
		}
	}
	return "", diag.List{diag.Err("Failed to download module",
		"This version of plumb uses modules in local directories and cannot download \""+call.Source+"\" yet. Get the module with another tool (its result in "+
			".terraform/modules is used as it is), or copy it into a directory and use a path that begins with ./ or ../ as the source.").At(call.SourceRange)}
}

func (m *moduleInstaller) install(r config.ManifestRecord) (string, diag.List) {
	m.records = append(m.records, r)
	if m.observe != nil {
		m.observe(Event{Kind: Module, Key: r.Key, Dir: r.Dir})
	}
	return r.Dir, nil
}
