package encryption

import (
	"errors"
	"fmt"
	"strings"

	"github.com/plumb-iac/plumb/diag"
)

// Problem is an error in a form that can be shown.
type Problem struct {
	// Summary is one line without a full stop, Detail whole sentences.
	Summary, Detail string
}

// Error is the summary with the detail, to be continued by the caller.
func (p *Problem) Error() string { return p.Summary + ": " + strings.TrimSuffix(p.Detail, ".") }

func problem(summary, format string, args ...any) *Problem {
	return &Problem{summary, fmt.Sprintf(format, args...)}
}

// Diags shows an error of a target; where is the file that it is about, "" where
// the error is enough.
func Diags(err error, where string) diag.List {
	var p *Problem
	if !errors.As(err, &p) {
		p = problem("Failed to decrypt", "%v.", err)
	}
	if where != "" {
		where = "In " + where + ": "
	}
	return diag.List{diag.Err(p.Summary, where+p.Detail).By(diag.Operator)}
}
