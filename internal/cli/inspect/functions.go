package inspect

import (
	"context"

	"github.com/plumb-iac/plumb/internal/cli/command"
	"github.com/plumb-iac/plumb/internal/cli/session"
	"github.com/plumb-iac/plumb/internal/lang"
	"github.com/plumb-iac/plumb/internal/osfiles"
	"github.com/plumb-iac/plumb/internal/view/schemajson"
)

func functions(f *command.Flags) command.Run {
	asJSON := f.Bool("json", false, "Required.")
	return func(_ context.Context, s *session.Session, _ []string) int {
		if !*asJSON {
			return s.Misused("The -json option is required", "Signatures are written as JSON only: run \"plumb metadata functions -json\".")
		}
		all := map[string]lang.Signature{}
		for _, n := range lang.Signatures(lang.Functions(lang.FuncOptions{BaseDir: ".", Files: osfiles.Disk{}})) {
			all[n.Name] = n.Signature
		}
		if err := schemajson.WriteFunctions(s.Stdout, all); err != nil {
			s.Complain("%s\n", err)
			return 1
		}
		s.Print("\n")
		return 0
	}
}
