package lockfile

import (
	"testing"

	"github.com/apparentlymart/go-versions/versions"
	"github.com/plumb-iac/plumb/addr"
	"pgregory.net/rapid"
)

const sample = `# This file is maintained automatically by "terraform init".
# Manual edits may be lost in future updates.

provider "example.com/a/b" {
  version = "1.0.0-beta.1"
}

provider "registry.terraform.io/hashicorp/null" {
  version     = "3.2.1"
  constraints = ">= 3.0.0, ~> 3.1"
  hashes = [
    "h1:aaa=",
    "zh:bbb",
  ]
}
`

func TestRoundTrip(t *testing.T) {
	f, diags := Parse(Name, []byte(sample))
	if diags.HasErrors() {
		t.Fatal(diags)
	}
	if got := string(f.Bytes()); got != sample {
		t.Error(got)
	}
	l, _ := f.Lock(addr.Provider{Host: addr.DefaultHost, Namespace: "hashicorp", Type: "null"})
	if !l.Accepts("h1:aaa=") || l.Accepts("h1:zzz=") {
		t.Error("hashes misread")
	}
	more := f.With(l.Learning("h1:zzz=", "h1:aaa="))
	if more.Equal(f) || !more.SameProviders(f) || string(f.Bytes()) != sample {
		t.Error("With changed the file it was asked of, or nothing")
	}
	tofu, _ := Parse(Name, []byte(tofuHeader+headerTail))
	if got := string(tofu.Bytes()); got != tofuHeader+headerTail {
		t.Error(got)
	}
}

func TestMistakes(t *testing.T) {
	for src, summary := range map[string]string{
		`provider "null" { version = "1.0.0" }`:                                                            "Non-normalized provider source address",
		`provider "terraform.io/builtin/terraform" { version = "1.0.0" }`:                                  "Invalid provider source address",
		`provider "a.b/c/d" {}`:                                                                            "Missing required argument",
		`provider "a.b/c/d" { version = "1" }`:                                                             "Invalid provider version number",
		"provider \"a.b/c/d\" {\n version = \"1.0.0\"\n constraints = \"x\"\n}":                            "Invalid provider version constraints",
		"provider \"a.b/c/d\" {\n version = \"1.0.0\"\n}\nprovider \"a.b/c/d\" {\n version = \"1.0.0\"\n}": "Duplicate provider lock",
		`nope {}`: "Unsupported block type",
	} {
		if _, diags := Parse(Name, []byte(src)); len(diags) == 0 || diags[0].Summary != summary {
			t.Errorf("%s: %v", src, diags)
		}
	}
}

func TestNormalise(t *testing.T) {
	for _, c := range []struct {
		in   []string
		want string
	}{
		{nil, ""},
		{[]string{"~> 3"}, "~> 3.0"},
		{[]string{"~> 3.1.2"}, "~> 3.1.2"},
		{[]string{">= 2", ">=2.0"}, ">= 2.0.0"},
		{[]string{"~> 3.74", ">= 3.63"}, ">= 3.63.0, ~> 3.74"},
		{[]string{"< 2, > 1", "!= 1.5"}, "> 1.0.0, != 1.5.0, < 2.0.0"},
		{[]string{"1.0.0-beta1"}, "1.0.0-beta1"},
		{[]string{"< 1, > 1, != 1, <= 1, >= 1, = 1, ~> 1.0.0, ~> 1.0"}, "> 1.0.0, >= 1.0.0, 1.0.0, ~> 1.0.0, ~> 1.0, <= 1.0.0, < 1.0.0, != 1.0.0"},
		{[]string{"~> 1.0.0, ~> 1.0-beta1, 1.0.0-beta1"}, "1.0.0-beta1, ~> 1.0-beta1, ~> 1.0.0"},
	} {
		if got, err := Normalise(c.in...); got != c.want || err != nil {
			t.Errorf("%q: %q, %v; want %q", c.in, got, err, c.want)
		}
	}
	if _, err := Normalise("*"); err == nil {
		t.Error("garbage passes")
	}
}

// A normalised constraint allows the same versions, and normalising again
// changes nothing.
func TestNormaliseKeepsMeaning(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := ""
		for i := range rapid.IntRange(1, 3).Draw(t, "n") {
			if i > 0 {
				text += ", "
			}
			text += rapid.SampledFrom([]string{"~> ", ">= ", "> ", "< ", "<= ", "= ", "!= ", ""}).Draw(t, "op")
			text += rapid.StringMatching(`[0-3](\.[0-3]){0,2}`).Draw(t, "version")
		}
		normal, err := Normalise(text)
		if err != nil {
			t.Fatal(err)
		}
		if again, _ := Normalise(normal); again != normal {
			t.Fatalf("%q becomes %q", normal, again)
		}
		a, _ := Allowed(text)
		b, _ := Allowed(normal)
		for i := range 64 {
			v := versions.Version{Major: uint64(i / 16), Minor: uint64(i / 4 % 4), Patch: uint64(i % 4)}
			if a.Has(v) != b.Has(v) {
				t.Fatalf("%q and %q disagree on %s", text, normal, v)
			}
		}
	})
}

func FuzzParse(f *testing.F) {
	f.Add([]byte(sample))
	f.Fuzz(func(t *testing.T, src []byte) {
		file, diags := Parse(Name, src)
		back, more := Parse(Name, file.Bytes())
		if !diags.HasErrors() && (more.HasErrors() || !back.Equal(file)) {
			t.Fatalf("%q reads back as %q: %v", file.Bytes(), back.Bytes(), more)
		}
	})
}
