package operate

import (
	"bufio"
	"bytes"
	"io"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/plumb-iac/plumb/addr"
	"github.com/plumb-iac/plumb/diag"
	"github.com/plumb-iac/plumb/engine"
	"github.com/plumb-iac/plumb/internal/cli/command"
	"github.com/plumb-iac/plumb/internal/cli/inputs"
	"github.com/plumb-iac/plumb/plan"
)

// Options are what the commands of this package can be told. Each declares the
// flags it has.
type Options struct {
	Destroy, RefreshOnly, NoRefresh              bool
	AllowDeferral                                bool
	Targets, Excludes, TargetFiles, ExcludeFiles []string
	Replace, Invoke                              []string
	Vars                                         *inputs.Flags
	Out, GenerateConfig                          string
	DetailedExit, AutoApprove, JSON              bool
	Input, Lock                                  bool
	LockTimeout                                  time.Duration
	Parallelism                                  int
	State, StateOut, Backup, JSONInto            string
	// ConfigDir is where the configuration is, "" for the working directory.
	ConfigDir                                    string
	Concise, ShowSensitive, SuppressForgetErrors bool
	// Record and Replay are directories of recorded conversations.
	Record, Replay string
	// Explain is the address of an object to explain after the apply.
	Explain string
	// Deprecation says of which modules deprecations are told: module:all,
	// module:local or module:none.
	Deprecation string
	// explain is filled in with what a plan knows of one object.
	explain *engine.Artefacts
	// alwaysDestroys is the destroy command.
	alwaysDestroys bool
	// importing is what the import command imports, nil for another command.
	importing *addr.AbsInstance
	// into is the file of -json-into.
	into io.Writer
}

// flagSet binds options to flags.
type flagSet struct {
	read []func(*Options)
	f    *command.Flags
}

func (b *flagSet) bool(name string, def bool, text string, set func(*Options, bool)) {
	v := b.f.Bool(name, def, text)
	b.read = append(b.read, func(o *Options) { set(o, *v) })
}

func (b *flagSet) string(name, arg, text string, set func(*Options, string)) {
	v := b.f.String(name, arg, "", text)
	b.read = append(b.read, func(o *Options) { set(o, *v) })
}

func (b *flagSet) list(name, arg, text string, set func(*Options, []string)) {
	v := b.f.List(name, arg, text)
	b.read = append(b.read, func(o *Options) { set(o, *v) })
}

// options are the values of the flags once they are parsed.
func (b *flagSet) options() Options {
	var o Options
	for _, r := range b.read {
		r(&o)
	}
	return o
}

// planning declares what customises a plan.
func (b *flagSet) planning() {
	b.f.Heading("What to plan")
	b.bool("destroy", false, "Plan to destroy everything that is managed here.", func(o *Options, v bool) { o.Destroy = v })
	b.bool("refresh-only", false, "Only find out how the remote objects differ from the state, and offer to record that.", func(o *Options, v bool) { o.RefreshOnly = v })
	b.bool("refresh", true, "Don't read the remote objects first: plan by what the state says.", func(o *Options, v bool) { o.NoRefresh = !v })
	b.list("replace", "ADDRESS", "Replace this resource instance, even where an update would do. Can be used several times.", func(o *Options, v []string) { o.Replace = v })
	b.list("target", "ADDRESS", "Only plan for this module, resource or instance and what it depends on. Can be used several times, and with wildcards: 'aws_instance.web_*', 'module.net[*].*.*', '**.aws_iam_role.*'.", func(o *Options, v []string) { o.Targets = v })
	b.list("exclude", "ADDRESS", "Leave out this module, resource or instance and what depends on it. Can be used several times, and with wildcards.", func(o *Options, v []string) { o.Excludes = v })
	b.list("invoke", "ADDRESS", "Invoke this action and change nothing else. With -target, that resource instance stands for the caller.", func(o *Options, v []string) { o.Invoke = v })
	b.list("target-file", "FILE", "Read addresses as for -target from a file, one a line.", func(o *Options, v []string) { o.TargetFiles = v })
	b.list("exclude-file", "FILE", "Read addresses as for -exclude from a file, one a line.", func(o *Options, v []string) { o.ExcludeFiles = v })
	b.deferral()
	b.variables()
}

func (b *flagSet) deferral() {
	b.bool("allow-deferral", false, "Leave what cannot be planned yet to a later round: an unknown count or for_each, and what a provider puts off.", func(o *Options, v bool) { o.AllowDeferral = v })
}

func (b *flagSet) variables() {
	vars := inputs.Declare(b.f)
	b.read = append(b.read, func(o *Options) { o.Vars = vars })
}

// running declares how an operation runs.
func (b *flagSet) running() {
	b.f.Heading("How to run")
	b.parallelism()
	b.input()
	b.locking()
	b.legacyState()
	b.bool("json", false, "Write lines of JSON for programs. Nobody is asked anything then.", func(o *Options, v bool) { o.JSON = v })
	b.string("json-into", "FILE", "Write lines of JSON for programs to this file, and text for people to the terminal.", func(o *Options, v string) { o.JSONInto = v })
	b.bool("concise", false, "Leave out the progress of reading.", func(o *Options, v bool) { o.Concise = v })
	b.bool("show-sensitive", false, "Show sensitive values.", func(o *Options, v bool) { o.ShowSensitive = v })
	b.string("deprecation", "module:WHICH", "Warn of deprecated variables and outputs of all modules, of local ones (those with a relative path) or of none.", func(o *Options, v string) { o.Deprecation = v })
	b.string("record", "DIR", "Write the conversation with the providers into this directory, without secrets.", func(o *Options, v string) { o.Record = v })
	b.string("replay", "DIR", "Let recorded conversations answer instead of the providers.", func(o *Options, v string) { o.Replay = v })
	b.f.Row("compact-warnings", "", "Show warnings as a list of their titles when there are no errors.")
}

// defaultParallelism is how many calls to providers run at a time unless asked otherwise.
const defaultParallelism = 10

func (b *flagSet) parallelism() {
	n := b.f.Int("parallelism", defaultParallelism, "Bound the number of calls to providers at a time. The default is 10.")
	b.read = append(b.read, func(o *Options) { o.Parallelism = *n })
}

func (b *flagSet) input() {
	b.bool("input", true, "Don't ask for values of variables.", func(o *Options, v bool) { o.Input = v })
}

func (b *flagSet) locking() {
	b.bool("lock", true, "Don't hold the state's lock. Dangerous when others work on the same state.", func(o *Options, v bool) { o.Lock = v })
	timeout := b.f.Duration("lock-timeout", 0, "How long to wait for a lock that another holds.")
	b.read = append(b.read, func(o *Options) { o.LockTimeout = *timeout })
}

func (b *flagSet) legacyState() {
	b.string("state", "FILE", "Old way to say where the local state is.", func(o *Options, v string) { o.State = v })
	b.string("state-out", "FILE", "Old way to say where to write the local state.", func(o *Options, v string) { o.StateOut = v })
	b.string("backup", "FILE", "Where to keep the local state from before; - for nowhere.", func(o *Options, v string) { o.Backup = v })
}

// deprecations are the values of -deprecation.
var deprecations = map[string]engine.Deprecations{
	"": engine.DeprecationsAll, "module:all": engine.DeprecationsAll,
	"module:local": engine.DeprecationsLocal, "module:none": engine.DeprecationsNone,
}

func knownDeprecation(v string) bool {
	_, known := deprecations[v]
	return known
}

// mode checks that the options go together and gives the plan's mode.
func (o *Options) mode() (plan.Mode, *diag.Diag) {
	wrong := func(summary, detail string) (plan.Mode, *diag.Diag) {
		d := diag.Err(summary, detail).By(diag.Operator)
		return plan.Normal, &d
	}
	switch {
	case o.alwaysDestroys && o.Destroy:
		return wrong("Invalid mode option", "The option -destroy is not one of \"plumb destroy\", which does nothing else.")
	case o.alwaysDestroys && o.RefreshOnly:
		return wrong("Invalid mode option", "The option -refresh-only is not one of \"plumb destroy\", which always destroys.")
	case !knownDeprecation(o.Deprecation):
		return wrong("Invalid deprecation value", "The value of -deprecation is module:all, module:local or module:none.")
	case o.JSON && o.JSONInto != "":
		both := command.NotBoth()
		return plan.Normal, &both
	case o.Parallelism < 0:
		return wrong("Invalid parallelism value", "The value of -parallelism is how many calls to providers may run at a time, so it cannot be negative.")
	case o.Destroy && o.RefreshOnly:
		return wrong("Incompatible plan mode options", "The options -destroy and -refresh-only exclude each other.")
	case len(o.Invoke) > 0 && (o.Destroy || o.alwaysDestroys):
		return wrong("Incompatible plan mode options", "The option -invoke changes nothing but what the action does, so it does not go with destroying.")
	case o.RefreshOnly && o.NoRefresh:
		return wrong("Incompatible refresh options", "With -refresh-only and -refresh=false together nothing would be left to do.")
	case o.RefreshOnly:
		return plan.RefreshOnly, nil
	case o.Destroy || o.alwaysDestroys:
		return plan.Destroy, nil
	}
	return plan.Normal, nil
}

// selection is what the addresses among the options say.
type selection struct {
	targets, excludes []addr.Target
	replace           []addr.AbsInstance
	invoke            []addr.AbsAction
}

func (o *Options) selection() (selection, diag.List) {
	var s selection
	var diags diag.List
	s.targets, diags = targets("target", o.Targets, o.TargetFiles)
	excludes, more := targets("exclude", o.Excludes, o.ExcludeFiles)
	s.excludes, diags = excludes, diags.With(more)
	for _, text := range o.Replace {
		i, err := addr.ParseInstance(text)
		if err != nil {
			diags = diags.Append(diag.Err("Invalid force-replace address "+strconv.Quote(text), "An address for -replace names one resource instance: "+err.Error()+".").By(diag.Operator))
			continue
		}
		if i.Resource.Mode != addr.Managed {
			diags = diags.Append(diag.Err("Invalid force-replace address "+strconv.Quote(text), "Only managed resources can be replaced.").By(diag.Operator))
		}
		s.replace = append(s.replace, i)
	}
	for _, text := range o.Invoke {
		a, err := addr.ParseAction(text)
		if err != nil {
			diags = diags.Append(diag.Err("Invalid invoke address "+strconv.Quote(text), err.Error()+".").By(diag.Operator))
		}
		s.invoke = append(s.invoke, a)
	}
	if len(s.invoke) > 1 {
		diags = diags.Append(diag.Err("Too many actions to invoke", "The option -invoke can be given once: it names one action, or one instance of it.").By(diag.Operator))
	}
	if len(s.targets) > 0 && len(s.excludes) > 0 {
		diags = diags.Append(diag.Err("Invalid combination of arguments", "The options -target and -exclude exclude each other.").By(diag.Operator))
	}
	return s, diags
}

func targets(what string, texts, files []string) ([]addr.Target, diag.List) {
	var out []addr.Target
	var diags diag.List
	for _, name := range files {
		lines, err := addressFile(name)
		if err != nil {
			diags = diags.Append(diag.Err("Failed to read the addresses in \""+name+"\"", err.Error()).By(diag.Operator))
		}
		texts = append(texts, lines...)
	}
	for _, text := range texts {
		t, err := addr.ParsePattern(text)
		if err != nil {
			diags = diags.Append(diag.Err("Invalid "+what+" "+strconv.Quote(text), err.Error()+".").By(diag.Operator))
			continue
		}
		out = append(out, t)
	}
	return out, diags
}

// addressFile reads addresses, one a line; lines that begin with # are
// comments.
func addressFile(name string) ([]string, error) {
	src, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	var out []string
	for lines := bufio.NewScanner(bytes.NewReader(src)); lines.Scan(); {
		if line := strings.TrimSpace(lines.Text()); line != "" && !strings.HasPrefix(line, "#") {
			out = append(out, line)
		}
	}
	return out, nil
}
