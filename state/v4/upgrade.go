package v4

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/plumb-iac/plumb/addr"
	"github.com/plumb-iac/plumb/diag"
	"github.com/plumb-iac/plumb/state"
	"github.com/plumb-iac/plumb/value"
	ctyjson "github.com/zclconf/go-cty/cty/json"
)

// file3 is a state file of version 3, as Terraform 0.7 to 0.11 wrote it.
type file3 struct {
	Version string    `json:"terraform_version"`
	Serial  uint64    `json:"serial"`
	Lineage string    `json:"lineage"`
	Modules []module3 `json:"modules"`
}

type module3 struct {
	Path      []string             `json:"path"`
	Outputs   map[string]output3   `json:"outputs"`
	Resources map[string]resource3 `json:"resources"`
}

type output3 struct {
	Sensitive bool            `json:"sensitive"`
	Value     json.RawMessage `json:"value"`
}

type resource3 struct {
	Type      string      `json:"type"`
	DependsOn []string    `json:"depends_on"`
	Primary   *instance3  `json:"primary"`
	Deposed   []instance3 `json:"deposed"`
	Provider  string      `json:"provider"`
}

type instance3 struct {
	ID         string            `json:"id"`
	Attributes map[string]string `json:"attributes"`
	Meta       map[string]any    `json:"meta"`
	Tainted    bool              `json:"tainted"`
}

// upgrade3 reads a file of version 3. Attributes stay flat: only the provider
// knows what they are.
func upgrade3(src []byte) (*state.Snapshot, diag.List) {
	var f file3
	if err := json.Unmarshal(src, &f); err != nil {
		return nil, operator(unsupported, fmt.Sprintf("The state file has format version 3, but is not made like one: %v.", err))
	}
	var entries []state.Entry
	outputs := map[string]state.Output{}
	for _, m := range f.Modules {
		in := addr.RootInstance
		for _, name := range m.Path[min(1, len(m.Path)):] {
			in = in.Child(name, addr.NoKey)
		}
		for _, key := range sortedNames(m.Resources) {
			more, err := upgradeResource(in, key, m.Resources[key])
			if err != nil {
				return nil, operator(unsupported, fmt.Sprintf("The resource %q of the state file of version 3 cannot be understood: %v.", key, err))
			}
			entries = append(entries, more...)
		}
		if !in.IsRoot() {
			continue
		}
		for _, name := range sortedNames(m.Outputs) {
			o, err := upgradeOutput(m.Outputs[name])
			if err != nil {
				return nil, operator(unsupported, fmt.Sprintf("The output %q of the state file of version 3 cannot be understood: %v.", name, err))
			}
			outputs[name] = o
		}
	}
	s, err := state.Assemble(state.Header{Serial: f.Serial, Lineage: f.Lineage, Version: f.Version}, entries, outputs, nil)
	if err != nil {
		return nil, operator("Duplicate object in the state", "The state file cannot be used: "+err.Error()+".")
	}
	return s, nil
}

func sortedNames[V any](m map[string]V) []string {
	names := make([]string, 0, len(m))
	for name := range m {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

func upgradeOutput(o output3) (state.Output, error) {
	t, err := ctyjson.ImpliedType(o.Value)
	if err != nil {
		return state.Output{}, err
	}
	v, err := value.FromJSON(o.Value, t)
	return state.Output{Value: v.Cty(), Sensitive: o.Sensitive}, err
}

// upgradeResource reads "data.TYPE.NAME.INDEX" and what is stored under it.
func upgradeResource(in addr.ModuleInstance, key string, r resource3) ([]state.Entry, error) {
	at, err := upgradeAddress(in, key)
	if err != nil {
		return nil, err
	}
	provider, err := upgradeProvider(in, r.Provider, at.Resource.Type)
	if err != nil {
		return nil, err
	}
	deps := upgradeDependencies(in, r.DependsOn)
	var out []state.Entry
	add := func(k addr.DeposedKey, i *instance3) error {
		o, err := upgradeInstance(i)
		if err != nil {
			return err
		}
		o.Dependencies = deps
		out = append(out, state.Entry{Object: addr.Object{Instance: at, Deposed: k}, Provider: &provider, Value: o})
		return nil
	}
	if r.Primary != nil && r.Primary.ID != "" {
		if err := add("", r.Primary); err != nil {
			return nil, err
		}
	}
	for n := range r.Deposed {
		if err := add(addr.DeposedKey(fmt.Sprintf("%08x", n+1)), &r.Deposed[n]); err != nil {
			return nil, err
		}
	}
	return out, nil
}

func upgradeAddress(in addr.ModuleInstance, key string) (addr.AbsInstance, error) {
	parts := strings.Split(key, ".")
	at := addr.AbsInstance{Module: in, Resource: addr.Resource{Mode: addr.Managed}}
	if parts[0] == "data" {
		at.Resource.Mode, parts = addr.Data, parts[1:]
	}
	if len(parts) == 3 {
		n, err := strconv.Atoi(parts[2])
		if err != nil || n < 0 {
			return at, fmt.Errorf("its index %q is not a number", parts[2])
		}
		at.Key, parts = addr.IntKey(n), parts[:2]
	}
	if len(parts) != 2 || parts[0] == "" || parts[1] == "" {
		return at, fmt.Errorf("TYPE.NAME or TYPE.NAME.INDEX is expected")
	}
	at.Resource.Type, at.Resource.Name = parts[0], parts[1]
	return at, nil
}

// upgradeProvider reads "provider.NAME.ALIAS", "NAME.ALIAS" or nothing, which
// means the provider named by the type.
func upgradeProvider(in addr.ModuleInstance, text, typ string) (addr.ProviderConfig, error) {
	switch {
	case text == "":
		name, _, _ := strings.Cut(typ, "_")
		text = "provider." + name
	case !strings.HasPrefix(text, "provider.") && !strings.Contains(text, ".provider."):
		text = "provider." + text
	default:
		return providerConfig(text)
	}
	c, err := providerConfig(text)
	c.Module = in.Module()
	return c, err
}

// upgradeDependencies keeps the resources; modules and what cannot be read are
// found again from the configuration.
func upgradeDependencies(in addr.ModuleInstance, texts []string) []addr.ConfigResource {
	var out []addr.ConfigResource
	for _, text := range texts {
		if r, err := addr.ParseConfigResource(text); err == nil && r.Module.IsRoot() {
			r.Module = in.Module()
			out = append(out, r)
		}
	}
	return sortDependencies(out)
}

func upgradeInstance(i *instance3) (*state.Object, error) {
	o := &state.Object{Flat: map[string]string{}}
	for name, v := range i.Attributes {
		o.Flat[name] = v
	}
	if _, ok := o.Flat["id"]; !ok {
		o.Flat["id"] = i.ID
	}
	if i.Tainted {
		o.Status = state.Tainted
	}
	switch v := i.Meta["schema_version"].(type) {
	case string:
		n, err := strconv.ParseInt(v, 10, 64)
		if err != nil {
			return nil, fmt.Errorf("its schema version %q is not a number", v)
		}
		o.SchemaVersion = n
	case float64:
		o.SchemaVersion = int64(v)
	}
	delete(i.Meta, "schema_version")
	if len(i.Meta) > 0 {
		private, err := json.Marshal(i.Meta)
		if err != nil {
			return nil, err
		}
		o.Private = private
	}
	return o, nil
}
