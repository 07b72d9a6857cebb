package lang_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io/fs"
	"math/rand"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/plumb-iac/plumb/internal/lang"
	"github.com/plumb-iac/plumb/internal/lang/valuetext"
	"github.com/plumb-iac/plumb/value"
	"github.com/zclconf/go-cty/cty"
	ctyjson "github.com/zclconf/go-cty/cty/json"
)

// disk is the real file system below testdata.
type disk struct{}

func (disk) ReadFile(p string) ([]byte, error)  { return os.ReadFile(p) }
func (disk) Stat(p string) (fs.FileInfo, error) { return os.Stat(p) }
func (disk) Dir(p string) fs.FS                 { return os.DirFS(p) }

func (disk) Abs(p string) (string, error) {
	if filepath.IsAbs(p) {
		return filepath.Clean(p), nil
	}
	return filepath.Abs(filepath.Join("testdata/functions-data", p))
}

func (disk) Home() (string, error) { return "/home/u", nil }
func testClock() time.Time         { return time.Date(2024, 5, 6, 7, 8, 9, 0, time.UTC) }
func options() lang.FuncOptions {
	return lang.FuncOptions{Files: disk{}, BaseDir: "testdata/functions-data", Clock: testClock,
		Random: rand.New(rand.NewSource(1)), PlanTimestamp: testClock()}
}

// functionCase is one line of functions.jsonl. Want is the result on which
// both incumbents agree; otherwise each has its own.
type functionCase struct {
	Expr            string
	Console         bool
	Sensitive       bool
	Want            *result
	Terraform, Tofu *result
}

type result struct {
	Type  json.RawMessage
	Value any
	Error bool
}

func TestFunctionsAgree(t *testing.T) {
	data, err := os.ReadFile("testdata/functions.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	scopes := []*lang.Scope{evalScope(t, lang.FuncOptions{}), evalScope(t, lang.FuncOptions{AnyTemplate: true, TemplateDepth: 16})}
	total, failed := 0, 0
	for in := bufio.NewScanner(bytes.NewReader(data)); in.Scan(); {
		var c functionCase
		d := json.NewDecoder(bytes.NewReader(in.Bytes()))
		d.UseNumber()
		if err := d.Decode(&c); err != nil {
			t.Fatal(err)
		}
		total++
		if why := tryCase(c, scopes); why != "" {
			failed++
			t.Errorf("%s\n\t%s", c.Expr, why)
		}
	}
	t.Logf("%d of %d expressions agree", total-failed, total)
}

// tryCase gives "" when some scope gives a result that some incumbent gives.
func tryCase(c functionCase, scopes []*lang.Scope) string {
	var whys []string
	for _, s := range scopes {
		got, why := evaluate(c, s)
		for _, want := range []*result{c.Want, c.Terraform, c.Tofu} {
			if want == nil {
				continue
			}
			if agree(got, want) {
				return ""
			}
			w, _ := json.Marshal(want)
			g, _ := json.Marshal(got)
			whys = append(whys, "want "+string(w)+" got "+string(g)+" "+why)
		}
	}
	return strings.Join(whys, "\n\t")
}

func agree(got, want *result) bool {
	if got.Error || want.Error {
		return got.Error == want.Error
	}
	return reflect.DeepEqual(mask(got.Value), mask(want.Value)) && bytes.Equal(compactJSON(got.Type), compactJSON(want.Type))
}

var moments = regexp.MustCompile(`\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)`)

// mask hides what a recording hides, and the digits of numbers that it lost.
func mask(v any) any {
	switch v := v.(type) {
	case string:
		if len(v) == 36 && strings.Count(v, "-") == 4 {
			return "<uuid>"
		}
		v = moments.ReplaceAllString(v, "<time>")
		v = regexp.MustCompile(`\b\d{16,20}\b`).ReplaceAllString(v, "<id>")
		return regexp.MustCompile(`(?m) +$`).ReplaceAllString(v, "")
	case json.Number:
		f, _ := v.Float64()
		return f
	case []any:
		for i := range v {
			v[i] = mask(v[i])
		}
	case map[string]any:
		for k := range v {
			v[k] = mask(v[k])
		}
	}
	return v
}

func compactJSON(b []byte) []byte {
	var out bytes.Buffer
	_ = json.Compact(&out, b)
	return out.Bytes()
}

func evaluate(c functionCase, s *lang.Scope) (*result, string) {
	e, hd := hclsyntax.ParseExpression([]byte(c.Expr), "e", hcl.InitialPos)
	if hd.HasErrors() {
		return &result{Error: true}, hd.Error()
	}
	x, diags := lang.Compile(e)
	if diags.HasErrors() {
		return &result{Error: true}, diags[0].Summary + ": " + diags[0].Detail
	}
	for _, ref := range x.Refs() {
		if ref.Text() == "local.nope" {
			return &result{Error: true}, "undeclared"
		}
	}
	v, diags := x.Eval(s, cty.DynamicPseudoType)
	if diags.HasErrors() {
		return &result{Error: true}, diags[0].Summary + ": " + diags[0].Detail
	}
	if c.Console {
		return &result{Type: json.RawMessage(`"console"`), Value: valuetext.Format(v, 0)}, ""
	}
	if value.Contains(v, value.Sensitive) && !c.Sensitive {
		return &result{Error: true}, "sensitive"
	}
	return asJSON(value.Strip(v).Cty())
}

func asJSON(v cty.Value) (*result, string) {
	if v.IsNull() {
		return &result{Type: json.RawMessage(`"dynamic"`)}, ""
	}
	typ, err := ctyjson.MarshalType(v.Type())
	if err != nil {
		return &result{Error: true}, err.Error()
	}
	raw, err := ctyjson.Marshal(v, v.Type())
	if err != nil {
		return &result{Error: true}, err.Error()
	}
	var out any
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	if err := d.Decode(&out); err != nil {
		return &result{Error: true}, err.Error()
	}
	return &result{Type: typ, Value: out}, ""
}

func evalScope(t *testing.T, more lang.FuncOptions) *lang.Scope {
	t.Helper()
	o := options()
	o.Console, o.AnyTemplate, o.TemplateDepth = false, more.AnyTemplate, more.TemplateDepth
	funcs := lang.Functions(o)
	o.Console = true
	funcs["type"] = lang.Functions(o)["type"]
	abs, err := filepath.Abs(o.BaseDir)
	if err != nil {
		t.Fatal(err)
	}
	return lang.NewScope(map[string]cty.Value{
		"local": cty.ObjectVal(map[string]cty.Value{
			"tpl": cty.StringVal("hello ${who}!"), "tplbad": cty.StringVal("hello ${who"),
			"tplnum": cty.NumberIntVal(5), "tploop": cty.StringVal("%{ for x in xs }<${x}>%{ endfor }"),
		}),
		"path":      cty.ObjectVal(map[string]cty.Value{"module": cty.StringVal("."), "root": cty.StringVal("."), "cwd": cty.StringVal(abs)}),
		"terraform": cty.ObjectVal(map[string]cty.Value{"workspace": cty.StringVal("default")}),
		"var":       cty.EmptyObjectVal,
	}, funcs)
}
