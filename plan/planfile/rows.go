package planfile

import (
	"time"

	"github.com/plumb-iac/plumb/plan"
	"github.com/plumb-iac/plumb/state"
)

// documentRow is the head of a plan: all but its changes and states.
type documentRow struct {
	Format          int                    `json:"format"`
	Version         string                 `json:"version"`
	LanguageVersion string                 `json:"language_version"`
	Mode            plan.Mode              `json:"mode"`
	Timestamp       time.Time              `json:"timestamp"`
	Workspace       string                 `json:"workspace"`
	Errored         bool                   `json:"errored,omitempty"`
	Applyable       bool                   `json:"applyable"`
	Complete        bool                   `json:"complete"`
	SkipRefresh     bool                   `json:"skip_refresh,omitempty"`
	SameState       bool                   `json:"same_state,omitempty"`
	Targets         []string               `json:"targets,omitempty"`
	Excludes        []string               `json:"excludes,omitempty"`
	Replace         []string               `json:"replace,omitempty"`
	Variables       map[string]variableRow `json:"variables,omitempty"`
	Outputs         []outputRow            `json:"outputs,omitempty"`
	Checks          []state.CheckResult    `json:"checks,omitempty"`
	Relevant        []relevantRow          `json:"relevant,omitempty"`
	Deferred        []deferredRow          `json:"deferred,omitempty"`
	Invocations     []invocationRow        `json:"invocations,omitempty"`
	DeferredRuns    []deferredRunRow       `json:"deferred_invocations,omitempty"`
	Providers       map[string]string      `json:"providers,omitempty"`
}

type changeRow struct {
	Addr                string        `json:"addr"`
	PrevAddr            string        `json:"prev,omitempty"`
	Deposed             string        `json:"deposed,omitempty"`
	Provider            string        `json:"provider"`
	Action              plan.Action   `json:"action"`
	Reason              plan.Reason   `json:"reason,omitempty"`
	Before              *valueRow     `json:"before,omitempty"`
	After               *valueRow     `json:"after,omitempty"`
	BeforeIdentity      *valueRow     `json:"before_identity,omitempty"`
	AfterIdentity       *valueRow     `json:"after_identity,omitempty"`
	ReplacePaths        []pathRow     `json:"replace_paths,omitempty"`
	Private             []byte        `json:"private,omitempty"`
	Legacy              bool          `json:"legacy,omitempty"`
	Importing           *importingRow `json:"importing,omitempty"`
	GeneratedConfig     string        `json:"generated_config,omitempty"`
	Dependencies        []string      `json:"dependencies,omitempty"`
	CreateBeforeDestroy bool          `json:"create_before_destroy,omitempty"`
	SkipDestroy         bool          `json:"skip_destroy,omitempty"`
}

type importingRow struct {
	ID       string    `json:"id,omitempty"`
	Identity *valueRow `json:"identity,omitempty"`
	Unknown  bool      `json:"unknown,omitempty"`
}

type outputRow struct {
	Name      string      `json:"name"`
	Action    plan.Action `json:"action"`
	Before    *valueRow   `json:"before,omitempty"`
	After     *valueRow   `json:"after,omitempty"`
	Sensitive bool        `json:"sensitive,omitempty"`
}

type variableRow struct {
	Value     *valueRow `json:"value,omitempty"`
	Shown     *valueRow `json:"shown,omitempty"`
	Ephemeral bool      `json:"ephemeral,omitempty"`
	Set       bool      `json:"set,omitempty"`
	Default   bool      `json:"default,omitempty"`
}

type relevantRow struct {
	Resource string  `json:"resource"`
	Path     pathRow `json:"path,omitempty"`
}

type deferredRow struct {
	Reason plan.DeferReason `json:"reason"`
	Change changeRow        `json:"change"`
}

type deferredRunRow struct {
	Reason     plan.DeferReason `json:"reason"`
	Invocation invocationRow    `json:"invocation"`
}

type invocationRow struct {
	Addr     string      `json:"addr"`
	Type     string      `json:"type"`
	Name     string      `json:"name"`
	Provider string      `json:"provider"`
	Config   *valueRow   `json:"config,omitempty"`
	Trigger  *triggerRow `json:"trigger,omitempty"`
}

type triggerRow struct {
	Resource    string `json:"resource"`
	Event       string `json:"event"`
	BlockIndex  int    `json:"block"`
	ActionIndex int    `json:"action"`
	OnFailure   string `json:"on_failure,omitempty"`
}
