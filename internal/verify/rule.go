package verify

import (
	"github.com/plumb-iac/plumb/diag"
)

// Rule is a promise that shows only over several answers; those about one
// answer are package contract's.
type Rule struct {
	Code    diag.Code
	ID      string
	Meaning string
	// Noted rules are shown on request and do not fail the examination.
	Noted bool
}

// The rules over several answers.
var (
	answers           = &Rule{"PV001", "verify/answers", "A call is answered: with a value that decodes, or with diagnostics.", false}
	unknownAccepted   = &Rule{"PV002", "verify/unknown-accepted", "What is valid when it is known is valid while it is unknown.", false}
	unknownPlanned    = &Rule{"PV003", "verify/unknown-planned", "What can be planned when it is known can be planned while it is unknown.", false}
	planDeterministic = &Rule{"PV004", "verify/plan-deterministic", "The same question gets the same plan.", false}
	readAfterApply    = &Rule{"PV005", "verify/read-after-apply", "Reading right after an apply finds what the apply returned.", false}
	readStable        = &Rule{"PV006", "verify/read-stable", "Reading twice finds the same.", false}
	planEmpty         = &Rule{"PV007", "verify/plan-empty", "After an apply the same configuration plans no change.", false}
	upgradeOwn        = &Rule{"PV008", "verify/upgrade-own", "What this version stored is upgraded to itself.", false}
	importRoundTrip   = &Rule{"PV009", "verify/import-round-trip", "An object that is imported is what it was when it was applied.", false}
	importComplete    = &Rule{"PV010", "verify/import-complete", "An import finds all that was configured. Some services do not give everything back.", true}
	destroyedIsGone   = &Rule{"PV011", "verify/destroyed-is-gone", "What was destroyed is not found any more.", false}
	functionStable    = &Rule{"PV012", "verify/function-stable", "A function gives the same result for the same arguments.", false}
)

// Rules are the rules over several answers.
func Rules() []*Rule {
	return []*Rule{answers, unknownAccepted, unknownPlanned, planDeterministic, readAfterApply, readStable,
		planEmpty, upgradeOwn, importRoundTrip, importComplete, destroyedIsGone, functionStable}
}
