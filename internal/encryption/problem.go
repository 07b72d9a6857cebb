package encryption

import (
	"fmt"
	"strings"
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
