package wire

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/plumb-iac/plumb/addr"
	"github.com/plumb-iac/plumb/diag"
	"github.com/plumb-iac/plumb/provider"
	"github.com/plumb-iac/plumb/provider/wire/tfplugin5"
	"github.com/plumb-iac/plumb/provider/wire/tfplugin6"
	"github.com/plumb-iac/plumb/value"
	"github.com/zclconf/go-cty/cty"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"
)

var thingType = cty.Object(map[string]cty.Type{"id": cty.String, "size": cty.Number})

func thing(id cty.Value, size int64) value.Bare {
	return value.MustBare(cty.ObjectVal(map[string]cty.Value{"id": id, "size": cty.NumberIntVal(size)}))
}

// schemaAnswer is the same little provider in either version.
func schemaAnswer(p Protocol, able *tfplugin6.ServerCapabilities) proto.Message {
	if p == V5 {
		block := &tfplugin5.Schema{Version: 3, Block: &tfplugin5.Schema_Block{Attributes: []*tfplugin5.Schema_Attribute{
			{Name: "id", Type: []byte(`"string"`), Computed: true},
			{Name: "size", Type: []byte(`"number"`), Required: true},
		}}}
		able5 := &tfplugin5.ServerCapabilities{PlanDestroy: able.GetPlanDestroy(), GetProviderSchemaOptional: able.GetGetProviderSchemaOptional()}
		return &tfplugin5.GetProviderSchema_Response{ServerCapabilities: able5, ResourceSchemas: map[string]*tfplugin5.Schema{"t_thing": block}}
	}
	block := &tfplugin6.Schema{Version: 3, Block: &tfplugin6.Schema_Block{Attributes: []*tfplugin6.Schema_Attribute{
		{Name: "id", Type: []byte(`"string"`), Computed: true},
		{Name: "size", Type: []byte(`"number"`), Required: true},
	}}}
	return &tfplugin6.GetProviderSchema_Response{
		ServerCapabilities: able,
		ResourceSchemas:    map[string]*tfplugin6.Schema{"t_thing": block},
		DataSourceSchemas:  map[string]*tfplugin6.Schema{"t_data": block},
		ListResourceSchemas: map[string]*tfplugin6.Schema{"t_thing": {Block: &tfplugin6.Schema_Block{Attributes: []*tfplugin6.Schema_Attribute{
			{Name: "filter", Type: []byte(`"string"`), Optional: true}}}}},
		ActionSchemas: map[string]*tfplugin6.ActionSchema{"t_act": {Schema: block}},
		Functions: map[string]*tfplugin6.Function{"double": {
			Parameters: []*tfplugin6.Function_Parameter{{Name: "n", Type: []byte(`"number"`)}},
			Return:     &tfplugin6.Function_Return{Type: []byte(`"number"`)},
		}},
	}
}

func scripted(p Protocol) *script {
	s := &script{protocol: p, methods: map[string]method{}}
	s.methods[rpcSchema.name(p)] = says[tfplugin6.GetProviderSchema_Request](schemaAnswer(p, nil))
	s.methods["GetResourceIdentitySchemas"] = says[tfplugin6.GetResourceIdentitySchemas_Request](
		&tfplugin6.GetResourceIdentitySchemas_Response{IdentitySchemas: map[string]*tfplugin6.ResourceIdentitySchema{
			"t_thing": {Version: 7, IdentityAttributes: []*tfplugin6.ResourceIdentitySchema_IdentityAttribute{
				{Name: "id", Type: []byte(`"string"`), RequiredForImport: true}}}}})
	return s
}

func dyn(v cty.Value) *tfplugin6.DynamicValue {
	out, err := encode(value.MustBare(v), v.Type())
	if err != nil {
		panic(err)
	}
	return out
}

// TestPlanBothVersions plans over both versions: the same messages under the
// names of each, with only what the version knows.
func TestPlanBothVersions(t *testing.T) {
	for _, p := range []Protocol{V5, V6} {
		t.Run(fmt.Sprint(p), func(t *testing.T) {
			s := scripted(p)
			var got *tfplugin6.PlanResourceChange_Request
			s.methods["PlanResourceChange"] = on(func(q *tfplugin6.PlanResourceChange_Request) ([]proto.Message, error) {
				got = q
				return []proto.Message{&tfplugin6.PlanResourceChange_Response{
					PlannedState:     q.ProposedNewState,
					PlannedPrivate:   []byte("p"),
					LegacyTypeSystem: true,
					RequiresReplace:  []*tfplugin6.AttributePath{{Steps: []*tfplugin6.AttributePath_Step{{Selector: &tfplugin6.AttributePath_Step_AttributeName{AttributeName: "size"}}}}},
					Diagnostics: []*tfplugin6.Diagnostic{{Severity: tfplugin6.Diagnostic_WARNING, Summary: "Odd", Detail: "Size is odd.",
						Attribute: &tfplugin6.AttributePath{Steps: []*tfplugin6.AttributePath_Step{
							{Selector: &tfplugin6.AttributePath_Step_AttributeName{AttributeName: "size"}},
							{Selector: &tfplugin6.AttributePath_Step_ElementKeyInt{ElementKeyInt: 2}},
							{Selector: &tfplugin6.AttributePath_Step_ElementKeyString{ElementKeyString: "k"}}}}},
						{Summary: "Neither", Detail: "No severity."}},
					PlannedIdentity: &tfplugin6.ResourceIdentityData{IdentityData: dyn(cty.ObjectVal(map[string]cty.Value{"id": cty.StringVal("i")}))},
					Deferred:        &tfplugin6.Deferred{Reason: tfplugin6.Deferred_ABSENT_PREREQ},
				}}, nil
			})
			c := s.serve(t, Options{})
			resp, diags := c.Plan(context.Background(), provider.PlanRequest{
				TypeName: "t_thing", Proposed: thing(cty.UnknownVal(cty.String), 3), Config: thing(cty.NullVal(cty.String), 3),
				PlannedPrivate: []byte("first"), DeferralAllowed: true,
			})
			if diags.HasErrors() {
				t.Fatal(diags)
			}
			if len(diags) != 2 || diags[0].Severity != diag.Warning || diags[0].Attribute != `.size[2]["k"]` || len(diags[0].Path) != 3 || diags[1].Severity != diag.Unspecified {
				t.Errorf("diagnostics: %#v", diags)
			}
			if !resp.Planned.Cty().RawEquals(thing(cty.UnknownVal(cty.String), 3).Cty()) || string(resp.Private) != "p" || !resp.Legacy {
				t.Errorf("response: %#v", resp)
			}
			if resp.Identity.Cty().GetAttr("id").AsString() != "i" || resp.Deferred.Reason != provider.DeferAbsentPrereq || len(resp.RequiresReplace) != 1 {
				t.Errorf("response: %#v", resp)
			}
			if prior, err := decode(got.PriorState, thingType); err != nil || !prior.Cty().IsNull() {
				t.Errorf("prior is %#v, %v; want null", prior, err)
			}
			able := got.ClientCapabilities
			if !able.DeferralAllowed || !able.WriteOnlyAttributesAllowed {
				t.Error("capabilities are missing")
			}
			if new := able.StorePlannedPrivate && able.ComputedBlocksAllowed && string(got.PlannedPrivate) == "first"; new != (p == V6) {
				t.Errorf("fields of version 6 were sent: %v", new)
			}
			want := fmt.Sprintf("/tfplugin%d.Provider/", p)
			for _, call := range s.calls {
				if !strings.HasPrefix(call, want) {
					t.Errorf("called %s", call)
				}
			}
		})
	}
}

// TestMeta: a provider that takes provider_meta always gets it, null where the module
// says nothing; one that takes none gets nothing.
func TestMeta(t *testing.T) {
	note := cty.ObjectVal(map[string]cty.Value{"note": cty.StringVal("n")})
	for _, p := range []Protocol{V5, V6} {
		for _, c := range []struct {
			name  string
			takes bool
			meta  value.Bare
			want  *tfplugin6.DynamicValue
		}{
			{"said", true, value.MustBare(note), dyn(note)},
			{"unsaid", true, value.Bare{}, dyn(cty.NullVal(note.Type()))},
			{"not taken", false, value.Bare{}, nil},
		} {
			t.Run(fmt.Sprint(p, " ", c.name), func(t *testing.T) {
				s := scripted(p)
				answer := schemaAnswer(p, nil)
				switch a := answer.(type) {
				case *tfplugin5.GetProviderSchema_Response:
					if c.takes {
						a.ProviderMeta = &tfplugin5.Schema{Block: &tfplugin5.Schema_Block{Attributes: []*tfplugin5.Schema_Attribute{{Name: "note", Type: []byte(`"string"`), Optional: true}}}}
					}
				case *tfplugin6.GetProviderSchema_Response:
					if c.takes {
						a.ProviderMeta = &tfplugin6.Schema{Block: &tfplugin6.Schema_Block{Attributes: []*tfplugin6.Schema_Attribute{{Name: "note", Type: []byte(`"string"`), Optional: true}}}}
					}
				}
				s.methods[rpcSchema.name(p)] = says[tfplugin6.GetProviderSchema_Request](answer)
				var got *tfplugin6.ReadResource_Request
				s.methods["ReadResource"] = on(func(q *tfplugin6.ReadResource_Request) ([]proto.Message, error) {
					got = q
					return []proto.Message{&tfplugin6.ReadResource_Response{NewState: q.CurrentState}}, nil
				})
				_, diags := s.serve(t, Options{}).Read(context.Background(), provider.ReadRequest{TypeName: "t_thing", Prior: thing(cty.StringVal("i"), 1), Meta: c.meta})
				if diags.HasErrors() {
					t.Fatal(diags)
				}
				if !proto.Equal(got.ProviderMeta, c.want) {
					t.Errorf("provider_meta is %v, want %v", got.ProviderMeta, c.want)
				}
			})
		}
	}
}

// TestFailures: every way for a call to fail is a diagnostic that names the
// provider and the call.
func TestFailures(t *testing.T) {
	cases := []struct {
		name    string
		err     error
		summary string
		code    diag.Code
	}{
		{"closed", status.Error(codes.Unavailable, "EOF"), "Plugin did not respond", CodeDied},
		{"cancelled by the dying server", status.Error(codes.Canceled, "x"), "Plugin did not respond", CodeDied},
		{"unknown method", status.Error(codes.Unimplemented, "x"), "Unsupported plugin method", CodeUnsupported},
		{"anything else", errors.New("boom"), "Plugin error", CodeFailed},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			s := scripted(V6)
			s.methods["ReadResource"] = on(func(*tfplugin6.ReadResource_Request) ([]proto.Message, error) { return nil, c.err })
			resp, diags := s.serve(t, Options{}).Read(context.Background(), provider.ReadRequest{TypeName: "t_thing", Prior: thing(cty.StringVal("a"), 1)})
			if !resp.New.IsZero() || len(diags) != 1 {
				t.Fatalf("%#v %v", resp, diags)
			}
			d := diags[0]
			if d.Summary != c.summary || d.Code != c.code || d.Blame != diag.Provider {
				t.Errorf("got %#v", d)
			}
			if !strings.Contains(d.Detail, "test/t") || !strings.Contains(d.Detail, "ReadResource") {
				t.Errorf("does not name provider and call: %s", d.Detail)
			}
		})
	}
	t.Run("cancelled by us", func(t *testing.T) {
		ctx, cancel := context.WithCancel(context.Background())
		s := scripted(V6)
		s.methods["ReadResource"] = on(func(*tfplugin6.ReadResource_Request) ([]proto.Message, error) {
			cancel()
			return nil, status.Error(codes.Aborted, "")
		})
		_, diags := s.serve(t, Options{}).Read(ctx, provider.ReadRequest{TypeName: "t_thing"})
		if len(diags) != 1 || diags[0].Summary != "Request cancelled" || diags[0].Blame != diag.Operator {
			t.Errorf("got %v", diags)
		}
	})
}

// TestBadAnswers: an answer that does not fit is told apart from a request
// that does not, and from a type that does not exist.
func TestBadAnswers(t *testing.T) {
	s := scripted(V6)
	s.methods["ReadResource"] = says[tfplugin6.ReadResource_Request](&tfplugin6.ReadResource_Response{NewState: dyn(cty.ObjectVal(map[string]cty.Value{"id": cty.True}))})
	c := s.serve(t, Options{})
	ctx := context.Background()
	resp, diags := c.Read(ctx, provider.ReadRequest{TypeName: "t_thing", Prior: thing(cty.StringVal("a"), 1)})
	if !resp.New.IsZero() || len(diags) != 1 || diags[0].Code != CodeGarbled {
		t.Errorf("garbled answer: %v", diags)
	}
	_, diags = c.Read(ctx, provider.ReadRequest{TypeName: "t_thing", Prior: value.MustBare(cty.True)})
	if len(diags) != 1 || diags[0].Code != CodeUnfit || diags[0].Blame != diag.Engine {
		t.Errorf("unfit request: %v", diags)
	}
	_, diags = c.Read(ctx, provider.ReadRequest{TypeName: "t_nothing"})
	if len(diags) != 1 || diags[0].Code != CodeNoType {
		t.Errorf("no such type: %v", diags)
	}
}

// TestAbsentIsNull is invariant W5.
func TestAbsentIsNull(t *testing.T) {
	s := scripted(V6)
	s.methods["ReadResource"] = says[tfplugin6.ReadResource_Request](&tfplugin6.ReadResource_Response{})
	resp, diags := s.serve(t, Options{}).Read(context.Background(), provider.ReadRequest{TypeName: "t_thing", Prior: thing(cty.StringVal("a"), 1)})
	if len(diags) > 0 || !resp.New.Cty().RawEquals(cty.NullVal(thingType)) || !resp.Identity.IsZero() {
		t.Errorf("got %#v %v", resp, diags)
	}
}

func TestFunction(t *testing.T) {
	s := scripted(V6)
	s.methods["CallFunction"] = on(func(q *tfplugin6.CallFunction_Request) ([]proto.Message, error) {
		n, err := decode(q.Arguments[0], cty.Number)
		if err != nil {
			return nil, err
		}
		if n.Cty().LessThan(cty.Zero).True() {
			at := int64(0)
			return []proto.Message{&tfplugin6.CallFunction_Response{Error: &tfplugin6.FunctionError{Text: "negative", FunctionArgument: &at}}}, nil
		}
		return []proto.Message{&tfplugin6.CallFunction_Response{Result: dyn(n.Cty().Add(n.Cty()))}}, nil
	})
	c := s.serve(t, Options{})
	call := func(name string, n int64) provider.FunctionResult {
		return c.CallFunction(context.Background(), name, []value.Bare{value.MustBare(cty.NumberIntVal(n))})
	}
	if r := call("double", 4); !r.Result.Cty().RawEquals(cty.NumberIntVal(8)) || r.Error != "" || r.Argument != -1 {
		t.Errorf("got %#v", r)
	}
	if r := call("double", -4); r.Error != "negative" || r.Argument != 0 {
		t.Errorf("got %#v", r)
	}
	if r := call("halve", 4); r.Error == "" {
		t.Errorf("got %#v", r)
	}
}

func TestStreams(t *testing.T) {
	s := scripted(V6)
	event := func(id string) proto.Message {
		return &tfplugin6.ListResource_Event{DisplayName: id, Identity: &tfplugin6.ResourceIdentityData{IdentityData: dyn(cty.ObjectVal(map[string]cty.Value{"id": cty.StringVal(id)}))}}
	}
	s.methods["ListResource"] = says[tfplugin6.ListResource_Request](event("a"), event("b"), event("c"), event("d"))
	s.methods["InvokeAction"] = on(func(q *tfplugin6.InvokeAction_Request) ([]proto.Message, error) {
		say := func(m string) proto.Message {
			return &tfplugin6.InvokeAction_Event{Type: &tfplugin6.InvokeAction_Event_Progress_{Progress: &tfplugin6.InvokeAction_Event_Progress{Message: m}}}
		}
		if len(q.Config.GetMsgpack()) == 1 {
			return []proto.Message{say("one")}, nil
		}
		return []proto.Message{say("one"), say("two"), &tfplugin6.InvokeAction_Event{Type: &tfplugin6.InvokeAction_Event_Completed_{Completed: &tfplugin6.InvokeAction_Event_Completed{}}}}, nil
	})
	c := s.serve(t, Options{})
	ctx := context.Background()
	filter := value.MustBare(cty.ObjectVal(map[string]cty.Value{"filter": cty.NullVal(cty.String)}))

	var ids []string
	diags := c.ListResources(ctx, provider.ListRequest{TypeName: "t_thing", Config: filter, Limit: 3}, func(l provider.Listed) bool {
		ids = append(ids, l.Identity.Cty().GetAttr("id").AsString())
		return true
	})
	if got := strings.Join(ids, ""); got != "abc" || len(diags) > 0 {
		t.Errorf("listed %s, %v", got, diags)
	}
	var said []string
	diags = c.InvokeAction(ctx, "t_act", thing(cty.NullVal(cty.String), 1), func(m string) { said = append(said, m) })
	if len(diags) > 0 || strings.Join(said, " ") != "one two" {
		t.Errorf("said %v, %v", said, diags)
	}
	diags = c.InvokeAction(ctx, "t_act", value.Null(cty.DynamicPseudoType), func(string) {})
	if len(diags) != 1 || !strings.Contains(diags[0].Detail, "without saying how it came out") {
		t.Errorf("unfinished action: %v", diags)
	}
}

// remembers is a memory with one place.
type remembers struct {
	schemas *Schemas
	stored  int
}

func (r *remembers) Recall() *Schemas { return r.schemas }
func (r *remembers) Remember(a Answer) (*Schemas, diag.List) {
	r.stored++
	var diags diag.List
	r.schemas, diags = NewSchemas(testProvider, a)
	return r.schemas, diags
}

// TestMemory is invariant W4: schemas from memory do not spare a process the
// schema call unless its provider says that it may be left out.
func TestMemory(t *testing.T) {
	for _, c := range []struct {
		optional, trust bool
	}{{false, false}, {true, false}, {false, true}} {
		s := scripted(V6)
		able := &tfplugin6.ServerCapabilities{GetProviderSchemaOptional: c.optional}
		s.methods["GetProviderSchema"] = says[tfplugin6.GetProviderSchema_Request](schemaAnswer(V6, able))
		memory := &remembers{}
		ctx := context.Background()
		if _, diags := s.serve(t, Options{Memory: memory}).Schemas(ctx); diags.HasErrors() || memory.stored != 1 {
			t.Fatal(diags)
		}
		s.calls = nil
		client := s.serve(t, Options{Memory: memory, Trust: c.trust})
		schemas, diags := client.Schemas(ctx)
		if diags.HasErrors() || strings.Join(schemas.TypeNames(addr.Managed), " ") != "t_thing" {
			t.Fatal(diags)
		}
		asked := len(s.calls) > 0
		if want := !c.optional && !c.trust; asked != want {
			t.Errorf("optional %v, trust %v: the process was asked: %v", c.optional, c.trust, asked)
		}
		// Any other call asks first when it must.
		s.calls = nil
		client.ValidateResource(ctx, "t_thing", thing(cty.NullVal(cty.String), 1))
		if got, want := len(s.calls), map[bool]int{true: 1, false: 3}[c.optional || asked]; got != want {
			t.Errorf("optional %v, trust %v: %d calls, want %d: %v", c.optional, c.trust, got, want, s.calls)
		}
	}
}
