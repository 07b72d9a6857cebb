package serve

import (
	"context"

	"github.com/plumb-iac/plumb/addr"
	"github.com/plumb-iac/plumb/diag"
	"github.com/plumb-iac/plumb/provider"
	pb "github.com/plumb-iac/plumb/provider/wire/tfplugin6"
	"github.com/plumb-iac/plumb/value"
	"github.com/zclconf/go-cty/cty"
	"google.golang.org/grpc"
)

func (s *server) methods() []grpc.MethodDesc {
	return []grpc.MethodDesc{
		unary("GetProviderSchema", s.getSchemas),
		unary("GetResourceIdentitySchemas", s.getIdentities),
		unary("ValidateProviderConfig", s.validateProvider),
		unary("ConfigureProvider", s.configure),
		unary("StopProvider", s.stop),
		unary("ValidateResourceConfig", s.validateResource),
		unary("UpgradeResourceState", s.upgrade),
		unary("ReadResource", s.read),
		unary("PlanResourceChange", s.plan),
		unary("ApplyResourceChange", s.apply),
		unary("ImportResourceState", s.imports),
		unary("MoveResourceState", s.move),
		unary("UpgradeResourceIdentity", s.upgradeIdentity),
		unary("GenerateResourceConfig", s.generate),
		unary("ValidateDataResourceConfig", s.validateData),
		unary("ReadDataSource", s.readData),
		unary("ValidateEphemeralResourceConfig", s.validateEphemeral),
		unary("OpenEphemeralResource", s.open),
		unary("RenewEphemeralResource", s.renew),
		unary("CloseEphemeralResource", s.close),
		unary("CallFunction", s.call),
		unary("ValidateListResourceConfig", s.validateList),
		unary("ValidateActionConfig", s.validateAction),
		unary("PlanAction", s.planAction),
	}
}

func (s *server) streams() []grpc.StreamDesc {
	return []grpc.StreamDesc{stream("ListResource", s.list), stream("InvokeAction", s.invoke)}
}

func (s *server) getSchemas(ctx context.Context, _ *pb.GetProviderSchema_Request) (*pb.GetProviderSchema_Response, diag.List) {
	all, diags := s.p.Schemas(ctx)
	if diags.HasErrors() {
		return &pb.GetProviderSchema_Response{Diagnostics: diagnostics(diags)}, diags
	}
	return schemas(all), nil
}

func (s *server) getIdentities(ctx context.Context, _ *pb.GetResourceIdentitySchemas_Request) (*pb.GetResourceIdentitySchemas_Response, diag.List) {
	all, diags := s.p.Schemas(ctx)
	if diags.HasErrors() {
		return &pb.GetResourceIdentitySchemas_Response{Diagnostics: diagnostics(diags)}, diags
	}
	return identities(all), nil
}

// settings is the type of the provider's own configuration.
func (s *server) settings(ctx context.Context) cty.Type {
	all, _ := s.p.Schemas(ctx)
	return orEmpty(all.Provider(), nil).Block.Type()
}

func (s *server) validateProvider(ctx context.Context, q *pb.ValidateProviderConfig_Request) (*pb.ValidateProviderConfig_Response, diag.List) {
	_, diags := s.p.ValidateProvider(ctx, get(q.Config, s.settings(ctx)))
	return &pb.ValidateProviderConfig_Response{Diagnostics: diagnostics(diags)}, diags
}

func (s *server) configure(ctx context.Context, q *pb.ConfigureProvider_Request) (*pb.ConfigureProvider_Response, diag.List) {
	diags := s.p.Configure(ctx, provider.ConfigureRequest{Config: get(q.Config, s.settings(ctx)),
		LanguageVersion: q.TerraformVersion, DeferralAllowed: q.ClientCapabilities.GetDeferralAllowed()})
	return &pb.ConfigureProvider_Response{Diagnostics: diagnostics(diags)}, diags
}

func (s *server) stop(ctx context.Context, _ *pb.StopProvider_Request) (*pb.StopProvider_Response, diag.List) {
	out := &pb.StopProvider_Response{}
	if err := s.p.Stop(ctx); err != nil {
		out.Error = err.Error()
	}
	return out, nil
}

func (s *server) validateResource(ctx context.Context, q *pb.ValidateResourceConfig_Request) (*pb.ValidateResourceConfig_Response, diag.List) {
	diags := s.p.ValidateResource(ctx, q.TypeName, get(q.Config, s.typed(ctx, addr.Managed, q.TypeName).Block.Type()))
	return &pb.ValidateResourceConfig_Response{Diagnostics: diagnostics(diags)}, diags
}

func (s *server) upgrade(ctx context.Context, q *pb.UpgradeResourceState_Request) (*pb.UpgradeResourceState_Response, diag.List) {
	r, diags := s.p.UpgradeState(ctx, provider.UpgradeRequest{TypeName: q.TypeName, Version: q.Version, JSON: q.RawState.GetJson(), Flatmap: q.RawState.GetFlatmap()})
	return &pb.UpgradeResourceState_Response{UpgradedState: put(r.Upgraded, s.typed(ctx, addr.Managed, q.TypeName).Block.Type(), diags), Diagnostics: diagnostics(diags)}, diags
}

func (s *server) read(ctx context.Context, q *pb.ReadResource_Request) (*pb.ReadResource_Response, diag.List) {
	t := s.typed(ctx, addr.Managed, q.TypeName)
	r, diags := s.p.Read(ctx, provider.ReadRequest{TypeName: q.TypeName, Prior: get(q.CurrentState, t.Block.Type()), Private: q.Private,
		Identity: getIdentity(q.CurrentIdentity, t.Identity), DeferralAllowed: q.ClientCapabilities.GetDeferralAllowed()})
	return &pb.ReadResource_Response{NewState: put(r.New, t.Block.Type(), diags), Private: r.Private,
		NewIdentity: putIdentity(r.Identity, t.Identity), Deferred: deferral(r.Deferred), Diagnostics: diagnostics(diags)}, diags
}

func (s *server) plan(ctx context.Context, q *pb.PlanResourceChange_Request) (*pb.PlanResourceChange_Response, diag.List) {
	t := s.typed(ctx, addr.Managed, q.TypeName)
	r, diags := s.p.Plan(ctx, provider.PlanRequest{TypeName: q.TypeName, Prior: get(q.PriorState, t.Block.Type()), Proposed: get(q.ProposedNewState, t.Block.Type()),
		Config: get(q.Config, t.Block.Type()), PriorPrivate: q.PriorPrivate, PlannedPrivate: q.PlannedPrivate,
		PriorIdentity: getIdentity(q.PriorIdentity, t.Identity), DeferralAllowed: q.ClientCapabilities.GetDeferralAllowed()})
	return &pb.PlanResourceChange_Response{PlannedState: put(r.Planned, t.Block.Type(), diags), RequiresReplace: paths(r.RequiresReplace), PlannedPrivate: r.Private,
		LegacyTypeSystem: r.Legacy, PlannedIdentity: putIdentity(r.Identity, t.Identity), Deferred: deferral(r.Deferred), Diagnostics: diagnostics(diags)}, diags
}

func (s *server) apply(ctx context.Context, q *pb.ApplyResourceChange_Request) (*pb.ApplyResourceChange_Response, diag.List) {
	t := s.typed(ctx, addr.Managed, q.TypeName)
	r, diags := s.p.Apply(ctx, provider.ApplyRequest{TypeName: q.TypeName, Prior: get(q.PriorState, t.Block.Type()), Planned: get(q.PlannedState, t.Block.Type()),
		Config: get(q.Config, t.Block.Type()), Private: q.PlannedPrivate, Identity: getIdentity(q.PlannedIdentity, t.Identity)})
	return &pb.ApplyResourceChange_Response{NewState: put(r.New, t.Block.Type(), diags), Private: r.Private,
		LegacyTypeSystem: r.Legacy, NewIdentity: putIdentity(r.Identity, t.Identity), Diagnostics: diagnostics(diags)}, diags
}

func (s *server) imports(ctx context.Context, q *pb.ImportResourceState_Request) (*pb.ImportResourceState_Response, diag.List) {
	t := s.typed(ctx, addr.Managed, q.TypeName)
	r, diags := s.p.Import(ctx, provider.ImportRequest{TypeName: q.TypeName, ID: q.Id, Identity: getIdentity(q.Identity, t.Identity),
		DeferralAllowed: q.ClientCapabilities.GetDeferralAllowed()})
	out := &pb.ImportResourceState_Response{Deferred: deferral(r.Deferred), Diagnostics: diagnostics(diags)}
	for _, i := range r.Imported {
		of := s.typed(ctx, addr.Managed, i.TypeName)
		out.ImportedResources = append(out.ImportedResources, &pb.ImportResourceState_ImportedResource{TypeName: i.TypeName,
			State: put(i.State, of.Block.Type(), diags), Private: i.Private, Identity: putIdentity(i.Identity, of.Identity)})
	}
	return out, diags
}

func (s *server) move(ctx context.Context, q *pb.MoveResourceState_Request) (*pb.MoveResourceState_Response, diag.List) {
	t := s.typed(ctx, addr.Managed, q.TargetTypeName)
	from, _ := addr.ParseProvider(q.SourceProviderAddress, addr.DefaultHost)
	r, diags := s.p.Move(ctx, provider.MoveRequest{SourceProvider: from, SourceType: q.SourceTypeName, SourceVersion: q.SourceSchemaVersion,
		SourceJSON: q.SourceState.GetJson(), SourcePrivate: q.SourcePrivate, SourceIdentityJSON: q.SourceIdentity.GetJson(),
		SourceIdentityVersion: q.SourceIdentitySchemaVersion, TargetType: q.TargetTypeName})
	return &pb.MoveResourceState_Response{TargetState: put(r.Target, t.Block.Type(), diags), TargetPrivate: r.Private,
		TargetIdentity: putIdentity(r.Identity, t.Identity), Diagnostics: diagnostics(diags)}, diags
}

func (s *server) upgradeIdentity(ctx context.Context, q *pb.UpgradeResourceIdentity_Request) (*pb.UpgradeResourceIdentity_Response, diag.List) {
	v, diags := s.p.UpgradeIdentity(ctx, provider.UpgradeIdentityRequest{TypeName: q.TypeName, Version: q.Version, JSON: q.RawIdentity.GetJson()})
	return &pb.UpgradeResourceIdentity_Response{UpgradedIdentity: putIdentity(v, s.typed(ctx, addr.Managed, q.TypeName).Identity), Diagnostics: diagnostics(diags)}, diags
}

func (s *server) generate(ctx context.Context, q *pb.GenerateResourceConfig_Request) (*pb.GenerateResourceConfig_Response, diag.List) {
	t := s.typed(ctx, addr.Managed, q.TypeName).Block.Type()
	v, diags := s.p.GenerateConfig(ctx, q.TypeName, get(q.State, t))
	return &pb.GenerateResourceConfig_Response{Config: put(v, t, diags), Diagnostics: diagnostics(diags)}, diags
}

func (s *server) validateData(ctx context.Context, q *pb.ValidateDataResourceConfig_Request) (*pb.ValidateDataResourceConfig_Response, diag.List) {
	diags := s.p.ValidateData(ctx, q.TypeName, get(q.Config, s.typed(ctx, addr.Data, q.TypeName).Block.Type()))
	return &pb.ValidateDataResourceConfig_Response{Diagnostics: diagnostics(diags)}, diags
}

func (s *server) readData(ctx context.Context, q *pb.ReadDataSource_Request) (*pb.ReadDataSource_Response, diag.List) {
	t := s.typed(ctx, addr.Data, q.TypeName).Block.Type()
	r, diags := s.p.ReadData(ctx, provider.ReadDataRequest{TypeName: q.TypeName, Config: get(q.Config, t), DeferralAllowed: q.ClientCapabilities.GetDeferralAllowed()})
	return &pb.ReadDataSource_Response{State: put(r.State, t, diags), Deferred: deferral(r.Deferred), Diagnostics: diagnostics(diags)}, diags
}

func (s *server) validateEphemeral(ctx context.Context, q *pb.ValidateEphemeralResourceConfig_Request) (*pb.ValidateEphemeralResourceConfig_Response, diag.List) {
	diags := s.p.ValidateEphemeral(ctx, q.TypeName, get(q.Config, s.typed(ctx, addr.Ephemeral, q.TypeName).Block.Type()))
	return &pb.ValidateEphemeralResourceConfig_Response{Diagnostics: diagnostics(diags)}, diags
}

func (s *server) open(ctx context.Context, q *pb.OpenEphemeralResource_Request) (*pb.OpenEphemeralResource_Response, diag.List) {
	t := s.typed(ctx, addr.Ephemeral, q.TypeName).Block.Type()
	r, diags := s.p.Open(ctx, provider.OpenRequest{TypeName: q.TypeName, Config: get(q.Config, t), DeferralAllowed: q.ClientCapabilities.GetDeferralAllowed()})
	return &pb.OpenEphemeralResource_Response{Result: put(r.Result, t, diags), Private: r.Private, RenewAt: moment(r.RenewAt),
		Deferred: deferral(r.Deferred), Diagnostics: diagnostics(diags)}, diags
}

func (s *server) renew(ctx context.Context, q *pb.RenewEphemeralResource_Request) (*pb.RenewEphemeralResource_Response, diag.List) {
	r, diags := s.p.Renew(ctx, q.TypeName, q.Private)
	return &pb.RenewEphemeralResource_Response{Private: r.Private, RenewAt: moment(r.RenewAt), Diagnostics: diagnostics(diags)}, diags
}

func (s *server) close(ctx context.Context, q *pb.CloseEphemeralResource_Request) (*pb.CloseEphemeralResource_Response, diag.List) {
	diags := s.p.CloseEphemeral(ctx, q.TypeName, q.Private)
	return &pb.CloseEphemeralResource_Response{Diagnostics: diagnostics(diags)}, diags
}

func (s *server) call(ctx context.Context, q *pb.CallFunction_Request) (*pb.CallFunction_Response, diag.List) {
	all, _ := s.p.Schemas(ctx)
	f := all.Functions()[q.Name]
	if f == nil {
		return &pb.CallFunction_Response{Error: &pb.FunctionError{Text: "there is no function " + q.Name}}, nil
	}
	var args []value.Bare
	for i, a := range q.Arguments {
		t := cty.DynamicPseudoType
		if i < len(f.Parameters) {
			t = f.Parameters[i].Type
		} else if f.Variadic != nil {
			t = f.Variadic.Type
		}
		args = append(args, get(a, t))
	}
	r := s.p.CallFunction(ctx, q.Name, args)
	if r.Error != "" {
		out := &pb.FunctionError{Text: r.Error}
		if r.Argument >= 0 {
			at := int64(r.Argument)
			out.FunctionArgument = &at
		}
		return &pb.CallFunction_Response{Error: out}, nil
	}
	return &pb.CallFunction_Response{Result: put(r.Result, f.Return, r.Failed)}, r.Failed
}

func (s *server) validateList(ctx context.Context, q *pb.ValidateListResourceConfig_Request) (*pb.ValidateListResourceConfig_Response, diag.List) {
	diags := s.p.ValidateList(ctx, provider.ListRequest{TypeName: q.TypeName, Config: get(q.Config, s.typed(ctx, addr.List, q.TypeName).Block.Type())})
	return &pb.ValidateListResourceConfig_Response{Diagnostics: diagnostics(diags)}, diags
}

func (s *server) validateAction(ctx context.Context, q *pb.ValidateActionConfig_Request) (*pb.ValidateActionConfig_Response, diag.List) {
	diags := s.p.ValidateAction(ctx, q.TypeName, get(q.Config, s.action(ctx, q.TypeName)))
	return &pb.ValidateActionConfig_Response{Diagnostics: diagnostics(diags)}, diags
}

func (s *server) planAction(ctx context.Context, q *pb.PlanAction_Request) (*pb.PlanAction_Response, diag.List) {
	d, diags := s.p.PlanAction(ctx, provider.PlanActionRequest{TypeName: q.ActionType, Config: get(q.Config, s.action(ctx, q.ActionType)),
		DeferralAllowed: q.ClientCapabilities.GetDeferralAllowed()})
	return &pb.PlanAction_Response{Deferred: deferral(d), Diagnostics: diagnostics(diags)}, diags
}

func (s *server) list(ctx context.Context, q *pb.ListResource_Request, each func(*pb.ListResource_Event) bool) diag.List {
	t := s.typed(ctx, addr.Managed, q.TypeName)
	diags := s.p.ListResources(ctx, provider.ListRequest{TypeName: q.TypeName, Config: get(q.Config, s.typed(ctx, addr.List, q.TypeName).Block.Type()),
		IncludeObjects: q.IncludeResourceObject, Limit: q.Limit}, func(l provider.Listed) bool {
		return each(&pb.ListResource_Event{DisplayName: l.DisplayName, Identity: putIdentity(l.Identity, t.Identity),
			ResourceObject: put(l.Object, t.Block.Type(), l.Diags), Diagnostic: diagnostics(l.Diags)})
	})
	if said := diagnostics(diags); len(said) > 0 && failed(diags) == nil {
		each(&pb.ListResource_Event{Diagnostic: said})
	}
	return diags
}

func (s *server) invoke(ctx context.Context, q *pb.InvokeAction_Request, each func(*pb.InvokeAction_Event) bool) diag.List {
	diags := s.p.InvokeAction(ctx, q.ActionType, get(q.Config, s.action(ctx, q.ActionType)), func(message string) {
		each(&pb.InvokeAction_Event{Type: &pb.InvokeAction_Event_Progress_{Progress: &pb.InvokeAction_Event_Progress{Message: message}}})
	})
	if failed(diags) == nil {
		each(&pb.InvokeAction_Event{Type: &pb.InvokeAction_Event_Completed_{Completed: &pb.InvokeAction_Event_Completed{Diagnostics: diagnostics(diags)}}})
	}
	return diags
}
