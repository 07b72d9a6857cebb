package session

import (
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strings"

	"github.com/plumb-iac/plumb/diag"
	"github.com/plumb-iac/plumb/internal/osfiles"
)

// DefaultWorkspace always exists.
const DefaultWorkspace = "default"

// Workspace is the selected workspace, and whether the environment overrides
// the selection.
func (s *Session) Workspace() (name string, overridden bool) {
	if name := s.Environment.Workspace(); name != "" {
		return name, true
	}
	b, err := os.ReadFile(s.DataPath("environment"))
	if name := strings.TrimSpace(string(b)); err == nil && name != "" {
		return name, false
	}
	return DefaultWorkspace, false
}

// CheckWorkspace refuses a name from the environment that cannot be that of a
// workspace.
func (s *Session) CheckWorkspace() diag.List {
	name, overridden := s.Workspace()
	if !overridden || ValidWorkspace(name) {
		return nil
	}
	return diag.List{diag.Err("Invalid workspace name set using TF_WORKSPACE",
		fmt.Sprintf("The environment variable TF_WORKSPACE is %q. The name of a workspace becomes a part of paths and URLs, so it can have letters, digits and the characters - _ . ~ only.", name)).By(diag.Operator)}
}

// SelectWorkspace remembers the selection for the next commands.
func (s *Session) SelectWorkspace(name string) error {
	path := s.DataPath("environment")
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	return osfiles.Replace(path, osfiles.Replacement{Content: osfiles.Bytes([]byte(name))})
}

// ValidWorkspace says whether a name can be one: it has to survive in a URL
// path as it is.
func ValidWorkspace(name string) bool { return name != "" && name == url.PathEscape(name) }
