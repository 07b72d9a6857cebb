package initialise

import (
	"context"
	"slices"
	"strings"

	"github.com/plumb-iac/plumb/config"
	"github.com/plumb-iac/plumb/diag"
	"github.com/plumb-iac/plumb/internal/cli/session"
	"github.com/plumb-iac/plumb/internal/cli/workdir"
	"github.com/plumb-iac/plumb/internal/install"
	"github.com/plumb-iac/plumb/internal/view"
	"github.com/plumb-iac/plumb/internal/view/jsonlog"
	"github.com/plumb-iac/plumb/state"
	"github.com/zclconf/go-cty/cty"
)

// steps is one init.
type steps struct {
	s     *session.Session
	o     Options
	dir   *workdir.Dir
	early map[string]cty.Value
	tree  *config.Tree
	// kept is the state, whose objects need providers, too.
	kept *state.Snapshot
	// log takes what is said as lines of JSON; nil for none.
	log *jsonlog.Log
}

// say tells a line or more of text.
func (i *steps) say(text string) {
	i.read(text)
	if text = strings.TrimSpace(text); i.log != nil && text != "" {
		i.log.Info(text)
	}
}

// read shows text to people, if they are to see any.
func (i *steps) read(text string) {
	if i.o.Forms.Text {
		i.s.Print("%s\n", text)
	}
}

// tell tells what the command itself does, which programs know by a code.
func (i *steps) tell(code, text string) {
	i.read(text)
	if i.log != nil {
		i.log.Init(code, strings.TrimSpace(text))
	}
}

// report tells of diagnostics and gives the exit status that they stand for.
func (i *steps) report(l diag.List) int {
	if i.log != nil {
		i.log.Diagnostics(l)
	}
	if i.o.Forms.Text {
		i.s.Report(l)
	}
	return status(l)
}

func status(l diag.List) int {
	if l.HasErrors() {
		return 1
	}
	return 0
}

func run(ctx context.Context, s *session.Session, o Options) int {
	s.NoInput = o.NoInput || !o.Forms.Text
	i := &steps{s: s, o: o}
	if o.Forms.JSON != nil {
		i.log = s.Log(o.Forms.JSON)
	}
	if d := o.conflicts(); d != nil {
		return i.report(diag.List{*d})
	}
	if i.open(ctx) != 0 {
		return 1
	}
	given, diags := o.Vars.Collect(s, ".")
	if i.report(diags) != 0 {
		return 1
	}
	i.early = given.Early()
	if empty, diags := i.empty(); empty || diags.HasErrors() {
		return i.report(diags)
	}
	for _, step := range i.order() {
		if i.report(step(ctx)) != 0 {
			return 1
		}
	}
	i.done()
	return 0
}

// order are the steps. The provider that keeps the state comes before the state, and
// the modules, which have a say about its version, before both.
func (i *steps) order() []func(context.Context) diag.List {
	if i.tree.Root.Settings.Store != nil && !i.o.NoBackend {
		return []func(context.Context) diag.List{i.modules, i.keeper, i.backend, i.providers}
	}
	return []func(context.Context) diag.List{i.backend, i.modules, i.providers}
}

// open opens the working directory, filled with the module of -from-module first
// where that is asked for: what it has decides how it is read.
func (i *steps) open(ctx context.Context) int {
	dir, diags := workdir.Open(i.s)
	i.dir = dir
	source := i.o.FromModule
	if i.report(diags) != 0 || source == "" {
		return status(diags)
	}
	i.heading("copying_configuration_message", "Copying configuration from \""+source+"\"...")
	if diags = dir.CopyModule(ctx, source, func(e install.Event) { i.say(e.String()) }); !diags.HasErrors() {
		i.dir, diags = workdir.Open(i.s)
		i.say("")
	}
	return i.report(diags)
}

// style is plain where programs read the same.
func (i *steps) style() view.Style {
	if i.log != nil {
		return view.Style{Name: i.s.Style().Name}
	}
	return i.s.Style()
}

func (i *steps) heading(code, text string) {
	i.tell(code, i.style().Bold(text))
}

// empty says whether there is nothing to prepare.
func (i *steps) empty() (bool, diag.List) {
	tree, diags := i.dir.Config(workdir.ConfigOptions{RootOnly: true, Early: i.early, Tests: true, TestDir: i.o.TestDir})
	if diags.HasErrors() {
		return false, diags
	}
	i.tree = tree
	if !tree.Empty() {
		return false, nil
	}
	i.tell("output_init_empty_message", i.style().Paint(i.style().Named("Plumb initialized in an empty directory!"), view.Bold, view.Green)+"\n\nThere is no configuration here so far. Write one, and run the command again.")
	return true, nil
}

func (i *steps) backend(ctx context.Context) diag.List {
	if !i.o.NoBackend {
		code, heading := "initializing_backend_message", "Initializing the backend..."
		if i.tree.Root.Settings.Store != nil {
			code, heading = "initializing_state_store_message", "Initializing the state store..."
		}
		i.heading(code, heading)
		changed, diags := i.dir.SetUp(ctx, i.tree, workdir.SetUpOptions{
			Arguments: i.o.BackendConfig, Reconfigure: i.o.Reconfigure, Migrate: i.o.Migrate, ForceCopy: i.o.ForceCopy,
			NoLock: i.o.NoLock, LockTimeout: i.o.LockTimeout,
		})
		if diags.HasErrors() {
			return diags
		}
		i.report(diags)
		if changed != "" {
			i.say("\n" + i.style().Paint("Successfully configured the "+changed+"! It is used from now on, until the\nblock changes.", view.Green))
		}
	}
	storage, diags := i.dir.Storage(ctx, i.tree, workdir.StatePaths{})
	if diags.HasErrors() {
		if i.o.NoBackend {
			return nil
		}
		return diags
	}
	kept, more := storage.Read(ctx)
	i.kept = kept
	return diags.With(more)
}

// keeper installs the provider that keeps the state, and no other.
func (i *steps) keeper(ctx context.Context) diag.List {
	i.say("")
	i.heading("initializing_state_store_provider_message", "Initializing the provider of the state store...")
	return i.install(ctx, workdir.Keeping(i.tree), true)
}

func (i *steps) modules(ctx context.Context) diag.List {
	if i.o.NoGet {
		tree, diags := i.dir.Config(workdir.ConfigOptions{Early: i.early, Tests: true, TestDir: i.o.TestDir})
		i.tree = tree
		return diags
	}
	if i.calls() {
		code, heading := "initializing_modules_message", "Initializing modules..."
		if i.o.Upgrade {
			code, heading = "upgrading_modules_message", "Upgrading modules..."
		}
		i.say("")
		i.heading(code, heading)
	}
	tree, diags := i.dir.Install(ctx, workdir.InstallOptions{Early: i.early, Upgrade: i.o.Upgrade, TestDir: i.o.TestDir, Observe: func(e install.Event) { i.say(e.String()) }})
	i.tree = tree
	return diags
}

// calls says whether the configuration or its tests call modules.
func (i *steps) calls() bool {
	for _, f := range i.tree.Tests {
		if slices.ContainsFunc(f.Runs, func(r *config.TestRun) bool { return r.Module != nil }) {
			return true
		}
	}
	return len(i.tree.Root.Calls) > 0
}

func (i *steps) providers(ctx context.Context) diag.List {
	i.say("")
	i.heading("initializing_provider_plugin_message", "Initializing provider plugins...")
	return i.install(ctx, install.Required(i.tree, install.InState(i.kept)), false)
}

// install installs providers, beside those that are installed already or in their
// place.
func (i *steps) install(ctx context.Context, required []install.Requirement, beside bool) diag.List {
	if diags := i.o.pluginDirs(); diags.HasErrors() {
		return diags
	}
	registry, diags := i.dir.Providers(workdir.ProviderOptions{Lenient: true})
	if diags.HasErrors() {
		return diags
	}
	defer registry.Close()
	request := i.dir.Request(required, i.o.PluginDirs, func(e install.Event) { i.say(e.String()) })
	request.Upgrade, request.ReadonlyLock, request.Beside = i.o.Upgrade, i.o.LockFile == "readonly", beside
	result, more := install.Install(ctx, request)
	diags = diags.With(more)
	if !diags.HasErrors() {
		i.dir.Lock = result.Lock
		i.lockNote(result)
		i.say("")
	}
	return diags
}

func (i *steps) lockNote(r install.Result) {
	switch {
	case r.Created:
		i.tell("lock_info", i.style().Named("\nPlumb has created a lock file .terraform.lock.hcl with the provider versions\nchosen above. Keep it under version control: with it, everybody gets the same."))
	case r.Changed:
		i.tell("dependencies_lock_changes_info", i.style().Named("\nPlumb has made some changes to the provider versions in .terraform.lock.hcl.\nLook them through before you commit the file."))
	}
}

func (i *steps) done() {
	i.tell("output_init_success_message", i.style().Paint(i.style().Named("Plumb has been successfully initialized!"), view.Bold, view.Green))
	if i.s.Automation() {
		return
	}
	i.tell("output_init_success_cli_message", "\nThe other commands work now: \"plumb plan\" shows what the configuration would\nchange.\n\nRun this command again when the modules, the providers or the backend of the\nconfiguration change. Commands that need it say so.")
}
