package acceptance

import (
	"cmp"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

// change is what a plan says of an object.
type change struct {
	Actions      []string
	Before       map[string]any
	After        map[string]any
	AfterUnknown map[string]any `json:"after_unknown"`
	ReplacePaths [][]any        `json:"replace_paths"`
}

// plan makes a plan, keeps it in the file tfplan, and gives its changes by address.
func (s *stage) plan(args ...string) map[string]change {
	s.t.Helper()
	s.must(append([]string{"plan", "-no-color", "-input=false", "-out=tfplan"}, args...)...)
	var shown struct {
		Changes []struct {
			Address string
			Change  change
		} `json:"resource_changes"`
	}
	s.decode(s.must("show", "-json", "tfplan"), &shown)
	out := map[string]change{}
	for _, c := range shown.Changes {
		out[c.Address] = c.Change
	}
	return out
}

// apply carries out what [stage.plan] planned.
func (s *stage) apply() {
	s.t.Helper()
	s.must("apply", "-no-color", "-input=false", "tfplan")
}

// object is what the state has of an object.
type object struct {
	Address string
	Values  map[string]any
	Tainted bool
	Deposed string `json:"deposed_key"`
}

// objects are those of the state, by address.
func (s *stage) objects() map[string]object {
	s.t.Helper()
	var shown struct {
		Values struct {
			Root struct{ Resources []object } `json:"root_module"`
		}
	}
	s.decode(s.must("show", "-json"), &shown)
	out := map[string]object{}
	for _, o := range shown.Values.Root.Resources {
		out[o.Address] = o
	}
	return out
}

// problem is a diagnostic as JSON has it.
type problem struct {
	Severity, Summary, Detail, Address string
	Snippet                            *struct{ Context string }
}

var addressed = regexp.MustCompile(`\b(?:legacy|modern)_\w+\.(\w+)`)

// about is the name of the object that a diagnostic is about: it is where the
// diagnostic points to, and, where a program does not point, in its text.
func (p *problem) about() string {
	if p.Snippet != nil { // its context is: resource "TYPE" "NAME"
		if at := strings.Split(p.Snippet.Context, `"`); len(at) > 3 {
			return at[3]
		}
	}
	if at := addressed.FindStringSubmatch(p.Detail); at != nil {
		return at[1]
	}
	return ""
}

// refused gives the summary of the first error about each object that a command
// reports, by its name.
func (s *stage) refused(command ...string) map[string]string {
	s.t.Helper()
	stdout, _, _ := s.run(slices.Insert(slices.Clone(command), 1, "-json", "-input=false")...)
	out := map[string]string{}
	for line := range strings.Lines(stdout) {
		var shown struct{ Diagnostic *problem }
		s.decode(line, &shown)
		if d := shown.Diagnostic; d != nil && d.Severity == "error" {
			if name := d.about(); name != "" && out[name] == "" {
				out[name] = "error: " + d.Summary
			}
		}
	}
	return out
}

// of words what a plan says of an attribute, or of one in an object, as box.v.
func (c change) of(name string) string {
	before, after := worded(pick(c.Before, name), nil), worded(pick(c.After, name), pick(c.AfterUnknown, name))
	if before == after || c.Before == nil {
		return after
	}
	return before + " → " + after
}

// done words the actions of a change.
func (c change) done() string {
	switch {
	case slices.Equal(c.Actions, []string{"delete", "create"}):
		return "replaced"
	case slices.Equal(c.Actions, []string{"create", "delete"}):
		return "replaced, the new one first"
	}
	done := map[string]string{"no-op": "left alone", "create": "created", "update": "updated", "delete": "deleted", "forget": "forgotten", "read": "read"}
	return done[strings.Join(c.Actions, ", ")]
}

// keeps says whether what was stored is what was planned, and known.
func (o object) keeps(t *testing.T, c change, name string) {
	t.Helper()
	stored, planned := worded(pick(o.Values, name), nil), worded(pick(c.After, name), pick(c.AfterUnknown, name))
	open := strings.Contains(planned, knownLater)
	if open && strings.Contains(stored, "null") || !open && stored != planned {
		t.Errorf("%s.%s: %s is stored, %s was planned", o.Address, name, stored, planned)
	}
}

const knownLater = "known after apply"

// pick follows a path of names.
func pick(v any, path string) any {
	for name := range strings.SplitSeq(path, ".") {
		m, ok := v.(map[string]any)
		if !ok {
			return v // null, or unknown as a whole
		}
		v = m[name]
	}
	return v
}

// worded is a value and which of it is unknown: objects, and lists of one, are the
// attribute v of theirs in braces.
func worded(v, unknown any) string {
	if whole, ok := unknown.(bool); ok && whole {
		return knownLater
	}
	switch v := v.(type) {
	case string:
		return v
	case []any:
		var parts []string
		for i, e := range v {
			part := worded(e, nil)
			if marks, ok := unknown.([]any); ok && i < len(marks) {
				part = worded(e, marks[i])
			}
			parts = append(parts, part)
		}
		return cmp.Or(strings.Join(parts, ", "), "none")
	case map[string]any:
		var inner any
		if marks, ok := unknown.(map[string]any); ok {
			inner = marks["v"]
		}
		return "{ " + worded(v["v"], inner) + " }"
	}
	return "null"
}

// table writes rows, of which the first is the head, with columns that line up.
func table(rows [][]string) string {
	width := make([]int, len(rows[0]))
	for _, r := range rows {
		for i, c := range r {
			width[i] = max(width[i], utf8.RuneCountInString(c))
		}
	}
	var out strings.Builder
	line := func(r []string, fill string) {
		for i, c := range r {
			out.WriteString("|" + fill + c + strings.Repeat(fill, width[i]-utf8.RuneCountInString(c)+1))
		}
		out.WriteString("|\n")
	}
	line(rows[0], " ")
	line(make([]string, len(width)), "-")
	for _, r := range rows[1:] {
		line(r, " ")
	}
	return out.String()
}
