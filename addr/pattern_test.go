package addr

import (
	"strings"
	"testing"
)

// TestPatterns: a pattern, what it selects and what it does not.
func TestPatterns(t *testing.T) {
	for _, row := range []struct{ pattern, yes, no string }{
		{"aws_instance.*", `aws_instance.web aws_instance.web[0] aws_instance.db["k"]`, "aws_subnet.a module.m.aws_instance.web data.aws_instance.web"},
		{"*.web", "aws_instance.web null.web[1]", "aws_instance.web2 data.x.web"},
		{"aws_*.web_*", "aws_s3.web_ aws_ec2.web_a-1[0]", "aws_s3.web google_x.web_a"},
		{"a*b.c*d*e", "ab.cde axb.cXdYe", "ab.cd b.cde abx.cde"},
		{"x.*-1", "x.a-1", "x.a1 x.a-11"},
		{"x.y[*]", `x.y x.y[0] x.y["a"]`, "x.z"},
		{"x.y[eu-*]", `x.y["eu-1"] x.y["eu-"]`, `x.y x.y[0] x.y["us-1"]`},
		{"x.*[0]", "x.y[0]", "x.y[1] x.y"},
		{`x.*["*"]`, `x.y["*"]`, `x.y["a"]`},
		{"module.*", "module.a.x.y module.b[0].module.c.x.y", "x.y"},
		{"module.*.x.y", "module.a.x.y module.b[0].x.y", "x.y module.a.module.b.x.y"},
		{"module.net[eu*].x.y", `module.net["eu"].x.y`, `module.net["us"].x.y module.net.x.y module.net[0].x.y`},
		{"**.x.*", "x.y module.a.x.y module.a[0].module.b.x.z[1]", "module.a.z.y"},
		{"module.a.**.module.c.x.y", "module.a.module.c.x.y module.a[1].module.b.module.c.x.y", "module.c.x.y module.a.x.y"},
		{"**", "x.y module.a.x.y data.x.y", ""},
		{"**.data.*.*", "data.x.y module.a.data.x.y[0]", "x.y"},
		{"resource.data*.y", "resource.data.y resource.database.y", "data.x.y"},
	} {
		p, err := ParsePattern(row.pattern)
		if err != nil || !p.IsPattern() || p.String() != row.pattern {
			t.Errorf("%s: %v %v", row.pattern, p, err)
			continue
		}
		check := func(list string, want bool) {
			for _, text := range strings.Fields(list) {
				i, err := ParseInstance(text)
				if err != nil {
					t.Fatal(err)
				}
				if p.Contains(i) != want {
					t.Errorf("%s contains %s: %v", row.pattern, i, !want)
				}
				if want && !p.ContainsConfig(i.Config()) {
					t.Errorf("%s selects %s but cannot select any of %s", row.pattern, i, i.Config())
				}
				if p.ContainsAll(i.Config()) && !p.Contains(i) {
					t.Errorf("%s selects all of %s but not %s", row.pattern, i.Config(), i)
				}
			}
		}
		check(row.yes, true)
		check(row.no, false)
	}
}

func TestPatternsOfAll(t *testing.T) {
	for text, all := range map[string]bool{
		"x.y": true, "x.y[0]": false, "x.*": true, "x.*[*]": true, "x.*[0]": false, "x.*[a*]": false,
		"module.*.x.y": true, "module.m[*].x.y": true, "module.m[a*].x.y": false, "module.m[1].x.y": false, "module.m": true,
		"module.m[1]": false, "**.x.y": true,
	} {
		p, err := ParsePattern(text)
		if err != nil {
			t.Fatal(err)
		}
		r := ConfigResource{Root.Child("m"), Resource{Managed, "x", "y"}}
		if !p.ContainsConfig(r) {
			r.Module = Root
		}
		if p.ContainsAll(r) != all {
			t.Errorf("%s selects all of %s: %v, want %v", text, r, !all, all)
		}
	}
}

func TestNotPatterns(t *testing.T) {
	for _, text := range []string{
		"", "*", "*.", ".*", "x.*.y", "x.*[", "x.*[a]", `x.*["a]`, `x.*["a"*]`, "module.", "module.*.", "module.*.x",
		"data.*", "**x.y", "**.", "x.y*[1]z", "x.**[0].z", "x y.*", "***",
	} {
		if p, err := ParsePattern(text); err == nil {
			t.Errorf("%q is read as %+v", text, p)
		}
	}
}

// FuzzParsePattern holds patterns against targets: a text without wildcards
// means the same to both, and what is read is written as it was.
func FuzzParsePattern(f *testing.F) {
	for _, s := range []string{"aws_x.y", `module.a["k"].data.b.c[0]`, "**.x.*[a*]", `x.y["\u00e9${"]`, "module.*[*]", "x.y[", "ephemeral.a.b"} {
		f.Add(s)
	}
	probe, err := ParseInstance(`module.a["k"].aws_x.y[0]`)
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, s string) {
		p, err := ParsePattern(s)
		if err != nil {
			return
		}
		if p.String() != s {
			t.Fatalf("%q is written %q", s, p)
		}
		if p.Contains(probe) && !p.ContainsConfig(probe.Config()) {
			t.Fatalf("%q contains %s but not its resource", s, probe)
		}
		if i, err := ParseInstance(s); err == nil {
			if again, err := ParseInstance(i.String()); err != nil || again != i {
				t.Fatalf("%q is %s, and that is %s, %v", s, i, again, err)
			}
			if !p.Contains(i) {
				t.Fatalf("%q does not contain itself", s)
			}
		}
	})
}
