package evaluate

import (
	"github.com/plumb-iac/plumb/addr"
	"github.com/plumb-iac/plumb/config"
	"github.com/plumb-iac/plumb/diag"
)

// removal compiles the provisioners of a removed block.
func (c *compiler) removal(m *Module, cfg *config.Removed) {
	if !cfg.From.HasResource {
		if len(cfg.Provisioners) > 0 {
			c.report(diag.Err("Invalid removed block", "A removed block for a module cannot have provisioners: they belong to resources.").At(cfg.Range))
		}
		return
	}
	path := m.Config.Path
	for _, name := range cfg.From.Module.Module().Names() {
		path = path.Child(name)
	}
	d := &RemovedDecl{}
	for _, p := range cfg.Provisioners {
		block := c.opts.Provisioners(p.Type)
		if block == nil || !p.Destroy {
			continue
		}
		c.judge(p)
		d.Provisioners = append(d.Provisioners, ProvisionerDecl{Config: p, Body: c.detached(p.Config, block), Connection: c.detached(p.ConnectionOver(cfg.Connection), ConnectionSchema)})
	}
	c.removed[addr.ConfigResource{Module: path, Resource: cfg.From.Resource}] = d
}

// Removed is what a removed block says of a resource, nil for nothing.
func (p *Program) Removed(r addr.ConfigResource) *RemovedDecl { return p.removed[r] }
