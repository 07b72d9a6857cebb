package inputs

import (
	"strings"

	"github.com/plumb-iac/plumb/diag"
	"github.com/plumb-iac/plumb/engine"
	"github.com/plumb-iac/plumb/internal/cli/command"
	"github.com/plumb-iac/plumb/internal/cli/session"
)

// Flags are -var and -var-file in the order they were written.
type Flags struct{ items []item }

type item struct {
	file bool
	text string
}

// Declare adds the options to a command.
func Declare(f *command.Flags) *Flags {
	v := &Flags{}
	f.Each("var", "'NAME=VALUE'", "Set a value for one of the input variables of the root module. Can be used several times.",
		func(text string) { v.items = append(v.items, item{false, text}) })
	f.Each("var-file", "FILE", "Load values for input variables from a file, in addition to terraform.tfvars and *.auto.tfvars. Can be used several times.",
		func(text string) { v.items = append(v.items, item{true, text}) })
	return v
}

// Any says whether either option was written.
func (v *Flags) Any() bool { return len(v.items) > 0 }

// Collect gathers what all sources say. dir is where value files are looked for.
func (v *Flags) Collect(s *session.Session, dir string) (*Given, diag.List) {
	g := newGiven()
	for name, text := range s.Environment.Variables() {
		g.put(name, engine.Input{Text: text, Source: engine.FromEnv})
	}
	diags := g.autoFiles(s, dir)
	return g, diags.With(g.items(s, v.items))
}

// Typed gathers what -var and -var-file alone say.
func (v *Flags) Typed(s *session.Session) (*Given, diag.List) {
	g := newGiven()
	return g, g.items(s, v.items)
}

func (g *Given) items(s *session.Session, items []item) diag.List {
	var diags diag.List
	for _, it := range items {
		if it.file {
			diags = diags.With(g.file(s, it.text, engine.FromNamedFile))
			continue
		}
		diags = diags.With(g.option(it.text))
	}
	return diags
}

func (g *Given) option(text string) diag.List {
	name, val, ok := strings.Cut(text, "=")
	if !ok {
		return diag.Errs("Invalid -var option",
			"The option -var="+quote(text)+" has no value. A variable is set with its name, an equals sign and the value, as in -var=\"name=value\".")
	}
	if trimmed := strings.TrimSpace(name); trimmed != name {
		return diag.Errs("Invalid -var option",
			"There is blank space around the variable name "+quote(name)+". Write -var=\""+trimmed+"="+strings.TrimSpace(val)+"\" instead.")
	}
	g.put(name, engine.Input{Text: val, Source: engine.FromFlag})
	return nil
}

func quote(s string) string { return `"` + s + `"` }
