package config

import (
	"strings"

	"github.com/plumb-iac/plumb/addr"
	"github.com/plumb-iac/plumb/diag"
	"github.com/plumb-iac/plumb/internal/hcldiag"
)

// assemble makes a module of what the files of a directory declare. Primary
// files come before override files.
func assemble(d *decoder, dir string, decls []*declared) *Module {
	m := &Module{
		Dir: dir, host: d.reading.DefaultHost,
		Settings:  Settings{Required: map[string]*RequiredProvider{}, Meta: map[string]*ProviderMeta{}},
		Providers: map[ProviderKey]*Provider{}, Variables: map[string]*Variable{},
		Locals: map[string]*Local{}, Outputs: map[string]*Output{}, Calls: map[string]*ModuleCall{},
		Resources: map[addr.Resource]*Resource{}, Actions: map[ActionKey]*Action{}, Checks: map[string]*Check{},
	}
	a := &assembler{decoder: d, m: m}
	for _, f := range decls {
		if f.override {
			a.override(f)
		} else {
			a.add(f)
		}
	}
	a.finish()
	return m
}

type assembler struct {
	*decoder
	m          *Module
	requiredAt *diag.Range
	imports    map[string]*Import
}

// unique reports a second declaration of the same thing.
func (a *assembler) unique(at diag.Range, first *diag.Range, summary, what string) bool {
	if first == nil {
		return true
	}
	a.diags = a.diags.Append(diag.Err(summary, what+" is already declared at "+first.String()+". It can be declared once in a module.").At(at))
	return false
}

// add takes in the declarations of a primary file.
func (a *assembler) add(f *declared) {
	m := a.m
	for i := range f.settings {
		a.addSettings(&f.settings[i])
	}
	for _, p := range f.providers {
		what := "The default configuration of provider \"" + p.Key.Name + "\""
		if p.Key.Alias != "" {
			what = "The configuration " + p.Key.String()
		}
		put(a, m.Providers, p.Key, p, p.Range, (*Provider).where, "Duplicate provider configuration", what)
	}
	for _, v := range f.variables {
		put(a, m.Variables, v.Name, v, v.Range, (*Variable).where, "Duplicate variable declaration", "A variable named \""+v.Name+"\"")
	}
	for _, l := range f.locals {
		put(a, m.Locals, l.Name, l, l.Range, (*Local).where, "Duplicate local value definition", "A local value named \""+l.Name+"\"")
	}
	for _, o := range f.outputs {
		put(a, m.Outputs, o.Name, o, o.Range, (*Output).where, "Duplicate output definition", "An output named \""+o.Name+"\"")
	}
	for _, c := range f.calls {
		put(a, m.Calls, c.Name, c, c.Range, (*ModuleCall).where, "Duplicate module call", "A module call named \""+c.Name+"\"")
	}
	for _, r := range f.resources {
		a.addResource(r)
	}
	for _, x := range f.actions {
		put(a, m.Actions, x.Key, x, x.Range, (*Action).where, "Duplicate action \""+x.Key.Type+"\" configuration", "The action "+x.Key.Type+"."+x.Key.Name)
	}
	for _, c := range f.checks {
		if put(a, m.Checks, c.Name, c, c.Range, (*Check).where, "Duplicate check \""+c.Name+"\" configuration", "A check named \""+c.Name+"\"") && c.Data != nil {
			a.addResource(c.Data)
		}
	}
	m.Moved = append(m.Moved, f.moved...)
	m.Removed = append(m.Removed, f.removed...)
	for _, i := range f.imports {
		a.addImport(i)
	}
}

func put[K comparable, V any](a *assembler, into map[K]V, k K, v V, at diag.Range, where func(V) *diag.Range, summary, what string) bool {
	if first, taken := into[k]; taken {
		return a.unique(at, where(first), summary, what)
	}
	into[k] = v
	return true
}

func (p *Provider) where() *diag.Range   { return &p.Range }
func (v *Variable) where() *diag.Range   { return &v.Range }
func (l *Local) where() *diag.Range      { return &l.Range }
func (o *Output) where() *diag.Range     { return &o.Range }
func (c *ModuleCall) where() *diag.Range { return &c.Range }
func (r *Resource) where() *diag.Range   { return &r.Range }
func (x *Action) where() *diag.Range     { return &x.Range }
func (c *Check) where() *diag.Range      { return &c.Range }

func (a *assembler) addResource(r *Resource) {
	kind := "resource"
	if r.Addr.Mode != addr.Managed {
		kind = r.Addr.Mode.Prefix()
		kind = kind[:len(kind)-1]
	}
	put(a, a.m.Resources, r.Addr, r, r.Range, (*Resource).where,
		"Duplicate "+kind+" \""+r.Addr.Type+"\" configuration", "The "+modeWord(r.Addr.Mode)+" "+r.Addr.String())
}

func (a *assembler) addImport(i *Import) {
	if i.static && i.ForEach == nil {
		if a.imports == nil {
			a.imports = map[string]*Import{}
		}
		if first := a.imports[i.text]; first != nil {
			a.unique(hcldiag.RangeOf(i.To.Range()), &first.Range, "Duplicate import configuration for \""+i.text+"\"", "An import of "+i.text)
			return
		}
		a.imports[i.text] = i
	}
	a.m.Imports = append(a.m.Imports, i)
}

func (a *assembler) addSettings(s *settingsBlock) {
	into := &a.m.Settings
	if into.Range == (diag.Range{}) {
		into.Range = s.Range
	}
	into.RequiredVersions = append(into.RequiredVersions, s.RequiredVersions...)
	into.CompatibleWith = append(into.CompatibleWith, s.CompatibleWith...)
	for i, at := range s.requiredAt {
		if a.unique(at, a.requiredAt, "Duplicate required providers configuration", "The required_providers block of this module") {
			a.requiredAt = &s.requiredAt[i]
		}
	}
	for _, r := range s.required {
		if into.Required[r.Name] == nil {
			into.Required[r.Name] = r
		}
	}
	for _, b := range s.backends {
		if a.unique(b.Range, whereBackend(into.Backend), "Duplicate 'backend' configuration block", "The backend of this module") {
			into.Backend = b
		}
	}
	for _, b := range s.clouds {
		if a.unique(b.Range, whereBackend(into.Cloud), "Duplicate 'cloud' configuration block", "The cloud block of this module") {
			into.Cloud = b
		}
	}
	for _, b := range s.stores {
		if a.unique(b.Range, whereStore(into.Store), "Duplicate 'state_store' configuration block", "The state store of this module") {
			into.Store = b
		}
	}
	for _, p := range s.meta {
		put(a, into.Meta, p.Provider, p, p.Range, func(p *ProviderMeta) *diag.Range { return &p.Range },
			"Duplicate provider_meta block", "The provider_meta block for \""+p.Provider+"\"")
	}
	for _, b := range s.encryptions {
		if into.Encryption != nil {
			a.err(b.DefRange, "Duplicate encryption configuration", "A module can have one encryption block.")
			continue
		}
		into.Encryption, into.EncryptionRange = b.Body, hcldiag.RangeOf(b.DefRange)
	}
}

func whereBackend(b *Backend) *diag.Range {
	if b == nil {
		return nil
	}
	return &b.Range
}

func whereStore(b *StateStore) *diag.Range {
	if b == nil {
		return nil
	}
	return &b.Range
}

// onePlace sees that the state is kept in one place.
func (a *assembler) onePlace() {
	s := &a.m.Settings
	type keeping struct {
		block string
		at    *diag.Range
	}
	var places []keeping
	for _, p := range []keeping{{"cloud", whereBackend(s.Cloud)}, {"state_store", whereStore(s.Store)}, {"backend", whereBackend(s.Backend)}} {
		if p.at != nil {
			places = append(places, p)
		}
	}
	for i := 1; i < len(places); i++ {
		one, other := places[i-1], places[i]
		a.diags = a.diags.Append(diag.Err("Conflicting '"+one.block+"' and '"+other.block+"' configuration blocks",
			"State is kept in one place: remove one of the two blocks. The "+one.block+" block is at "+one.at.String()+".").At(*other.at))
	}
}

// keeper sees that the provider of a state store is one that the module requires.
func (a *assembler) keeper() {
	s := &a.m.Settings
	if s.Store == nil || s.Required[s.Store.Provider] != nil || s.Store.Provider == "terraform" {
		return
	}
	a.diags = a.diags.Append(diag.Err("Missing required provider",
		"The state is to be kept by the provider \""+s.Store.Provider+"\", of which required_providers says nothing. Add an entry with its source there: init installs it before anything else.").At(s.Store.ProviderRange))
}

// finish resolves names and checks what concerns several blocks.
func (a *assembler) finish() {
	m := a.m
	a.onePlace()
	a.keeper()
	if !a.root {
		a.ignoredSettings()
	}
	a.sameSource()
	a.builtinVersions()
	for _, r := range m.Resources {
		r.Source = m.ProviderSource(r.Provider.Name)
	}
	for _, x := range m.Actions {
		x.Source = m.ProviderSource(x.Provider.Name)
	}
}

func (a *assembler) ignoredSettings() {
	if b := a.m.Settings.Backend; b != nil {
		a.diags = a.diags.Append(diag.Warn("Backend configuration ignored",
			"Only the root module says where the state is kept; this block has no effect when the module is called by another.").At(b.Range))
	}
	if b := a.m.Settings.Store; b != nil {
		a.diags = a.diags.Append(diag.Warn("State store configuration ignored",
			"Only the root module says where the state is kept; this block has no effect when the module is called by another.").At(b.Range))
	}
	if b := a.m.Settings.Cloud; b != nil {
		a.diags = a.diags.Append(diag.Warn("Cloud configuration ignored",
			"Only the root module says where the state is kept; this block has no effect when the module is called by another.").At(b.Range))
	}
}

// sameSource warns of two local names for one provider.
func (a *assembler) sameSource() {
	by := map[addr.Provider]*RequiredProvider{}
	for _, name := range sortedKeys(a.m.Settings.Required) {
		r := a.m.Settings.Required[name]
		if first := by[r.Source]; first != nil {
			a.diags = a.diags.Append(diag.Warn("Duplicate required provider",
				"Provider "+r.Source.Display()+" already has the local name \""+first.Name+"\" in this module, at "+first.Range.String()+". Both names mean the same configurations, which is easily overlooked: give one provider one name, and use aliases for several configurations.").At(r.Range))
			continue
		}
		by[r.Source] = r
	}
}

// builtinVersions refuses to ask for a version of what is part of the program.
func (a *assembler) builtinVersions() {
	refuse := func(p addr.Provider, v VersionConstraint) {
		if p.IsBuiltin() && v.Text != "" {
			a.diags = a.diags.Append(diag.Err("Invalid dependency on built-in provider",
				"The provider "+p.Display()+" is part of this program and has no version of its own. Remove the version constraint.").At(v.Range))
		}
	}
	for _, name := range sortedKeys(a.m.Settings.Required) {
		r := a.m.Settings.Required[name]
		refuse(r.Source, r.Version)
	}
	for _, key := range sortedProviders(a.m) {
		refuse(a.m.ProviderSource(key.Name), a.m.Providers[key].Version)
	}
}

// ProviderSource is the provider that a local name stands for in the module.
func (m *Module) ProviderSource(name string) addr.Provider {
	if r := m.Settings.Required[name]; r != nil {
		return r.Source
	}
	if strings.Contains(name, "/") {
		if p, err := addr.ParseProvider(name, m.host); err == nil {
			return p
		}
	}
	return addr.ImpliedProvider(name, m.host)
}

// ProviderName is the local name that the module has for a provider. ok is
// false when no name in the module stands for it.
func (m *Module) ProviderName(p addr.Provider) (name string, ok bool) {
	for _, name := range sortedKeys(m.Settings.Required) {
		if m.Settings.Required[name].Source == p {
			return name, true
		}
	}
	if m.Settings.Required[p.Type] == nil && addr.ImpliedProvider(p.Type, m.host) == p {
		return p.Type, true
	}
	return "", false
}
