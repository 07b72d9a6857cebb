package config

import (
	"strings"

	"github.com/hashicorp/go-version"
	"github.com/plumb-iac/plumb/diag"
)

// openTofuLevel is the level of OpenTofu's language that is offered to
// language blocks and to required_version in OpenTofu's own files.
const openTofuLevel = "1.12.6"

// languageSince is the first version of OpenTofu that reads language blocks.
const languageSince = "1.12.0"

// admitsOlder says whether a version before languageSince fits the constraints. If
// any does, one that a constraint names does, or the first or the last of all.
func admitsOlder(constraints version.Constraints) bool {
	since := version.Must(version.NewVersion(languageSince))
	tried := []string{"0.0.1", "1.11.99999"}
	for _, c := range constraints {
		tried = append(tried, strings.TrimLeft(c.String(), "=!<>~ "))
	}
	for _, text := range tried {
		if v, err := version.NewVersion(text); err == nil && v.LessThan(since) && constraints.Check(v) {
			return true
		}
	}
	return false
}

// CheckVersions checks the required_version constraints of all modules, those that
// tests run included, against the level of the language that is offered. Where one
// is not met, whatever else is wrong with the configuration may come of that.
func CheckVersions(t *Tree, languageVersion string) diag.List {
	var diags diag.List
	seen := map[diag.Range]bool{}
	check := func(m *Module, constraints []VersionConstraint, offered, summary, language string) {
		for _, c := range constraints {
			if !seen[c.Range] {
				diags = diags.With(checkVersion(m, c, offered, summary, language))
			}
			seen[c.Range] = true
		}
	}
	for _, tree := range t.Trees() {
		for _, m := range tree.Modules() {
			check(m, m.Settings.RequiredVersions, languageVersion, "Unsupported Terraform Core version", "Terraform")
			check(m, m.Settings.CompatibleWith, openTofuLevel, "Incompatible module", "OpenTofu")
		}
	}
	return diags
}

func checkVersion(m *Module, c VersionConstraint, offered, summary, language string) diag.List {
	constraints, err := version.NewConstraint(c.Text)
	if err != nil {
		return nil
	}
	for _, one := range constraints {
		if one.Prerelease() {
			return diag.List{diag.Err("Invalid required_version constraint",
				"A constraint cannot name a prerelease version, as "+one.String()+" does.").At(c.Argument)}
		}
	}
	v, err := version.NewVersion(offered)
	if err != nil || constraints.Check(v) {
		return nil
	}
	where := "This configuration"
	if !m.Path.IsRoot() {
		where = m.Path.String() + " (from " + m.Dir + ")"
	}
	return diag.List{diag.Err(summary,
		where+" requires version "+c.Text+" of "+language+", and plumb offers the language of "+language+" "+offered+". Use a plumb that offers what is required, or change the constraint if you know that the configuration works with less.").At(c.Argument)}
}
