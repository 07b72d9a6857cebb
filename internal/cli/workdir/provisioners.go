package workdir

import (
	"runtime"

	"github.com/plumb-iac/plumb/engine"
	"github.com/plumb-iac/plumb/internal/cli/session"
	"github.com/plumb-iac/plumb/internal/provisioner"
)

// Provisioners are those that configurations may use.
func Provisioners(s *session.Session) map[string]engine.Provisioner {
	out := map[string]engine.Provisioner{}
	for name, p := range provisioner.All(provisioner.Options{Env: s.Env, GOOS: runtime.GOOS}) {
		out[name] = p
	}
	return out
}
