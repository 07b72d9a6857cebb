package inspect

import (
	"context"
	"encoding/json"
	"maps"
	"slices"

	"github.com/plumb-iac/plumb/config"
	"github.com/plumb-iac/plumb/internal/cli/command"
	"github.com/plumb-iac/plumb/internal/cli/inputs"
	"github.com/plumb-iac/plumb/internal/cli/session"
	"github.com/plumb-iac/plumb/internal/cli/workdir"
)

// modules lists the modules of a configuration.
func modules(f *command.Flags) command.Run {
	asJSON := f.Bool("json", false, "Write JSON for programs.")
	vars := inputs.Declare(f)
	return func(ctx context.Context, s *session.Session, args []string) int {
		if len(args) > 0 {
			return s.Misused("Too many command line arguments", "Expected no positional arguments. Did you mean to use -chdir?")
		}
		dir, tree, _, diags := opened(ctx, s, vars, workdir.ConfigOptions{Tests: true})
		if diags.HasErrors() {
			return s.Fail(diags)
		}
		s.Report(diags)
		installed, err := config.ParseManifest(dir.Manifest())
		if err != nil {
			s.Complain("%s\n", err)
			return 1
		}
		if *asJSON {
			return modulesJSON(s, tree, installed)
		}
		if len(tree.Root.Children) == 0 {
			s.Print("No modules found in configuration.\n")
			return 0
		}
		s.Print("\nModules declared by configuration:\n.\n")
		draw(s, calls(tree.Root, installed), "")
		s.Print("\n")
		return 0
	}
}

// installedAs is what was installed for a call.
func installedAs(m *config.Module, installed *config.Manifest) config.ManifestRecord {
	if r, ok := installed.Record(m.Path); ok {
		return r
	}
	return config.ManifestRecord{Source: m.Call.Source}
}

// calls are the modules that a module calls, with theirs below them.
func calls(m *config.Module, installed *config.Manifest) []branch {
	var out []branch
	for _, name := range slices.Sorted(maps.Keys(m.Children)) {
		child := m.Children[name]
		r := installedAs(child, installed)
		text := `"` + name + `"[` + r.Source + `]`
		if r.Version != "" {
			text += " " + r.Version
			if asked := child.Call.Version.Text; asked != "" {
				text += " (" + asked + ")"
			}
		}
		out = append(out, branch{text, calls(child, installed)})
	}
	return out
}

// modulesJSON lists the modules for programs. The key is the name in the call
// alone, as it is with Terraform.
func modulesJSON(s *session.Session, tree *config.Tree, installed *config.Manifest) int {
	type module struct {
		Key     string `json:"key"`
		Source  string `json:"source"`
		Version string `json:"version"`
	}
	out := struct {
		Format  string   `json:"format_version"`
		Modules []module `json:"modules"`
	}{"1.0", []module{}}
	for _, m := range tree.Modules()[1:] {
		r := installedAs(m, installed)
		out.Modules = append(out.Modules, module{m.Call.Name, r.Source, r.Version})
	}
	return written(s, json.NewEncoder(s.Stdout).Encode(out))
}
