package wire

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"sort"
	"sync"

	"github.com/plumb-iac/plumb/addr"
	"github.com/plumb-iac/plumb/diag"
	"github.com/plumb-iac/plumb/provider"
	"github.com/plumb-iac/plumb/provider/wire/tfplugin6"
	"github.com/plumb-iac/plumb/schema"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"
)

// Schemas are the schemas of one answer, compiled type by type. It implements
// provider.Schemas and may be shared by all clients of the same program.
type Schemas struct {
	provider     addr.Provider
	answer       Answer
	index        index
	identities   map[string][]byte
	config       *schema.Resource
	meta         *schema.Block
	functions    map[string]*schema.Function
	capabilities provider.Capabilities

	mu   sync.Mutex
	done map[typeKey]compiledType
}

type typeKey struct {
	kind kind
	name string
}

type compiledType struct {
	resource *schema.Resource
	diags    diag.List
}

var _ provider.Schemas = (*Schemas)(nil)

// NewSchemas reads an answer. Everything but the types is decoded at once. The
// schemas are nil when the provider refused to give any or what it gave is no
// answer.
func NewSchemas(p addr.Provider, answer Answer) (*Schemas, diag.List) {
	s := &Schemas{provider: p, answer: answer, done: map[typeKey]compiledType{}}
	var err error
	if s.index, err = cut(answer.Schema); err != nil {
		return nil, diag.List{s.malformed("schema answer", err)}
	}
	diags, err := saidIn(s.index.diagnostics)
	if err != nil {
		return nil, diag.List{s.malformed("schema answer", err)}
	}
	if diags.HasErrors() {
		return nil, s.refused(diags)
	}
	// Identity schemas are an addition: a provider that gets them wrong works
	// without them.
	if ids, complaints, err := cutIdentities(answer.Identity); err == nil && len(complaints) == 0 {
		s.identities = ids
	}
	if more := s.readWhole(); more.HasErrors() {
		return nil, diags.With(more)
	}
	return s, diags
}

// readWhole decodes what belongs to the provider itself.
func (s *Schemas) readWhole() diag.List {
	var diags diag.List
	config, problems := compileSchema(s.answer.Protocol, s.index.provider)
	diags = s.add(diags, "provider configuration", "", problems)
	s.config = config

	if s.index.meta != nil {
		meta, problems := compileSchema(s.answer.Protocol, s.index.meta)
		diags = s.add(diags, "provider_meta", "", problems)
		if meta != nil && len(meta.Block.AttrNames())+len(meta.Block.BlockNames()) > 0 {
			s.meta = meta.Block
		}
	}
	var able tfplugin6.ServerCapabilities
	if err := proto.Unmarshal(s.index.capabilities, &able); err != nil {
		diags = diags.Append(s.malformed("server capabilities", err))
	}
	s.capabilities = provider.Capabilities{
		PlanDestroy:       able.PlanDestroy,
		SchemaOptional:    able.GetProviderSchemaOptional,
		MoveResourceState: able.MoveResourceState,
		GenerateConfig:    able.GenerateResourceConfig,
	}
	s.functions = make(map[string]*schema.Function, len(s.index.functions))
	for _, name := range sortedKeys(s.index.functions) {
		f, problems := compileFunction(s.index.functions[name])
		diags = s.add(diags, "function", name, problems)
		s.functions[name] = f
	}
	return diags
}

// Provider implements provider.Schemas.
func (s *Schemas) Provider() *schema.Resource { return s.config }

// Meta implements provider.Schemas.
func (s *Schemas) Meta() *schema.Block { return s.meta }

// Capabilities implements provider.Schemas.
func (s *Schemas) Capabilities() provider.Capabilities { return s.capabilities }

// Functions implements provider.Schemas.
func (s *Schemas) Functions() map[string]*schema.Function { return s.functions }

// Type implements provider.Schemas.
func (s *Schemas) Type(mode addr.Mode, name string) (*schema.Resource, diag.List) {
	return s.compiled(kindOf(mode), name)
}

// Action implements provider.Schemas.
func (s *Schemas) Action(name string) (*schema.Resource, diag.List) {
	return s.compiled(kindAction, name)
}

// ListConfig implements provider.Schemas.
func (s *Schemas) ListConfig(name string) (*schema.Resource, diag.List) {
	return s.compiled(kindList, name)
}

// StateStore implements provider.Schemas.
func (s *Schemas) StateStore(name string) (*schema.Resource, diag.List) {
	return s.compiled(kindStateStore, name)
}

// StateStoreNames implements provider.Schemas.
func (s *Schemas) StateStoreNames() []string { return sortedKeys(s.index.types[kindStateStore]) }

// TypeNames implements provider.Schemas.
func (s *Schemas) TypeNames(mode addr.Mode) []string {
	return sortedKeys(s.index.types[kindOf(mode)])
}

// ActionNames implements provider.Schemas.
func (s *Schemas) ActionNames() []string { return sortedKeys(s.index.types[kindAction]) }

func kindOf(mode addr.Mode) kind {
	switch mode {
	case addr.Managed:
		return kindResource
	case addr.Data:
		return kindData
	case addr.Ephemeral:
		return kindEphemeral
	case addr.List:
		return kindList
	}
	return kindNone
}

// compiled gives a type's schema, compiled at the first request.
func (s *Schemas) compiled(k kind, name string) (*schema.Resource, diag.List) {
	raw, ok := s.index.types[k][name]
	if !ok {
		return nil, nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	key := typeKey{k, name}
	c, ok := s.done[key]
	if !ok {
		c = s.compile(k, name, raw)
		s.done[key] = c
	}
	return c.resource, c.diags
}

func (s *Schemas) compile(k kind, name string, raw []byte) compiledType {
	if k == kindAction {
		raw = actionSchema(raw)
	}
	r, problems := compileSchema(s.answer.Protocol, raw)
	if k == kindResource && r != nil {
		if identity, ok := s.identities[name]; ok {
			problems = append(problems, addIdentity(r, identity)...)
		}
	}
	if diags := s.add(nil, kinds[k].noun, name, problems); len(diags) > 0 {
		return compiledType{nil, diags}
	}
	return compiledType{r, nil}
}

// add reports the problems of one schema.
func (s *Schemas) add(to diag.List, noun, name string, problems []string) diag.List {
	if name != "" {
		noun = fmt.Sprintf("%s %q", noun, name)
	}
	for _, p := range problems {
		to = to.Append(s.invalid(fmt.Sprintf("provider %s has an invalid schema for %s: %s. This is a bug in the provider, which should be reported in the provider's own issue tracker.", s.provider, noun, p)))
	}
	return to
}

// refused are the provider's reasons not to tell its schema.
func (s *Schemas) refused(said diag.List) diag.List {
	var out diag.List
	for _, d := range said.Errors() {
		text := d.Summary
		if d.Detail != "" {
			text += ": " + d.Detail
		}
		out = out.Append(s.invalid(fmt.Sprintf("provider %s did not give its schema: %s", s.provider, text)))
	}
	return out
}

func (s *Schemas) malformed(what string, err error) diag.Diag {
	return s.invalid(fmt.Sprintf("the %s of provider %s cannot be read: %s. This is a bug in the provider, or its version speaks another protocol than it says.", what, s.provider, err))
}

func (s *Schemas) invalid(why string) diag.Diag {
	d := diag.Err(schemaSummary, "Error while loading schemas for plugin components: "+why).By(diag.Provider)
	d.Code = CodeSchema
	return d
}

// saidIn decodes diagnostics.
func saidIn(encoded [][]byte) (diag.List, error) {
	var ds []*tfplugin6.Diagnostic
	for _, raw := range encoded {
		d := new(tfplugin6.Diagnostic)
		if err := proto.Unmarshal(raw, d); err != nil {
			return nil, err
		}
		ds = append(ds, d)
	}
	return diagnostics(ds), nil
}

func sortedKeys(m map[string][]byte) []string {
	out := make([]string, 0, len(m))
	for name := range m {
		out = append(out, name)
	}
	sort.Strings(out)
	return out
}

// fetch asks the process for its schemas and leaves them in the memory.
func (c *Client) fetch(ctx context.Context, s *session) (*Schemas, diag.List) {
	answer := Answer{Protocol: s.protocol}
	if err := askRaw(ctx, s, rpcSchema, &tfplugin6.GetProviderSchema_Request{}, &answer.Schema); err != nil {
		return nil, diag.List{c.failure(ctx, rpcSchema.name(s.protocol), err)}
	}
	err := askRaw(ctx, s, rpcIdentitySchemas, &tfplugin6.GetResourceIdentitySchemas_Request{}, &answer.Identity)
	if err != nil && status.Code(err) != codes.Unimplemented {
		return nil, diag.List{c.failure(ctx, rpcIdentitySchemas.name(s.protocol), err)}
	}
	if c.options.Memory != nil {
		return c.options.Memory.Remember(answer)
	}
	return NewSchemas(c.options.Provider, answer)
}

func askRaw(ctx context.Context, s *session, r rpc, req proto.Message, to *[]byte) error {
	return s.conn.Invoke(ctx, r.path(s.protocol), req, to,
		grpc.ForceCodecV2(rawCodec{}), grpc.MaxCallRecvMsgSize(maxMessage))
}

// Same says whether an answer gives these same schemas. Answers of equal
// meaning differ in bytes, as the order of their maps is free.
func (s *Schemas) Same(a Answer) bool {
	if a.Protocol != s.answer.Protocol {
		return false
	}
	if bytes.Equal(a.Schema, s.answer.Schema) && bytes.Equal(a.Identity, s.answer.Identity) {
		return true
	}
	x, err := cut(a.Schema)
	if err != nil || len(x.diagnostics) > 0 || len(s.index.diagnostics) > 0 {
		return false
	}
	ids, _, err := cutIdentities(a.Identity)
	if err != nil {
		return false
	}
	for k := range x.types {
		if !maps.EqualFunc(x.types[k], s.index.types[k], bytes.Equal) {
			return false
		}
	}
	return bytes.Equal(x.provider, s.index.provider) && bytes.Equal(x.meta, s.index.meta) &&
		bytes.Equal(x.capabilities, s.index.capabilities) &&
		maps.EqualFunc(x.functions, s.index.functions, bytes.Equal) &&
		maps.EqualFunc(ids, s.identities, bytes.Equal)
}
