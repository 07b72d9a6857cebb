package addr

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// Hosts with a meaning of their own.
const (
	DefaultHost  = "registry.terraform.io"
	OpenTofuHost = "registry.opentofu.org"
	BuiltinHost  = "terraform.io"
)

// Provider is a provider's source address.
type Provider struct {
	Host, Namespace, Type string
}

// Builtin is the address terraform.io/builtin/NAME of a provider that is part
// of the program.
func Builtin(name string) Provider { return Provider{BuiltinHost, "builtin", name} }

// ImpliedProvider is the provider that a resource type prefix stands for when
// the configuration declares none: the type "terraform" is built in, all else
// is hashicorp/NAME on the default host.
func ImpliedProvider(name, defaultHost string) Provider {
	if name == "terraform" {
		return Builtin("terraform")
	}
	return Provider{defaultHost, "hashicorp", name}
}

// IsBuiltin says whether the provider is part of the program and so neither
// installed nor locked.
func (p Provider) IsBuiltin() bool { return p.Host == BuiltinHost && p.Namespace == "builtin" }

// IsZero says whether p is no address.
func (p Provider) IsZero() bool { return p == Provider{} }

// String is the full source address HOST/NAMESPACE/TYPE.
func (p Provider) String() string { return p.Host + "/" + p.Namespace + "/" + p.Type }

// Display is the address as people write it: without the default host.
func (p Provider) Display() string {
	if p.Host == DefaultHost {
		return p.Namespace + "/" + p.Type
	}
	return p.String()
}

// Less orders by full address.
func (p Provider) Less(o Provider) bool { return p.String() < o.String() }

// ParseProvider reads a source address: TYPE, NAMESPACE/TYPE or
// HOST/NAMESPACE/TYPE. Missing parts are hashicorp and defaultHost.
func ParseProvider(s, defaultHost string) (Provider, error) {
	parts := strings.Split(s, "/")
	p := Provider{Host: defaultHost, Namespace: "hashicorp"}
	switch len(parts) {
	case 1:
		p.Type = parts[0]
	case 2:
		p.Namespace, p.Type = parts[0], parts[1]
	case 3:
		p.Host, p.Namespace, p.Type = strings.ToLower(parts[0]), parts[1], parts[2]
	default:
		return Provider{}, errForm
	}
	p.Type = strings.ToLower(p.Type)
	p.Namespace = strings.ToLower(p.Namespace)
	if slices.Contains(parts, "") {
		return Provider{}, errForm
	}
	if strings.ContainsAny(p.Host, " _") {
		return Provider{}, &ProviderPartError{HostPart, fmt.Sprintf("%q is not a valid registry host name", p.Host)}
	}
	if p.Namespace != "-" && !ValidProviderPart(p.Namespace) {
		return Provider{}, &ProviderPartError{NamespacePart, fmt.Sprintf("%q is not a valid provider namespace: it consists of letters, digits and single dashes between them", p.Namespace)}
	}
	if !ValidProviderPart(p.Type) {
		return Provider{}, &ProviderPartError{TypePart, fmt.Sprintf("%q is not a valid provider type: it consists of letters, digits and single dashes between them", p.Type)}
	}
	if after, found := strings.CutPrefix(p.Type, "terraform-provider-"); found {
		return Provider{}, &ProviderPartError{TypePart, fmt.Sprintf("%q has the prefix of a provider's program in its name; the source address is probably %s/%s", s, p.Namespace, after)}
	}
	if after, found := strings.CutPrefix(p.Type, "terraform-"); found && len(parts) > 1 {
		return Provider{}, &ProviderPartError{TypePart, fmt.Sprintf("%q has a prefix that no provider's name has; the source address is probably %s/%s", s, p.Namespace, after)}
	}
	return p, nil
}

var errForm = errors.New("a provider source address has the form [HOSTNAME/]NAMESPACE/TYPE")

// The parts of a source address.
const (
	HostPart      = "host"
	NamespacePart = "namespace"
	TypePart      = "type"
)

// ProviderPartError is what ParseProvider says of an address one part of which
// is wrong.
type ProviderPartError struct {
	Part   string
	detail string
}

// Error says what is wrong with the part, and what it may be.
func (e *ProviderPartError) Error() string { return e.detail }

// ValidProviderPart says whether s, in lower case, can be a namespace, a type
// or a local name of a provider.
func ValidProviderPart(s string) bool {
	if s == "" || s[0] == '-' || s[len(s)-1] == '-' || strings.Contains(s, "--") && !strings.HasPrefix(s, "xn--") {
		return false
	}
	for _, r := range s {
		ok := r >= 'a' && r <= 'z' || r >= '0' && r <= '9' || r == '-' || r > 127
		if !ok {
			return false
		}
	}
	return true
}

// ProviderConfig is one provider configuration: a provider block, or the
// implied empty one, of a static module. The state refers to it.
type ProviderConfig struct {
	Module   Module
	Provider Provider
	Alias    string
	// Key is the instance of a provider block with for_each.
	Key InstanceKey
}

// String is the form of the state file:
// `module.a.provider["registry.terraform.io/hashicorp/aws"].east`.
func (c ProviderConfig) String() string {
	s := `provider["` + c.Provider.String() + `"]`
	if c.Alias != "" {
		s += "." + c.Alias
	}
	return dotted(c.Module.String(), s) + c.Key.String()
}

// ParseProviderConfig reads the form that String writes.
func ParseProviderConfig(s string) (ProviderConfig, error) {
	fail := fmt.Errorf("invalid provider configuration address %q", s)
	at := strings.Index(s, `provider["`)
	if at < 0 {
		return parseLegacyProviderConfig(s)
	}
	var c ProviderConfig
	if at > 0 {
		m, err := ParseModuleInstance(strings.TrimSuffix(s[:at], "."))
		if err != nil {
			return c, fail
		}
		c.Module = m.Module()
	}
	rest := s[at+len(`provider["`):]
	end := strings.Index(rest, `"]`)
	if end < 0 {
		return c, fail
	}
	p, err := ParseProvider(rest[:end], DefaultHost)
	if err != nil {
		return c, err
	}
	c.Provider = p
	rest = rest[end+2:]
	if after, ok := strings.CutPrefix(rest, "."); ok {
		ps := parser{src: after}
		c.Alias = ps.ident()
		rest = after[ps.pos:]
		if c.Alias == "" {
			return c, fail
		}
	}
	if rest != "" {
		ps := parser{src: rest}
		k, ok := ps.key()
		if !ok || !ps.done() {
			return c, fail
		}
		c.Key = k
	}
	return c, nil
}

// parseLegacyProviderConfig reads "provider.NAME[.ALIAS]" of states written
// before provider source addresses existed.
func parseLegacyProviderConfig(s string) (ProviderConfig, error) {
	var c ProviderConfig
	at := strings.LastIndex(s, "provider.")
	if at < 0 {
		return c, fmt.Errorf("invalid provider configuration address %q", s)
	}
	if at > 0 {
		m, err := ParseModuleInstance(strings.TrimSuffix(s[:at], "."))
		if err != nil {
			return c, err
		}
		c.Module = m.Module()
	}
	name, alias, _ := strings.Cut(s[at+len("provider."):], ".")
	c.Provider, c.Alias = Provider{DefaultHost, "-", name}, alias
	if name == "terraform" {
		c.Provider = Builtin("terraform")
	}
	return c, nil
}
