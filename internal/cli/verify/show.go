package verify

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"github.com/plumb-iac/plumb/internal/cli/session"
	"github.com/plumb-iac/plumb/internal/contract"
	examiner "github.com/plumb-iac/plumb/internal/verify"
	"github.com/plumb-iac/plumb/internal/view"
)

// write shows a report to people.
func write(s *session.Session, r *examiner.Report, all bool) {
	style := s.Style()
	s.Print("\n")
	for _, sub := range r.Subjects {
		s.Print("  %-9s %-28s %s\n", sub.Kind, sub.Name, told(sub, r.Applied))
	}
	broken, excused := 0, 0
	for _, b := range r.Breaches {
		if b.Verdict != contract.Refused {
			if excused++; !all {
				continue
			}
		} else {
			broken++
		}
		one(s, style, b)
	}
	for _, left := range r.Left {
		s.Print("\n%s %s\n", style.Paint("Left behind:", view.Bold, view.Yellow), left)
	}
	s.Print("\n%s\n", closing(style, r, broken, excused, all))
}

func told(s examiner.Subject, applied bool) string {
	text := view.Count(s.Accepted, "configuration") + " accepted of " + fmt.Sprint(s.Made)
	if s.Kind == "function" {
		text = view.Count(s.Accepted, "call") + " answered of " + fmt.Sprint(s.Made)
	} else if applied {
		text += ", " + fmt.Sprint(s.Applied) + " applied"
	}
	if s.Accepted > 0 && applied && s.Applied == 0 && s.Kind == "resource" && s.Refused != "" {
		return text + ": " + s.Refused
	}
	if s.Accepted == 0 && s.Refused != "" {
		text += "; not examined further: " + s.Refused
	}
	return text
}

func one(s *session.Session, style view.Style, b examiner.Breach) {
	ink := view.Red
	if b.Verdict != contract.Refused {
		ink = view.Yellow
	}
	s.Print("\n%s %s (%s): %s\n", style.Paint("Rule "+string(b.Code)+" "+b.Verdict.String(), view.Bold, ink), b.Rule, b.Type, b.Meaning)
	where := ""
	if b.Path != "" {
		where = ", at " + b.Path
	}
	s.Print("%s", style.Wrap(fmt.Sprintf("Seen at %q%s: %s.%s\n", b.Step, where, strings.TrimSuffix(b.Saw, "."), besides(b))))
	s.Print("\n")
	for line := range strings.Lines(strings.TrimSpace(b.Source)) {
		s.Print("%s\n", strings.TrimRight("  "+line, " \n"))
	}
}

// besides tells what belongs to the same mistake.
func besides(b examiner.Breach) string {
	text := ""
	if len(b.AlsoAt) > 0 {
		text += " Also at " + strings.Join(b.AlsoAt, ", ") + "."
	}
	if len(b.Also) > 0 {
		text += " Also broken: " + strings.Join(b.Also, ", ") + "."
	}
	return text
}

func closing(style view.Style, r *examiner.Report, broken, excused int, all bool) string {
	text := style.Paint("No rule was broken.", view.Bold, view.Green)
	if broken > 0 {
		text = style.Paint(view.Count(broken, "broken rule")+".", view.Bold, view.Red)
	}
	if excused > 0 && !all {
		text += fmt.Sprintf(" %d more noted or tolerated: shown with -all.", excused)
	}
	return text
}

// shape is a report as JSON.
type shape struct {
	FormatVersion string    `json:"format_version"`
	Provider      string    `json:"provider"`
	Applied       bool      `json:"applied"`
	Seed          uint64    `json:"seed"`
	Broken        bool      `json:"broken"`
	Subjects      []subject `json:"subjects"`
	Breaches      []breach  `json:"breaches"`
	Left          []string  `json:"left_behind"`
	Problems      []problem `json:"problems"`
}

type subject struct {
	Kind     string `json:"kind"`
	Name     string `json:"name"`
	Made     int    `json:"made"`
	Accepted int    `json:"accepted"`
	Applied  int    `json:"applied"`
	Refused  string `json:"refused,omitempty"`
}

type breach struct {
	Code    string `json:"code"`
	Rule    string `json:"rule"`
	Meaning string `json:"meaning"`
	Verdict string `json:"verdict"`
	Kind    string `json:"kind"`
	Type    string `json:"type"`
	Step    string `json:"step"`
	Path    string `json:"path,omitempty"`
	// AlsoAt are other places of the same rule, Also other rules of the same place.
	AlsoAt []string `json:"also_at,omitempty"`
	Also   []string `json:"also,omitempty"`
	Saw    string   `json:"saw"`
	Config string   `json:"configuration"`
}

type problem struct {
	Severity string `json:"severity"`
	Summary  string `json:"summary"`
	Detail   string `json:"detail,omitempty"`
}

func writeJSON(w io.Writer, r *examiner.Report) error {
	out := shape{FormatVersion: "1.0", Provider: r.Provider, Applied: r.Applied, Seed: r.Seed, Broken: r.Broken(),
		Subjects: []subject{}, Breaches: []breach{}, Left: append([]string{}, r.Left...), Problems: []problem{}}
	for _, s := range r.Subjects {
		out.Subjects = append(out.Subjects, subject(s))
	}
	for _, b := range r.Breaches {
		out.Breaches = append(out.Breaches, breach{string(b.Code), b.Rule, b.Meaning, b.Verdict.String(), b.Kind, b.Type, b.Step, b.Path, b.AlsoAt, b.Also, b.Saw, b.Source})
	}
	for _, d := range r.Diags {
		out.Problems = append(out.Problems, problem{d.Severity.String(), d.Summary, d.Detail})
	}
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	e.SetEscapeHTML(false)
	return e.Encode(out)
}
