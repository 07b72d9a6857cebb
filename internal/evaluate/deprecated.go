package evaluate

import (
	"fmt"

	"github.com/plumb-iac/plumb/config"
	"github.com/plumb-iac/plumb/diag"
	"github.com/plumb-iac/plumb/internal/lang"
)

// deprecatedVariable warns of an argument that a module's author wants to be
// rid of.
func (c *compiler) deprecatedVariable(v *config.Variable, at diag.Range) {
	if v.Deprecated != "" {
		c.report(diag.Warn("Deprecated variable got a value", v.Deprecated).At(at))
	}
}

// deprecatedOutput warns of a reference to an output that a module's author
// wants to be rid of.
func (c *compiler) deprecatedOutput(o *config.Output, r lang.Ref) {
	if o.Deprecated != "" {
		c.report(diag.Warn("Deprecated value used", o.Deprecated).At(r.Range))
	}
}

// deprecatedAttribute warns of a reference to an attribute that the provider
// wants to be rid of.
func (c *compiler) deprecatedAttribute(s *Site, r lang.Ref) {
	a := s.Resource.Schema.Block.AttributeAt(schemaPath(r.Remaining, s.Resource.Schema.Block))
	if a != nil && a.Deprecated {
		c.report(diag.Warn("Deprecated attribute",
			fmt.Sprintf("The attribute %q is deprecated. The provider's documentation says what to use instead.", a.Name)).At(r.Range))
	}
}
