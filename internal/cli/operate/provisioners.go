package operate

import (
	"github.com/plumb-iac/plumb/engine"
	"github.com/plumb-iac/plumb/internal/cli/session"
)

// provisioners are those that configurations may use.
func provisioners(*session.Session) map[string]engine.Provisioner {
	return map[string]engine.Provisioner{}
}
