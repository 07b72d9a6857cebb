package inputs

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/plumb-iac/plumb/config"
	"github.com/plumb-iac/plumb/diag"
	"github.com/plumb-iac/plumb/engine"
	"github.com/plumb-iac/plumb/internal/cli/session"
	"github.com/plumb-iac/plumb/internal/hcldiag"
)

// autoFiles reads the files that need no option to be read.
func (g *Given) autoFiles(s *session.Session, dir string) diag.List {
	var diags diag.List
	for _, name := range autoNames(dir) {
		diags = diags.With(g.file(s, filepath.Join(dir, name), engine.FromAutoFile))
	}
	return diags
}

func autoNames(dir string) []string {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil
	}
	var first, auto []string
	for _, e := range entries {
		name := e.Name()
		switch {
		case name == "terraform.tfvars" || name == "terraform.tfvars.json":
			first = append(first, name)
		case strings.HasSuffix(name, ".auto.tfvars") || strings.HasSuffix(name, ".auto.tfvars.json"):
			if !config.IgnoredFile(name) {
				auto = append(auto, name)
			}
		}
	}
	slices.Sort(first)
	slices.Sort(auto)
	return append(first, auto...)
}

// file reads one file of values.
func (g *Given) file(s *session.Session, name string, source engine.InputSource) diag.List {
	src, err := os.ReadFile(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return diag.Errs("Failed to read variables file", "The variables file "+name+" does not exist.")
	case err != nil:
		return diag.Errs("Failed to read variables file", "The variables file "+name+" cannot be read: "+err.Error()+".")
	}
	s.AddSources(map[string][]byte{name: src})
	attrs, diags := parse(src, name)
	for _, attr := range inOrder(attrs) {
		v, more := attr.Expr.Value(nil)
		diags = append(diags, more...)
		if more.HasErrors() {
			continue
		}
		r := hcldiag.RangeOf(attr.Expr.Range())
		g.put(attr.Name, engine.Input{Value: v, Source: source, Range: &r})
	}
	return hcldiag.List(diags)
}

func parse(src []byte, name string) (hcl.Attributes, hcl.Diagnostics) {
	f, diags := config.VarFile(name, src)
	if f == nil || f.Body == nil {
		return nil, diags
	}
	attrs, more := f.Body.JustAttributes()
	if diags.HasErrors() {
		return attrs, diags
	}
	return attrs, append(diags, more...)
}

func inOrder(attrs hcl.Attributes) []*hcl.Attribute {
	out := make([]*hcl.Attribute, 0, len(attrs))
	for _, a := range attrs {
		out = append(out, a)
	}
	slices.SortFunc(out, func(a, b *hcl.Attribute) int { return a.Range.Start.Byte - b.Range.Start.Byte })
	return out
}
