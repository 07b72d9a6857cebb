package config

import (
	"encoding/json"
	"errors"
	"path"
	"sort"

	"github.com/hashicorp/go-version"
	"github.com/plumb-iac/plumb/addr"
	"github.com/plumb-iac/plumb/diag"
)

// ManifestRecord is where one called module was installed.
type ManifestRecord struct {
	// Key is the dotted path of the call, "" for the root module.
	Key    string `json:"Key"`
	Source string `json:"Source"`
	// Version is that of a module from a registry.
	Version string `json:"Version,omitempty"`
	Dir     string `json:"Dir"`
}

// Manifest is the record of installed modules, .terraform/modules/modules.json.
type Manifest struct{ records map[string]ManifestRecord }

type manifestFile struct {
	Modules []ManifestRecord `json:"Modules"`
}

// NewManifest makes a manifest of records.
func NewManifest(records []ManifestRecord) *Manifest {
	m := &Manifest{records: make(map[string]ManifestRecord, len(records))}
	for _, r := range records {
		m.records[r.Key] = r
	}
	return m
}

// ParseManifest reads a manifest file.
func ParseManifest(src []byte) (*Manifest, error) {
	var f manifestFile
	if len(src) > 0 {
		if err := json.Unmarshal(src, &f); err != nil {
			return NewManifest(nil), errors.New("the module manifest is damaged: " + err.Error())
		}
	}
	for i, r := range f.Modules {
		if r.Dir != "" {
			f.Modules[i].Dir = path.Clean(slashed(r.Dir))
		}
	}
	return NewManifest(f.Modules), nil
}

// Bytes is the manifest as a file.
func (m *Manifest) Bytes() []byte {
	b, err := json.Marshal(manifestFile{m.Records()})
	if err != nil {
		return nil
	}
	return b
}

// Records are the entries by key, the root first.
func (m *Manifest) Records() []ManifestRecord {
	out := make([]ManifestRecord, 0, len(m.records))
	for _, r := range m.records {
		out = append(out, r)
	}
	sort.Slice(out, func(i, j int) bool { return out[i].Key < out[j].Key })
	return out
}

// Record is the entry of a module.
func (m *Manifest) Record(p addr.Module) (ManifestRecord, bool) {
	r, ok := m.records[p.Key()]
	return r, ok
}

// Resolve is a [Resolver] that knows the modules that are installed.
func (m *Manifest) Resolve(p addr.Module, call *ModuleCall, _ string) (string, diag.List) {
	r, ok := m.Record(p)
	if !ok {
		return "", notInstalled(call)
	}
	if !SameSource(r.Source, call.Source) {
		return "", diag.List{diag.Err("Module source has changed",
			"The source address of the module call was \""+r.Source+"\" when it was installed. Run \"plumb init\" to install what it names now.").At(call.SourceRange)}
	}
	if !versionAllowed(call.Version.Text, r.Version) {
		return "", diag.List{diag.Err("Module version requirements have changed",
			"Version "+r.Version+" is installed, which the constraint no longer allows. Run \"plumb init\" to install one that it does.").At(call.SourceRange)}
	}
	return r.Dir, nil
}

func versionAllowed(constraint, installed string) bool {
	if constraint == "" || installed == "" {
		return true
	}
	c, err := version.NewConstraint(constraint)
	if err != nil {
		return true
	}
	v, err := version.NewVersion(installed)
	return err == nil && c.Check(v)
}

const summaryNotInstalled = "Module not installed"

func notInstalled(call *ModuleCall) diag.List {
	return diag.List{diag.Err(summaryNotInstalled,
		"This module has not been installed. Run \"plumb init\" to install all modules that the configuration calls.").At(call.Range)}
}
