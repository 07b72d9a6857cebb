package evaluate

import (
	"fmt"

	"github.com/plumb-iac/plumb/config"
	"github.com/plumb-iac/plumb/diag"
	"github.com/plumb-iac/plumb/internal/lang"
)

// Deprecations says of which modules deprecated variables and outputs are told.
type Deprecations uint8

// All modules, those that are called by a relative path, or none.
const (
	DeprecationsAll Deprecations = iota
	DeprecationsLocal
	DeprecationsNone
)

// told says whether it is told that something of module of is deprecated which is
// used in module at. A call with ignore_nested_deprecations wants to hear of
// nothing that is used inside of its module.
func (c *compiler) told(at, of *Module) bool {
	for m := at; m.Call != nil; m = m.Parent {
		if m.Call.Call.Config.IgnoreNestedDeprecations {
			return false
		}
	}
	switch c.opts.Deprecations {
	case DeprecationsNone:
		return false
	case DeprecationsLocal:
		return of.local()
	}
	return true
}

// local says whether a module is called by a relative path all the way.
func (m *Module) local() bool {
	for ; m.Call != nil; m = m.Parent {
		if !config.IsLocalSource(m.Call.Call.Config.Source) {
			return false
		}
	}
	return true
}

// deprecatedVariable warns of an argument that a module's author wants to be
// rid of.
func (c *compiler) deprecatedVariable(at, of *Module, name string, where diag.Range) {
	if v := of.Config.Variables[name]; v.Deprecated != "" && c.told(at, of) {
		c.report(diag.Warn("Deprecated variable got a value", v.Deprecated).At(where))
	}
}

// deprecatedOutput warns of a reference to an output that a module's author
// wants to be rid of, in one instance of the module or in all.
func (c *compiler) deprecatedOutput(at, of *Module, r lang.Ref) {
	o := of.Config.Outputs[r.Output]
	if o == nil {
		o = of.Config.Outputs[r.Selected]
	}
	if o != nil && o.Deprecated != "" && c.told(at, of) {
		c.report(diag.Warn("Deprecated value used", o.Deprecated).At(r.Range))
	}
}

// deprecatedAttribute warns of a reference to an attribute that the provider
// wants to be rid of.
func (c *compiler) deprecatedAttribute(at *Module, s *Site, r lang.Ref) {
	if !c.told(at, at) {
		return
	}
	a := s.Resource.Schema.Block.AttributeAt(schemaPath(r.Remaining, s.Resource.Schema.Block))
	if a != nil && a.Deprecated {
		c.report(diag.Warn("Deprecated attribute",
			fmt.Sprintf("The attribute %q is deprecated. The provider's documentation says what to use instead.", a.Name)).At(r.Range))
	}
}
