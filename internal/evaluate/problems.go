package evaluate

import (
	"fmt"

	"github.com/hashicorp/hcl/v2"
	"github.com/plumb-iac/plumb/addr"
	"github.com/plumb-iac/plumb/config"
	"github.com/plumb-iac/plumb/diag"
	"github.com/plumb-iac/plumb/internal/lang"
	"github.com/plumb-iac/plumb/provider"
	"github.com/plumb-iac/plumb/value"
	"github.com/zclconf/go-cty/cty"
)

// The wording of what can be wrong with references and declarations.

func unsupportedArgument(name string, known []string, at diag.Range) diag.Diag {
	return diag.Err("Unsupported argument",
		fmt.Sprintf("An argument named %q is not expected here.%s", name, lang.DidYouMean(name, known))).At(at)
}

func missingArgument(name string, at diag.Range) diag.Diag {
	return diag.Err("Missing required argument",
		fmt.Sprintf("The argument %q is required, but no definition was found.", name)).At(at)
}

// unsetArgument is about a provider configuration that nobody wrote: d.Range is
// where it is needed.
func unsetArgument(d *ProviderDecl, name string) diag.Diag {
	problem := diag.Err("Missing required argument",
		fmt.Sprintf("The argument %q is required, but was not set. The provider %s cannot do without a configuration: add a provider %q block to the root module.", name, d.Addr.Provider.Display(), d.Addr.Provider.Type)).
		For(d.Addr.String()).By(diag.Author)
	if d.Range.Filename == "" { // the state needs it
		return problem
	}
	return problem.At(d.Range)
}

func noResource(r lang.Ref, m *Module) diag.Diag {
	var names []string
	other := addr.Resource{Mode: addr.Data, Type: r.Resource.Type, Name: r.Resource.Name}
	if r.Resource.Mode == addr.Data {
		other.Mode = addr.Managed
	}
	hint := ""
	for declared := range m.resources {
		if declared.Mode == r.Resource.Mode {
			names = append(names, declared.String())
		}
		if declared == other {
			hint = fmt.Sprintf("\n\nThere is %s; did you mean that?", other)
		}
	}
	d := lang.Undeclared(r, names, moduleName(m))
	d.Detail += hint
	return d
}

func noTrigger(r lang.Ref, s *Site) diag.Diag {
	return diag.Err("Undeclared resource in replace_triggered_by",
		fmt.Sprintf("The replacement of %s is to be triggered by %s, which this module does not declare.", s.Resource.Addr.Resource, r.Resource)).At(r.Full)
}

// wrongKey tells of a reference to a repeated resource as if there were one
// object, or the other way round; nil when there is nothing to tell.
func wrongKey(r lang.Ref, s *Site) *diag.Diag {
	if s.Resource == nil || s.Resource.Config.Enabled != nil {
		return nil
	}
	argument, example := "", ""
	switch cfg := s.Resource.Config; {
	case cfg.Count != nil:
		argument, example = "count", "count.index"
	case cfg.ForEach != nil:
		argument, example = "for_each", "each.key"
	}
	switch {
	case argument == "" && r.HasKey:
		d := diag.Err("Unexpected resource instance key",
			fmt.Sprintf("There is one %s, since it has neither \"count\" nor \"for_each\". Take the index away to refer to it.", r.Resource)).At(r.Range)
		return &d
	case argument != "" && !r.HasKey && r.SameKey == 0 && attributeNext(r):
		d := diag.Err("Missing resource instance key",
			fmt.Sprintf("Because %[1]s has %[2]q set, it is several objects, and an attribute is that of one of them. Say which one, for example in a block that is repeated in the same way:\n    %[1]s[%[3]s]", r.Resource, argument, example)).At(r.Range)
		return &d
	}
	return nil
}

// wrongOutput tells of what a reference to a module call asks for and the module
// has not; nil when there is nothing to tell, or somebody catches it.
func wrongOutput(r lang.Ref, call *Site) *diag.Diag {
	if call == nil || call.Call.Module == nil || r.Guarded {
		return nil
	}
	outputs := call.Call.Module.outputs
	cfg := call.Call.Config
	whole := !r.HasKey && r.Output != ""
	var d diag.Diag
	switch {
	case whole && cfg.Count != nil:
		d = diag.Err("Unsupported attribute", fmt.Sprintf(
			"module.%[1]s has count, so it is a list with an element for each instance, which has no attribute %[2]q. Say which instance is meant, module.%[1]s[0].%[2]s, or ask all of them: module.%[1]s[*].%[2]s.", r.Name, r.Output)).At(r.OutputRange())
	case whole && cfg.ForEach != nil:
		return nil // an instance by its key
	case r.HasKey && wrongKind(r.Key, cfg):
		d = diag.Err("Invalid index", fmt.Sprintf("module.%s has no instance with the key %s: %s.", r.Name, r.Key, keysOf(cfg))).At(r.Range)
	case r.Output != "" && outputs[r.Output] == nil:
		d = lang.UndeclaredOutput(r, r.Output, sorted(outputs)).At(r.OutputRange())
	case r.Selected != "" && outputs[r.Selected] == nil:
		d = lang.UndeclaredOutput(r, r.Selected, sorted(outputs)).At(r.Full)
	default:
		return nil
	}
	return &d
}

// wrongKind says whether a key is of another kind than the keys of a module
// call's instances.
func wrongKind(k addr.InstanceKey, cfg *config.ModuleCall) bool {
	_, number := k.Int()
	return cfg.Count != nil && !number || cfg.ForEach != nil && number
}

func keysOf(cfg *config.ModuleCall) string {
	if cfg.Count != nil {
		return "with count the keys are whole numbers"
	}
	return "with for_each the keys are strings"
}

// unavailable tells of each, count or self where there is none.
func unavailable(r lang.Ref) diag.Diag {
	if r.Kind == lang.RefEach && r.Name == "value" {
		return lang.EachValueGone(r)
	}
	return lang.Unavailable(r)
}

func attributeNext(r lang.Ref) bool {
	if len(r.Remaining) == 0 {
		return false
	}
	_, is := r.Remaining[0].(hcl.TraverseAttr)
	return is
}

func selfReference(r lang.Ref, s *Site) diag.Diag {
	return diag.Err("Self-referential block",
		fmt.Sprintf("The configuration of %s refers to the object that it describes, which does not exist before it is applied.", s.Addr())).At(r.Range)
}

func unknownType(p addr.Provider, schemas provider.Schemas, cfg *config.Resource) diag.Diag {
	kinds := map[addr.Mode][2]string{
		addr.Managed:   {"Invalid resource type", "resource type"},
		addr.Data:      {"Invalid data source", "data source"},
		addr.Ephemeral: {"Invalid ephemeral resource", "ephemeral resource"},
		addr.List:      {"Invalid list resource", "list resource"},
	}
	k := kinds[cfg.Addr.Mode]
	hint := lang.DidYouMean(cfg.Addr.Type, schemas.TypeNames(cfg.Addr.Mode))
	for mode, other := range kinds {
		if mode == cfg.Addr.Mode || hint != "" {
			continue
		}
		if found, _ := schemas.Type(mode, cfg.Addr.Type); found != nil {
			hint = fmt.Sprintf(" It has a %s of that name.", other[1])
		}
	}
	return diag.Err(k[0], fmt.Sprintf("The provider %s does not support %s %q.%s", p.Display(), k[1], cfg.Addr.Type, hint)).At(cfg.TypeRange)
}

// infiniteOutput is an output that no state can hold: such numbers come of dividing
// by zero, and serve as bounds in expressions.
func infiniteOutput(at cty.Path, rng diag.Range) diag.Diag {
	where := "The value"
	if len(at) > 0 {
		where += " has " + value.PathString(at) + ", which"
	}
	return diag.Err("Invalid output value",
		where+" is an infinite number, as comes of dividing by zero. An output is stored in the state, which cannot hold one.").At(rng).By(diag.Author)
}

func noProviderConfig(m *config.Module, key config.ProviderKey, user diag.Range) diag.Diag {
	detail := fmt.Sprintf("There is no provider %q block with alias %q that this could use. Declare it, or pass one to the module with its providers argument.", key.Name, key.Alias)
	if m.Expects(key) {
		detail = fmt.Sprintf("This module lists %s in configuration_aliases, so it expects whoever calls it to pass that configuration, and nobody calls it here. Work with a configuration that does, or test it: a run of a test file passes one with its providers argument.", key)
	}
	return diag.Err("Provider configuration not present", detail).At(user)
}

func moduleName(m *Module) string {
	if m.Config.Path.IsRoot() {
		return "the root module"
	}
	return m.Config.Path.String()
}
