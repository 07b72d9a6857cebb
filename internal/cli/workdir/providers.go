package workdir

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/plumb-iac/plumb/addr"
	"github.com/plumb-iac/plumb/config"
	"github.com/plumb-iac/plumb/diag"
	"github.com/plumb-iac/plumb/internal/install"
	"github.com/plumb-iac/plumb/internal/settings"
	"github.com/plumb-iac/plumb/plan/planjson"
	"github.com/plumb-iac/plumb/provider"
	"github.com/plumb-iac/plumb/provider/assemble"
	"github.com/plumb-iac/plumb/provider/embedded"
	"github.com/plumb-iac/plumb/provider/process"
	"github.com/plumb-iac/plumb/provider/replay"
	"github.com/plumb-iac/plumb/schema"
	"github.com/plumb-iac/plumb/state"
)

// ProviderOptions say which providers are needed, and for what.
type ProviderOptions struct {
	Tree  *config.Tree
	State *state.Snapshot
	// SchemasOnly lets cached schemas do.
	SchemasOnly bool
	// Each reports a missing provider by itself, as validate does.
	Each bool
	// Lenient leaves out what is not installed instead of reporting it.
	Lenient bool
	// Record is the directory to record the conversations with providers in,
	// Replay that of a recording to answer from; "" is what the environment
	// says. Secrets are what must not be recorded.
	Record, Replay string
	Secrets        []string
}

// Providers finds the programs of the providers that are needed.
func (d *Dir) Providers(o ProviderOptions) (*assemble.Registry, diag.List) {
	return d.programs(o, install.Required(o.tree(), install.InState(o.State)))
}

// programs finds those of the providers that are required.
func (d *Dir) programs(o ProviderOptions, required []install.Requirement) (*assemble.Registry, diag.List) {
	record, replayed := d.conversations(o)
	if replayed != "" && !o.Lenient {
		return assemble.New(assemble.Options{Replay: replayed}), nil
	}
	attached, diags := process.ParseReattach(d.S.Environment.Get("TF_REATTACH_PROVIDERS"), d.Dialect.Text(settings.DefaultHost))
	if diags.HasErrors() {
		return nil, diags
	}
	running := map[addr.Provider]bool{}
	for _, a := range attached {
		running[a.Provider] = true
	}
	packages, more := install.Locate(install.LocateRequest{
		Dir: ".", DataDir: d.S.Environment.DataDir(), Platform: Platform(),
		Required:     required,
		DevOverrides: d.Settings.DevOverrides, Running: running, Each: o.Each,
	})
	if o.Lenient {
		more = nil
	}
	if diags = diags.With(more); more.HasErrors() {
		return nil, diags
	}
	programs := make(map[addr.Provider]string, len(packages))
	for p, pkg := range packages {
		programs[p] = pkg.Executable
	}
	return assemble.New(assemble.Options{
		Embedded: embedded.Providers(d.S.Version, d.builtinOptions()), Attached: attached, Programs: programs,
		Environ: d.S.Env, Logger: d.logger(),
		CacheDir: process.CacheDir(), SchemasOnly: o.SchemasOnly, Recording: record,
	}), diags
}

// conversations are where to record and what to replay. Commands that only
// need schemas are not worth recording.
func (d *Dir) conversations(o ProviderOptions) (record *replay.Recording, replayed string) {
	get := func(given, variable string) string {
		if given == "" {
			given = d.S.Environment.Get(variable)
		}
		if given == "" || filepath.IsAbs(given) {
			return given
		}
		return filepath.Join(d.S.Dir(), given)
	}
	if dir := get(o.Record, "PLUMB_RECORD"); dir != "" && !o.SchemasOnly {
		record = replay.NewRecording(dir, replay.NewSecrets(o.Secrets...))
	}
	return record, get(o.Replay, "PLUMB_REPLAY")
}

func (o ProviderOptions) tree() *config.Tree {
	if o.Tree != nil {
		return o.Tree
	}
	return &config.Tree{Root: &config.Module{}}
}

// Sources are where packages are looked for; pluginDirs replace all else.
func (d *Dir) Sources(pluginDirs []string) install.Sources {
	env := d.S.Environment
	return install.NewSources(d.Settings, settings.ImpliedDirs(env, runtime.GOOS), pluginDirs).WithToken(env.Token).As("plumb/" + d.S.Version)
}

// Request is an installation of providers into the present directory.
func (d *Dir) Request(required []install.Requirement, pluginDirs []string, observe func(install.Event)) install.InstallRequest {
	env := d.S.Environment
	cache := env.PluginCacheDir()
	if cache == "" {
		cache = d.Settings.PluginCacheDir
	}
	return install.InstallRequest{
		Dir: ".", DataDir: env.DataDir(), Platform: Platform(), DefaultHost: d.Dialect.Text(settings.DefaultHost),
		Required: required, BuiltIn: embedded.Addresses(), Sources: d.Sources(pluginDirs), PluginDirs: pluginDirs, Skip: d.Unmanaged(),
		CacheDir: cache, CacheMayBreakLock: d.Settings.PluginCacheMayBreakLock, Observe: observe,
	}
}

// Platform is this machine's operating system and architecture.
func Platform() string { return runtime.GOOS + "_" + runtime.GOARCH }

// logger writes what providers log, when the environment asks for it.
func (d *Dir) logger() *slog.Logger {
	log := d.S.Environment.Log()
	levels := map[string]slog.Level{"TRACE": slog.LevelDebug - 4, "DEBUG": slog.LevelDebug, "INFO": slog.LevelInfo, "WARN": slog.LevelWarn, "ERROR": slog.LevelError}
	level, on := levels[strings.ToUpper(log.Provider)]
	if !on {
		return nil
	}
	out := d.S.Stderr
	if log.Path != "" {
		f, err := os.OpenFile(log.Path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
		if err == nil {
			out = f
		} else {
			d.S.Complain("The file of TF_LOG_PATH cannot be written, so what providers log follows here: %s\n", err)
		}
	}
	if log.JSON {
		return slog.New(slog.NewJSONHandler(out, &slog.HandlerOptions{Level: level, ReplaceAttr: asTools}))
	}
	return slog.New(slog.NewTextHandler(out, &slog.HandlerOptions{Level: level, ReplaceAttr: named}))
}

// named gives a level the name that TF_LOG has for it.
func named(groups []string, a slog.Attr) slog.Attr {
	if level, ok := a.Value.Any().(slog.Level); ok && level < slog.LevelDebug && len(groups) == 0 {
		a.Value = slog.StringValue("TRACE")
	}
	return a
}

// asTools gives a line of JSON the keys under which tools look for them.
func asTools(groups []string, a slog.Attr) slog.Attr {
	if len(groups) > 0 {
		return a
	}
	switch a.Key {
	case slog.TimeKey:
		a.Key = "@timestamp"
	case slog.MessageKey:
		a.Key = "@message"
	case slog.LevelKey:
		a.Key, a.Value = "@level", slog.StringValue(strings.ToLower(named(nil, a).Value.String()))
	}
	return a
}

// SchemaSource gives schemas by provider.
type SchemaSource interface {
	Schemas(ctx context.Context, p addr.Provider) (provider.Schemas, diag.List)
}

// Schemas looks schemas up for views, which do without where there are none.
func Schemas(ctx context.Context, from SchemaSource) planjson.Schemas {
	known := map[addr.Provider]provider.Schemas{}
	return func(p addr.Provider, mode addr.Mode, typeName string) *schema.Resource {
		s, asked := known[p]
		if !asked {
			var diags diag.List
			if s, diags = from.Schemas(ctx, p); diags.HasErrors() {
				s = nil
			}
			known[p] = s
		}
		if s == nil {
			return nil
		}
		r, _ := s.Type(mode, typeName)
		return r
	}
}

// attached are the providers that run already; mistakes in their list are
// reported when providers are assembled.
func (d *Dir) attached() []process.Reattach {
	list, _ := process.ParseReattach(d.S.Environment.Get("TF_REATTACH_PROVIDERS"), d.Dialect.Text(settings.DefaultHost))
	return list
}

// Outdated says which objects of a state cannot be shown, because the provider
// has another version of their schema than the one they were stored with.
func Outdated(s *state.Snapshot, schemas planjson.Schemas) diag.List {
	var diags diag.List
	if s == nil {
		return nil
	}
	for at, o := range s.Objects() {
		r := s.Resource(at.Instance.Abs())
		p := r.Instance(at.Instance.Key).Provider().Provider
		sch := schemas(p, at.Instance.Resource.Mode, at.Instance.Resource.Type)
		if sch == nil || sch.Version == o.SchemaVersion {
			continue
		}
		diags = diags.Append(diag.Err(
			fmt.Sprintf("Failed to marshal state to json: schema version %d for %s in state does not match version %d from the provider", o.SchemaVersion, at, sch.Version),
			"The object is brought to the provider's version by the next plan or apply, and can be shown then.").By(diag.Operator))
	}
	return diags
}
