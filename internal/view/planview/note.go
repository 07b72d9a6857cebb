package planview

import (
	"io"

	"github.com/plumb-iac/plumb/internal/lang/valuetext"
	"github.com/plumb-iac/plumb/internal/view"
	"github.com/plumb-iac/plumb/plan"
)

// The sentences of a plan. Those that programs look for are marked fixed.
const (
	// fixed
	textLegend = "Plumb used the selected providers to generate the following execution plan. Resource actions are indicated with the following symbols:"

	textDriftIntro       = `Since the last "plumb apply", these objects were changed by something else, and what changed plays a part in this plan:`
	textDriftOutro       = "The actions below may include some that take back or follow these changes, unless the configuration already says the same or leaves the attributes to others with ignore_changes."
	textRefreshOnlyDrift = "In refresh-only mode nothing is done about such changes. Apply this plan to accept them: the state then tells what is really there, and no remote object is touched."
	textOutputsOnly      = "Applying this plan saves the new output values in the state; no remote object is touched."

	textNoChanges        = "Every object is as the configuration wants it, so there is nothing to do."
	textNothingToDestroy = "The state holds no object: none was created so far, or all were deleted by something else."
	textStillMatches     = "Every object was read again and is as the state says."
	textAlreadyApplied   = "The configuration asks for what was changed outside, so applying this plan only records the changes above in the state; no remote object is touched."
	textNeedsRefresh     = "The configuration asks for what was changed outside, so there is nothing to do. To record the changes above in the state, run:\n  plumb apply -refresh-only"
	textNotSaved         = `Note: This plan was not saved with -out, so what "plumb apply" does now may differ from what is shown here.`
)

// nothing tells that there is nothing to do.
func (w *writer) nothing(drift bool) {
	if w.d.Errored {
		w.b.WriteString("\n" + w.Paint("Planning failed.", view.Bold, view.Red) + w.Bold(w.Named(" Plumb encountered an error while generating this plan.")) + "\n\n")
		return
	}
	switch {
	case w.d.Mode == plan.RefreshOnly && drift:
	case w.d.Mode == plan.RefreshOnly:
		w.verdict("Your infrastructure still matches the configuration.", textStillMatches)
	case w.d.Mode == plan.Destroy:
		w.verdict("No objects need to be destroyed.", textNothingToDestroy)
	case drift && w.d.Applyable:
		w.verdict("Your infrastructure matches the configuration.", textAlreadyApplied)
	case drift && !w.o.Automation:
		w.verdict("Your infrastructure matches the configuration.", textNeedsRefresh)
	default:
		w.verdict("Your infrastructure matches the configuration.", textNoChanges)
	}
}

func (w *writer) verdict(text, prose string) {
	w.b.WriteString("\n" + w.Paint("No changes.", view.Bold, view.Green) + w.Bold(" "+text) + "\n\n")
	w.prose(prose)
}

// generated is the paragraph about generated configuration, if there is any.
func generated(o Options) string {
	if o.Generated == "" {
		return ""
	}
	return o.Wrap("Configuration for what is imported was generated into "+o.Generated+". Look it through before you keep it: it may hold more than is needed, and values that belong into variables.") + "\n\n"
}

// Saved is the note behind a plan that was written to a file.
func Saved(out io.Writer, file string, o Options) error {
	if o.Automation {
		return nil
	}
	_, err := io.WriteString(out, "\n"+o.Rule()+"\n\n"+generated(o)+"Saved the plan to: "+file+
		"\n\nTo perform exactly these actions, run the following command to apply:\n    plumb apply "+valuetext.Quote(file)+"\n")
	return err
}

// NotSaved is the note behind a plan that was not written to a file.
func NotSaved(out io.Writer, o Options) error {
	if o.Automation {
		return nil
	}
	_, err := io.WriteString(out, "\n"+o.Rule()+"\n\n"+generated(o)+o.Wrap(textNotSaved)+"\n")
	return err
}
