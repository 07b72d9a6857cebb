package contract

import (
	"fmt"

	"github.com/zclconf/go-cty/cty"
)

// The rows of each stage, in the order in which they are asked.
var (
	upgradeRules = []Rule{
		typeRule(Upgrade, "PC001", invalidUpgrade),
		knownRule(Upgrade, "PC002", invalidUpgrade),
		writeOnlyRule(Upgrade, "PC003", invalidUpgrade),
		noted(presentRule(Upgrade, "PC004", "present", invalidUpgrade, "An upgrade changes the shape of a stored object; it does not make it vanish.", "the object vanished")),
	}
	moveRules = []Rule{
		presentRule(Move, "PC011", "present", invalidMove, "An object that is moved to another type is still there.", "the object vanished"),
		typeRule(Move, "PC012", invalidMove),
		knownRule(Move, "PC013", invalidMove),
		writeOnlyRule(Move, "PC014", invalidMove),
		identityTypeRule(Move, "PC015"),
		identityKnownRule(Move, "PC016"),
	}
	importRules = []Rule{
		halting(whole(Import, "PC021", "some", "Import returned no resources", "An import that succeeds gives an object.", func(f *Facts) []sighting {
			return once(len(f.ImportedTypes) == 0 && !f.Deferred, "it gave none")
		})),
		deferralRule(Import, "PC022"),
		presentRule(Import, "PC023", "present", "Import returned null resource", "An imported object is not null.", "the object is null"),
		typeRule(Import, "PC024", invalidObject),
		noted(knownRule(Import, "PC028", invalidObject)),
		writeOnlyRule(Import, "PC025", "Import returned a non-null value for a write-only attribute"),
		identityTypeRule(Import, "PC026"),
		whole(Import, "PC027", "type-asked", "Import returned another resource type", "An import gives objects of the type it was asked for.", func(f *Facts) []sighting {
			for _, t := range f.ImportedTypes {
				if t != f.TypeName {
					return once(true, fmt.Sprintf("an object of type %s came for one of type %s", t, f.TypeName))
				}
			}
			return nil
		}),
	}
	importedRules = []Rule{
		deferralRule(Imported, "PC037"),
		operators(whole(Imported, "PC031", "exists", "Cannot import non-existent remote object", "What is imported exists.", func(f *Facts) []sighting {
			return once(absent(f.Answer) && !f.Failed && !f.Deferred, "no object with this id or identity exists; check that it is right, and that it belongs to the region, endpoint or account that the provider is configured for. Where a run imported it, destroyed it to replace it, and did not get further, remove the import block: the object is created then")
		})),
		typeRule(Imported, "PC032", invalidObject),
		knownRule(Imported, "PC033", invalidObject),
		writeOnlyRule(Imported, "PC034", invalidObject),
		identityTypeRule(Imported, "PC035"),
		identityKnownRule(Imported, "PC036"),
		blocksRule(Imported, "PC038"),
	}
	readRules = []Rule{
		deferralRule(Read, "PC041"),
		typeRule(Read, "PC042", invalidObject),
		knownRule(Read, "PC043", invalidObject),
		writeOnlyRule(Read, "PC044", invalidObject),
		identityTypeRule(Read, "PC045"),
		identityKnownRule(Read, "PC046"),
		identityStableRule(Read, "PC047"),
		blocksRule(Read, "PC048"),
	}
	dataRules = append([]Rule{
		deferralRule(Data, "PC051"),
		typeRule(Data, "PC052", invalidObject),
		presentRule(Data, "PC053", "result", nullObject, "A data source that was read has a result.", "the result is null"),
		knownRule(Data, "PC054", invalidObject),
	}, answered(Data, 55, invalidObject, tone{noted: true})...)
	planRules = append([]Rule{
		deferralRule(Plan, "PC101"),
		typeRule(Plan, "PC102", invalidPlan),
		writeOnlyRule(Plan, "PC103", invalidPlan),
		replacePathRule(Plan, "PC104"),
		identityTypeRule(Plan, "PC105"),
		identityStableRule(Plan, "PC106"),
		noted(whole(Plan, "PC126", "identity-known", invalidIdentity, "The identity of an object that exists, and is not replaced, is known in its plan.", func(f *Facts) []sighting {
			kept := !absent(f.PriorIdentity) && len(f.Replace) == 0 && !f.Deferred && !f.Failed
			return once(kept && !absent(f.AnswerIdentity) && !f.AnswerIdentity.IsWhollyKnown(), "its identity has unknown values")
		})),
	}, answered(Plan, 107, invalidPlan, tone{legacy: true})...)
	finalRules = append([]Rule{
		whole(FinalPlan, "PC201", "action-kept", otherFinal, "The final plan amounts to the action that was agreed to; only an update may turn out to be needless.", actionKept),
	}, kept(FinalPlan, 202, otherFinal, tone{})...)
	applyRules = append([]Rule{
		halting(whole(Apply, "PC301", "deleted", invalidResult, "Nothing is left of an object that was deleted.", func(f *Facts) []sighting {
			return once(f.deletes() && !absent(f.Answer) && !f.Failed, "the object is still there after its deletion")
		})),
		typeRule(Apply, "PC302", invalidObject),
		writeOnlyRule(Apply, "PC303", invalidObject),
		knownRule(Apply, "PC304", invalidResult),
		identityTypeRule(Apply, "PC305"),
		identityKnownRule(Apply, "PC306"),
		identityStableRule(Apply, "PC307"),
	}, kept(Apply, 308, otherResult, tone{legacy: true})...)
	openRules = append([]Rule{
		deferralRule(Open, "PC401"),
		typeRule(Open, "PC402", invalidOpened),
		presentRule(Open, "PC403", "opened", nullObject, "An ephemeral object that was opened is there.", "the object is null"),
		knownRule(Open, "PC404", invalidObject),
	}, answered(Open, 405, invalidOpened, tone{})...)
	functionRules = []Rule{
		halting(whole(Function, "PC451", "type", invalidCall, "A function returns a value of the type in its signature.", func(f *Facts) []sighting {
			if f.Answer == cty.NilVal {
				return once(true, "there is no result")
			}
			if f.Answer.IsNull() || !f.Answer.IsKnown() {
				return nil
			}
			return once(len(f.Answer.Type().TestConformance(f.Return)) > 0, "the result is "+f.Answer.Type().FriendlyName()+", not "+f.Return.FriendlyName())
		})),
		noted(whole(Function, "PC452", "known", invalidCall, "Known arguments give a known result.", func(f *Facts) []sighting {
			if !f.Argued {
				return nil
			}
			return unknowns(f)
		})),
	}
)
