package inspect

import (
	"context"

	"github.com/plumb-iac/plumb/internal/cli/command"
	"github.com/plumb-iac/plumb/internal/cli/session"
	"github.com/plumb-iac/plumb/internal/cli/workdir"
	"github.com/plumb-iac/plumb/internal/settings"
	"github.com/plumb-iac/plumb/internal/view/schemajson"
)

func version(f *command.Flags) command.Run {
	asJSON := f.Bool("json", false, "Write JSON for programs.")
	return func(_ context.Context, s *session.Session, _ []string) int {
		// What is wrong with settings or the lock file is no reason to hide the
		// version.
		dir, _ := workdir.Open(s)
		lock := dir.Lock
		selected := map[string]string{}
		for _, l := range lock.Locks() {
			selected[l.Provider.String()] = l.Version
		}
		if *asJSON {
			return written(s, schemajson.WriteVersion(s.Stdout, schemajson.Version{Version: s.Language, Plumb: s.Version, Platform: workdir.Platform(), Providers: selected}))
		}
		s.Print("%s v%s\non %s\n", product(dir), s.Language, workdir.Platform())
		for _, l := range lock.Locks() {
			s.Print("+ provider %s v%s\n", l.Provider, l.Version)
		}
		s.Print("\nThis is Plumb v%s; the first line tells the language that it reads.\n", s.Version)
		return 0
	}
}

// product is whose language is read: that of the program that plumb was called as, or
// else of the directory's dialect.
func product(dir *workdir.Dir) string {
	if d, ok := dir.S.CalledAs(); ok {
		return d.Text(settings.Product)
	}
	return dir.Dialect.Text(settings.Product)
}
