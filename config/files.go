package config

import (
	"io/fs"
	"path"
	"slices"
	"sort"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/plumb-iac/plumb/diag"
)

// moduleFiles are the names of the configuration files among entries: primary
// files first, then override files, each in lexical order.
func moduleFiles(entries []fs.DirEntry, tofu, query bool) []string {
	has := map[string]bool{}
	for _, e := range entries {
		if !e.IsDir() && !IgnoredFile(e.Name()) {
			has[e.Name()] = true
		}
	}
	var primary, override []string
	for name := range has {
		switch {
		case query && isQueryFile(name):
			primary = append(primary, name)
		case !isModuleFile(name, tofu), tofu && shadowed(name, has):
		case isOverride(name):
			override = append(override, name)
		default:
			primary = append(primary, name)
		}
	}
	sort.Strings(primary)
	sort.Strings(override)
	return append(primary, override...)
}

// IgnoredFile says whether a name is that of a hidden file or of an editor's
// backup, which are never configuration.
func IgnoredFile(name string) bool {
	return strings.HasPrefix(name, ".") || strings.HasSuffix(name, "~") ||
		strings.HasPrefix(name, "#") && strings.HasSuffix(name, "#")
}

func isModuleFile(name string, tofu bool) bool {
	name = strings.TrimSuffix(name, ".json")
	return strings.HasSuffix(name, ".tf") || tofu && strings.HasSuffix(name, ".tofu")
}

func isQueryFile(name string) bool {
	return strings.HasSuffix(name, ".tfquery.hcl") || strings.HasSuffix(name, ".tfquery.json")
}

// HasTofuFiles says whether a directory has files that only OpenTofu reads, of
// configuration or, there or in the usual directory of tests, of tests.
func HasTofuFiles(files FS, dir string) bool {
	return hasTofuFiles(files, dir, ".tofu", ".tofu.json", ".tofutest.hcl", ".tofutest.json") ||
		hasTofuFiles(files, path.Join(dir, DefaultTestDir), ".tofutest.hcl", ".tofutest.json")
}

func hasTofuFiles(files FS, dir string, ends ...string) bool {
	entries, err := files.ReadDir(dir)
	return err == nil && slices.ContainsFunc(entries, func(e fs.DirEntry) bool {
		return slices.ContainsFunc(ends, func(end string) bool { return strings.HasSuffix(e.Name(), end) })
	})
}

// shadowed says whether a .tofu file stands in for the .tf file name.
func shadowed(name string, has map[string]bool) bool {
	if stem, ok := strings.CutSuffix(name, ".tf.json"); ok {
		return has[stem+".tofu.json"]
	}
	stem, ok := strings.CutSuffix(name, ".tf")
	return ok && has[stem+".tofu"]
}

func isOverride(name string) bool {
	stem, _, _ := strings.Cut(strings.TrimSuffix(name, ".json"), ".")
	return stem == "override" || strings.HasSuffix(stem, "_override")
}

// file reads and decodes one file.
func (d *decoder) file(l *loader, name, base string) *declared {
	src, err := l.fs.ReadFile(name)
	if err != nil {
		d.diags = d.diags.Append(diag.Err("Failed to read file", "The file "+name+" cannot be read: "+err.Error()+"."))
		return &declared{}
	}
	l.sources[name] = src
	f := d.parse(name, src)
	d.override = isOverride(base) && !isQueryFile(base)
	d.tofu = strings.HasSuffix(strings.TrimSuffix(base, ".json"), ".tofu")
	d.query = isQueryFile(base)
	return d.decodeFile(f)
}

func (d *decoder) parse(name string, src []byte) hcl.Body {
	f, diags := Parse(name, src)
	d.hcl(diags)
	if f == nil || f.Body == nil {
		return hcl.EmptyBody()
	}
	return f.Body
}
