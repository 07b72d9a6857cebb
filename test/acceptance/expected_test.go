package acceptance

import (
	"strings"
	"testing"

	"github.com/plumb-iac/plumb/test/acceptance/cloud"
	"github.com/plumb-iac/plumb/test/acceptance/modern"
)

// TestExpectedErrors holds the words of errors to what tests of providers, and
// programs that run the program, look for: the line breaks are part of them.
func TestExpectedErrors(t *testing.T) {
	t.Parallel()
	s := newStage(t, served{"modern": modern.Beside6(cloud.New())()})
	for name, c := range map[string]struct{ config, want string }{
		"unset argument": {`resource "modern_planned" "a" {}`, "Error: Missing required argument\n\n" +
			"  on main.tf line 1, in resource \"modern_planned\" \"a\":\n   1: resource \"modern_planned\" \"a\" {}\n\n" +
			"The argument \"name\" is required, but no definition was found.\n"},
		"unknown argument":   {`resource "modern_plain" "a" { colour = "red" }`, "\nAn argument named \"colour\" is not expected here."},
		"wrong type":         {`resource "modern_plain" "a" { int64 = "many" }`, "\nInappropriate value for attribute \"int64\": a number is required.\n"},
		"wrong nested":       {`resource "modern_nested" "a" { one = {} }`, "\nInappropriate value for attribute \"one\": attribute \"name\" is required.\n"},
		"unknown type":       {`resource "modern_plan" "a" {}`, "Error: Invalid resource type\n"},
		"unknown type's who": {`resource "modern_unheard_of" "a" {}`, "\nThe provider hashicorp/modern does not support resource type\n\"modern_unheard_of\"."},
		"unknown attribute": {"resource \"modern_plain\" \"a\" {}\noutput \"o\" { value = modern_plain.a.nopy }",
			"\nThis object has no argument, nested block, or exported attribute named\n\"nopy\"."},
		"unset variable": {`variable "v" {}`, "Error: No value for required variable\n\n" +
			"  on main.tf line 1:\n   1: variable \"v\" {}\n\n" +
			"The root module input variable \"v\" is not set, and has no default value."},
	} {
		s.write(c.config)
		_, stderr, code := s.run("plan", "-no-color", "-input=false")
		if code != 1 || !strings.Contains(stderr, c.want) {
			t.Errorf("%s: exit code %d\n%s\ndoes not have\n%s", name, code, stderr, c.want)
		}
	}
}
