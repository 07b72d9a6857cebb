package applier

import (
	"github.com/plumb-iac/plumb/addr"
	"github.com/plumb-iac/plumb/value"
)

// trace notes what was finally planned for the object, and what came of it.
func (o *op) trace(final, made value.Bare) {
	if o.Trace == nil {
		return
	}
	if t := o.Trace(addr.Object{Instance: o.change.Addr}); t != nil {
		t.Final, t.New = final, made
	}
}

// traceRead notes what a data source answered.
func (o *op) traceRead(result value.Bare) {
	if o.Trace == nil {
		return
	}
	if t := o.Trace(addr.Object{Instance: o.change.Addr}); t != nil {
		t.Result = result
	}
}
