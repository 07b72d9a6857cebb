package replay

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"reflect"
	"slices"
	"strings"
	"sync"

	"github.com/plumb-iac/plumb/addr"
	"github.com/plumb-iac/plumb/diag"
	"github.com/plumb-iac/plumb/provider"
	"github.com/plumb-iac/plumb/value"
)

// Player is a provider that answers from a recorded conversation. One player
// serves all instances of a provider.
type Player struct {
	name addr.Provider
	dir  string

	mu      sync.Mutex
	calls   []call
	used    []bool
	shelves map[kind]*shelf
	known   bindings
}

// kind is what calls have in common that can answer each other.
type kind struct{ operation, typeName string }

// shelf has the calls of one kind, in the order of the recording.
type shelf struct {
	// exact finds those without a placeholder by their requests; loose are the
	// others.
	exact map[string][]int
	loose []int
}

var _ provider.Provider = (*Player)(nil)

// NewPlayer reads the conversation of a provider from a recording's directory.
func NewPlayer(dir string, name addr.Provider) (*Player, diag.List) {
	calls, err := read(dir, name)
	if err != nil {
		why := err.Error()
		if os.IsNotExist(err) {
			why = "there is no file " + fileName(dir, name)
		}
		return nil, diag.List{diag.Err("No recorded conversation", fmt.Sprintf("The conversation with provider %s cannot be replayed: %s.", name.Display(), why)).By(diag.Operator)}
	}
	p := &Player{name: name, dir: dir, calls: calls, used: make([]bool, len(calls)), shelves: map[kind]*shelf{}, known: bindings{}}
	for i := range calls {
		p.shelve(i)
	}
	return p, nil
}

func (p *Player) shelve(i int) {
	c := &p.calls[i]
	k := kind{c.Operation, c.Type}
	at := p.shelves[k]
	if at == nil {
		at = &shelf{exact: map[string][]int{}}
		p.shelves[k] = at
	}
	if loose(c.Request) {
		at.loose = append(at.loose, i)
	} else {
		text := canonical(c.Request)
		at.exact[text] = append(at.exact[text], i)
	}
}

// answer finds the recorded call that is like this one, the earliest that was
// not replayed yet, and fills response from it. Asking again what was asked
// gets the last answer again, except of an apply.
func (p *Player) answer(operation, typeName string, request, response any) diag.List {
	asked := plain(treeOf(request))
	p.mu.Lock()
	defer p.mu.Unlock()
	found := -1
	if at := p.shelves[kind{operation, typeName}]; at != nil {
		again := operation != "apply" && operation != "invoke_action"
		if found = p.next(at.take(canonical(asked)), again); found < 0 {
			found = p.next(p.alike(at.loose, asked), again)
		}
	}
	if found < 0 {
		return diag.List{p.unrecorded(operation, typeName, asked)}
	}
	p.used[found] = true
	p.known.matches(p.calls[found].Request, asked)
	return p.give(p.calls[found], response)
}

// take gives the next call that is exactly so. The last one stays.
func (s *shelf) take(text string) []int {
	calls := s.exact[text]
	if len(calls) > 1 {
		s.exact[text] = calls[1:]
		return calls[:1]
	}
	return calls
}

// next is the first of some calls that was not replayed yet, else the last, if
// it may be given again; -1 for none.
func (p *Player) next(calls []int, again bool) int {
	for _, i := range calls {
		if !p.used[i] {
			return i
		}
	}
	if again && len(calls) > 0 {
		return calls[len(calls)-1]
	}
	return -1
}

// alike are the calls with placeholders that a request can be. A placeholder
// that stands for something else already speaks against a call: such calls
// count only where there are no others.
func (p *Player) alike(calls []int, asked any) []int {
	var agree, conflict []int
	for _, i := range calls {
		trial := bindings{}
		if !trial.matches(p.calls[i].Request, asked) {
			continue
		}
		if p.known.agrees(trial) {
			agree = append(agree, i)
		} else {
			conflict = append(conflict, i)
		}
	}
	if len(agree) > 0 {
		return agree
	}
	return conflict
}

// give decodes an answer.
func (p *Player) give(c call, response any) diag.List {
	var diags diag.List
	err := fill(reflect.ValueOf(&diags).Elem(), p.known.put(c.Diags))
	if err == nil && response != nil {
		err = fill(reflect.ValueOf(response).Elem(), p.known.put(c.Response))
	}
	if err != nil {
		return diags.Append(diag.Err("Invalid recording", fmt.Sprintf("The recorded answer to %s in %s cannot be read: %s.", c.Operation, fileName(p.dir, p.name), err)).By(diag.Operator))
	}
	return diags
}

// unrecorded says which call was not recorded, and where it differs from the
// most similar one that was. It quotes no values: they may be secret.
func (p *Player) unrecorded(operation, typeName string, asked any) diag.Diag {
	others, nearest := 0, []string(nil)
	for _, c := range p.calls {
		if c.Operation != operation || c.Type != typeName {
			continue
		}
		others++
		if places := apart(c.Request, asked, ""); nearest == nil || len(places) < len(nearest) {
			nearest = places
		}
	}
	near := "No such call was recorded at all."
	switch {
	case others > 0 && len(nearest) == 0:
		near = "It was recorded, and all recorded answers were given already."
	case others > 0:
		near = fmt.Sprintf("Of the %d recorded calls of this kind the most similar one differs at %s.", others, strings.Join(nearest[:min(len(nearest), 5)], ", "))
	}
	what := strings.TrimSpace(operation + " " + typeName)
	return diag.Err("Call was not recorded", fmt.Sprintf(
		"Provider %s is replayed from %s, and the run asks it for %s, which the recorded run did not. %s The configuration, the state or the variables differ from those of the recorded run.",
		p.name.Display(), fileName(p.dir, p.name), what, near)).By(diag.Operator)
}

// apart are the places where an actual tree differs from a recorded one.
func apart(recorded, actual any, at string) []string {
	if (bindings{}).matches(recorded, actual) {
		return nil
	}
	r, ok := recorded.(map[string]any)
	a, ok2 := actual.(map[string]any)
	if !ok || !ok2 {
		if at == "" {
			at = "everything"
		}
		return []string{strings.TrimPrefix(at, ".")}
	}
	all := map[string]any{}
	maps.Copy(all, r)
	maps.Copy(all, a)
	var out []string
	for _, k := range keys(all) {
		name := at
		if k != valueKey {
			name += "." + k
		}
		out = append(out, apart(r[k], a[k], name)...)
	}
	return out
}

// canonical is the text of a tree, the same for equal ones.
func canonical(tree any) string {
	text, _ := json.Marshal(tree) // a tree that was read can be written
	return string(text)
}

// loose says whether a recorded tree has a placeholder, in bytes too.
func loose(tree any) bool {
	switch x := tree.(type) {
	case string:
		if placeholder.MatchString(x) {
			return true
		}
		raw, err := base64.StdEncoding.DecodeString(x)
		return err == nil && placeholder.Match(raw)
	case []any:
		return slices.ContainsFunc(x, loose)
	case map[string]any:
		for k, e := range x {
			if placeholder.MatchString(k) || loose(e) {
				return true
			}
		}
	}
	return false
}

// plain is a tree as it is after having been written and read.
func plain(x any) any {
	raw, err := json.Marshal(x)
	if err != nil {
		return x
	}
	out, err := parse(raw)
	if err != nil {
		return x
	}
	return out
}

// Schemas implements provider.Provider.
func (p *Player) Schemas(context.Context) (provider.Schemas, diag.List) {
	var o overview
	diags := p.answer("schemas", "", nil, &o)
	if diags.HasErrors() {
		return nil, diags
	}
	o.Provider = finished(o.Provider)
	if o.Meta != nil {
		o.Meta = finishedBlock(o.Meta)
	}
	return played{o, p}, diags
}

// ValidateProvider implements provider.Provider.
func (p *Player) ValidateProvider(_ context.Context, config value.Bare) (res value.Bare, diags diag.List) {
	diags = p.answer("validate_provider", "", config, &res)
	return res, diags
}

// Configure implements provider.Provider.
func (p *Player) Configure(_ context.Context, req provider.ConfigureRequest) diag.List {
	return p.answer("configure", "", req.Config, nil)
}

// Stop implements provider.Provider.
func (p *Player) Stop(context.Context) error { return nil }

// Close implements provider.Provider; other instances go on.
func (p *Player) Close() error { return nil }

// ValidateResource implements provider.Provider.
func (p *Player) ValidateResource(_ context.Context, typeName string, config value.Bare) diag.List {
	return p.answer("validate_resource", typeName, config, nil)
}

// UpgradeState implements provider.Provider.
func (p *Player) UpgradeState(_ context.Context, req provider.UpgradeRequest) (res provider.UpgradeResponse, diags diag.List) {
	diags = p.answer("upgrade_state", req.TypeName, req, &res)
	return res, diags
}

// Read implements provider.Provider.
func (p *Player) Read(_ context.Context, req provider.ReadRequest) (res provider.ReadResponse, diags diag.List) {
	diags = p.answer("read", req.TypeName, req, &res)
	return res, diags
}

// Plan implements provider.Provider.
func (p *Player) Plan(_ context.Context, req provider.PlanRequest) (res provider.PlanResponse, diags diag.List) {
	diags = p.answer("plan", req.TypeName, req, &res)
	return res, diags
}

// Apply implements provider.Provider.
func (p *Player) Apply(_ context.Context, req provider.ApplyRequest) (res provider.ApplyResponse, diags diag.List) {
	diags = p.answer("apply", req.TypeName, req, &res)
	return res, diags
}

// Import implements provider.Provider.
func (p *Player) Import(_ context.Context, req provider.ImportRequest) (res provider.ImportResponse, diags diag.List) {
	diags = p.answer("import", req.TypeName, req, &res)
	return res, diags
}

// Move implements provider.Provider.
func (p *Player) Move(_ context.Context, req provider.MoveRequest) (res provider.MoveResponse, diags diag.List) {
	diags = p.answer("move", req.TargetType, req, &res)
	return res, diags
}

// UpgradeIdentity implements provider.Provider.
func (p *Player) UpgradeIdentity(_ context.Context, req provider.UpgradeIdentityRequest) (res value.Bare, diags diag.List) {
	diags = p.answer("upgrade_identity", req.TypeName, req, &res)
	return res, diags
}

// GenerateConfig implements provider.Provider.
func (p *Player) GenerateConfig(_ context.Context, typeName string, state value.Bare) (res value.Bare, diags diag.List) {
	diags = p.answer("generate_config", typeName, state, &res)
	return res, diags
}

// ValidateData implements provider.Provider.
func (p *Player) ValidateData(_ context.Context, typeName string, config value.Bare) diag.List {
	return p.answer("validate_data", typeName, config, nil)
}

// ReadData implements provider.Provider.
func (p *Player) ReadData(_ context.Context, req provider.ReadDataRequest) (res provider.ReadDataResponse, diags diag.List) {
	diags = p.answer("read_data", req.TypeName, req, &res)
	return res, diags
}

// ValidateEphemeral implements provider.Provider.
func (p *Player) ValidateEphemeral(_ context.Context, typeName string, config value.Bare) diag.List {
	return p.answer("validate_ephemeral", typeName, config, nil)
}

// Open implements provider.Provider.
func (p *Player) Open(_ context.Context, req provider.OpenRequest) (res provider.OpenResponse, diags diag.List) {
	diags = p.answer("open", req.TypeName, req, &res)
	return res, diags
}

// Renew implements provider.Provider.
func (p *Player) Renew(_ context.Context, typeName string, private []byte) (res provider.RenewResponse, diags diag.List) {
	diags = p.answer("renew", typeName, private, &res)
	return res, diags
}

// CloseEphemeral implements provider.Provider.
func (p *Player) CloseEphemeral(_ context.Context, typeName string, private []byte) diag.List {
	return p.answer("close", typeName, private, nil)
}

// CallFunction implements provider.Provider.
func (p *Player) CallFunction(_ context.Context, name string, args []value.Bare) (res provider.FunctionResult) {
	if diags := p.answer("call_function", name, args, &res); diags.HasErrors() {
		return provider.FunctionResult{Argument: -1, Failed: diags}
	}
	return res
}

// ValidateList implements provider.Provider.
func (p *Player) ValidateList(_ context.Context, req provider.ListRequest) diag.List {
	return p.answer("validate_list", req.TypeName, req, nil)
}

// ListResources implements provider.Provider.
func (p *Player) ListResources(_ context.Context, req provider.ListRequest, each func(provider.Listed) bool) diag.List {
	var all []provider.Listed
	diags := p.answer("list", req.TypeName, req, &all)
	for _, l := range all {
		if !each(l) {
			break
		}
	}
	return diags
}

// ValidateAction implements provider.Provider.
func (p *Player) ValidateAction(_ context.Context, typeName string, config value.Bare) diag.List {
	return p.answer("validate_action", typeName, config, nil)
}

// PlanAction implements provider.Provider.
func (p *Player) PlanAction(_ context.Context, req provider.PlanActionRequest) (res *provider.Deferred, diags diag.List) {
	diags = p.answer("plan_action", req.TypeName, req, &res)
	return res, diags
}

// InvokeAction implements provider.Provider.
func (p *Player) InvokeAction(_ context.Context, typeName string, config value.Bare, progress func(string)) diag.List {
	var said []string
	diags := p.answer("invoke_action", typeName, config, &said)
	for _, m := range said {
		progress(m)
	}
	return diags
}
