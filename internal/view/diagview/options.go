package diagview

import (
	"github.com/plumb-iac/plumb/diag"
	"github.com/plumb-iac/plumb/internal/view"
)

// Source gives the content of a configuration file by the name that ranges
// use, or nil.
type Source func(filename string) []byte

// Options say how diagnostics are shown to people.
type Options struct {
	view.Style
	Source Source
	// Plain leaves the box away.
	Plain bool
	// Gap leaves a blank line after each diagnostic.
	Gap bool
	// Compact lists warnings by their summaries when there is no error.
	Compact bool
	// All shows every warning by itself.
	All bool
	// GroupErrors treats similar errors as similar warnings are.
	GroupErrors bool
}

// oneByOne are the summaries of warnings whose details differ in what matters.
var oneByOne = map[string]bool{
	"Check block assertion failed":            true,
	"Check block assertion known after apply": true,
	"Check block assertion error":             true,
}

func groupable(d *diag.Diag, o Options) bool {
	if o.All || d.Subject == nil || oneByOne[d.Summary] {
		return false
	}
	return d.Severity == diag.Warning || o.GroupErrors
}

// shown is a diagnostic with the number of similar ones it stands for.
type shown struct {
	diag.Diag
	more int
}

// group folds similar diagnostics into the first of them.
func group(l diag.List, o Options) []shown {
	out := make([]shown, 0, len(l))
	first := map[string]int{}
	for _, d := range l {
		if !groupable(&d, o) {
			out = append(out, shown{Diag: d})
			continue
		}
		key := d.Severity.String() + "\x00" + d.Summary
		if d.Group != "" {
			key = d.Severity.String() + "\x00" + d.Group
		}
		if i, ok := first[key]; ok {
			out[i].more++
			continue
		}
		first[key] = len(out)
		out = append(out, shown{Diag: d})
	}
	return out
}
