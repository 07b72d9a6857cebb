package workdir

import (
	"context"
	"maps"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclparse"
	"github.com/plumb-iac/plumb/addr"
	"github.com/plumb-iac/plumb/config"
	"github.com/plumb-iac/plumb/diag"
	"github.com/plumb-iac/plumb/internal/backend"
	"github.com/plumb-iac/plumb/internal/cli/session"
	"github.com/plumb-iac/plumb/state"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/convert"
)

// SetUpOptions say how to set up the place of the state.
type SetUpOptions struct {
	// Arguments are the values of -backend-config.
	Arguments                       []string
	Reconfigure, Migrate, ForceCopy bool
	NoLock                          bool
	LockTimeout                     time.Duration
}

// SetUp sets up the place that the backend block names, taking the state along
// when it was kept elsewhere. changed is the backend that was set up, "" when
// everything was as it should be.
func (d *Dir) SetUp(ctx context.Context, tree *config.Tree, o SetUpOptions) (changed string, diags diag.List) {
	block, diags := d.configured(tree)
	if diags.HasErrors() {
		return "", diags
	}
	place, more := completed(block, o.Arguments)
	if diags = diags.With(more); more.HasErrors() {
		return "", diags
	}
	old, err := d.initialised()
	if err != nil {
		return "", diags.Append(diag.Err("Failed to read what init set up", err.Error()).By(diag.Operator))
	}
	settled := same(old.Place, place) && (place == nil || !o.Reconfigure)
	if settled || len(o.Arguments) == 0 && !o.Reconfigure && old.Place != nil && old.differs(block) == "" {
		return "", diags
	}
	if !o.Reconfigure {
		if diags = diags.With(d.take(ctx, old.Place, place, o)); diags.HasErrors() {
			return "", diags
		}
	}
	if err := d.remember(place, block); err != nil {
		return "", diags.Append(diag.Err("Failed to remember the backend", err.Error()).By(diag.Operator))
	}
	if place == nil {
		d.S.Print("\nSuccessfully unset the backend %q. The state is kept in the default place from\nnow on.\n", old.Place.Type)
		return "", diags
	}
	return place.Type, diags
}

func same(a, b *Place) bool {
	if a == nil || b == nil {
		return a == b
	}
	return a.Type == b.Type && maps.Equal(a.Args, b.Args)
}

// completed is the block with the arguments of -backend-config.
func completed(block *Place, arguments []string) (*Place, diag.List) {
	if block == nil {
		if len(arguments) == 0 {
			return nil, nil
		}
		return nil, diag.List{diag.Warn("Missing backend configuration", "The option -backend-config completes a backend block, and the configuration has none. It is ignored.")}
	}
	place := &Place{Type: block.Type, Args: maps.Clone(block.Args)}
	var diags diag.List
	for _, a := range arguments {
		given, more := argument(a)
		diags = diags.With(more)
		for _, name := range slices.Sorted(maps.Keys(given)) {
			if !slices.Contains(backendArgs[place.Type], name) {
				diags = diags.Append(diag.Err("Invalid backend configuration argument", "The backend \""+place.Type+"\" has no argument \""+name+"\".").By(diag.Operator))
				continue
			}
			place.Args[name] = given[name]
		}
	}
	return place, diags
}

// argument reads one -backend-config: NAME=VALUE or a file of arguments.
func argument(text string) (map[string]string, diag.List) {
	if name, v, ok := strings.Cut(text, "="); ok {
		return map[string]string{strings.TrimSpace(name): v}, nil
	}
	src, err := os.ReadFile(text)
	if err != nil {
		return nil, diag.List{diag.Err("Failed to read file", "The option -backend-config takes NAME=VALUE or a file of arguments: "+err.Error()+".").By(diag.Operator)}
	}
	parser := hclparse.NewParser()
	parse := parser.ParseHCL
	if strings.HasSuffix(text, ".json") {
		parse = parser.ParseJSON
	}
	f, diags := parse(src, text)
	if diags.HasErrors() {
		return nil, config.Diagnostics(diags)
	}
	attrs, more := f.Body.JustAttributes()
	diags = append(diags, more...)
	out := map[string]string{}
	for name, a := range attrs {
		v, more := a.Expr.Value(nil)
		diags = append(diags, more...)
		t, err := convert.Convert(v, cty.String)
		if err != nil || t.IsNull() || !t.IsKnown() {
			diags = append(diags, &hcl.Diagnostic{Severity: hcl.DiagError, Summary: "Invalid backend argument", Detail: "The argument has to be a string.", Subject: a.Range.Ptr()})
			continue
		}
		out[name] = t.AsString()
	}
	return out, config.Diagnostics(diags)
}

// copying is a state that is to be copied.
type copying struct {
	*state.Snapshot
	to *Storage
}

// take copies the states of all workspaces to a new place, with consent.
func (d *Dir) take(ctx context.Context, from, to *Place, o SetUpOptions) diag.List {
	if from == nil {
		from = &Place{Type: "local"}
	} else if !o.Migrate && !o.ForceCopy {
		return diag.List{diag.Err("Backend configuration changed",
			"The backend block is not the one that was set up. To copy the state to where it says, run \"plumb init -migrate-state\". To use it and leave the state where it is, run \"plumb init -reconfigure\".").By(diag.Operator)}
	} else {
		d.S.Print("Backend configuration changed!\n\nThe backend block is not the one that was set up. Looking for states in both\nplaces.\n\n")
	}
	if to == nil {
		to = &Place{Type: "local"}
	}
	if same(from, to) {
		return nil
	}
	how := d.crypt.State()
	agreed, diags := d.agree(ctx, d.open(*from, StatePaths{}, how), d.open(*to, StatePaths{}, how), o.ForceCopy)
	if diags.HasErrors() {
		return diags
	}
	for _, c := range agreed {
		if err := c.to.Put(ctx, c.Snapshot); err != nil {
			return diags.Append(diag.Err("Failed to copy the state", err.Error()).By(diag.Operator))
		}
	}
	return diags
}

// agree finds the states that are to be copied, and asks about each unless that is
// forced. Nothing is copied before all answers are known.
func (d *Dir) agree(ctx context.Context, source, target backend.Backend, forced bool) (agreed []copying, diags diag.List) {
	names, diags := source.Workspaces(ctx)
	for _, name := range names {
		a, b := d.storage(source.Store(name)), d.storage(target.Store(name))
		before, more := a.Read(ctx)
		there, more2 := b.Read(ctx)
		diags = diags.With(more).With(more2)
		if diags.HasErrors() {
			return nil, diags
		}
		if !a.Found() || before.Empty() || there.Lineage() == before.Lineage() && there.Serial() >= before.Serial() {
			continue
		}
		if !forced {
			yes, problem := d.consent(ctx, name, b.Found())
			if problem != nil {
				return nil, diags.Append(*problem)
			}
			if !yes {
				continue
			}
		}
		agreed = append(agreed, copying{before, b})
	}
	return agreed, diags
}

// consent asks whether to copy the state of a workspace. Not to be able to ask is
// no answer.
func (d *Dir) consent(ctx context.Context, workspace string, there bool) (bool, *diag.Diag) {
	if !d.S.InputAllowed() {
		problem := diag.Err("Can't ask approval for state migration when interactive input is disabled.",
			"The state of the workspace \""+workspace+"\" is kept elsewhere so far, and nobody may be asked whether to copy it. Give -force-copy to copy it, or -reconfigure to leave it where it is. Nothing was changed.").By(diag.Operator)
		return false, &problem
	}
	what := "The state of the workspace \"" + workspace + "\" is kept elsewhere so far."
	if there {
		what += "\nThere is another state in the new place, which would be replaced."
	}
	answer, err := d.S.Ask(ctx, session.Question{Query: "Do you want to copy existing state to the new backend?", Description: what + "\nEnter \"yes\" to copy and \"no\" to leave it."})
	if err != nil {
		problem := diag.Err("Error asking for approval: "+err.Error(), "Nobody said whether to copy the state. Give -force-copy to copy it, or -reconfigure to leave it where it is. Nothing was changed.").By(diag.Operator)
		return false, &problem
	}
	return answer == "yes", nil
}

// Unmanaged are the providers that are not ours to install.
func (d *Dir) Unmanaged() map[addr.Provider]bool {
	out := map[addr.Provider]bool{}
	for p := range d.Settings.DevOverrides {
		out[p] = true
	}
	for _, a := range d.attached() {
		out[a.Provider] = true
	}
	return out
}
