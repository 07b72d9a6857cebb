package funcs_test

import (
	"io/fs"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/plumb-iac/plumb/internal/lang/funcs"
	"github.com/plumb-iac/plumb/value"
	"github.com/zclconf/go-cty/cty"
)

// memory is a file system in memory.
type memory struct{ fstest.MapFS }

func (m memory) ReadFile(p string) ([]byte, error)  { return fs.ReadFile(m.MapFS, p) }
func (m memory) Stat(p string) (fs.FileInfo, error) { return fs.Stat(m.MapFS, p) }
func (m memory) Abs(p string) (string, error)       { return "/root/" + p, nil }
func (m memory) Home() (string, error)              { return "/home/u", nil }
func (m memory) Dir(p string) fs.FS {
	sub, err := fs.Sub(m.MapFS, p)
	if err != nil {
		return fstest.MapFS{}
	}
	return sub
}

func call(o funcs.Options, name string, args ...cty.Value) (cty.Value, error) {
	return funcs.Table(o)[name].Call(args)
}

func TestUnknownWherePlansMustNotDependOnIt(t *testing.T) {
	clock := func() time.Time { return time.Date(2024, 5, 6, 7, 8, 9, 0, time.UTC) }
	random := strings.NewReader(strings.Repeat("0123456789abcdef", 4))
	for _, o := range []funcs.Options{{Pure: true, Clock: clock, Random: random}, {}} {
		for _, name := range []string{"timestamp", "uuid", "plantimestamp"} {
			if v, err := call(o, name); err != nil || v.IsKnown() {
				t.Errorf("%s gives %#v, %v", name, v, err)
			}
		}
	}
	if v, err := call(funcs.Options{Pure: true}, "bcrypt", cty.StringVal("x")); err != nil || v.IsKnown() {
		t.Errorf("bcrypt gives %#v, %v", v, err)
	}
	if v, _ := call(funcs.Options{Clock: clock}, "timestamp"); !v.RawEquals(cty.StringVal("2024-05-06T07:08:09Z")) {
		t.Errorf("timestamp gives %#v", v)
	}
	if v, _ := call(funcs.Options{PlanTimestamp: clock()}, "plantimestamp"); !v.RawEquals(cty.StringVal("2024-05-06T07:08:09Z")) {
		t.Errorf("plantimestamp gives %#v", v)
	}
}

func TestMarksFollowTheirValues(t *testing.T) {
	secret := value.Mark(cty.StringVal("a"), value.Sensitive)
	passing := value.Mark(cty.StringVal("b"), value.Ephemeral)
	files := memory{fstest.MapFS{"a": {Data: []byte("x")}}}
	tests := []struct {
		name string
		args []cty.Value
		want value.Kind
	}{
		{"upper", []cty.Value{secret}, value.Sensitive},
		{"file", []cty.Value{secret}, value.Sensitive},
		{"coalesce", []cty.Value{secret, passing}, value.Sensitive | value.Ephemeral},
		{"format", []cty.Value{cty.StringVal("%s%s"), secret, passing}, value.Sensitive | value.Ephemeral},
		{"length", []cty.Value{value.Mark(cty.ListVal([]cty.Value{cty.True}), value.Sensitive)}, value.Sensitive},
		{"length", []cty.Value{cty.ListVal([]cty.Value{secret})}, 0},
		{"nonsensitive", []cty.Value{secret}, 0},
		{"sensitive", []cty.Value{passing}, value.Sensitive | value.Ephemeral},
		{"ephemeralasnull", []cty.Value{value.Mark(passing, value.Sensitive)}, value.Sensitive},
		{"lookup", []cty.Value{cty.MapVal(map[string]cty.Value{"a": cty.True}), secret}, value.Sensitive},
	}
	for _, tt := range tests {
		v, err := call(funcs.Options{Files: files}, tt.name, tt.args...)
		if err != nil || value.DeepMarks(v) != tt.want {
			t.Errorf("%s gives %#v, %v", tt.name, v, err)
		}
	}
}

// TestUnknownArgumentsKeepTheirMarks gives each function an unknown value that is
// sensitive, in the place of each parameter by itself.
func TestUnknownArgumentsKeepTheirMarks(t *testing.T) {
	own := map[string]bool{"issensitive": true, "nonsensitive": true, "try": true, "can": true, "type": true, "convert": true}
	table := funcs.Table(funcs.Options{AnyTemplate: true, Files: memory{fstest.MapFS{}}, Omit: []string{"list", "map"}})
	for name, f := range table {
		params := f.Params()
		if v := f.VarParam(); v != nil {
			params = append(params, *v)
		}
		if own[strings.TrimPrefix(name, "core::")] {
			continue
		}
		for i := range params {
			args := make([]cty.Value, len(params))
			for k, p := range params {
				args[k] = cty.UnknownVal(p.Type)
			}
			args[i] = value.Mark(args[i], value.Sensitive)
			v, err := f.Call(args)
			// The default of lookup is one of the values that it may come to.
			if params[i].Name == "default" {
				continue
			}
			if err == nil && !value.Contains(v, value.Sensitive) {
				t.Errorf("%s loses the mark of %s: %#v", name, params[i].Name, v)
			}
		}
	}
}

func TestTemplateStringResults(t *testing.T) {
	list := cty.TupleVal([]cty.Value{cty.True})
	for template, want := range map[string]cty.Value{
		"${x}":     list,
		"${x[0]}":  cty.True,
		"${x[0]}!": cty.StringVal("true!"),
	} {
		v, err := call(funcs.Options{AnyTemplate: true}, "templatestring", cty.StringVal(template), cty.ObjectVal(map[string]cty.Value{"x": list}))
		if err != nil || !v.RawEquals(want) {
			t.Errorf("%s gives %#v, %v", template, v, err)
		}
	}
}

func TestErrorsDoNotShowSecrets(t *testing.T) {
	hidden := value.Mark(cty.StringVal("hush"), value.Sensitive)
	files := memory{fstest.MapFS{}}
	for name, args := range map[string][]cty.Value{
		"base64decode": {hidden},
		"tobool":       {hidden},
		"tonumber":     {hidden},
		"file":         {hidden},
		"lookup":       {cty.MapValEmpty(cty.String), hidden},
		"timecmp":      {hidden, hidden},
		"rsadecrypt":   {hidden, hidden},
	} {
		_, err := call(funcs.Options{Files: files}, name, args...)
		if err == nil || strings.Contains(err.Error(), "hush") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestFileResultsAreRecorded(t *testing.T) {
	var seen []string
	o := funcs.Options{Files: memory{fstest.MapFS{"d/a.txt": {Data: []byte("x")}}}, Record: func(name string, args []cty.Value, v cty.Value) {
		seen = append(seen, name+" "+args[0].AsString())
	}}
	_, _ = call(o, "file", cty.StringVal("d/a.txt"))
	_, _ = call(o, "fileexists", cty.StringVal("d/b.txt"))
	_, _ = call(o, "fileset", cty.StringVal("d"), cty.StringVal("*"))
	_, _ = call(o, "file", cty.StringVal("absent"))
	if want := []string{"file d/a.txt", "fileexists d/b.txt", "fileset d"}; !slices.Equal(seen, want) {
		t.Errorf("%q", seen)
	}
}

func TestTemplatesCallEachOther(t *testing.T) {
	files := memory{fstest.MapFS{
		"outer.tftpl": {Data: []byte(`<${templatefile("inner.tftpl", {x = x})}>`)},
		"inner.tftpl": {Data: []byte(`${upper(x)}`)},
		"loop.tftpl":  {Data: []byte(`${core::templatefile("loop.tftpl", {})}`)},
	}}
	vars := cty.ObjectVal(map[string]cty.Value{"x": cty.StringVal("a")})
	if _, err := call(funcs.Options{Files: files}, "templatefile", cty.StringVal("outer.tftpl"), vars); err == nil {
		t.Error("a template called another where that is forbidden")
	}
	deep := funcs.Options{Files: files, TemplateDepth: 3}
	if v, err := call(deep, "templatefile", cty.StringVal("outer.tftpl"), vars); err != nil || !v.RawEquals(cty.StringVal("<A>")) {
		t.Errorf("%#v, %v", v, err)
	}
	if _, err := call(deep, "templatefile", cty.StringVal("loop.tftpl"), cty.EmptyObjectVal); err == nil || !strings.Contains(err.Error(), "maximum recursion depth 3") {
		t.Error(err)
	}
}

// TestTemplatesCallThemselves is over at once only if a template is rendered once
// for each call: both branches of a condition are evaluated, so this one goes as
// deep as it may.
func TestTemplatesCallThemselves(t *testing.T) {
	files := memory{fstest.MapFS{"count.tftpl": {Data: []byte(`%{ if n > 0 }(${templatefile("count.tftpl", {n = n - 1})})%{ endif }`)}}}
	vars := cty.ObjectVal(map[string]cty.Value{"n": cty.NumberIntVal(3)})
	v, err := call(funcs.Options{Files: files, TemplateDepth: 1024}, "templatefile", cty.StringVal("count.tftpl"), vars)
	if err != nil || !v.RawEquals(cty.StringVal("((()))")) {
		t.Errorf("%#v, %v", v, err)
	}
}

func TestEveryFunctionIsDescribed(t *testing.T) {
	for name, f := range funcs.Table(funcs.Options{Console: true}) {
		if name == "list" || name == "map" || strings.HasPrefix(name, "core::") {
			continue
		}
		if f.Description() == "" || !strings.HasSuffix(f.Description(), ".") {
			t.Errorf("%s has no description", name)
		}
	}
}

func TestWithoutFiles(t *testing.T) {
	for _, name := range []string{"file", "fileexists", "filemd5", "abspath"} {
		if _, err := call(funcs.Options{}, name, cty.StringVal("x")); err == nil {
			t.Errorf("%s works without files", name)
		}
	}
	table := funcs.Table(funcs.Options{Omit: funcs.OnlyOpenTofu(), Console: true})
	for _, name := range []string{"urldecode", "core::urldecode", "plantimestamp"} {
		if _, ok := table[name]; ok {
			t.Errorf("%s is there", name)
		}
	}
}

func TestAnyTrueWithUnknown(t *testing.T) {
	unknown := cty.UnknownVal(cty.Bool)
	for _, c := range []struct {
		list []cty.Value
		want cty.Value
	}{
		{[]cty.Value{unknown, cty.True}, cty.True},
		{[]cty.Value{unknown, cty.False}, cty.UnknownVal(cty.Bool).RefineNotNull()},
		{[]cty.Value{cty.False, cty.False}, cty.False},
	} {
		if got, err := call(funcs.Options{}, "anytrue", cty.ListVal(c.list)); err != nil || !got.RawEquals(c.want) {
			t.Errorf("anytrue(%#v) = %#v, %v; want %#v", c.list, got, err, c.want)
		}
	}
}
