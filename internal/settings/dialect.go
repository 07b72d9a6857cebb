package settings

import (
	"fmt"
	"slices"
	"strings"

	"github.com/plumb-iac/plumb/addr"
)

// Dialect is the reading of the language where its two makers differ.
type Dialect uint8

// The dialects. Terraform is the default.
const (
	Terraform Dialect = iota
	OpenTofu
)

// String is the name that flags, environment and files use.
func (d Dialect) String() string {
	if d == OpenTofu {
		return "opentofu"
	}
	return "terraform"
}

// ParseDialect reads a dialect's name.
func ParseDialect(s string) (Dialect, error) {
	switch strings.ToLower(s) {
	case "terraform", "tf":
		return Terraform, nil
	case "opentofu", "tofu":
		return OpenTofu, nil
	}
	return Terraform, fmt.Errorf("the dialect is terraform or opentofu, not %q", s)
}

// Detect finds the dialect of a directory: that of OpenTofu when providers
// come from its registry or files have its extension, else that of Terraform.
func Detect(providers []addr.Provider, tofuFiles bool) Dialect {
	if tofuFiles || slices.ContainsFunc(providers, func(p addr.Provider) bool { return p.Host == addr.OpenTofuHost }) {
		return OpenTofu
	}
	return Terraform
}

// Difference names a row of the dialect table.
type Difference uint8

// The differences.
const (
	// DefaultHost is the registry of addresses without one.
	DefaultHost Difference = iota
	// Product is the name that messages use for the language's maker.
	Product
	// TofuFiles are read, and shadow the .tf file of their name.
	TofuFiles
	// VersionsFromTofuFiles ignores required_version in other files.
	VersionsFromTofuFiles
	// RemovedForgets is the meaning of a removed block without lifecycle.
	RemovedForgets
	// LifecycleEnabled is the argument of that name.
	LifecycleEnabled
	// PreventDestroyExpression allows references in prevent_destroy.
	PreventDestroyExpression
	// AnyVariableEarly allows variables that are not const in module sources.
	AnyVariableEarly
	// EarlyBackend allows references in backend blocks.
	EarlyBackend
	// DestroyFalseRemembered keeps lifecycle.destroy = false in the state.
	DestroyFalseRemembered
	// ForgetFirst is the order in a replacement that forgets the old object.
	ForgetFirst
	// ForgottenFails makes a destroy fail that forgot objects.
	ForgottenFails
	// ModuleMovesImplied between a module without a key and its instance 0.
	ModuleMovesImplied
	// CreateFirstSpreadsUp to the dependents of a create_before_destroy object.
	CreateFirstSpreadsUp
	// ImportInModules allows import blocks in called modules.
	ImportInModules
	// MockValuesKnown when a mocked object is planned.
	MockValuesKnown
	// MockStringLength is that of generated strings.
	MockStringLength
	// TemplateStringAnything allows any expression as templatestring's first
	// argument.
	TemplateStringAnything
	// DataStore is terraform_data's store block.
	DataStore
	// NullInputUnknown plans terraform_data's output as unknown when its input
	// becomes null.
	NullInputUnknown
	// TriggeredCreateReason has objects that come or go trigger replacements, and gives a
	// new object that reason.
	TriggeredCreateReason
	// WholeRelevantPaths in the plan's relevant attributes.
	WholeRelevantPaths
	// ConsoleEachLine prints the value of every line of input.
	ConsoleEachLine
	// GraphWhole draws everything rather than resources.
	GraphWhole
	// WorkspacePlanChecked refuses a plan made in another workspace.
	WorkspacePlanChecked
	// TestRunsIndependent goes on with later runs after a failed one.
	TestRunsIndependent
	// InitChecksCalls refuses arguments that a called module has no variable for
	// during init.
	InitChecksCalls
	// ValidateStrict checks import ids, provider functions and the backend type in
	// validate.
	ValidateStrict
	// IgnoredAttributesTold warns of attributes in literal objects that the type
	// of a variable does not have.
	IgnoredAttributesTold
	// PlanVariableDetail tells type and necessity of variables in plan JSON.
	PlanVariableDetail
	// ForgottenTold has the legend and the summaries of plans and applies tell of
	// objects that are forgotten.
	ForgottenTold
	// EmptyUnset writes null for an empty string in generated configuration.
	EmptyUnset
	differences
)

// row is a line of the table: what is asked, and each dialect's answer.
type row struct {
	name, question string
	answers        [2]string
}

const no, yes = "no", "yes"

func table() [differences]row {
	return [differences]row{
		DefaultHost:              {"default-host", "which registry is meant by an address without one", [2]string{addr.DefaultHost, addr.OpenTofuHost}},
		Product:                  {"product", "how messages call the language's maker", [2]string{"Terraform", "OpenTofu"}},
		TofuFiles:                {"tofu-files", "are .tofu files read", [2]string{no, yes}},
		VersionsFromTofuFiles:    {"versions-from-tofu-files", "is required_version outside .tofu files ignored", [2]string{no, yes}},
		RemovedForgets:           {"removed-forgets", "does a bare removed block forget rather than destroy", [2]string{no, yes}},
		LifecycleEnabled:         {"lifecycle-enabled", "is there lifecycle.enabled", [2]string{no, yes}},
		PreventDestroyExpression: {"prevent-destroy-expression", "may prevent_destroy refer to something", [2]string{no, yes}},
		AnyVariableEarly:         {"any-variable-early", "may module sources use variables that are not const", [2]string{no, yes}},
		EarlyBackend:             {"early-backend", "may backend blocks use variables and locals", [2]string{no, yes}},
		DestroyFalseRemembered:   {"destroy-false-remembered", "does the state remember lifecycle.destroy = false", [2]string{no, yes}},
		ForgetFirst:              {"forget-first", "does a forgetting replacement forget before it creates", [2]string{no, yes}},
		ForgottenFails:           {"forgotten-fails", "does destroy fail when it forgot objects", [2]string{no, yes}},
		ModuleMovesImplied:       {"module-moves-implied", "does a module move by itself between no key and [0]", [2]string{no, yes}},
		CreateFirstSpreadsUp:     {"create-first-spreads-up", "does create_before_destroy spread to dependents", [2]string{yes, no}},
		ImportInModules:          {"import-in-modules", "may called modules have import blocks", [2]string{yes, no}},
		MockValuesKnown:          {"mock-values-known", "are generated values of mocks known at plan", [2]string{no, yes}},
		MockStringLength:         {"mock-string-length", "how long are generated strings of mocks", [2]string{"8", "4"}},
		TemplateStringAnything:   {"templatestring-anything", "does templatestring take any expression", [2]string{no, yes}},
		DataStore:                {"data-store", "has terraform_data a store block", [2]string{yes, no}},
		NullInputUnknown:         {"null-input-unknown", "is terraform_data's output unknown when input becomes null", [2]string{no, yes}},
		TriggeredCreateReason:    {"triggered-create-reason", "do objects that come or go trigger replacements", [2]string{no, yes}},
		WholeRelevantPaths:       {"whole-relevant-paths", "are relevant attributes whole paths", [2]string{no, yes}},
		ConsoleEachLine:          {"console-each-line", "does console print the value of each line", [2]string{no, yes}},
		GraphWhole:               {"graph-whole", "does graph draw everything without -type", [2]string{no, yes}},
		WorkspacePlanChecked:     {"workspace-plan-checked", "is a plan of another workspace refused", [2]string{yes, no}},
		TestRunsIndependent:      {"test-runs-independent", "do runs go on after a failed one", [2]string{yes, no}},
		InitChecksCalls:          {"init-checks-calls", "does init refuse arguments that a called module has no variable for", [2]string{yes, no}},
		ValidateStrict:           {"validate-strict", "does validate check import ids, provider functions and the backend type", [2]string{yes, no}},
		IgnoredAttributesTold:    {"ignored-attributes-told", "is it told what a variable's type drops of a literal object", [2]string{no, yes}},
		PlanVariableDetail:       {"plan-variable-detail", "does plan JSON tell type and necessity of variables", [2]string{no, yes}},
		ForgottenTold:            {"forgotten-told", "do legend and summaries tell of forgetting", [2]string{no, yes}},
		EmptyUnset:               {"empty-unset", "is null written for empty strings in generated configuration", [2]string{yes, no}},
	}
}

// Text is the dialect's answer in a row.
func (d Dialect) Text(q Difference) string {
	if q >= differences || d > OpenTofu {
		return ""
	}
	return table()[q].answers[d]
}

// Yes says whether the dialect's answer in a row is yes.
func (d Dialect) Yes(q Difference) bool { return d.Text(q) == yes }

// Row is a row of the dialect table for people.
type Row struct{ Name, Question, Terraform, OpenTofu string }

// Rows is the dialect table, for documentation.
func Rows() []Row {
	t := table()
	out := make([]Row, 0, len(t))
	for _, r := range t {
		out = append(out, Row{r.name, r.question, r.answers[Terraform], r.answers[OpenTofu]})
	}
	return out
}
