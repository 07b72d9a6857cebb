package evaluate

import (
	"fmt"

	"github.com/hashicorp/hcl/v2"
	"github.com/plumb-iac/plumb/addr"
	"github.com/plumb-iac/plumb/diag"
	"github.com/plumb-iac/plumb/internal/lang"
	"github.com/plumb-iac/plumb/value"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/convert"
)

// preventDestroy compiles prevent_destroy. It is asked of objects whose instance
// the configuration may not have any more, so it cannot depend on the instance.
func (c *compiler) preventDestroy(s *Site, e hcl.Expression) *lang.Expr {
	x := c.expr(s, e)
	for _, r := range x.Refs() {
		if r.Kind == lang.RefEach || r.Kind == lang.RefCount {
			c.report(diag.Err("Invalid reference in prevent_destroy",
				fmt.Sprintf("prevent_destroy cannot refer to %s: it has to be known of objects, too, whose key is gone from the configuration and that are therefore about to be destroyed. It can refer to whatever is the same for all instances.", r)).At(r.Range))
		}
	}
	return x
}

// Prevented says whether prevent_destroy forbids to destroy an object. What
// cannot be decided is forbidden, and the error says so. While validating
// nothing has to be known.
func (r *Run) Prevented(s *Site, object addr.AbsInstance) (bool, diag.List) {
	x := s.Resource.PreventDestroy
	if x == nil {
		return false, nil
	}
	scope := lang.NewScope(nil, r.functions(s))
	mi, there := r.Index(s.Module, object.Module)
	if there {
		scope = r.Scope(s, mi)
	}
	undecided := func(why string, because lang.Causes) (bool, diag.List) {
		d := diag.Err("Invalid value for prevent_destroy", why).At(x.Range()).For(object.String())
		return true, diag.List{x.Annotate(d, scope, because)}
	}
	if !there && !x.Literal() {
		return undecided(fmt.Sprintf("The module instance that %s belongs to is gone from the configuration, and with it the values that prevent_destroy depends on, so nothing says whether the object may be destroyed. Set prevent_destroy to a constant, or leave the object out of the plan with -exclude.", object), lang.Causes{})
	}
	v, diags := x.Value(scope)
	if diags.HasErrors() {
		return true, diags
	}
	bare, err := convert.Convert(value.Strip(v).Cty(), cty.Bool)
	switch {
	case value.Contains(v, value.Sensitive):
		return undecided("prevent_destroy cannot come from a sensitive value: what the plan does would tell it.", lang.Causes{Sensitive: true})
	case value.Contains(v, value.Ephemeral):
		return undecided("prevent_destroy cannot come from an ephemeral value, which is not the same in the next run.", lang.Causes{Ephemeral: true})
	case err != nil:
		return undecided("prevent_destroy is true or false: "+value.ErrorText(err)+".", lang.Causes{})
	case !bare.IsKnown() && r.Phase == Validating:
		return false, nil
	case !bare.IsKnown():
		return undecided(fmt.Sprintf("What prevent_destroy depends on is known only after apply, so nothing says yet whether %s may be destroyed. Apply what it depends on first, with -target, or leave the object out of the plan with -exclude.", object), lang.Causes{Unknown: true})
	case bare.IsNull():
		return undecided("prevent_destroy is null. To allow that the object is destroyed, set it to false.", lang.Causes{})
	}
	return bare.True(), nil
}
