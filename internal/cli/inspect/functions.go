package inspect

import (
	"context"

	"github.com/plumb-iac/plumb/internal/cli/command"
	"github.com/plumb-iac/plumb/internal/cli/session"
	"github.com/plumb-iac/plumb/internal/cli/workdir"
	"github.com/plumb-iac/plumb/internal/lang"
	"github.com/plumb-iac/plumb/internal/lang/funcs"
	"github.com/plumb-iac/plumb/internal/osfiles"
	"github.com/plumb-iac/plumb/internal/settings"
	"github.com/plumb-iac/plumb/internal/view/schemajson"
)

// foreign are the functions that the incumbent of a dialect does not have.
// plumb has them all; who asks for signatures wants that incumbent's.
func foreign(d settings.Dialect) []string {
	if d == settings.OpenTofu {
		return funcs.OnlyTerraform()
	}
	return funcs.OnlyOpenTofu()
}

func functions(f *command.Flags) command.Run {
	asJSON := f.Bool("json", false, "Required.")
	return func(_ context.Context, s *session.Session, _ []string) int {
		if !*asJSON {
			return s.Misused("The -json option is required", "Signatures are written as JSON only: run \"plumb metadata functions -json\".")
		}
		dir, diags := workdir.Open(s)
		if diags.HasErrors() {
			return s.Fail(diags)
		}
		all := map[string]lang.Signature{}
		options := lang.FuncOptions{BaseDir: ".", Files: osfiles.Disk{}, Omit: foreign(dir.Dialect),
			AnyTemplate: dir.Dialect.Yes(settings.TemplateStringAnything)}
		for _, n := range lang.Signatures(lang.Functions(options)) {
			all[n.Name] = n.Signature
		}
		return written(s, schemajson.WriteFunctions(s.Stdout, all))
	}
}
