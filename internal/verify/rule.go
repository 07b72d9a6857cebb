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
	destroyable       = &Rule{"PV013", "verify/destroyable", "What was created can be destroyed. Some services protect objects.", true}
	identityGiven     = &Rule{"PV014", "verify/identity-given", "An object whose type has identities has one from its creation on, and nobody is in doubt about it later.", false}
	moveOwn           = &Rule{"PV015", "verify/move-own", "An object that is moved from its own type stays what it is.", false}
	dataStable        = &Rule{"PV016", "verify/data-stable", "Reading a data source twice gives the same. Secrets may differ.", false}
	ephemeralEnds     = &Rule{"PV017", "verify/ephemeral-ends", "What was opened can be renewed and closed.", false}
	ephemeralAgain    = &Rule{"PV018", "verify/ephemeral-again", "What was opened and closed can be opened again.", false}
	functionUnknown   = &Rule{"PV019", "verify/function-unknown", "What a function says of unknown arguments stays true when they are known.", false}
	listSound         = &Rule{"PV020", "verify/list-sound", "What a list finds has a known identity, and an object where one was asked for.", false}
	listStable        = &Rule{"PV021", "verify/list-stable", "Listing twice finds the same.", false}
	listImportable    = &Rule{"PV022", "verify/list-importable", "What a list finds can be imported by its identity.", false}
	deferralOffered   = &Rule{"PV023", "verify/deferral-offered", "An answer is put off only where the request allows that.", false}
	blamesArgument    = &Rule{"PV024", "verify/blames-argument", "A complaint points at an argument that there is.", false}
	planTraceless     = &Rule{"PV025", "verify/plan-traceless", "Validating and planning leave everything outside as it is.", false}
)

// Rules are the rules over several answers.
func Rules() []*Rule {
	return []*Rule{answers, unknownAccepted, unknownPlanned, planDeterministic, readAfterApply, readStable,
		planEmpty, upgradeOwn, importRoundTrip, importComplete, destroyedIsGone, functionStable, destroyable,
		identityGiven, moveOwn, dataStable, ephemeralEnds, ephemeralAgain, functionUnknown,
		listSound, listStable, listImportable, deferralOffered, blamesArgument, planTraceless}
}
