package wire

import "github.com/plumb-iac/plumb/diag"

// Rule is a promise that a provider makes by answering at all, before anybody
// looks into the answer.
type Rule struct {
	Code diag.Code
	ID   string
	// Summary heads the diagnostic, Meaning is the promise as a sentence.
	Summary, Meaning string
}

// Rules are the rules of the wire, which hold for every call.
func Rules() []Rule {
	return []Rule{
		{CodeDied, "wire/alive", died.summary, "A provider lives, and keeps its connection, until it is told to end."},
		{CodeUnsupported, "wire/method", unsupported.summary, "A provider knows the calls that its schema and its capabilities imply."},
		{CodeFailed, "wire/answer", failed.summary, "A call is answered; what goes wrong is told in diagnostics."},
		{CodeGarbled, typeRule, garbledSummary, "An answer has exactly the attributes and blocks of its schema, with values of their types."},
		{CodeSchema, "wire/schema", schemaSummary, "A schema is one that values can have: names are valid and unique, each attribute can be set by somebody, and counts of blocks are possible."},
	}
}

const (
	typeRule       = "wire/type"
	garbledSummary = "Provider produced invalid object"
	schemaSummary  = "Failed to load plugin schemas"
)
