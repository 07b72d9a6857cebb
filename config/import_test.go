package config

import (
	"testing"

	"testing/fstest"
)

func TestUndeclared(t *testing.T) {
	for _, c := range []struct{ name, src, single, provider, source string }{
		{"plain", `import {
  to = x_thing.a
  id = "1"
}`, "true", "", "hashicorp/x"},
		{"local name", `terraform {
  required_providers {
    y = { source = "acme/x" }
  }
}
import {
  to       = x_thing.a
  id       = "1"
  provider = y.z
}
provider "y" {
  alias = "z"
}`, "true", "y.z", "acme/x"},
		{"keyed", `import {
  to = x_thing.a["k"]
  id = "1"
}`, "false", "", "hashicorp/x"},
		{"repeated", `import {
  for_each = toset(["a"])
  to       = x_thing.a[each.key]
  id       = each.key
}`, "false", "", "hashicorp/x"},
	} {
		tree, diags := Load(fstest.MapFS{"main.tf": {Data: []byte(c.src)}}, ".", LoadOptions{})
		if diags.HasErrors() {
			t.Errorf("%s: %v", c.name, diags)
			continue
		}
		i := tree.Root.Imports[0]
		r := tree.Root.Undeclared(i)
		if (i.Single() != (c.single == "true")) || r.ProviderText() != c.provider || r.Source.Display() != c.source || !r.Lifecycle.Destroy {
			t.Errorf("%s: %v %q %s", c.name, i.Single(), r.ProviderText(), r.Source.Display())
		}
	}
}

func TestParseResource(t *testing.T) {
	body, diags := ParseResource("resource \"x\" \"a\" {\n  provider = x.y\n  n = 1\n}", "g")
	if diags.HasErrors() {
		t.Fatal(diags)
	}
	attrs, hd := body.JustAttributes()
	if hd.HasErrors() || len(attrs) != 1 || attrs["n"] == nil {
		t.Error(attrs, hd)
	}
	for _, bad := range []string{"", "x = 1", "resource \"x\" {}", "resource \"x\" \"a\" {"} {
		if _, diags := ParseResource(bad, "g"); !diags.HasErrors() {
			t.Errorf("%q is fine?", bad)
		}
	}
}

func TestImportProviderAgrees(t *testing.T) {
	const head = "import {\n  to = x_thing.a\n  id = \"1\"\n  provider = x.y\n}\nprovider \"x\" {\n  alias = \"y\"\n}\n"
	for _, c := range []struct {
		resource string
		want     bool
	}{
		{"", true},
		{"resource \"x_thing\" \"a\" {\n  provider = x.y\n}\n", true},
		{"resource \"x_thing\" \"a\" {\n  provider = x\n}\n", false},
		{"resource \"x_thing\" \"a\" {}\n", false},
	} {
		_, diags := Load(fstest.MapFS{"main.tf": {Data: []byte(head + c.resource)}}, ".", LoadOptions{})
		if diags.HasErrors() == c.want {
			t.Errorf("%s: %v", c.resource, diags)
		}
	}
}

func TestImportInModules(t *testing.T) {
	files := fstest.MapFS{
		"main.tf":   {Data: []byte("module \"m\" {\n  source = \"./m\"\n}\n")},
		"m/main.tf": {Data: []byte("import {\n  to = x_thing.a\n  id = \"1\"\n}\nresource \"x_thing\" \"a\" {}\n")},
	}
	for _, only := range []bool{false, true} {
		if _, diags := Load(files, ".", LoadOptions{Reading: Reading{RootImports: only}}); diags.HasErrors() != only {
			t.Errorf("%v: %v", only, diags)
		}
	}
}
