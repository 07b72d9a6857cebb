package inspect

import (
	"context"

	"github.com/plumb-iac/plumb/internal/cli/command"
	"github.com/plumb-iac/plumb/internal/cli/session"
	"github.com/plumb-iac/plumb/internal/cli/workdir"
	"github.com/plumb-iac/plumb/internal/install"
	"github.com/plumb-iac/plumb/internal/view/schemajson"
)

func version(f *command.Flags) command.Run {
	asJSON := f.Bool("json", false, "Write JSON for programs.")
	return func(_ context.Context, s *session.Session, _ []string) int {
		// A lock file that cannot be read is no reason to hide the version.
		lock, _, _ := install.ReadLock(".")
		selected := map[string]string{}
		for _, l := range lock.Locks() {
			selected[l.Provider.String()] = l.Version
		}
		if *asJSON {
			if err := schemajson.WriteVersion(s.Stdout, schemajson.Version{Version: s.Language, Plumb: s.Version, Platform: workdir.Platform(), Providers: selected}); err != nil {
				s.Complain("%s\n", err)
				return 1
			}
			return 0
		}
		s.Print("Plumb v%s\non %s\n", s.Version, workdir.Platform())
		for _, l := range lock.Locks() {
			s.Print("+ provider %s v%s\n", l.Provider, l.Version)
		}
		return 0
	}
}
