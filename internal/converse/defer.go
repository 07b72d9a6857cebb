package converse

import (
	"github.com/plumb-iac/plumb/plan"
	"github.com/plumb-iac/plumb/provider"
)

// reasons are the providers' reasons of deferral as a plan has them.
var reasons = map[provider.DeferReason]plan.DeferReason{
	provider.DeferResourceConfigUnknown: plan.DeferConfigUnknown,
	provider.DeferProviderConfigUnknown: plan.DeferProviderConfigUnknown,
	provider.DeferAbsentPrereq:          plan.DeferAbsentPrereq,
}

// Reason is the reason of a provider's deferral; plan.NotDeferred for none.
func Reason(d *provider.Deferred) plan.DeferReason {
	if d == nil {
		return plan.NotDeferred
	}
	if r, ok := reasons[d.Reason]; ok {
		return r
	}
	return plan.DeferUnknown
}
