package acceptance

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/hashicorp/terraform-plugin-mux/tf5to6server"
	"github.com/hashicorp/terraform-plugin-sdk/v2/helper/schema"
	"github.com/plumb-iac/plumb/test/acceptance/cloud"
	"github.com/plumb-iac/plumb/test/acceptance/legacy"
)

// situation is one row of the tables of what a plan makes of an attribute: what
// the state has, what the configuration says, and what SetNew is called with.
type situation struct {
	row, words string
	// before is what was configured when the object was made, with had; config
	// what is configured now. "" is nothing, later a value that is not known yet.
	had            bool
	before, config string
	// set is the argument of SetNew, "" where the row is not about it.
	set string
	// plain says that the row is also about no customization and SetNewComputed.
	plain bool
}

const later = "terraform_data.later.output"

var computedRows = []situation{
	{row: "1", words: "not in the state, not configured", set: "new", plain: true},
	{row: "2", words: "not in the state, configured", config: "config", set: "new", plain: true},
	{row: "3", words: "in the state, not configured", had: true, plain: true},
	{row: "3a", words: "› new == state", had: true, set: "state"},
	{row: "3b", words: "› new != state", had: true, set: "new"},
	{row: "4", words: "in the state, configured", had: true, config: "config", set: "new", plain: true},
}

var optionalRows = []situation{
	{row: "1", words: "not in the state, not configured", set: "new", plain: true},
	{row: "2", words: "not in the state, configured", config: "config", plain: true},
	{row: "2a", words: "› new == config", config: "config", set: "config"},
	{row: "2b", words: "› new != config", config: "config", set: "new"},
	{row: "2u", words: "not in the state, configured, not known yet", config: later, set: "new", plain: true},
	{row: "3", words: "in the state, not configured", had: true, plain: true},
	{row: "3a", words: "› new == state", had: true, set: "state"},
	{row: "3b", words: "› new != state", had: true, set: "new"},
	{row: "3x", words: "in the state, configured no longer", had: true, before: "state", set: "new", plain: true},
	{row: "4a", words: "in the state, config == state", had: true, before: "state", config: "state", plain: true},
	{row: "4a1", words: "› new == state", had: true, before: "state", config: "state", set: "state"},
	{row: "4a2", words: "› new != state", had: true, before: "state", config: "state", set: "new"},
	{row: "4b", words: "in the state, config != state", had: true, before: "state", config: "config", plain: true},
	{row: "4b1", words: "› new == config", had: true, before: "state", config: "config", set: "config"},
	{row: "4b2", words: "› new != config", had: true, before: "state", config: "config", set: "new"},
	{row: "4u", words: "in the state, configured, not known yet", had: true, before: "state", config: later, set: "new", plain: true},
}

// form is an attribute that plans can be customized for.
type form struct {
	name, title string
	rows        []situation
	// value and argument write a value for the SDK and in configuration.
	value    func(v string) any
	argument func(name, v string) string
}

var forms = []form{
	{"c", "An attribute that is Computed", computedRows, scalar, assigned},
	{"oc", "An attribute that is Optional and Computed", optionalRows, scalar, assigned},
	{"cb", "Embedded resources that are Computed", computedRows, legacy.Embedded, func(name, v string) string {
		return name + " = [{ v = " + literal(v) + " }]"
	}},
	{"ocb", "Embedded resources that are Optional and Computed", optionalRows, legacy.Embedded, func(name, v string) string {
		return name + " {\n    v = " + literal(v) + "\n  }"
	}},
}

func scalar(v string) any            { return v }
func assigned(name, v string) string { return name + " = " + literal(v) }
func literal(v string) string {
	if v == later {
		return v
	}
	return fmt.Sprintf("%q", v)
}

// customization is a column of the tables.
type customization struct{ name, title string }

var customizations = []customization{{"none", "left alone"}, {"new", "SetNew"}, {"computed", "SetNewComputed"}}

// asks says whether a row is about a customization.
func (s situation) asks(c customization) bool {
	if c.name == "new" {
		return s.set != ""
	}
	return s.plain
}

// cell names the object in which a row meets a column.
func cell(f form, s situation, c customization) string { return f.name + "_" + c.name + "_" + s.row }

// cells are those of all tables by the names of their objects: what is asked there.
type cells map[string]func(d *schema.ResourceDiff) error

// each calls a function for each cell there is.
func each(do func(f form, s situation, c customization)) {
	for _, f := range forms {
		for _, s := range f.rows {
			for _, c := range customizations {
				if s.asks(c) {
					do(f, s, c)
				}
			}
		}
	}
}

// cannot says that a configuration is refused before there is a plan.
func cannot(f form, s situation) bool { return s.config != "" && (f.name == "c" || f.name == "cb") }

func customized() cells {
	out := cells{}
	for _, r := range slices.Concat(replacements, refusals) {
		out[r.name] = r.do
	}
	each(func(f form, s situation, c customization) {
		switch c.name {
		case "new":
			out[cell(f, s, c)] = func(d *schema.ResourceDiff) error { return d.SetNew(f.name, f.value(s.set)) }
		case "computed":
			out[cell(f, s, c)] = func(d *schema.ResourceDiff) error { return d.SetNewComputed(f.name) }
		}
	})
	return out
}

// declared writes one object.
func declared(name string, arguments ...string) string {
	return fmt.Sprintf("resource \"legacy_custom\" %q {\n  name = %q\n  %s\n}\n", name, name, strings.Join(arguments, "\n  "))
}

// TestCustomizedPlans takes each cell of the tables through plan and apply. Each
// is an object of its own, so that one plan answers them all.
func TestCustomizedPlans(t *testing.T) {
	for protocol, serve := range protocolsOf {
		t.Run(protocol, func(t *testing.T) {
			t.Parallel()
			asked := customized()
			var on atomic.Bool
			w := cloud.New()
			s := newStage(t, served{"legacy": serve(t, legacy.Customized(w, func(name string, d *schema.ResourceDiff) error {
				if do := asked[name]; on.Load() && do != nil {
					return do(d)
				}
				return nil
			}))})
			s.write(configuredBefore() + replacements.text(false) + refusals.text(false))
			s.must("init", "-no-color")
			s.plan()
			s.apply()

			on.Store(true)
			s.write(configuredNow(func(f form, row situation) bool { return cannot(f, row) }))
			outcomes := s.refused("plan")
			s.write(refusals.text(true))
			refused := s.refused("plan")
			s.write(configuredNow(func(f form, row situation) bool { return !cannot(f, row) }) + replacements.text(true))
			changes := s.plan()
			s.apply()
			stored := s.objects()
			each(func(f form, row situation, c customization) {
				if at := "legacy_custom." + cell(f, row, c); !cannot(f, row) {
					outcomes[cell(f, row, c)] = changes[at].of(f.name)
					stored[at].keeps(t, changes[at], f.name)
				}
			})
			golden(t, "customize-diff.md", customizedText(outcomes)+replacedText(changes)+refusedText(refused))
		})
	}
}

// protocolsOf are the ways in which an SDK's provider is served.
var protocolsOf = map[string]func(*testing.T, *schema.Provider) any{
	"protocol 5": func(_ *testing.T, p *schema.Provider) any { return p.GRPCProvider() },
	"protocol 6": func(t *testing.T, p *schema.Provider) any {
		up, err := tf5to6server.UpgradeServer(context.Background(), p.GRPCProvider)
		if err != nil {
			t.Fatal(err)
		}
		return up
	},
}

// configuredBefore has the objects that exist when the customized plan is made.
func configuredBefore() string {
	var out strings.Builder
	each(func(f form, s situation, c customization) {
		switch {
		case s.had && s.before != "":
			out.WriteString(declared(cell(f, s, c), f.argument(f.name, s.before)))
		case s.had:
			out.WriteString(declared(cell(f, s, c)))
		}
	})
	return out.String()
}

// configuredNow has an object for each cell, except those that are left out.
func configuredNow(only func(form, situation) bool) string {
	var out strings.Builder
	out.WriteString("resource \"terraform_data\" \"later\" { input = \"config\" }\n")
	each(func(f form, s situation, c customization) {
		switch {
		case !only(f, s):
		case s.config != "":
			out.WriteString(declared(cell(f, s, c), f.argument(f.name, s.config)))
		default:
			out.WriteString(declared(cell(f, s, c)))
		}
	})
	return out.String()
}

// trial is a customization beyond the tables: a replacement, or what is refused.
type trial struct {
	name, words string
	// attribute is the one that is looked at.
	attribute   string
	had         bool
	before, now []string
	do          func(d *schema.ResourceDiff) error
}

type trials []trial

func after(steps ...func(d *schema.ResourceDiff) error) func(d *schema.ResourceDiff) error {
	return func(d *schema.ResourceDiff) error {
		for _, step := range steps {
			if err := step(d); err != nil {
				return err
			}
		}
		return nil
	}
}

func setNew(name string, v any) func(d *schema.ResourceDiff) error {
	return func(d *schema.ResourceDiff) error { return d.SetNew(name, v) }
}

func setNewComputed(name string) func(d *schema.ResourceDiff) error {
	return func(d *schema.ResourceDiff) error { return d.SetNewComputed(name) }
}

func forceNew(name string) func(d *schema.ResourceDiff) error {
	return func(d *schema.ResourceDiff) error { return d.ForceNew(name) }
}

var replacements = trials{
	{name: "f1", words: "ForceNew of an argument that changes", attribute: "plain", had: true,
		before: []string{`plain = "state"`}, now: []string{`plain = "config"`}, do: forceNew("plain")},
	{name: "f2", words: "SetNew, then ForceNew, of a computed attribute", attribute: "c", had: true, do: after(setNew("c", "new"), forceNew("c"))},
	{name: "f3", words: "SetNew, then ForceNew, against the configuration", attribute: "oc", had: true,
		before: []string{`oc = "state"`}, now: []string{`oc = "state"`}, do: after(setNew("oc", "new"), forceNew("oc"))},
	{name: "f4", words: "ForceNew of a value within embedded resources", attribute: "ocb", had: true,
		before: []string{"ocb {\n    v = \"state\"\n  }"}, now: []string{"ocb {\n    v = \"config\"\n  }"}, do: forceNew("ocb.0.v")},
	{name: "f5", words: "SetNew, then ForceNew, of an object that is new", attribute: "oc", do: after(setNew("oc", "new"), forceNew("oc"))},
	{name: "f6", words: "SetNew of one attribute, while another changes", attribute: "c", had: true,
		before: []string{`plain = "state"`}, now: []string{`plain = "config"`}, do: setNew("c", "new")},
	{name: "f7", words: "SetNewComputed that follows SetNew", attribute: "c", had: true, do: after(setNew("c", "new"), setNewComputed("c"))},
	{name: "f8", words: "Clear after SetNew", attribute: "c", had: true,
		do: after(setNew("c", "new"), func(d *schema.ResourceDiff) error { return d.Clear("c") })},
}

var refusals = trials{
	{name: "e1", words: "SetNew of an argument that is not computed", had: true, before: []string{`plain = "a"`}, now: []string{`plain = "a"`}, do: setNew("plain", "b")},
	{name: "e2", words: "SetNewComputed of an argument that is not computed", do: setNewComputed("plain")},
	{name: "e3", words: "ForceNew of what does not change", had: true, before: []string{`plain = "a"`}, now: []string{`plain = "a"`}, do: forceNew("plain")},
	{name: "e4", words: "SetNew of what the schema does not have", do: setNew("nothing", "b")},
	{name: "e5", words: "SetNew of a value of another type", do: setNew("ocb", "b")},
	{name: "e6", words: "SetNewComputed, then ForceNew", had: true, do: after(setNewComputed("c"), forceNew("c"))},
	{name: "e7", words: "an error of its own", do: func(*schema.ResourceDiff) error { return errors.New("this will not do") }},
}

// text writes the objects of some trials, as they are before or now.
func (trials trials) text(now bool) string {
	var out strings.Builder
	for _, r := range trials {
		switch {
		case now:
			out.WriteString(declared(r.name, r.now...))
		case r.had:
			out.WriteString(declared(r.name, r.before...))
		}
	}
	return out.String()
}
