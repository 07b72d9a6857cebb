package initialise

import (
	"context"
	"os"
	"time"

	"github.com/plumb-iac/plumb/diag"
	"github.com/plumb-iac/plumb/internal/cli/command"
	"github.com/plumb-iac/plumb/internal/cli/inputs"
	"github.com/plumb-iac/plumb/internal/cli/session"
)

// Options are the flags of init.
type Options struct {
	NoBackend, NoGet, Upgrade, Reconfigure, Migrate, ForceCopy, NoInput, NoLock bool
	BackendConfig, PluginDirs                                                   []string
	FromModule, LockFile, TestDir                                               string
	Forms                                                                       command.Forms
	LockTimeout                                                                 time.Duration
	Vars                                                                        *inputs.Flags
}

// Command is the row of init.
func Command() command.Command {
	return command.Command{
		Name: "init", JSONLines: true, Args: "[options]", Group: command.Main,
		Synopsis: "Set up the working directory: backend, modules, providers",
		About:    `Prepares the working directory: sets up where the state is kept, installs the modules and providers that the configuration asks for, and records in the dependency lock file which ones were chosen. Run it first, and again when any of these change; it never does harm.`,
		New: func(f *command.Flags) command.Run {
			options := declare(f)
			return command.InForms(f, func(ctx context.Context, s *session.Session, args []string, forms command.Forms) int {
				if len(args) > 0 {
					return s.Misused("Too many command line arguments. Did you mean to use -chdir?", "")
				}
				o := options()
				o.Forms = forms
				return run(ctx, s, o)
			})
		},
	}
}

func declare(f *command.Flags) func() Options {
	backend := f.Bool("backend", true, "Don't set up the place of the state; use what was set up before.")
	cloud := f.Bool("cloud", true, "The same as -backend=false.")
	config := f.List("backend-config", "FILE|NAME=VALUE", "Give arguments that the backend block leaves out. Can be used several times.")
	force := f.Bool("force-copy", false, "Answer \"yes\" to copying a state to another place.")
	from := f.String("from-module", "SOURCE", "", "Copy this module into the empty working directory first.")
	get := f.Bool("get", true, "Don't install modules.")
	input := f.Bool("input", true, "Don't ask anything.")
	lock := f.Bool("lock", true, "Don't hold the state's lock while it is copied.")
	timeout := f.Duration("lock-timeout", 0, "How long to wait for a lock that another holds.")
	plugins := f.List("plugin-dir", "DIR", "Take providers from this directory and nowhere else. Can be used several times.")
	reconfigure := f.Bool("reconfigure", false, "Forget where the state was kept; it is not copied.")
	migrate := f.Bool("migrate-state", false, "Copy the state when it is kept elsewhere from now on.")
	upgrade := f.Bool("upgrade", false, "Choose the newest versions that the constraints allow.")
	lockFile := f.String("lockfile", "MODE", "", "\"readonly\" refuses to change the dependency lock file.")
	f.Old("ignore-remote-version")
	tests := f.String("test-directory", "DIR", "", "Where tests are besides the working directory; the default is tests.")
	vars := inputs.Declare(f)
	return func() Options {
		return Options{
			NoBackend: !*backend || !*cloud, NoGet: !*get, Upgrade: *upgrade, Reconfigure: *reconfigure, Migrate: *migrate,
			ForceCopy: *force, NoInput: !*input, NoLock: !*lock, BackendConfig: *config, PluginDirs: *plugins,
			FromModule: *from, LockFile: *lockFile, TestDir: *tests, LockTimeout: *timeout, Vars: vars,
		}
	}
}

// pluginDirs says which directories of -plugin-dir are none: nothing would be
// found in them, and what is installed already would hide that.
func (o Options) pluginDirs() diag.List {
	var diags diag.List
	for _, dir := range o.PluginDirs {
		if info, err := os.Stat(dir); err != nil || !info.IsDir() {
			diags = diags.Append(diag.Err("Failed to resolve provider packages", "The option -plugin-dir names "+dir+", and there is no such directory.").By(diag.Operator))
		}
	}
	return diags
}

// conflicts says which options do not go together.
func (o Options) conflicts() *diag.Diag {
	wrong := func(summary, detail string) *diag.Diag {
		d := diag.Err(summary, detail).By(diag.Operator)
		return &d
	}
	switch {
	case o.Migrate && o.Reconfigure:
		return wrong("Invalid init options", "The options -migrate-state and -reconfigure exclude each other: one copies the state, the other leaves it.")
	case o.LockFile != "" && o.LockFile != "readonly":
		return wrong("Invalid lock file mode", "The only value of -lockfile is \"readonly\".")
	case o.LockFile == "readonly" && o.Upgrade:
		return wrong("Invalid init options", "The options -upgrade and -lockfile=readonly exclude each other: new versions have to be recorded.")
	}
	return nil
}
