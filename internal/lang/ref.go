package lang

import (
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/plumb-iac/plumb/addr"
	"github.com/plumb-iac/plumb/diag"
)

// RefKind is what a reference refers to.
type RefKind uint8

// The kinds of references. Output, Run and Check occur only in test files and
// are read by [ParseTestRef].
const (
	RefInvalid RefKind = iota
	RefVar
	RefLocal
	RefModule
	RefResource
	RefEach
	RefCount
	RefSelf
	RefPath
	RefTerraform
	RefAction
	RefCaller
	RefOutput
	RefRun
	RefCheck
)

// Ref is one reference in an expression, resolved as far as syntax goes.
type Ref struct {
	Kind RefKind
	// Root is the first word as written, which tells "terraform" from "tofu".
	Root string
	// Name is the name of a variable, local value, module call, output, run or
	// check; for each, count, path and terraform the attribute.
	Name string
	// Resource is set for RefResource; for RefAction its Type and Name are.
	Resource addr.Resource
	// Key is a constant index right behind a resource or module call.
	Key    addr.InstanceKey
	HasKey bool
	// SameKey is RefCount for x[count.index] and RefEach for x[each.key]: the
	// reference needs only the instance with the reader's own key.
	SameKey RefKind
	// Output is the first attribute behind a module call, if any.
	Output string
	// Selected is the output read of the selected instances in
	// module.m[expression].out and module.m[*].out.
	Selected string
	// Guarded says that the reference stands in a call of try or can: what it
	// does not find is no mistake.
	Guarded bool
	// Remaining is what follows, without key and output.
	Remaining hcl.Traversal
	// Range covers the part that names the object, without Remaining.
	Range diag.Range
	// Full is the whole reference as written.
	Full diag.Range
}

// String is the address of what is referred to: "aws_x.y", `aws_x.y["k"]`,
// "module.a.out", "var.z", "each.key", "self".
func (r Ref) String() string {
	switch r.Kind {
	case RefVar:
		return "var." + r.Name
	case RefLocal:
		return "local." + r.Name
	case RefModule:
		s := "module." + r.Name + r.Key.String()
		if r.Output != "" {
			s += "." + r.Output
		}
		return s
	case RefResource:
		return r.Resource.String() + r.Key.String()
	case RefAction:
		return "action." + r.Resource.Type + "." + r.Resource.Name + r.Key.String()
	case RefSelf, RefCaller:
		return r.Root
	case RefInvalid:
		return ""
	}
	if r.Name == "" {
		return r.Root
	}
	return r.Root + "." + r.Name
}

// OutputRange is where the output behind a module call stands, with its dot.
func (r Ref) OutputRange() diag.Range {
	at := r.Range
	at.Start = at.End
	at.Start.Column -= len(r.Output) + 1
	at.Start.Byte -= len(r.Output) + 1
	return at
}

// Text is the whole reference, Remaining included, in canonical form.
func (r Ref) Text() string { return r.String() + TraversalText(r.Remaining) }

// TraversalText writes a traversal the way it is written in configuration.
func TraversalText(t hcl.Traversal) string {
	var b strings.Builder
	for _, step := range t {
		switch step := step.(type) {
		case hcl.TraverseRoot:
			b.WriteString(step.Name)
		case hcl.TraverseAttr:
			b.WriteString("." + step.Name)
		case hcl.TraverseIndex:
			b.WriteString("[" + keyText(step.Key) + "]")
		case hcl.TraverseSplat:
			b.WriteString("[*]")
		}
	}
	return b.String()
}

// FuncRef is a call of a provider's function.
type FuncRef struct {
	// Provider is the provider's local name, Alias the alias where one is
	// written between the provider and the function.
	Provider, Alias, Name string
	Range                 diag.Range
}

// String is the function's name as it is called.
func (f FuncRef) String() string {
	if f.Alias != "" {
		return "provider::" + f.Provider + "::" + f.Alias + "::" + f.Name
	}
	return "provider::" + f.Provider + "::" + f.Name
}
