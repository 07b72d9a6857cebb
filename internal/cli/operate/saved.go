package operate

import (
	"errors"
	"io"
	"os"

	"github.com/plumb-iac/plumb/diag"
	"github.com/plumb-iac/plumb/internal/cli/workdir"
	"github.com/plumb-iac/plumb/internal/lockfile"
	"github.com/plumb-iac/plumb/internal/osfiles"
	"github.com/plumb-iac/plumb/plan"
	"github.com/plumb-iac/plumb/plan/planfile"
)

// save writes a plan file. It holds values in the clear, so nobody but the
// owner may read it.
func (p *operation) save(doc *plan.Document, name string) diag.List {
	err := osfiles.Replace(name, osfiles.Replacement{Private: true, Content: func(w io.Writer) error {
		return planfile.Write(w, &planfile.Content{
			Document: doc, Sources: p.tree.Sources, Modules: p.dir.Manifest(), Lock: p.dir.LockText,
		})
	}})
	if err != nil {
		return diag.List{diag.Err("Failed to write plan file", "The plan file could not be written, and what was there is as it was: "+err.Error()+".").By(diag.Operator)}
	}
	return nil
}

// OpenPlan reads a saved plan.
func OpenPlan(name, version string) (*planfile.Content, diag.List) {
	refused := func(detail string) (*planfile.Content, diag.List) {
		return nil, diag.List{diag.Err("Failed to load \""+name+"\" as a plan file", detail).By(diag.Operator)}
	}
	info, err := os.Stat(name)
	switch {
	case err != nil:
		return refused("Error: " + err.Error())
	case info.IsDir():
		return refused("The path is a directory and not a plan file. To work in this directory, use the global option -chdir.")
	}
	f, err := os.Open(name)
	if err != nil {
		return refused("Error: " + err.Error())
	}
	defer f.Close()
	content, err := planfile.Read(f, info.Size(), version)
	var not *planfile.NotPlan
	if errors.As(err, &not) {
		return refused(not.Reason)
	}
	if err != nil {
		return refused("Error: " + err.Error())
	}
	return content, nil
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
