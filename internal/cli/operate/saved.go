package operate

import (
	"context"

	"github.com/plumb-iac/plumb/diag"
	"github.com/plumb-iac/plumb/engine"
	"github.com/plumb-iac/plumb/internal/cli/workdir"
	"github.com/plumb-iac/plumb/internal/lockfile"
	"github.com/plumb-iac/plumb/plan"
	"github.com/plumb-iac/plumb/plan/planfile"
)

// save writes a plan file.
func (p *operation) save(ctx context.Context, doc *plan.Document, name string) diag.List {
	return p.dir.WritePlan(ctx, name, &planfile.Content{
		Document: doc, Sources: p.tree.Sources, Modules: p.dir.Manifest(), Lock: p.dir.LockText,
	})
}

// read reads a saved plan, and with it the configuration and the lock file.
func (p *operation) read(ctx context.Context, name string) (*planfile.Content, diag.List) {
	content, diags := p.dir.ReadPlan(ctx, name, engine.Version)
	if diags.HasErrors() {
		return nil, diags
	}
	return content, diags.With(p.useSaved(content))
}

// useSaved takes configuration and lock file from a saved plan.
func (p *operation) useSaved(c *planfile.Content) diag.List {
	tree, diags := p.dir.Config(workdir.ConfigOptions{Early: p.given.Early(), Sources: c.Sources, Manifest: c.Modules})
	p.tree = tree
	p.s.AddSources(c.Sources)
	return diags.With(p.sameProviders(c.Lock))
}

// sameProviders checks that the providers are those that the plan was made
// with.
func (p *operation) sameProviders(text []byte) diag.List {
	then := lockfile.New()
	if text != nil {
		parsed, diags := lockfile.Parse(lockfile.Name, text)
		if diags.HasErrors() {
			return diags
		}
		then = parsed
	}
	if then.Equal(p.dir.Lock) {
		return nil
	}
	return diag.List{diag.Err("Inconsistent dependency lock file",
		"The dependency lock file is not the one that the plan was made with, so other versions of providers could carry it out than made it. Plan again, or restore the lock file.").By(diag.Operator)}
}

// current checks that a saved plan is for the selected workspace and for the
// state that is there now.
func (p *operation) current(doc *plan.Document) diag.List {
	workspace, _ := p.s.Workspace()
	if doc.Workspace != "" && doc.Workspace != workspace && p.dir.ChecksWorkspace() {
		return diag.List{diag.Err("The plan file describes changes to the \""+doc.Workspace+"\" workspace, but the \""+workspace+"\" workspace is currently in use.",
			"Each workspace has a state of its own, and the plan is for that of the other one. Select the plan's workspace with \"plumb workspace select "+doc.Workspace+"\", or plan again.").By(diag.Operator)}
	}
	planned := doc.PrevRun
	// A run that was cut off changes the state, and its serial stays.
	if planned.Lineage() == p.before.Lineage() && planned.Serial() == p.before.Serial() && (p.before == p.storage.Stored() || planned.Equal(p.before)) {
		return nil
	}
	if !p.storage.Found() && planned.Empty() && planned.Serial() == 0 {
		return nil
	}
	return diag.List{diag.Err("Saved plan is stale",
		"The state was changed by another operation after this plan was made, so the plan may no longer fit. Plan again.").By(diag.Operator)}
}
