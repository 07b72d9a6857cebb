package inspect

import (
	"context"
	"fmt"
	"regexp"
	"slices"

	"github.com/plumb-iac/plumb/addr"
	"github.com/plumb-iac/plumb/diag"
	"github.com/plumb-iac/plumb/internal/cli/command"
	"github.com/plumb-iac/plumb/internal/cli/inputs"
	"github.com/plumb-iac/plumb/internal/cli/session"
	"github.com/plumb-iac/plumb/internal/cli/workdir"
	"github.com/plumb-iac/plumb/internal/install"
	"github.com/plumb-iac/plumb/internal/settings"
)

// required are the providers that a directory needs.
func required(ctx context.Context, s *session.Session, vars *inputs.Flags) (*workdir.Dir, []install.Requirement, diag.List) {
	dir, tree, snapshot, diags := opened(ctx, s, vars, workdir.ConfigOptions{Tests: true})
	if diags.HasErrors() {
		return nil, nil, diags
	}
	return dir, install.Required(tree, install.InState(snapshot)), diags
}

var platformForm = regexp.MustCompile(`^[a-z0-9]+_[a-z0-9]+$`)

// platforms are those that were given, or this machine's.
func platforms(given []string) ([]string, diag.List) {
	if len(given) == 0 {
		return []string{workdir.Platform()}, nil
	}
	for _, p := range given {
		if !platformForm.MatchString(p) {
			return nil, diag.List{diag.Err("Invalid target platform", fmt.Sprintf("%q is no platform: an operating system and an architecture with an underscore between them are expected, such as linux_amd64.", p)).By(diag.Operator)}
		}
	}
	return given, nil
}

// providersLock adds checksums for platforms to the lock file.
func providersLock(f *command.Flags) command.Run {
	wanted := f.List("platform", "OS_ARCH", "Add the checksums of packages for this platform; the default is this machine's. Can be used several times.")
	mirror := f.String("fs-mirror", "DIR", "", "Take packages from this directory and nowhere else.")
	network := f.String("net-mirror", "URL", "", "Take packages from this network mirror and nowhere else.")
	f.Old("enable-plugin-cache")
	vars := inputs.Declare(f)
	return func(ctx context.Context, s *session.Session, args []string) int {
		if *mirror != "" && *network != "" {
			return s.Misused("Invalid installation method options", "The options -fs-mirror and -net-mirror exclude each other: packages are taken from one place.")
		}
		targets, diags := platforms(*wanted)
		if diags.HasErrors() {
			return s.Fail(diags)
		}
		dir, need, diags := required(ctx, s, vars)
		if diags.HasErrors() {
			return s.Fail(diags)
		}
		need, more := only(need, args)
		if diags = diags.With(more); more.HasErrors() {
			return s.Fail(diags)
		}
		override(dir, *mirror, *network)
		request := dir.Request(need, nil, func(e install.Event) { s.Print("%s\n", e) })
		result, more := install.LockPlatforms(ctx, request, targets)
		if diags = diags.With(more); more.HasErrors() {
			return s.Fail(diags)
		}
		s.Report(diags)
		if result.Changed || result.Created {
			s.Print("\nThe lock file has the checksums now. Look it through before you commit it.\n")
			return 0
		}
		s.Print("\nThe lock file has all of these checksums already.\n")
		return 0
	}
}

// override makes a mirror the only place where packages are looked for.
func override(dir *workdir.Dir, mirror, network string) {
	switch {
	case mirror != "":
		dir.Settings.Methods = []settings.Method{{Kind: settings.FilesystemMirror, Location: mirror}}
	case network != "":
		dir.Settings.Methods = []settings.Method{{Kind: settings.NetworkMirror, Location: network}}
	}
}

// only keeps the providers that are named; all of them for no name.
func only(need []install.Requirement, names []string) ([]install.Requirement, diag.List) {
	if len(names) == 0 {
		return need, nil
	}
	var out []install.Requirement
	for _, text := range names {
		p, err := addr.ParseProvider(text, addr.DefaultHost)
		if err != nil {
			return nil, diag.List{diag.Err("Invalid provider source address", err.Error()+".").By(diag.Operator)}
		}
		i := slices.IndexFunc(need, func(r install.Requirement) bool { return r.Provider == p })
		if i < 0 {
			return nil, diag.List{diag.Err("Provider not required", "Nothing in this directory needs the provider "+p.Display()+".").By(diag.Operator)}
		}
		out = append(out, need[i])
	}
	return out, nil
}

// providersMirror copies packages into a directory.
func providersMirror(f *command.Flags) command.Run {
	wanted := f.List("platform", "OS_ARCH", "Take the packages for this platform; the default is this machine's. Can be used several times.")
	locked := f.Bool("lock-file", true, "Choose versions by the constraints alone.")
	vars := inputs.Declare(f)
	return func(ctx context.Context, s *session.Session, args []string) int {
		if len(args) != 1 {
			return s.Misused("No output directory specified", "The providers mirror command takes one argument: the directory that is to become a mirror.")
		}
		targets, diags := platforms(*wanted)
		if diags.HasErrors() {
			return s.Fail(diags)
		}
		dir, need, diags := required(ctx, s, vars)
		if diags.HasErrors() {
			return s.Fail(diags)
		}
		request := dir.Request(need, nil, func(e install.Event) { s.Print("%s\n", e) })
		request.Upgrade = !*locked
		return s.Done(diags.With(install.MirrorTo(ctx, request, args[0], targets)))
	}
}
