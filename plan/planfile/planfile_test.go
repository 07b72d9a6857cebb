package planfile_test

import (
	"archive/zip"
	"bytes"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/plumb-iac/plumb/addr"
	"github.com/plumb-iac/plumb/plan"
	"github.com/plumb-iac/plumb/plan/planfile"
	"github.com/plumb-iac/plumb/state"
	"github.com/plumb-iac/plumb/state/statetest"
	"github.com/plumb-iac/plumb/value"
	"github.com/zclconf/go-cty/cty"
	"pgregory.net/rapid"
)

// drawValue draws any value that may be stored: every type, unknown with
// refinements, null, and marked.
func drawValue(t *rapid.T, depth int) cty.Value {
	v := drawBare(t, depth)
	if rapid.IntRange(0, 4).Draw(t, "marked") == 0 {
		v = value.Mark(v, value.Sensitive)
	}
	if rapid.IntRange(0, 9).Draw(t, "deprecated") == 0 {
		v = value.MarkDeprecated(v, rapid.StringMatching(`[a-z]{1,5}`).Draw(t, "note"))
	}
	return v
}

func drawBare(t *rapid.T, depth int) cty.Value {
	kinds := 9
	if depth == 0 {
		kinds = 6
	}
	switch rapid.IntRange(0, kinds).Draw(t, "kind") {
	case 0:
		return cty.StringVal(rapid.String().Draw(t, "string"))
	case 1:
		return cty.MustParseNumberVal(rapid.StringMatching(`-?[1-9][0-9]{0,40}(\.[0-9]{0,20}[1-9])?`).Draw(t, "number"))
	case 2:
		return cty.BoolVal(rapid.Bool().Draw(t, "bool"))
	case 3:
		return cty.NullVal(rapid.SampledFrom([]cty.Type{cty.String, cty.DynamicPseudoType, cty.List(cty.Number)}).Draw(t, "null"))
	case 4:
		return cty.UnknownVal(rapid.SampledFrom([]cty.Type{cty.String, cty.DynamicPseudoType, cty.Map(cty.Bool)}).Draw(t, "unknown"))
	case 5:
		return cty.UnknownVal(cty.String).Refine().NotNull().StringPrefix("i-").NewValue()
	case 6:
		return cty.ListValEmpty(cty.Number)
	case 7:
		return cty.TupleVal(rapid.SliceOfN(rapid.Custom(func(t *rapid.T) cty.Value { return drawValue(t, depth-1) }), 0, 3).Draw(t, "tuple"))
	case 8:
		return cty.ObjectVal(rapid.MapOfN(rapid.StringMatching(`[a-z]{1,3}`), rapid.Custom(func(t *rapid.T) cty.Value { return drawValue(t, depth-1) }), 0, 3).Draw(t, "object"))
	default:
		return cty.SetVal([]cty.Value{cty.StringVal("a"), cty.StringVal(rapid.StringMatching(`[b-z]{1,3}`).Draw(t, "element"))})
	}
}

func drawChange(t *rapid.T) *plan.Change {
	at := statetest.Instance(t)
	c := &plan.Change{
		Addr: at, PrevAddr: at, Provider: statetest.Provider(t),
		Action: plan.Action(rapid.IntRange(0, int(plan.ForgetThenCreate)).Draw(t, "action")), Reason: plan.ReplaceTriggered,
		Before: drawValue(t, 2), After: drawValue(t, 2),
		Private:      rapid.SliceOfN(rapid.Byte(), 1, 9).Draw(t, "private"),
		Legacy:       rapid.Bool().Draw(t, "legacy"),
		ReplacePaths: []cty.Path{cty.GetAttrPath("a").IndexInt(1), cty.GetAttrPath("m").IndexString("k"), cty.GetAttrPath("s").Index(cty.ObjectVal(map[string]cty.Value{"x": cty.True}))},
	}
	if rapid.Bool().Draw(t, "moved") {
		c.PrevAddr = statetest.Instance(t)
	}
	if rapid.Bool().Draw(t, "imported") {
		c.Importing = &plan.Importing{ID: "x", Identity: value.MustBare(cty.ObjectVal(map[string]cty.Value{"id": cty.StringVal("7")}))}
	}
	return c
}

func drawDeferred(t *rapid.T) *plan.DeferredChange {
	d := &plan.DeferredChange{Change: *drawChange(t)}
	d.Reason = rapid.SampledFrom([]plan.DeferReason{plan.DeferCountUnknown, plan.DeferPrereq, plan.DeferUnknown}).Draw(t, "reason")
	if rapid.Bool().Draw(t, "standing") {
		d.Change.Addr.Module = d.Change.Addr.Module.Child("m", addr.AnyKey)
		d.Change.Addr.Key = addr.AnyKey
		d.Change.PrevAddr = d.Change.Addr
	}
	return d
}

func drawRun(t *rapid.T) *plan.DeferredInvocation {
	at := addr.AbsAction{Module: statetest.Instance(t).Module, Type: "x_y", Name: "n", Key: rapid.SampledFrom([]addr.InstanceKey{addr.NoKey, addr.IntKey(1), addr.AnyKey}).Draw(t, "key")}
	if at.Key.IsAny() {
		at.Module = at.Module.Child("m", addr.AnyKey)
	}
	i := plan.Invocation{Addr: at.String(), Type: at.Type, Name: at.Name, Module: at.Module, Provider: statetest.Provider(t), Config: drawValue(t, 2)}
	if rapid.Bool().Draw(t, "triggered") {
		i.Trigger = &plan.InvocationTrigger{Resource: statetest.Instance(t), Event: "after_create", BlockIndex: 1, ActionIndex: 2, OnFailure: "halt"}
	}
	return &plan.DeferredInvocation{Reason: plan.DeferCountUnknown, Invocation: i}
}

func TestRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		prior, _ := statetest.Snapshot(t)
		target, _ := addr.ParseTarget(`module.m["a"].x.y[0]`)
		doc := &plan.Document{
			Mode: plan.Mode(rapid.IntRange(0, 2).Draw(t, "mode")), Prior: prior, PrevRun: prior,
			Changes:             rapid.SliceOfN(rapid.Custom(drawChange), 0, 4).Draw(t, "changes"),
			Deferred:            rapid.SliceOfN(rapid.Custom(drawDeferred), 0, 2).Draw(t, "deferred"),
			DeferredInvocations: rapid.SliceOfN(rapid.Custom(drawRun), 0, 2).Draw(t, "deferred runs"),
			Outputs:             []plan.OutputChange{{Name: "o", Action: plan.Create, Before: cty.NullVal(cty.DynamicPseudoType), After: drawValue(t, 2), Sensitive: true}},
			Checks:              statetest.Checks(t),
			Variables: map[string]plan.Variable{
				"v": {Value: drawValue(t, 1), Shown: drawValue(t, 1), Set: true}, "e": {Ephemeral: true, Set: true},
			},
			Targets: []addr.Target{target}, Replace: []addr.AbsInstance{statetest.Instance(t)},
			Timestamp: time.Unix(1, 5).UTC(), Applyable: true, Complete: true,
			Workspace: "w", LanguageVersion: "1.16.0", Version: "0.1.0",
		}
		if rapid.Bool().Draw(t, "refreshed") {
			doc.PrevRun, _ = statetest.Snapshot(t)
		}
		in := &planfile.Content{
			Document: doc, Sources: map[string][]byte{"main.tf": []byte("a"), "../m/x.tf": []byte("b")},
			Modules: []byte("{}"), Lock: []byte("# lock"), Providers: map[string]string{"a/b/c": "h1:x"},
		}
		out := roundTrip(t, in)
		if diff := cmp.Diff(in, out, comparers...); diff != "" {
			t.Fatalf("changed by writing and reading (-in +out):\n%s", diff)
		}
	})
}

var comparers = cmp.Options{
	cmp.Comparer(func(a, b cty.Value) bool {
		if a == cty.NilVal || b == cty.NilVal {
			return a == b
		}
		return a.RawEquals(b)
	}),
	cmp.Comparer(func(a, b cty.Path) bool { return a.Equals(b) }),
	cmp.Comparer(func(a, b *state.Snapshot) bool {
		return a.Equal(b) && a.Lineage() == b.Lineage() && a.Serial() == b.Serial()
	}),
	cmp.Comparer(func(a, b value.Bare) bool {
		if a.IsZero() || b.IsZero() {
			return a.IsZero() == b.IsZero()
		}
		return a.Cty().RawEquals(b.Cty())
	}),
	cmp.Comparer(func(a, b state.CheckResult) bool { return a.Equal(b) }),
	cmp.Comparer(func(a, b addr.Target) bool { return a.String() == b.String() }),
	cmp.Comparer(func(a, b addr.AbsInstance) bool { return a == b }),
	cmp.Comparer(func(a, b addr.ModuleInstance) bool { return a == b }),
	cmp.Comparer(func(a, b addr.AbsOutput) bool { return a == b }),
	cmp.Comparer(func(a, b addr.ProviderConfig) bool { return a == b }),
	cmpopts.EquateEmpty(),
}

func roundTrip(t interface{ Fatal(...any) }, in *planfile.Content) *planfile.Content {
	var one, two bytes.Buffer
	if err := planfile.Write(&one, in); err != nil {
		t.Fatal(err)
	}
	if err := planfile.Write(&two, in); err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(one.Bytes(), two.Bytes()) {
		t.Fatal("P3: the same content gave different bytes")
	}
	out, err := planfile.Read(bytes.NewReader(one.Bytes()), int64(one.Len()), "0.1.0")
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func TestEphemeralIsRefused(t *testing.T) {
	doc := &plan.Document{Outputs: []plan.OutputChange{{Name: "o", After: value.Mark(cty.True, value.Ephemeral)}}}
	if err := planfile.Write(&bytes.Buffer{}, &planfile.Content{Document: doc}); err == nil || !strings.Contains(err.Error(), "P4") {
		t.Errorf("got %v", err)
	}
}

func TestRefusals(t *testing.T) {
	other := archive(t, "tfplan")
	var made bytes.Buffer
	if err := planfile.Write(&made, &planfile.Content{Document: &plan.Document{Version: "0.1.0"}}); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name, version, want string
		file                []byte
	}{
		{"empty", "0.1.0", "not a plan file", nil},
		{"text", "0.1.0", "not a plan file", []byte("resource {}")},
		{"cut short", "0.1.0", "damaged or cut short", made.Bytes()[:made.Len()/2]},
		{"of another program", "0.1.0", "Terraform or OpenTofu", other},
		{"another archive", "0.1.0", "zip archive", archive(t, "a.txt")},
		{"of another version", "0.2.0", "made by plumb 0.1.0", made.Bytes()},
	} {
		_, err := planfile.Read(bytes.NewReader(c.file), int64(len(c.file)), c.version)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got %v, want %q", c.name, err, c.want)
		}
	}
}

func archive(t *testing.T, entry string) []byte {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	if _, err := z.Create(entry); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}
