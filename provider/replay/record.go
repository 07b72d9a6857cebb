package replay

import (
	"context"
	"os"

	"github.com/plumb-iac/plumb/addr"
	"github.com/plumb-iac/plumb/diag"
	"github.com/plumb-iac/plumb/provider"
	"github.com/plumb-iac/plumb/schema"
	"github.com/plumb-iac/plumb/value"
)

// Recording is a directory that conversations are written to.
type Recording struct{ book *book }

// NewRecording makes a recording. Its files are made when there is something to
// write; what is there already is continued, so that a plan and its apply can
// be one recording.
func NewRecording(dir string, secrets *Secrets) *Recording {
	secrets.after(dir)
	return &Recording{&book{dir: dir, secrets: secrets, files: map[addr.Provider]*os.File{}, described: map[string]bool{}}}
}

// Close closes the files and gives the first error there was in writing them.
func (r *Recording) Close() error { return r.book.close() }

// Around is a provider that does what inner does and records it.
func (r *Recording) Around(name addr.Provider, inner provider.Provider) *Recorder {
	return &Recorder{inner: inner, name: name, book: r.book}
}

// Recorder is a provider around another one.
type Recorder struct {
	inner provider.Provider
	name  addr.Provider
	book  *book
}

var _ provider.Provider = (*Recorder)(nil)

// note learns the secrets of a call and writes it down.
func (r *Recorder) note(kind, typeName, operation string, request, response any, diags diag.List, values ...value.Bare) {
	if b := r.block(kind, typeName); b != nil {
		for _, v := range values {
			r.book.secrets.learn(b, v.Cty())
		}
	}
	r.write(operation, typeName, request, response, diags)
}

// block is the schema of a type, as far as it is known.
func (r *Recorder) block(kind, typeName string) *schema.Block {
	schemas, diags := r.inner.Schemas(context.Background()) // it is remembered
	if diags.HasErrors() || schemas == nil {
		return nil
	}
	var s *schema.Resource
	switch kind {
	case "provider":
		s = schemas.Provider()
	case "action":
		s, _ = schemas.Action(typeName)
	case "list":
		s, _ = schemas.ListConfig(typeName)
	default:
		s, _ = schemas.Type(modes[kind], typeName)
	}
	if s == nil {
		return nil
	}
	return s.Block
}

// Schemas implements provider.Provider.
func (r *Recorder) Schemas(ctx context.Context) (provider.Schemas, diag.List) {
	s, diags := r.inner.Schemas(ctx)
	if s == nil {
		r.write("schemas", "", nil, nil, diags)
		return s, diags
	}
	if r.book.once(r.name, "schemas") {
		r.write("schemas", "", nil, overviewOf(s), diags)
	}
	return recorded{s, r}, diags
}

// ValidateProvider implements provider.Provider.
func (r *Recorder) ValidateProvider(ctx context.Context, config value.Bare) (value.Bare, diag.List) {
	res, diags := r.inner.ValidateProvider(ctx, config)
	r.note("provider", "", "validate_provider", config, res, diags, config, res)
	return res, diags
}

// Configure implements provider.Provider.
func (r *Recorder) Configure(ctx context.Context, req provider.ConfigureRequest) diag.List {
	diags := r.inner.Configure(ctx, req)
	r.note("provider", "", "configure", req.Config, nil, diags, req.Config)
	return diags
}

// Stop implements provider.Provider; it is no part of the conversation.
func (r *Recorder) Stop(ctx context.Context) error { return r.inner.Stop(ctx) }

// Close implements provider.Provider.
func (r *Recorder) Close() error { return r.inner.Close() }

// ValidateResource implements provider.Provider.
func (r *Recorder) ValidateResource(ctx context.Context, typeName string, config value.Bare) diag.List {
	diags := r.inner.ValidateResource(ctx, typeName, config)
	r.note("resource", typeName, "validate_resource", config, nil, diags, config)
	return diags
}

// UpgradeState implements provider.Provider.
func (r *Recorder) UpgradeState(ctx context.Context, req provider.UpgradeRequest) (provider.UpgradeResponse, diag.List) {
	res, diags := r.inner.UpgradeState(ctx, req)
	if b := r.block("resource", req.TypeName); b != nil {
		r.learnJSON(b, req.JSON)
	}
	r.note("resource", req.TypeName, "upgrade_state", req, res, diags, res.Upgraded)
	return res, diags
}

// Read implements provider.Provider.
func (r *Recorder) Read(ctx context.Context, req provider.ReadRequest) (provider.ReadResponse, diag.List) {
	res, diags := r.inner.Read(ctx, req)
	r.note("resource", req.TypeName, "read", req, res, diags, req.Prior, res.New)
	return res, diags
}

// Plan implements provider.Provider.
func (r *Recorder) Plan(ctx context.Context, req provider.PlanRequest) (provider.PlanResponse, diag.List) {
	res, diags := r.inner.Plan(ctx, req)
	r.note("resource", req.TypeName, "plan", req, res, diags, req.Config, req.Prior, req.Proposed, res.Planned)
	return res, diags
}

// Apply implements provider.Provider.
func (r *Recorder) Apply(ctx context.Context, req provider.ApplyRequest) (provider.ApplyResponse, diag.List) {
	res, diags := r.inner.Apply(ctx, req)
	r.note("resource", req.TypeName, "apply", req, res, diags, req.Config, req.Prior, req.Planned, res.New)
	return res, diags
}

// Import implements provider.Provider.
func (r *Recorder) Import(ctx context.Context, req provider.ImportRequest) (provider.ImportResponse, diag.List) {
	res, diags := r.inner.Import(ctx, req)
	for _, i := range res.Imported {
		if b := r.block("resource", i.TypeName); b != nil {
			r.book.secrets.learn(b, i.State.Cty())
		}
	}
	r.note("resource", req.TypeName, "import", req, res, diags)
	return res, diags
}

// Move implements provider.Provider.
func (r *Recorder) Move(ctx context.Context, req provider.MoveRequest) (provider.MoveResponse, diag.List) {
	res, diags := r.inner.Move(ctx, req)
	if b := r.block("resource", req.TargetType); b != nil {
		r.learnJSON(b, req.SourceJSON)
	}
	if b := r.block("resource", req.SourceType); b != nil {
		r.learnJSON(b, req.SourceJSON)
	}
	r.note("resource", req.TargetType, "move", req, res, diags, res.Target)
	return res, diags
}

// UpgradeIdentity implements provider.Provider.
func (r *Recorder) UpgradeIdentity(ctx context.Context, req provider.UpgradeIdentityRequest) (value.Bare, diag.List) {
	res, diags := r.inner.UpgradeIdentity(ctx, req)
	r.note("resource", req.TypeName, "upgrade_identity", req, res, diags)
	return res, diags
}

// GenerateConfig implements provider.Provider.
func (r *Recorder) GenerateConfig(ctx context.Context, typeName string, state value.Bare) (value.Bare, diag.List) {
	res, diags := r.inner.GenerateConfig(ctx, typeName, state)
	r.note("resource", typeName, "generate_config", state, res, diags, state, res)
	return res, diags
}

// ValidateData implements provider.Provider.
func (r *Recorder) ValidateData(ctx context.Context, typeName string, config value.Bare) diag.List {
	diags := r.inner.ValidateData(ctx, typeName, config)
	r.note("data", typeName, "validate_data", config, nil, diags, config)
	return diags
}

// ReadData implements provider.Provider.
func (r *Recorder) ReadData(ctx context.Context, req provider.ReadDataRequest) (provider.ReadDataResponse, diag.List) {
	res, diags := r.inner.ReadData(ctx, req)
	r.note("data", req.TypeName, "read_data", req, res, diags, req.Config, res.State)
	return res, diags
}

// ValidateEphemeral implements provider.Provider.
func (r *Recorder) ValidateEphemeral(ctx context.Context, typeName string, config value.Bare) diag.List {
	diags := r.inner.ValidateEphemeral(ctx, typeName, config)
	r.note("ephemeral", typeName, "validate_ephemeral", config, nil, diags, config)
	return diags
}

// Open implements provider.Provider. All that an ephemeral resource gives is
// secret.
func (r *Recorder) Open(ctx context.Context, req provider.OpenRequest) (provider.OpenResponse, diag.List) {
	res, diags := r.inner.Open(ctx, req)
	if b := r.block("ephemeral", req.TypeName); b != nil {
		r.learnComputed(b, res.Result.Cty())
	}
	r.note("ephemeral", req.TypeName, "open", req, res, diags, req.Config, res.Result)
	return res, diags
}

// Renew implements provider.Provider.
func (r *Recorder) Renew(ctx context.Context, typeName string, private []byte) (provider.RenewResponse, diag.List) {
	res, diags := r.inner.Renew(ctx, typeName, private)
	r.note("ephemeral", typeName, "renew", private, res, diags)
	return res, diags
}

// CloseEphemeral implements provider.Provider.
func (r *Recorder) CloseEphemeral(ctx context.Context, typeName string, private []byte) diag.List {
	diags := r.inner.CloseEphemeral(ctx, typeName, private)
	r.note("ephemeral", typeName, "close", private, nil, diags)
	return diags
}

// CallFunction implements provider.Provider.
func (r *Recorder) CallFunction(ctx context.Context, name string, args []value.Bare) provider.FunctionResult {
	res := r.inner.CallFunction(ctx, name, args)
	r.write("call_function", name, args, res, nil)
	return res
}

// ValidateList implements provider.Provider.
func (r *Recorder) ValidateList(ctx context.Context, req provider.ListRequest) diag.List {
	diags := r.inner.ValidateList(ctx, req)
	r.note("list", req.TypeName, "validate_list", req, nil, diags, req.Config)
	return diags
}

// ListResources implements provider.Provider.
func (r *Recorder) ListResources(ctx context.Context, req provider.ListRequest, each func(provider.Listed) bool) diag.List {
	var all []provider.Listed
	diags := r.inner.ListResources(ctx, req, func(l provider.Listed) bool {
		all = append(all, l)
		return each(l)
	})
	for _, l := range all {
		if b := r.block("resource", req.TypeName); b != nil {
			r.book.secrets.learn(b, l.Object.Cty())
		}
	}
	r.note("list", req.TypeName, "list", req, all, diags, req.Config)
	return diags
}

// ValidateAction implements provider.Provider.
func (r *Recorder) ValidateAction(ctx context.Context, typeName string, config value.Bare) diag.List {
	diags := r.inner.ValidateAction(ctx, typeName, config)
	r.note("action", typeName, "validate_action", config, nil, diags, config)
	return diags
}

// PlanAction implements provider.Provider.
func (r *Recorder) PlanAction(ctx context.Context, req provider.PlanActionRequest) (*provider.Deferred, diag.List) {
	res, diags := r.inner.PlanAction(ctx, req)
	r.note("action", req.TypeName, "plan_action", req, res, diags, req.Config)
	return res, diags
}

// InvokeAction implements provider.Provider.
func (r *Recorder) InvokeAction(ctx context.Context, typeName string, config value.Bare, progress func(string)) diag.List {
	var said []string
	diags := r.inner.InvokeAction(ctx, typeName, config, func(m string) {
		said = append(said, m)
		progress(m)
	})
	r.note("action", typeName, "invoke_action", config, said, diags, config)
	return diags
}
