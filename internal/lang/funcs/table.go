package funcs

import (
	"io"
	"io/fs"
	"time"

	"github.com/hashicorp/hcl/v2/ext/tryfunc"
	"github.com/hashicorp/hcl/v2/ext/typeexpr"
	ctyyaml "github.com/zclconf/go-cty-yaml"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/function"
	"github.com/zclconf/go-cty/cty/function/stdlib"
)

// Files is the file system as functions see it. Errors are those of package os,
// as their text is shown.
type Files interface {
	ReadFile(path string) ([]byte, error)
	Stat(path string) (fs.FileInfo, error)
	// Dir is the tree below a directory.
	Dir(path string) fs.FS
	// Abs makes a path absolute.
	Abs(path string) (string, error)
	// Home is the home directory of the user.
	Home() (string, error)
}

// Options are what functions depend on besides their arguments.
type Options struct {
	// Files is nil where functions must not read files.
	Files Files
	// BaseDir is what relative paths are relative to.
	BaseDir string
	// Pure makes timestamp, uuid and bcrypt unknown.
	Pure bool
	// Clock and Random serve the impure functions; without them these are
	// unknown, too.
	Clock  func() time.Time
	Random io.Reader
	// PlanTimestamp is the moment of the plan; zero makes it unknown.
	PlanTimestamp time.Time
	// Console adds type and takes plantimestamp away.
	Console bool
	// AnyTemplate lets templatestring take any string; otherwise the template
	// has to be a reference.
	AnyTemplate bool
	// TemplateDepth is how deep templatefile may call itself from templates; 0
	// forbids it.
	TemplateDepth int
	// Omit are functions to leave out.
	Omit []string
	// Record is told each result that came from the file system. Nil is fine.
	Record func(name string, args []cty.Value, result cty.Value)
}

// OnlyOpenTofu are the functions that of the incumbents only OpenTofu has. The
// table has them unless they are omitted.
func OnlyOpenTofu() []string { return []string{"base64gunzip", "cidrcontains", "urldecode"} }

// OnlyTerraform are the functions that of the incumbents only Terraform has.
func OnlyTerraform() []string { return []string{"convert"} }

// Table gives all functions by name, each also as core::NAME.
func Table(o Options) map[string]function.Function {
	// Templates call functions from this table, so it is made first.
	out := make(map[string]function.Function, 256)
	for name, f := range named(o, out) {
		f = described(name, keeping(f))
		out[name] = f
		out["core::"+name] = f
	}
	return out
}

func named(o Options, all map[string]function.Function) map[string]function.Function {
	out := map[string]function.Function{}
	for _, part := range []map[string]function.Function{library, collections, conversions, texts, encodings, hashes, networks, marking} {
		for name, f := range part {
			out[name] = f
		}
	}
	for name, f := range o.impure() {
		out[name] = f
	}
	for name, f := range o.files() {
		out[name] = f
	}
	out["templatestring"] = o.templateString(all)
	out["templatefile"] = o.templateFile(all, 0)
	if o.Console {
		delete(out, "plantimestamp")
		out["type"] = typeFunc
	}
	for _, name := range o.Omit {
		delete(out, name)
	}
	return out
}

// library are the functions that go-cty and hcl have as the language wants
// them.
var library = map[string]function.Function{
	"abs":             stdlib.AbsoluteFunc,
	"can":             tryfunc.CanFunc,
	"ceil":            stdlib.CeilFunc,
	"chomp":           stdlib.ChompFunc,
	"chunklist":       stdlib.ChunklistFunc,
	"coalescelist":    stdlib.CoalesceListFunc,
	"compact":         stdlib.CompactFunc,
	"concat":          stdlib.ConcatFunc,
	"convert":         typeexpr.ConvertFunc,
	"csvdecode":       stdlib.CSVDecodeFunc,
	"distinct":        stdlib.DistinctFunc,
	"element":         stdlib.ElementFunc,
	"flatten":         stdlib.FlattenFunc,
	"floor":           stdlib.FloorFunc,
	"format":          stdlib.FormatFunc,
	"formatdate":      stdlib.FormatDateFunc,
	"formatlist":      stdlib.FormatListFunc,
	"indent":          stdlib.IndentFunc,
	"join":            stdlib.JoinFunc,
	"jsondecode":      stdlib.JSONDecodeFunc,
	"jsonencode":      stdlib.JSONEncodeFunc,
	"keys":            stdlib.KeysFunc,
	"log":             stdlib.LogFunc,
	"lower":           stdlib.LowerFunc,
	"max":             stdlib.MaxFunc,
	"merge":           stdlib.MergeFunc,
	"min":             stdlib.MinFunc,
	"parseint":        stdlib.ParseIntFunc,
	"pow":             stdlib.PowFunc,
	"range":           stdlib.RangeFunc,
	"regex":           stdlib.RegexFunc,
	"regexall":        stdlib.RegexAllFunc,
	"reverse":         stdlib.ReverseListFunc,
	"setintersection": stdlib.SetIntersectionFunc,
	"setproduct":      stdlib.SetProductFunc,
	"setsubtract":     stdlib.SetSubtractFunc,
	"setunion":        stdlib.SetUnionFunc,
	"signum":          stdlib.SignumFunc,
	"slice":           stdlib.SliceFunc,
	"sort":            stdlib.SortFunc,
	"split":           stdlib.SplitFunc,
	"strrev":          stdlib.ReverseFunc,
	"substr":          stdlib.SubstrFunc,
	"timeadd":         stdlib.TimeAddFunc,
	"title":           stdlib.TitleFunc,
	"trim":            stdlib.TrimFunc,
	"trimprefix":      stdlib.TrimPrefixFunc,
	"trimspace":       stdlib.TrimSpaceFunc,
	"trimsuffix":      stdlib.TrimSuffixFunc,
	"try":             tryfunc.TryFunc,
	"upper":           stdlib.UpperFunc,
	"values":          stdlib.ValuesFunc,
	"yamldecode":      ctyyaml.YAMLDecodeFunc,
	"yamlencode":      ctyyaml.YAMLEncodeFunc,
	"zipmap":          stdlib.ZipmapFunc,
}
