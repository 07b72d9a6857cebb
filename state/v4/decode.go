package v4

import (
	"encoding/base64"
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/plumb-iac/plumb/addr"
	"github.com/plumb-iac/plumb/diag"
	"github.com/plumb-iac/plumb/state"
	"github.com/plumb-iac/plumb/value"
)

// decoder collects the parts of a snapshot.
type decoder struct {
	*scanner
	header  state.Header
	entries []state.Entry
	outputs map[string]state.Output
	checks  []state.CheckResult
	diags   diag.List

	// The texts seen so far with what they mean: a file repeats a few very
	// often.
	modules      map[string]addr.ModuleInstance
	providers    map[string]*addr.ProviderConfig
	dependencies map[string]addr.ConfigResource
	// listed is where a list of dependencies is put together, last the one before.
	listed, last []addr.ConfigResource
}

// parse reads a file of version 4.
func parse(src []byte) (*state.Snapshot, diag.List) {
	d := &decoder{
		scanner: newScanner(src), outputs: map[string]state.Output{}, modules: map[string]addr.ModuleInstance{},
		providers: map[string]*addr.ProviderConfig{}, dependencies: map[string]addr.ConfigResource{},
	}
	if err := d.file(); err != nil {
		return nil, d.diagnose(err)
	}
	if _, err := d.dec.ReadToken(); err == nil {
		line, column := d.position(d.dec.InputOffset())
		return nil, operator(unsupported, fmt.Sprintf("Something follows the end of the state, at line %d, column %d.", line, column))
	}
	if d.diags.HasErrors() {
		return nil, d.diags
	}
	s, err := state.Assemble(d.header, d.entries, d.outputs, d.checks)
	if err != nil {
		return nil, operator("Duplicate object in the state", "The state file cannot be used: "+err.Error()+".")
	}
	return s, d.diags
}

func (d *decoder) complain(summary, detail string) {
	d.diags = append(d.diags, operator(summary, detail)...)
}

func (d *decoder) file() error {
	return d.object(func(name string) (err error) {
		switch name {
		case "terraform_version":
			d.header.Version, err = d.text()
		case "serial":
			d.header.Serial, err = d.uint()
		case "lineage":
			d.header.Lineage, err = d.text()
		case "outputs":
			err = d.object(d.output)
		case "resources":
			err = d.array(d.resource)
		case "check_results":
			err = d.array(d.check)
		default:
			err = d.skip()
		}
		return err
	})
}

func (d *decoder) output(name string) error {
	var o state.Output
	var raw, typ []byte
	err := d.object(func(field string) (err error) {
		switch field {
		case "value":
			raw, err = d.value()
		case "type":
			typ, err = d.value()
		case "sensitive":
			o.Sensitive, err = d.bool()
		case "deprecated":
			o.Deprecated, err = d.text()
		default:
			err = d.skip()
		}
		return err
	})
	if err != nil {
		return err
	}
	t, err := value.TypeFromJSON(typ)
	if err != nil {
		d.complain("Invalid output value type in state", fmt.Sprintf("The type of output %q is not a type: %v.", name, err))
		return nil
	}
	v, err := value.FromJSON(raw, t)
	if err != nil {
		d.complain("Invalid output value saved in state", fmt.Sprintf("The value of output %q does not have the type recorded for it: %v.", name, err))
		return nil
	}
	o.Value = v.Cty()
	d.outputs[name] = o
	return nil
}

// resourceHeader is what a resource entry says before its instances.
type resourceHeader struct {
	module, mode, typ, name, provider string
}

func (d *decoder) resource() error {
	var h resourceHeader
	first := len(d.entries)
	err := d.object(func(field string) (err error) {
		switch field {
		case "module":
			h.module, err = d.text()
		case "mode":
			h.mode, err = d.text()
		case "type":
			h.typ, err = d.text()
		case "name":
			h.name, err = d.text()
		case "provider":
			h.provider, err = d.text()
		case "instances":
			err = d.array(d.instance)
		default:
			err = d.skip()
		}
		return err
	})
	if err != nil {
		return err
	}
	at, ok := d.address(h)
	if !ok {
		return nil
	}
	var provider *addr.ProviderConfig
	if h.provider != "" {
		if provider, ok = d.provider(h.provider, at); !ok {
			return nil
		}
	}
	if len(d.entries) == first {
		d.entries = append(d.entries, state.Entry{})
	}
	for i := first; i < len(d.entries); i++ {
		e := &d.entries[i]
		e.Object.Instance.Module, e.Object.Instance.Resource = at.Module, at.Resource
		if !e.Own {
			e.Provider = provider
		}
		if e.Provider == nil {
			d.complain("Missing provider configuration address", "The state does not say which provider manages "+at.String()+".")
			return nil
		}
	}
	return nil
}

func (d *decoder) address(h resourceHeader) (addr.AbsResource, bool) {
	at := addr.AbsResource{Resource: addr.Resource{Type: h.typ, Name: h.name}}
	switch h.mode {
	case "managed":
		at.Resource.Mode = addr.Managed
	case "data":
		at.Resource.Mode = addr.Data
	default:
		d.complain("Invalid resource mode in state", fmt.Sprintf("The state holds a resource of mode %q (%s %s). Only managed resources and data sources are stored; a newer program may have written it.", h.mode, h.typ, h.name))
		return at, false
	}
	if h.typ == "" || h.name == "" {
		d.complain("Invalid resource in state", fmt.Sprintf("The state holds a resource without a type or a name (type %q, name %q).", h.typ, h.name))
		return at, false
	}
	m, ok := d.modules[h.module]
	if !ok {
		var err error
		if m, err = addr.ParseModuleInstance(h.module); err != nil {
			d.complain("Invalid module address in state", "The state holds a resource in a module whose address cannot be read: "+err.Error()+".")
			return at, false
		}
		d.modules[h.module] = m
	}
	at.Module = m
	return at, true
}

func (d *decoder) provider(text string, at addr.AbsResource) (*addr.ProviderConfig, bool) {
	if p := d.providers[text]; p != nil {
		return p, true
	}
	p, err := providerConfig(text)
	if err != nil {
		d.complain("Invalid provider configuration address", fmt.Sprintf("The provider of %s cannot be read: %v.", at, err))
		return nil, false
	}
	d.providers[text] = &p
	return &p, true
}

// providerConfig reads the address of a provider configuration. Older forms are
// read more leniently than the present one, in which it is kept.
func providerConfig(text string) (addr.ProviderConfig, error) {
	p, err := addr.ParseProviderConfig(text)
	if err != nil {
		return p, err
	}
	return addr.ParseProviderConfig(p.String())
}

// instance reads one object into an entry without an address.
func (d *decoder) instance() error {
	o := &state.Object{}
	e := state.Entry{Value: o}
	var status, provider, deposed string
	err := d.object(func(field string) (err error) {
		var n uint64
		switch field {
		case "index_key":
			e.Object.Instance.Key, err = d.indexKey()
		case "status":
			status, err = d.text()
		case "deposed":
			deposed, err = d.text()
		case "provider":
			provider, err = d.text()
		case "schema_version":
			n, err = d.uint()
			o.SchemaVersion = int64(n)
		case "attributes":
			o.Attrs, err = d.raw()
		case "attributes_flat":
			o.Flat, err = d.flatmap()
		case "sensitive_attributes":
			o.Sensitive, err = d.paths()
		case "private":
			o.Private, err = d.base64()
		case "dependencies":
			o.Dependencies, err = d.dependencyList()
		case "create_before_destroy":
			o.CreateBeforeDestroy, err = d.bool()
		case "identity":
			o.Identity, err = d.raw()
		case "identity_schema_version":
			n, err = d.uint()
			o.IdentityVersion = int64(n)
		case "skip_destroy":
			o.SkipDestroy, err = d.bool()
		default:
			err = d.skip()
		}
		return err
	})
	if err != nil {
		return err
	}
	o.Status = d.status(status)
	if o.Attrs == nil && o.Flat == nil {
		o.Flat = map[string]string{}
	}
	e.Object.Deposed = addr.DeposedKey(deposed)
	if provider != "" {
		var ok bool
		if e.Provider, ok = d.provider(provider, addr.AbsResource{}); !ok {
			return nil
		}
		e.Own = true
	}
	d.entries = append(d.entries, e)
	return nil
}

func (d *decoder) status(text string) state.Status {
	switch text {
	case "":
		return state.Ready
	case "tainted":
		return state.Tainted
	}
	d.complain("Invalid resource instance metadata in state", fmt.Sprintf("The state holds an object of status %q, which has no meaning here; a newer program may have written it.", text))
	return state.Ready
}

func (d *decoder) indexKey() (addr.InstanceKey, error) {
	switch d.dec.PeekKind() {
	case 'n':
		return addr.NoKey, d.skip()
	case '"':
		s, err := d.text()
		return addr.StringKey(s), err
	case '0':
		raw, err := d.dec.ReadValue()
		if err != nil {
			return addr.NoKey, err
		}
		if f, err := strconv.ParseFloat(string(raw), 64); err == nil && f == math.Trunc(f) && f >= 0 && f < 1<<53 {
			return addr.IntKey(int(f)), nil
		}
		return addr.NoKey, &mismatch{d.dec.InputOffset() - int64(len(raw)), d.dec.StackPointer(), "a whole number, not negative"}
	}
	return addr.NoKey, d.wrong("a number or a string")
}

func (d *decoder) flatmap() (map[string]string, error) {
	if d.dec.PeekKind() == 'n' {
		return nil, d.skip()
	}
	out := map[string]string{}
	err := d.object(func(name string) (err error) {
		out[name], err = d.text()
		return err
	})
	return out, err
}

func (d *decoder) base64() ([]byte, error) {
	text, err := d.text()
	if err != nil || text == "" {
		return nil, err
	}
	b, err := base64.StdEncoding.DecodeString(text)
	if err != nil {
		return nil, &mismatch{d.dec.InputOffset(), d.dec.StackPointer(), "base64"}
	}
	return b, nil
}

// dependencyList reads addresses. Objects in a row that have the same ones, as
// those of a resource do, share them.
func (d *decoder) dependencyList() ([]addr.ConfigResource, error) {
	d.listed = d.listed[:0]
	err := d.array(func() error {
		r, err := d.dependency()
		d.listed = append(d.listed, r)
		return err
	})
	if len(d.listed) == 0 || err != nil {
		return nil, err
	}
	if d.listed = sortDependencies(d.listed); !slices.Equal(d.listed, d.last) {
		d.last = slices.Clip(slices.Clone(d.listed))
	}
	return d.last, nil
}

// dependency reads one address, each different text once.
func (d *decoder) dependency() (addr.ConfigResource, error) {
	if d.dec.PeekKind() != '"' {
		text, err := d.text()
		if err != nil {
			return addr.ConfigResource{}, err
		}
		return d.resourceNamed(text)
	}
	raw, err := d.dec.ReadValue()
	if err != nil {
		return addr.ConfigResource{}, err
	}
	if r, known := d.dependencies[string(raw)]; known {
		return r, nil
	}
	quoted := string(raw)
	text, _ := jsontext.AppendUnquote(nil, quoted) // what is wrong in it is no address
	r, err := d.resourceNamed(string(text))
	d.dependencies[quoted] = r
	return r, err
}

func (d *decoder) resourceNamed(text string) (addr.ConfigResource, error) {
	r, err := addr.ParseConfigResource(text)
	if err != nil {
		return r, &mismatch{d.dec.InputOffset(), d.dec.StackPointer(), "the address of a resource"}
	}
	return r, nil
}

func (d *decoder) check() error {
	var c state.CheckResult
	var status string
	err := d.object(func(field string) (err error) {
		switch field {
		case "object_kind":
			c.Kind, err = d.text()
		case "config_addr":
			c.ConfigAddr, err = d.text()
		case "status":
			status, err = d.text()
		case "objects":
			err = d.array(func() error {
				o, err := d.checkObject()
				c.Objects = append(c.Objects, o)
				return err
			})
		default:
			err = d.skip()
		}
		return err
	})
	c.Status = checkStatus(status)
	d.checks = append(d.checks, c)
	return err
}

func (d *decoder) checkObject() (o state.CheckObject, err error) {
	var status string
	err = d.object(func(field string) (err error) {
		switch field {
		case "object_addr":
			o.Addr, err = d.text()
		case "status":
			status, err = d.text()
		case "failure_messages":
			err = d.array(func() error {
				m, err := d.text()
				o.Failures = append(o.Failures, m)
				return err
			})
		default:
			err = d.skip()
		}
		return err
	})
	o.Status = checkStatus(status)
	return o, err
}

// checkStatus reads a status; words of newer programs are unknown.
func checkStatus(word string) state.CheckStatus {
	for s := state.CheckUnknown; s <= state.CheckError; s++ {
		if s.String() == word {
			return s
		}
	}
	return state.CheckUnknown
}
