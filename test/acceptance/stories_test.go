package acceptance

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/plumb-iac/plumb/test/acceptance/cloud"
	"github.com/plumb-iac/plumb/test/acceptance/legacy"
	"github.com/plumb-iac/plumb/test/acceptance/modern"
)

// maker is one way in which the provider of the stories is made and served.
type maker struct {
	name   string
	legacy bool
	serve  func(*testing.T, *cloud.World) any
	// rename and named reach what is remote behind the provider's back.
	rename func(w *cloud.World, id, name string)
	named  func(w *cloud.World, kind, id string) string
}

var makers = []maker{
	{"sdk, protocol 5", true, func(t *testing.T, w *cloud.World) any { return protocolsOf["protocol 5"](t, legacy.Story(w)) }, legacy.Rename, legacy.Named},
	{"sdk, protocol 6", true, func(t *testing.T, w *cloud.World) any { return protocolsOf["protocol 6"](t, legacy.Story(w)) }, legacy.Rename, legacy.Named},
	{"framework, protocol 5", false, func(_ *testing.T, w *cloud.World) any { return modern.Story5(w) }, modern.Rename, modern.Named},
	{"framework, protocol 6", false, func(_ *testing.T, w *cloud.World) any { return modern.Story6(w) }, modern.Rename, modern.Named},
}

// TestStories tells each story of a provider of either make, over either protocol.
// The transcripts have to be the same, except where a story says that the makes
// stand apart, and why.
func TestStories(t *testing.T) {
	told := make([]map[string]string, len(makers))
	t.Run("told", func(t *testing.T) {
		for i, m := range makers {
			told[i] = map[string]string{}
			t.Run(m.name, func(t *testing.T) {
				t.Parallel()
				for _, s := range stories {
					told[i][s.name] = tell(t, m, s)
				}
			})
		}
	})
	if t.Failed() {
		return
	}
	if told[0][stories[0].name] == "" {
		t.Skip("no story was told: see why above")
	}
	var out strings.Builder
	out.WriteString(storiesHead)
	for _, s := range stories {
		sdk, framework := told[0][s.name], told[2][s.name]
		for i, want := range []string{sdk, sdk, framework, framework} {
			if got := told[i][s.name]; got != want {
				t.Errorf("%s of %s is not that over the other protocol:\n%s", s.name, makers[i].name, difference(want, got))
			}
		}
		switch {
		case s.apart == "" && sdk != framework:
			t.Errorf("%s: the two makes differ without a reason:\n%s", s.name, difference(sdk, framework))
		case s.apart != "" && sdk == framework:
			t.Errorf("%s: there is a reason, but no difference", s.name)
		}
		fmt.Fprintf(&out, "\n== %s ==\n\n%s\n", s.name, s.about)
		if s.apart == "" {
			out.WriteString("\n" + sdk)
			continue
		}
		fmt.Fprintf(&out, "The makes stand apart: %s\n\n-- sdk --\n%s\n-- framework --\n%s", s.apart, sdk, framework)
	}
	golden(t, "stories.txt", out.String())
}

const storiesHead = `What happens to an object, told of a provider on terraform-plugin-sdk and of one on
terraform-plugin-framework, each over protocol 5 and over protocol 6. Written by
TestStories. After every command stand the changes that were planned, the
diagnostics, what the state has then, and what there is in truth. The SDK often has ""
and 0 for what is not set; here that is null.
`

// tell tells a story from the beginning.
func tell(t *testing.T, m maker, s story) string {
	t.Helper()
	w := cloud.New()
	p := &play{stage: newStage(t, served{"story": m.serve(t, w)}), world: w, maker: m}
	p.write("")
	p.must("init", "-no-color")
	s.tell(p)
	return p.out.String()
}

// play is a story that is being told.
type play struct {
	*stage
	world *cloud.World
	maker maker
	out   strings.Builder
}

func (p *play) line(format string, args ...any) { fmt.Fprintf(&p.out, format+"\n", args...) }

// config replaces the configuration.
func (p *play) config(text string) {
	p.write(text)
	for line := range strings.Lines(strings.TrimSpace(text)) {
		p.line("| %s", strings.TrimRight(line, "\n"))
	}
}

// thing is a configuration of one thing with these arguments.
func (p *play) thing(arguments ...string) {
	p.config("resource \"story_thing\" \"a\" {\n  " + strings.Join(arguments, "\n  ") + "\n}")
}

// apply plans and applies.
func (p *play) apply(args ...string) {
	p.t.Helper()
	if p.planned(args...) {
		p.errors("apply", "tfplan")
	}
	p.truth()
}

// planned makes a plan and tells it; it is false where there is none.
func (p *play) planned(args ...string) bool {
	p.t.Helper()
	p.line("> %s", strings.Join(append([]string{"apply"}, args...), " "))
	if p.errors(append([]string{"plan", "-out=tfplan"}, args...)...) {
		return false
	}
	var shown struct {
		Changes []planned `json:"resource_changes"`
		Drift   []planned `json:"resource_drift"`
	}
	p.decode(p.must("show", "-json", "tfplan"), &shown)
	p.changes("drift", shown.Drift)
	p.changes("change", shown.Changes)
	return true
}

// planned is a change of a plan with what is its object's.
type planned struct {
	Address         string
	PreviousAddress string `json:"previous_address"`
	Deposed         string
	Reason          string `json:"action_reason"`
	Change          change
}

func (p *play) changes(title string, list []planned) {
	for _, c := range list {
		head := title + " " + c.Address
		if c.PreviousAddress != "" {
			head += " from " + c.PreviousAddress
		}
		if c.Deposed != "" {
			head += " (deposed)"
		}
		if c.Reason != "" {
			head += ", " + c.Reason
		}
		p.line("  %s: %s", head, c.Change.done())
		for _, name := range c.Change.names() {
			p.line("      %s: %s", name, c.Change.full(name))
		}
	}
}

// errors runs a command and tells its errors and warnings; it says whether there
// were errors.
func (p *play) errors(command ...string) bool {
	p.t.Helper()
	stdout, stderr, code := p.run(slices.Insert(command, 1, "-json", "-input=false", "-parallelism=1")...)
	for line := range strings.Lines(stdout) {
		var shown struct{ Diagnostic *problem }
		p.decode(line, &shown)
		if d := shown.Diagnostic; d != nil {
			p.line("  %s: %s", d.Severity, d.Summary)
		}
	}
	if stderr != "" {
		p.line("  %s", stderr)
	}
	return code == 1
}

// truth tells what the state has and what there is.
func (p *play) truth() {
	p.t.Helper()
	var file struct {
		Resources []struct {
			Mode, Type, Name string
			Instances        []struct {
				Status     string
				Deposed    string
				Attributes map[string]any
			}
		}
	}
	if text := p.must("state", "pull"); text != "" { // nothing, before there is a state
		p.decode(text, &file)
	}
	for _, r := range file.Resources {
		for _, i := range r.Instances {
			words := r.Type + "." + r.Name
			if r.Mode == "data" {
				words = "data." + words
			}
			if i.Status != "" {
				words += " (" + i.Status + ")"
			}
			if i.Deposed != "" {
				words += " (deposed)"
			}
			for _, name := range slices.Sorted(maps.Keys(i.Attributes)) {
				if v := set(i.Attributes[name]); v != nil {
					words += " " + name + "=" + plain(v)
				}
			}
			p.line("  state: %s", words)
		}
	}
	for _, kind := range []string{"story_thing", "story_other"} {
		for _, id := range p.world.IDs(kind) {
			p.line("  there is: %s %s", id, p.maker.named(p.world, kind, id))
		}
	}
}

// command runs a command that tells nothing but its errors, and the truth after.
func (p *play) command(args ...string) {
	p.t.Helper()
	p.line("> %s", strings.Join(args, " "))
	verb := 1
	if args[0] == "state" {
		verb = 2
	}
	if _, stderr, code := p.run(slices.Insert(slices.Clone(args), verb, "-no-color")...); code != 0 {
		for line := range strings.Lines(stderr) {
			if strings.HasPrefix(line, "Error: ") {
				p.line("  error: %s", strings.TrimSpace(strings.TrimPrefix(line, "Error: ")))
			}
		}
	}
	p.truth()
}

// rename and remove happen behind the provider's back.
func (p *play) rename(id, name string) {
	p.line("(somebody renames %s to %s)", id, name)
	p.maker.rename(p.world, id, name)
}

func (p *play) remove(id string) {
	p.line("(somebody removes %s)", id)
	p.world.Delete("story_thing", id)
}

// names are the attributes that a change is about.
func (c change) names() []string {
	all := map[string]bool{}
	for _, m := range []map[string]any{c.Before, c.After, c.AfterUnknown} {
		for name := range m {
			all[name] = true
		}
	}
	var out []string
	for _, name := range slices.Sorted(maps.Keys(all)) {
		if strings.Contains(plain(c.AfterUnknown[name]), "true") || plain(c.Before[name]) != plain(c.After[name]) {
			out = append(out, name)
		}
	}
	return out
}

// full words what becomes of an attribute, whatever its type.
func (c change) full(name string) string {
	after := plain(c.After[name])
	if whole, ok := c.AfterUnknown[name].(bool); ok && whole {
		after = knownLater
	}
	if c.Before == nil {
		return after
	}
	return plain(c.Before[name]) + " → " + after
}

// plain is a value as JSON. The SDK knows no null: what is not set is often "" or 0
// with it, and null here.
func plain(v any) string {
	out, _ := json.Marshal(set(v))
	return string(out)
}

func set(v any) any {
	switch w := v.(type) {
	case map[string]any:
		out := map[string]any{}
		for k, e := range w {
			out[k] = set(e)
		}
		return out
	case []any:
		out := make([]any, len(w))
		for i, e := range w {
			out[i] = set(e)
		}
		return out
	}
	if v == "" || v == 0.0 {
		return nil
	}
	return v
}
