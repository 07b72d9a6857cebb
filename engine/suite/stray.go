package suite

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/plumb-iac/plumb/addr"
	"github.com/plumb-iac/plumb/config"
	"github.com/plumb-iac/plumb/diag"
	"github.com/plumb-iac/plumb/internal/lang"
	"github.com/plumb-iac/plumb/provider"
	"github.com/plumb-iac/plumb/schema"
	"github.com/zclconf/go-cty/cty"
)

// strayNote is something that a file says and that has no effect; it is told once.
type strayNote struct {
	at   diag.Range
	name string
}

// warnOnce tells of what has no effect.
func (b *builder) warnOnce(at diag.Range, name, summary, detail string) {
	if note := (strayNote{at, name}); !b.told[note] {
		b.told[note] = true
		b.diags = b.diags.Append(diag.Warn(summary, detail).At(at))
	}
}

// strayValues tells of values for attributes that a type has not. Schemas that
// cannot be had are told by the run itself.
func (b *builder) strayValues(ctx context.Context, source addr.Provider, mode addr.Mode, typeName string, given cty.Value, at diag.Range) {
	if given == cty.NilVal {
		return
	}
	schemas, diags := b.current().Schemas(ctx, source)
	if diags.HasErrors() {
		return
	}
	sch := known(schemas, mode, typeName)
	if sch == nil {
		b.warnOnce(at, typeName, "Values for an unknown type", fmt.Sprintf("The provider %s has no type %q, so these values are not used.%s", source.Display(), typeName, lang.DidYouMean(typeName, schemas.TypeNames(mode))))
		return
	}
	names := slices.Concat(sch.Block.AttrNames(), sch.Block.BlockNames())
	for it := given.ElementIterator(); it.Next(); {
		k, _ := it.Element()
		if name := k.AsString(); !slices.Contains(names, name) {
			b.warnOnce(at, name, "Value for an unknown attribute", fmt.Sprintf("%s has no attribute %q, so the value that is given for it is not used.%s", typeName, name, lang.DidYouMean(name, names)))
		}
	}
}

func known(schemas provider.Schemas, mode addr.Mode, typeName string) *schema.Resource {
	found, diags := schemas.Type(mode, typeName)
	if diags.HasErrors() {
		return nil
	}
	return found
}

// declared finds what an override is about; nil where the module under test does
// not declare it.
func (b *builder) declared(t addr.Target) *config.Resource {
	m := b.under.Descendant(t.Module.Module())
	if m == nil {
		return nil
	}
	return m.Resources[t.Resource]
}

// strayTargets tells of overrides that are about nothing in any of the modules that
// they are for.
func (b *builder) strayTargets(list []*config.Override, under ...*config.Module) {
	for _, o := range list {
		if !slices.ContainsFunc(under, func(m *config.Module) bool { return declares(m, o.Target) }) {
			b.warnOnce(o.TargetRange, o.Target.String(), "Invalid override target", "The module under test does not declare "+o.Target.String()+", so nothing is overridden.")
		}
	}
}

func declares(root *config.Module, t addr.Target) bool {
	m := root.Descendant(t.Module.Module())
	return m != nil && (!t.HasResource || m.Resources[t.Resource] != nil)
}

// tested are the modules that the runs of a file have under test.
func (b *builder) tested() []*config.Module {
	var out []*config.Module
	for _, r := range b.f.Runs {
		switch {
		case r.Module == nil:
			out = append(out, b.main)
		case r.Tree != nil:
			out = append(out, r.Tree.Root)
		}
	}
	return out
}

// strayOutputs tells of outputs that a module has not.
func (b *builder) strayOutputs(m *config.Module, o *config.Override, given cty.Value) {
	if given == cty.NilVal {
		return
	}
	for it := given.ElementIterator(); it.Next(); {
		k, _ := it.Element()
		if name := k.AsString(); m.Outputs[name] == nil {
			b.warnOnce(o.Range, name, "Override of an undeclared output",
				fmt.Sprintf("%s has no output %q, so its value is not used.%s", m.Path, name, lang.DidYouMean(name, slices.Sorted(maps.Keys(m.Outputs)))))
		}
	}
}
