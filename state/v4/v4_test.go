package v4_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"
	"github.com/plumb-iac/plumb/addr"
	"github.com/plumb-iac/plumb/state"
	"github.com/plumb-iac/plumb/state/statetest"
	v4 "github.com/plumb-iac/plumb/state/v4"
	"pgregory.net/rapid"
)

func write(t interface{ Fatal(...any) }, s *state.Snapshot) []byte {
	var b bytes.Buffer
	if err := v4.Write(&b, s, v4.Options{}); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestWhatIsWrittenIsReadBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s, _ := statetest.Snapshot(t)
		s = s.WithSerial(rapid.Uint64Max(1<<60).Draw(t, "serial")).WithVersion("1.2.3")
		first := write(t, s)
		got, diags := v4.Parse(first)
		if diags != nil {
			t.Fatalf("%v\n%s", diags, first)
		}
		if !got.Equal(s) || got.Serial() != s.Serial() || got.Lineage() != s.Lineage() || got.Version() != s.Version() || got.Count() != s.Count() {
			t.Fatalf("the snapshot read differs from the one written:\n%s", first)
		}
		if again := write(t, got); !bytes.Equal(first, again) {
			t.Fatal(cmp.Diff(string(first), string(again)))
		}
		var indented bytes.Buffer
		var any json.RawMessage
		if err := json.Unmarshal(first, &any); err != nil {
			t.Fatal(err)
		}
		enc := json.NewEncoder(&indented)
		enc.SetIndent("", "  ")
		if err := enc.Encode(any); err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(first, indented.Bytes()) {
			t.Fatal(cmp.Diff(indented.String(), string(first)))
		}
	})
}

// identityVersion is in every object since Terraform 1.12.
var identityVersion = regexp.MustCompile(`,\n *"identity_schema_version": 0`)

func TestBytesOfTerraform(t *testing.T) {
	src, err := os.ReadFile("testdata/terraform-1.11.tfstate")
	if err != nil {
		t.Fatal(err)
	}
	s, diags := v4.Parse(src)
	if diags != nil {
		t.Fatal(diags)
	}
	if d := s.Check(); d != nil {
		t.Error(d)
	}
	got := identityVersion.ReplaceAllString(string(write(t, s)), "")
	if got != string(src) {
		t.Error(cmp.Diff(string(src), got))
	}
}

func TestExtrasOfBothFamilies(t *testing.T) {
	const src = `{"version":4,"terraform_version":"1.12.0","serial":3,"lineage":"l","novel":{"a":[1]},
	"outputs":{"o":{"value":"v","type":"string","deprecated":"gone soon"}},
	"resources":[{"module":"module.m[\"k\"]","mode":"managed","type":"t","name":"x","each":"list","instances":[
	 {"index_key":1,"provider":"provider[\"registry.opentofu.org/a/b\"].by[\"eu\"]","schema_version":2,"attributes":{"a": [ 1 , "x y" ]},
	  "sensitive_attributes":[[{"type":"get_attr","value":"a"},{"type":"index","value":{"value":0,"type":"number"}}]],
	  "identity_schema_version":1,"identity":{"id":"i"},"private":"AAE=","dependencies":["module.m.t.z","module.m.t.y"],"skip_destroy":true},
	 {"index_key":1,"deposed":"0000000a","status":"tainted","provider":"provider[\"registry.opentofu.org/a/b\"]","schema_version":0,"attributes_flat":{"id":"z"}}]}],
	"check_results":[{"object_kind":"novel","config_addr":"x.y","status":"error","objects":null}]}`
	s, diags := v4.Read(strings.NewReader(src))
	if diags != nil {
		t.Fatal(diags)
	}
	m, _ := addr.ParseModuleInstance(`module.m["k"]`)
	at := addr.AbsInstance{Module: m, Resource: addr.Resource{Mode: addr.Managed, Type: "t", Name: "x"}, Key: addr.IntKey(1)}
	i := s.Instance(at)
	if i == nil || i.Current() == nil || !i.OwnProvider() {
		t.Fatal("the instance with its own provider is missing")
	}
	o := i.Current()
	if string(o.Attrs) != `{"a":[1,"x y"]}` || !o.SkipDestroy || string(o.Identity) != `{"id":"i"}` || o.IdentityVersion != 1 ||
		string(o.Private) != "\x00\x01" || len(o.Sensitive) != 1 || len(o.Dependencies) != 2 || o.Dependencies[0].Resource.Name != "y" {
		t.Errorf("%+v", o)
	}
	if d := i.Object("0000000a"); d == nil || d.Status != state.Tainted || d.Flat["id"] != "z" {
		t.Errorf("%+v", d)
	}
	if c := s.Checks(); len(c) != 1 || c[0].Kind != "novel" || c[0].Status != state.CheckError {
		t.Errorf("%+v", c)
	}
	again, diags := v4.Parse(write(t, s))
	if diags != nil || !again.Equal(s) {
		t.Error("a round trip loses something", diags)
	}
}

func TestUpgradeOfVersion3(t *testing.T) {
	const src = `{"version":3,"terraform_version":"0.11.14","serial":9,"lineage":"l","modules":[
	{"path":["root"],"outputs":{"o":{"sensitive":true,"type":"list","value":["a","b"]}},"resources":{
	 "aws_x.y.1":{"type":"aws_x","depends_on":["aws_z.z","module.q"],"primary":{"id":"i-1","attributes":{"id":"i-1","tags.%":"0"},"meta":{"schema_version":"1","t":{"create":1}},"tainted":true},
	  "deposed":[{"id":"i-0","attributes":{"id":"i-0"}}],"provider":"provider.aws.east"},
	 "data.aws_ami.a":{"type":"aws_ami","primary":{"id":"a","attributes":{"id":"a"}},"provider":""}}},
	{"path":["root","m"],"resources":{"aws_x.y":{"primary":{"id":"i-2"},"provider":"module.m.provider.aws"}}}]}`
	s, diags := v4.Parse([]byte(src))
	if diags != nil {
		t.Fatal(diags)
	}
	got := ""
	for at, o := range s.Objects() {
		got += fmt.Sprintln(at, s.Instance(at.Instance).Provider(), o.Flat, o.Status, o.SchemaVersion, string(o.Private), o.Dependencies)
	}
	want := `data.aws_ami.a provider["registry.terraform.io/-/aws"] map[id:a] 0 0  []
aws_x.y[1] provider["registry.terraform.io/-/aws"].east map[id:i-1 tags.%:0] 1 1 {"t":{"create":1}} [aws_z.z]
aws_x.y[1] (deposed object 00000001) provider["registry.terraform.io/-/aws"].east map[id:i-0] 0 0  [aws_z.z]
module.m.aws_x.y module.m.provider["registry.terraform.io/-/aws"] map[id:i-2] 0 0  []
`
	if got != want {
		t.Error(cmp.Diff(want, got))
	}
}

func TestBadFiles(t *testing.T) {
	for _, test := range []struct{ src, want string }{
		{`{`, "not valid JSON"},
		{"{\n \"version\": 4,\n \"serial\" 1}", "line 3, column 11"},
		{`[]`, "top level must be an object"},
		{`{}`, `no "version"`},
		{`{"meta": {}, "encrypted_data": "AA==", "encryption_version": "v0"}`, "is encrypted"},
		{`{"version": "x"}`, "/version must be a whole number"},
		{`{"version": -4}`, "/version must be a whole number"},
		{`{"version": 0}`, "starts with 1"},
		{`{"version": 2}`, "0.6"},
		{`{"version": 5}`, "version 5; the newest version known here is 4"},
		{`{"version": 3, "modules": 1}`, "version 3"},
		{`{"version": 3, "modules": [{"path":["root"],"resources":{"x":{}}}]}`, "TYPE.NAME"},
		{`{"version": 4} {}`, "follows the end"},
		{`{"version": 4, "serial": 1.5}`, "/serial must be a whole number"},
		{`{"version": 4, "resources": {}}`, "/resources must be an array"},
		{"{\"version\": 4, \"resources\": [\n  {\"mode\": 1}]}", "/resources/0/mode must be a string (line 2, column 12)"},
		{`{"version": 4, "resources": [{"mode": "list", "type": "t", "name": "n"}]}`, `mode "list"`},
		{`{"version": 4, "resources": [{"mode": "managed", "type": "t"}]}`, "without a type or a name"},
		{`{"version": 4, "resources": [{"mode": "managed", "type": "t", "name": "n"}]}`, "which provider"},
		{`{"version": 4, "resources": [{"mode": "managed", "type": "t", "name": "n", "provider": "bad"}]}`, "The provider of t.n"},
		{`{"version": 4, "resources": [{"module": "m", "mode": "managed", "type": "t", "name": "n", "provider": "provider.aws"}]}`, "module"},
		{object(`"status": "odd"`), `status "odd"`},
		{object(`"attributes": []`), "/attributes must be an object"},
		{object(`"private": "?"`), "/private must be base64"},
		{object(`"index_key": 1.5`), "/index_key must be a whole number"},
		{object(`"index_key": true`), "/index_key must be a number or a string"},
		{object(`"dependencies": ["?"]`), "must be the address of a resource"},
		{object(`"sensitive_attributes": [[{"type": "odd"}]]`), "a step of a path"},
		{object(``) + " ", ""},
		{`{"version": 4, "outputs": {"o": {"value": "x", "type": "number"}}}`, `output "o" does not have the type`},
		{`{"version": 4, "outputs": {"o": {"value": "x"}}}`, `type of output "o"`},
		{`{"version": 4, "outputs": {"o": {"value": [], "type": ["tuple", ["string"]]}}}`, `output "o" does not have the type`},
		{strings.Replace(object(``), "[{}]", "[{},{}]", 1), "two objects at t.n"},
		{" \n", ""},
	} {
		s, diags := v4.Parse([]byte(test.src))
		if test.want == "" {
			if diags != nil {
				t.Errorf("%s: %v", test.src, diags)
			}
			continue
		}
		if s != nil || len(diags) != 1 || !diags.HasErrors() || !strings.Contains(diags[0].Summary+": "+diags[0].Detail, test.want) {
			t.Errorf("%s\n got %v\nwant %s", test.src, diags, test.want)
		}
	}
	if _, diags := v4.Read(iotest.ErrReader(errors.New("disk on fire"))); len(diags) != 1 || !strings.Contains(diags[0].Detail, "disk on fire") {
		t.Error(diags)
	}
}

// object is a file with one object that has the given fields.
func object(fields string) string {
	return `{"version": 4, "resources": [{"mode": "managed", "type": "t", "name": "n", "provider": "provider[\"a/b/c\"]", "instances": [{` + fields + `}]}]}`
}

func TestWriteRefusesBrokenAttributes(t *testing.T) {
	at := addr.AbsInstance{Resource: addr.Resource{Mode: addr.Managed, Type: "t", Name: "x"}}
	s, err := state.New("l").Apply(state.Put{Object: addr.Object{Instance: at}, Provider: addr.ProviderConfig{Provider: addr.Builtin("terraform")}, New: &state.Object{Attrs: []byte(`{"a":`)}})
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := v4.Write(&b, s, v4.Options{}); err == nil || b.Len() > 0 {
		t.Errorf("error %v, %d bytes written", err, b.Len())
	}
	if len(s.Check()) != 1 {
		t.Error(s.Check())
	}
}

func FuzzRead(f *testing.F) {
	src, err := os.ReadFile("testdata/terraform-1.11.tfstate")
	if err != nil {
		f.Fatal(err)
	}
	f.Add(src[:3000])
	f.Add([]byte(object(`"index_key": "a", "attributes": {"a": 1}, "sensitive_attributes": [[{"type": "index", "value": {"value": 1, "type": "number"}}]]`)))
	f.Add([]byte(`{"version": 3, "modules": [{"path":["root"],"resources":{"x.y.0":{"primary":{"id":"i","meta":{"schema_version":1}}}}}]}`))
	f.Fuzz(func(t *testing.T, src []byte) {
		s, diags := v4.Parse(src)
		if diags.HasErrors() != (s == nil) && len(bytes.TrimSpace(src)) > 0 {
			t.Fatalf("a snapshot and errors, or neither: %v", diags)
		}
		if s == nil {
			return
		}
		first := write(t, s)
		again, diags := v4.Parse(first)
		if diags != nil {
			t.Fatalf("%v\n%s", diags, first)
		}
		if second := write(t, again); !bytes.Equal(first, second) {
			t.Fatal(cmp.Diff(string(first), string(second)))
		}
	})
}

func big(n int) *state.Snapshot {
	p := addr.ProviderConfig{Provider: addr.Builtin("terraform")}
	entries := make([]state.Entry, n)
	for i := range entries {
		at := addr.AbsInstance{Resource: addr.Resource{Mode: addr.Managed, Type: "terraform_data", Name: "x"}, Key: addr.IntKey(i)}
		entries[i] = state.Entry{Object: addr.Object{Instance: at}, Provider: &p, Value: &state.Object{
			Attrs:        fmt.Appendf(nil, `{"id":"d34b8c2c-8851-ec74-2173-8347d8ec78%02x","input":{"value":{"a":[1,2,%d],"name":"some text that is longer"},"type":["object",{"a":["list","number"],"name":"string"}]},"output":{"value":{"a":[1,2,%d],"name":"some text that is longer"},"type":["object",{"a":["list","number"],"name":"string"}]},"triggers_replace":null}`, i%256, i, i),
			Dependencies: []addr.ConfigResource{{Resource: addr.Resource{Mode: addr.Managed, Type: "terraform_data", Name: "y"}}},
		}}
	}
	s, _ := state.Assemble(state.Header{Lineage: "l"}, entries, nil, nil)
	return s
}

func BenchmarkWrite100000(b *testing.B) {
	s := big(100_000)
	b.ReportAllocs()
	for b.Loop() {
		var n counter
		if err := v4.Write(&n, s, v4.Options{}); err != nil {
			b.Fatal(err)
		}
		b.SetBytes(int64(n))
	}
}

func BenchmarkRead100000(b *testing.B) {
	src := write(b, big(100_000))
	b.SetBytes(int64(len(src)))
	b.ReportAllocs()
	for b.Loop() {
		if _, diags := v4.Parse(src); diags != nil {
			b.Fatal(diags)
		}
	}
}

type counter int

func (c *counter) Write(p []byte) (int, error) { *c += counter(len(p)); return len(p), nil }
