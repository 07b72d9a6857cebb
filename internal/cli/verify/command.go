package verify

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"

	"github.com/plumb-iac/plumb/addr"
	"github.com/plumb-iac/plumb/diag"
	"github.com/plumb-iac/plumb/engine"
	"github.com/plumb-iac/plumb/internal/cli/command"
	"github.com/plumb-iac/plumb/internal/cli/session"
	examiner "github.com/plumb-iac/plumb/internal/verify"
	"github.com/plumb-iac/plumb/provider"
	"github.com/plumb-iac/plumb/provider/process"
)

// Commands are the rows of this family.
func Commands() []command.Command {
	return []command.Command{
		{Name: "provider", Args: "<subcommand> [options] [args]", Synopsis: "Tools for those who develop providers", Family: true,
			About: "Tools for those who develop providers."},
		{Name: "provider verify", Args: "[options] BINARY", Synopsis: "Examine a provider for broken promises", New: verify,
			About: `Makes configurations of a provider's own schema, takes each through the lifecycle (validate, plan, and with -allow-apply also create, read, upgrade, import, move, update and destroy), and reports every rule of the contract that the provider broke, with the smallest configuration that still breaks it. Data sources, ephemeral resources, list resources, actions and functions are examined likewise.

Without -allow-apply only schemas, validation, configuration, plans and functions are called, so nothing is created, read, opened, listed or invoked.

The exit status is 1 when a rule was broken, 2 when the provider could not be examined.`},
	}
}

// flags are what the command is told.
type flags struct {
	apply, json, all   bool
	types, given, args []string
	seed               string
	imports            []string
	tries, shrinks     int
}

func verify(f *command.Flags) command.Run {
	apply := f.Bool("allow-apply", false, "Create, change and destroy real objects, read data sources, open ephemeral resources, list, and invoke actions. What the provider manages is touched: use an account made for tests.")
	types := f.List("type", "NAME", "Examine what has this name only: resource type, data source, ephemeral resource, list resource, action or function. Can be used several times.")
	given := f.List("set", "TYPE.ARG=VALUE", "Give an argument of a type this value in every configuration. Values of collections are written as JSON. Can be used several times.")
	args := f.List("provider-arg", "ARG=VALUE", "Give an argument of the provider's own configuration. Can be used several times.")
	imports := f.List("import", "TYPE=ID", "Also import the object of this type that has this id. Needs -allow-apply. Can be used several times.")
	tries := f.Int("tries", 4, "Make this many configurations for a type. The default is 4.")
	shrinks := f.Int("shrinks", 60, "Try this many simpler configurations for a broken rule. The default is 60.")
	seed := f.String("seed", "N", "1", "Make other configurations.")
	all := f.Bool("all", false, "Also show what is tolerated of the old type system, and what is noted only.")
	asJSON := f.Bool("json", false, "Write JSON for programs.")
	return func(ctx context.Context, s *session.Session, operands []string) int {
		if len(operands) != 1 {
			return s.Misused("Provider program required", "The command takes one argument: the provider's program.")
		}
		return run(ctx, s, operands[0], flags{
			apply: *apply, json: *asJSON, all: *all, types: *types, given: *given, args: *args,
			seed: *seed, imports: *imports, tries: *tries, shrinks: *shrinks,
		})
	}
}

// notExamined is the exit status when there is nothing to say of the provider.
const notExamined = 2

func run(ctx context.Context, s *session.Session, binary string, f flags) int {
	s.Machine = f.json
	o, diags := options(f)
	if diags.HasErrors() {
		s.Report(diags)
		return notExamined
	}
	path, err := filepath.Abs(binary)
	if err == nil {
		_, err = os.Stat(path)
	}
	if err != nil {
		s.Report(diag.List{diag.Err("Provider program not found", err.Error()).By(diag.Operator)})
		return notExamined
	}
	dir, err := os.MkdirTemp("", "plumb-verify-")
	if err != nil {
		s.Report(diag.List{diag.Err("No directory to work in", err.Error()).By(diag.Operator)})
		return notExamined
	}
	defer os.RemoveAll(dir)
	o.Footprint = func() string { return footprint(dir) }
	o.Provider = named(path)
	o.Open = func(context.Context) (provider.Provider, diag.List) {
		return process.New(process.Launch{Provider: o.Provider, Path: path, Environ: s.Env, Dir: dir}), nil
	}
	if !f.json {
		announce(s, o)
	}
	report := examine(ctx, s, o)
	if f.json {
		if err := writeJSON(s.Stdout, report); err != nil {
			s.Complain("%s\n", err)
			return notExamined
		}
	} else {
		s.Report(report.Diags)
		write(s, report, f.all)
	}
	switch {
	case report.Broken():
		return 1
	case report.Diags.HasErrors():
		return notExamined
	}
	return 0
}

// examine has the provider examined. The first interrupt has what was created
// destroyed, the second does not wait for that.
func examine(ctx context.Context, s *session.Session, o examiner.Options) *examiner.Report {
	enough := make(chan struct{})
	o.Enough = enough
	done := s.Interrupts.OnInterrupt(session.Draining{Drain: func() { close(enough) },
		Why:  "What was created is destroyed before the examination ends.",
		Lost: "What was created may still exist."})
	defer done()
	return examiner.Run(ctx, o)
}

func options(f flags) (examiner.Options, diag.List) {
	o := examiner.Options{AllowApply: f.apply, Types: f.types, Tries: f.tries, Shrinks: f.shrinks,
		Given: map[string]map[string]string{}, Imports: map[string]string{}, LanguageVersion: engine.LanguageVersion}
	var diags diag.List
	n, err := strconv.ParseUint(f.seed, 10, 64)
	if err != nil {
		diags = diags.Append(diag.Err("Invalid -seed", "A seed is a whole number.").By(diag.Operator))
	}
	o.Seed = n
	give := func(typeName, arg, to string) {
		if o.Given[typeName] == nil {
			o.Given[typeName] = map[string]string{}
		}
		o.Given[typeName][arg] = to
	}
	for _, text := range f.args {
		name, to, ok := strings.Cut(text, "=")
		if !ok {
			diags = diags.Append(diag.Err("Invalid -provider-arg", "Write it as -provider-arg=NAME=VALUE.").By(diag.Operator))
		}
		give("", name, to)
	}
	for _, text := range f.imports {
		name, id, ok := strings.Cut(text, "=")
		if !ok || !f.apply {
			diags = diags.Append(diag.Err("Invalid -import", "Write it as -import=TYPE=ID, beside -allow-apply.").By(diag.Operator))
		}
		o.Imports[name] = id
	}
	for _, text := range f.given {
		name, to, ok := strings.Cut(text, "=")
		typeName, arg, dotted := strings.Cut(name, ".")
		if !ok || !dotted {
			diags = diags.Append(diag.Err("Invalid -set", "Write it as -set=TYPE.ARGUMENT=VALUE.").By(diag.Operator))
		}
		give(typeName, arg, to)
	}
	return o, diags
}

var program = regexp.MustCompile(`^terraform-provider-([0-9A-Za-z-]+?)(_v.*)?(\.exe)?$`)

// named is the address to call a provider by that is known as a program only.
func named(path string) addr.Provider {
	name := strings.TrimSuffix(filepath.Base(path), ".exe")
	if m := program.FindStringSubmatch(filepath.Base(path)); m != nil {
		name = m[1]
	}
	return addr.Provider{Host: "example.com", Namespace: "verified", Type: strings.ToLower(name)}
}

func announce(s *session.Session, o examiner.Options) {
	if o.AllowApply {
		s.Print("Examining provider %s. Objects are created, changed and destroyed,\nand actions invoked (-allow-apply).\n", o.Provider.Type)
		return
	}
	s.Print("Examining provider %s: schemas, validation, plans and functions only. Nothing is\ncreated, read, opened, listed or invoked; -allow-apply allows that.\n", o.Provider.Type)
}

// footprint names what is in the provider's directory, with sizes and times.
func footprint(dir string) string {
	var out []string
	// What cannot be read is left out; nothing depends on it.
	_ = filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil || path == dir {
			return nil
		}
		rel, _ := filepath.Rel(dir, path)
		if info, err := e.Info(); err == nil && !e.IsDir() {
			rel += fmt.Sprintf(" %d bytes of %s", info.Size(), info.ModTime().Format("15:04:05.000"))
		}
		out = append(out, rel)
		return nil
	})
	return strings.Join(out, ", ")
}
