package lockfile

import (
	"fmt"
	"sort"
	"strings"

	"github.com/apparentlymart/go-versions/versions"
	"github.com/apparentlymart/go-versions/versions/constraints"
)

// Normalise puts the constraints of several modules into the one form that the
// file has: sorted, without duplicates, versions written out.
func Normalise(texts ...string) (string, error) {
	var all constraints.IntersectionSpec
	for _, text := range texts {
		if strings.TrimSpace(text) == "" {
			continue
		}
		spec, err := constraints.ParseRubyStyleMulti(text)
		if err != nil {
			return "", fmt.Errorf("%q is not a version constraint: %w", text, err)
		}
		all = append(all, spec...)
	}
	sort.SliceStable(all, func(i, j int) bool { return specLess(all[i], all[j]) })
	var out []string
	for _, s := range all {
		if one := specText(s); len(out) == 0 || out[len(out)-1] != one {
			out = append(out, one)
		}
	}
	return strings.Join(out, ", "), nil
}

// Allowed is the set of versions that constraints allow. Prereleases are in it
// where a constraint names them exactly.
func Allowed(text string) (versions.Set, error) {
	if strings.TrimSpace(text) == "" {
		return versions.Released, nil
	}
	set, err := versions.MeetingConstraintsStringRuby(text)
	if err != nil {
		return versions.None, fmt.Errorf("%q is not a version constraint: %w", text, err)
	}
	return set, nil
}

// operators are the signs of selections, in the order in which equal versions
// are sorted.
var operators = []struct {
	op   constraints.SelectionOp
	sign string
}{
	{constraints.OpGreaterThan, "> "},
	{constraints.OpGreaterThanOrEqual, ">= "},
	{constraints.OpEqual, ""},
	{constraints.OpGreaterThanOrEqualPatchOnly, "~> "},
	{constraints.OpGreaterThanOrEqualMinorOnly, "~> "},
	{constraints.OpLessThanOrEqual, "<= "},
	{constraints.OpLessThan, "< "},
	{constraints.OpNotEqual, "!= "},
}

func rank(op constraints.SelectionOp) int {
	for i, o := range operators {
		if o.op == op {
			return i
		}
	}
	return len(operators)
}

func specLess(a, b constraints.SelectionSpec) bool {
	va, vb := boundary(a), boundary(b)
	if !va.Same(vb) {
		return va.LessThan(vb)
	}
	return rank(a.Operator) < rank(b.Operator)
}

// boundary is the version of a selection, with zeros for what is left out.
func boundary(s constraints.SelectionSpec) versions.Version {
	v := s.Boundary
	return versions.Version{
		Major: v.Major.Num, Minor: v.Minor.Num, Patch: v.Patch.Num,
		Prerelease: versions.VersionExtra(v.Prerelease), Metadata: versions.VersionExtra(v.Metadata),
	}
}

func specText(s constraints.SelectionSpec) string {
	sign := ""
	if r := rank(s.Operator); r < len(operators) {
		sign = operators[r].sign
	}
	v := boundary(s)
	if s.Operator == constraints.OpGreaterThanOrEqualMinorOnly {
		text := fmt.Sprintf("%s%d.%d", sign, v.Major, v.Minor)
		if v.Prerelease != "" {
			text += "-" + string(v.Prerelease)
		}
		return text
	}
	return sign + v.String()
}
