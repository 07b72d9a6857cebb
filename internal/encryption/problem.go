package encryption

import "fmt"

// Problem is an error in a form that can be shown.
type Problem struct {
	// Summary is one line without a full stop, Detail whole sentences.
	Summary, Detail string
}

// Error is the summary with the detail.
func (p *Problem) Error() string { return p.Summary + ": " + p.Detail }

func problem(summary, format string, args ...any) *Problem {
	return &Problem{summary, fmt.Sprintf(format, args...)}
}
