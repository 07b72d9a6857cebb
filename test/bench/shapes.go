package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// shapes are configurations that are large in one direction, without objects.
var shapes = []struct {
	name  string
	build func(dir string) error
}{
	{"1,000 modules of 20 blocks", manyModules},
	{"12,000 files in one directory", manyFiles},
	{"500 calls of a module with 60 variables", manyVariables},
}

// load prints how long it takes to load and validate each shape.
func load(plumb, peer string) error {
	fmt.Printf("\n| configuration | plumb validate | CPU | peak | %s validate | CPU | peak |\n|---|---|---|---|---|---|---|\n", name(peer))
	for _, s := range shapes {
		ours, err := validate(plumb, s.build)
		if err != nil {
			return err
		}
		fmt.Printf("| %s | %s |", s.name, ours)
		if peer == "" {
			fmt.Println(" – | – | – |")
			continue
		}
		theirs, err := validate(peer, s.build)
		if err != nil {
			return err
		}
		fmt.Printf(" %s |\n", theirs)
	}
	return nil
}

func validate(binary string, build func(string) error) (cost, error) {
	dir, err := os.MkdirTemp("", "plumb-bench-")
	if err != nil {
		return cost{}, err
	}
	defer os.RemoveAll(dir)
	if err := build(dir); err != nil {
		return cost{}, err
	}
	if _, err := measure(binary, dir, "init", "-input=false", "-no-color"); err != nil {
		return cost{}, err
	}
	return measure(binary, dir, "validate", "-no-color")
}

func manyModules(dir string) error {
	var root strings.Builder
	for i := range 1000 {
		fmt.Fprintf(&root, "module \"m%d\" {\n  source = \"./m%d\"\n  x      = %d\n}\n", i, i, i)
		var b strings.Builder
		b.WriteString("variable \"x\" {}\nresource \"terraform_data\" \"r\" {\n  input = local.l0\n}\n")
		for j := range 18 {
			fmt.Fprintf(&b, "locals {\n  l%d = var.x + %d\n}\n", j, j)
		}
		if err := put(dir, fmt.Sprintf("m%d/main.tf", i), b.String()); err != nil {
			return err
		}
	}
	return put(dir, "main.tf", root.String())
}

func manyFiles(dir string) error {
	for i := range 12000 {
		if err := put(dir, fmt.Sprintf("f%d.tf", i), fmt.Sprintf("locals {\n  v%d = \"%d\"\n}\n", i, i)); err != nil {
			return err
		}
	}
	return nil
}

func manyVariables(dir string) error {
	var root, child strings.Builder
	for j := range 60 {
		fmt.Fprintf(&child, "variable \"v%d\" {\n  type    = string\n  default = \"x\"\n}\n", j)
	}
	child.WriteString("output \"o\" {\n  value = var.v0\n}\n")
	for i := range 500 {
		fmt.Fprintf(&root, "module \"m%d\" {\n  source = \"./m\"\n", i)
		for j := range 60 {
			fmt.Fprintf(&root, "  v%d = \"a%d\"\n", j, i)
		}
		root.WriteString("}\n")
	}
	if err := put(dir, "m/main.tf", child.String()); err != nil {
		return err
	}
	return put(dir, "main.tf", root.String())
}

func put(dir, file, text string) error {
	path := filepath.Join(dir, file)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	return os.WriteFile(path, []byte(text), 0o600)
}
