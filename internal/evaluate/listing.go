package evaluate

import (
	"github.com/plumb-iac/plumb/addr"
	"github.com/plumb-iac/plumb/config"
	"github.com/plumb-iac/plumb/internal/lang"
)

// ListDecl is what a list block says of the search itself.
type ListDecl struct{ IncludeObjects, Limit *lang.Expr }

func (c *compiler) listing(s *Site, cfg *config.Resource) {
	if cfg.Addr.Mode == addr.List {
		s.Resource.List = &ListDecl{IncludeObjects: c.expr(s, cfg.IncludeResource), Limit: c.expr(s, cfg.Limit)}
	}
}
