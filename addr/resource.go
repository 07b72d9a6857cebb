package addr

// Mode is the kind of a resource block.
type Mode uint8

// The modes. The zero value is invalid on purpose.
const (
	InvalidMode Mode = iota
	Managed
	Data
	Ephemeral
	List
)

// Prefix is what stands before the type in an address: "", "data.", …
func (m Mode) Prefix() string {
	switch m {
	case Data:
		return "data."
	case Ephemeral:
		return "ephemeral."
	case List:
		return "list."
	}
	return ""
}

// String is the mode as JSON formats write it.
func (m Mode) String() string {
	switch m {
	case Managed:
		return "managed"
	case Data:
		return "data"
	case Ephemeral:
		return "ephemeral"
	case List:
		return "list"
	}
	return "invalid"
}

// Resource is a resource block's address inside its module.
type Resource struct {
	Mode Mode
	Type string
	Name string
}

// String is the address, for example "data.aws_ami.x".
func (r Resource) String() string { return r.Mode.Prefix() + r.Type + "." + r.Name }

// Less orders resources: data first as its prefix sorts, then type, then name.
func (r Resource) Less(o Resource) bool {
	if r.Mode != o.Mode {
		return r.Mode > o.Mode
	}
	if r.Type != o.Type {
		return r.Type < o.Type
	}
	return r.Name < o.Name
}

// ConfigResource is a resource block in a static module: what dependencies in
// the state name, and what a site of the graph stands for.
type ConfigResource struct {
	Module   Module
	Resource Resource
}

// String is the address without any instance keys.
func (r ConfigResource) String() string { return dotted(r.Module.String(), r.Resource.String()) }

// Less orders by the texts of the addresses, as states sort dependencies. It compares
// resources of one module, which most are, without building the texts.
func (r ConfigResource) Less(o ConfigResource) bool {
	if r.Module != o.Module {
		return r.String() < o.String()
	}
	return lessJoined(r.Resource.pieces(), o.Resource.pieces())
}

// pieces are the parts of the address' text.
func (r Resource) pieces() [4]string { return [4]string{r.Mode.Prefix(), r.Type, ".", r.Name} }

// lessJoined compares two texts that are given in pieces.
func lessJoined(a, b [4]string) bool {
	for i, j := 0, 0; ; {
		for i < len(a) && a[i] == "" {
			i++
		}
		for j < len(b) && b[j] == "" {
			j++
		}
		if i == len(a) || j == len(b) {
			return j < len(b)
		}
		n := min(len(a[i]), len(b[j]))
		if x, y := a[i][:n], b[j][:n]; x != y {
			return x < y
		}
		a[i], b[j] = a[i][n:], b[j][n:]
	}
}

// AbsResource is a resource in one module instance.
type AbsResource struct {
	Module   ModuleInstance
	Resource Resource
}

// String is the address.
func (r AbsResource) String() string { return dotted(r.Module.String(), r.Resource.String()) }

// Instance is the instance of r with key k.
func (r AbsResource) Instance(k InstanceKey) AbsInstance {
	return AbsInstance{r.Module, r.Resource, k}
}

// Config drops the instance keys.
func (r AbsResource) Config() ConfigResource { return ConfigResource{r.Module.Module(), r.Resource} }

// Less orders by module, then resource.
func (r AbsResource) Less(o AbsResource) bool {
	if r.Module != o.Module {
		return r.Module.Less(o.Module)
	}
	return r.Resource.Less(o.Resource)
}

// AbsInstance is one resource instance: the unit of the lifecycle.
type AbsInstance struct {
	Module   ModuleInstance
	Resource Resource
	Key      InstanceKey
}

// String is the address, for example `module.a["x"].aws_vpc.main[0]`.
func (i AbsInstance) String() string {
	return dotted(i.Module.String(), i.Resource.String()+i.Key.String())
}

// HasAny says whether the address stands for instances that are not known.
func (i AbsInstance) HasAny() bool { return i.Key.IsAny() || i.Module.HasAny() }

// Abs is the resource that i is an instance of.
func (i AbsInstance) Abs() AbsResource { return AbsResource{i.Module, i.Resource} }

// Config drops all instance keys.
func (i AbsInstance) Config() ConfigResource { return i.Abs().Config() }

// Less orders by module, resource, key.
func (i AbsInstance) Less(o AbsInstance) bool {
	if i.Module != o.Module {
		return i.Module.Less(o.Module)
	}
	if i.Resource != o.Resource {
		return i.Resource.Less(o.Resource)
	}
	return i.Key.Less(o.Key)
}

// DeposedKey names an object that a create-before-destroy replacement left
// behind: eight hexadecimal digits. Empty means the current object.
type DeposedKey string

// Object is one object of an instance: the current one, or a deposed one.
type Object struct {
	Instance AbsInstance
	Deposed  DeposedKey
}

// String is the address, with the deposed key where there is one.
func (o Object) String() string {
	if o.Deposed == "" {
		return o.Instance.String()
	}
	return o.Instance.String() + " (deposed object " + string(o.Deposed) + ")"
}

// Less orders by instance; the current object comes before deposed ones.
func (o Object) Less(p Object) bool {
	if o.Instance != p.Instance {
		return o.Instance.Less(p.Instance)
	}
	return o.Deposed < p.Deposed
}

// AbsOutput is an output value of a module instance.
type AbsOutput struct {
	Module ModuleInstance
	Name   string
}

// String is the address, "output.x" or "module.a.output.x".
func (o AbsOutput) String() string { return dotted(o.Module.String(), "output."+o.Name) }

func dotted(module, rest string) string {
	if module == "" {
		return rest
	}
	return module + "." + rest
}
