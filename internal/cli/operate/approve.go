package operate

import (
	"context"
	"errors"

	"github.com/plumb-iac/plumb/diag"
	"github.com/plumb-iac/plumb/internal/cli/session"
	"github.com/plumb-iac/plumb/plan"
)

// question is how people are asked to approve a plan. Where stands before the name of
// a workspace that is not the default one.
type question struct{ ask, where, description, cancelled string }

var questions = map[plan.Mode]question{
	plan.Normal: {
		"Do you want to perform these actions", " in workspace ",
		"Plumb will perform the actions described above.\nOnly 'yes' will be accepted to approve.",
		"Apply cancelled.",
	},
	plan.Destroy: {
		"Do you really want to destroy all resources", " in workspace ",
		"Plumb will destroy all your managed infrastructure, as shown above.\nThere is no undo. Only 'yes' will be accepted to confirm.",
		"Destroy cancelled.",
	},
	plan.RefreshOnly: {
		"Would you like to update the Plumb state", " for ",
		"Plumb will write these changes to the state without modifying any real infrastructure.\nThere is no undo. Only 'yes' will be accepted to confirm.",
		"Apply cancelled.",
	},
}

// invoking words the approval of a plan that does nothing but run actions.
var invoking = question{
	"Would you like to invoke the specified actions", " in workspace ",
	"Plumb will invoke the actions described above and change nothing else.\nOnly 'yes' will be accepted to approve.",
	"Apply cancelled.",
}

// invokes says whether a plan was made to run actions.
func invokes(doc *plan.Document) bool {
	return len(doc.Invocations) > 0 && doc.Invocations[0].Trigger == nil
}

// approve asks the person to approve a plan.
func approve(ctx context.Context, s *session.Session, doc *plan.Document) (bool, diag.List) {
	q := questions[doc.Mode]
	if invokes(doc) {
		q = invoking
	}
	query := q.ask
	if doc.Workspace != session.DefaultWorkspace && doc.Workspace != "" {
		query += q.where + "\"" + doc.Workspace + "\""
	}
	if doc.Mode == plan.RefreshOnly && !invokes(doc) {
		query += " to reflect these detected changes"
	}
	s.Print("\n")
	answer, err := s.Ask(ctx, session.Question{Query: query + "?", Description: q.description})
	if err != nil {
		detail := "Nothing was changed, because nobody said yes."
		if !errors.Is(err, session.ErrInterrupted) {
			detail += " Where nobody can be asked, use -auto-approve, or apply a plan that was saved with -out."
		}
		return false, diag.List{diag.Err("error asking for approval: "+err.Error(), detail).By(diag.Operator)}
	}
	if answer != "yes" {
		s.Print("\n%s\n", q.cancelled)
		return false, nil
	}
	return true, nil
}
