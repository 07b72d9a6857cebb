package query

import (
	"context"
	"fmt"

	"github.com/plumb-iac/plumb/addr"
	"github.com/plumb-iac/plumb/diag"
	"github.com/plumb-iac/plumb/internal/evaluate"
	"github.com/plumb-iac/plumb/internal/lang"
	"github.com/plumb-iac/plumb/provider"
	"github.com/plumb-iac/plumb/schema"
	"github.com/plumb-iac/plumb/value"
	"github.com/zclconf/go-cty/cty"
)

// mostByDefault is the limit of a list block that sets none.
const mostByDefault = 100

// search is the way of one list instance from its configuration to what it
// found.
type search struct {
	*walk
	site  *evaluate.Site
	list  *List
	scope *lang.Scope
	// managed is the type of the objects, client the configured provider.
	managed *schema.Resource
	client  provider.Provider
	diags   diag.List
}

func (x *search) add(diags diag.List) bool {
	x.diags = x.diags.With(diags)
	return !diags.HasErrors()
}

// note adds a provider's diagnostics, pointed at the configuration.
func (x *search) note(diags diag.List) bool {
	r := x.site.Resource
	return x.add(evaluate.Locate(diags, r.Body, r.Config.Range, x.list.Addr.String()))
}

func (x *search) fail(summary, detail string) {
	d := diag.Err(summary, detail).At(x.site.Resource.Config.Range)
	d.Address = x.list.Addr.String()
	x.diags = append(x.diags, d)
}

func (x *search) run(ctx context.Context) {
	if !x.prepare() {
		return
	}
	req, ok := x.request()
	if !ok || !x.note(x.client.ValidateList(ctx, req)) {
		return
	}
	x.list.Config = req.Config
	x.tell(func(w Watcher) { w.Began(x.list) })
	x.note(x.client.ListResources(ctx, req, func(l provider.Listed) bool {
		x.found(ctx, l)
		return !x.Halted()
	}))
	x.tell(func(w Watcher) { w.Ended(x.list) })
	if len(x.list.Found) == 0 && !x.diags.HasErrors() {
		x.add(diag.List{diag.Warn("list block(s) ["+x.list.Addr.String()+"] returned 0 results.",
			"The provider has nothing that fits the search.").At(x.site.Resource.Config.Range)})
	}
}

// prepare finds the provider and the type of what is searched for.
func (x *search) prepare() bool {
	r := x.site.Resource
	at := r.Provider.Provider.Addr
	if x.client = x.Configured(r.Provider, addr.NoKey); x.client == nil {
		x.fail("Provider configuration not present", fmt.Sprintf("There is no provider configuration for %s.", x.list.Addr))
		return false
	}
	schemas, diags := x.Schemas(at.Provider)
	if !x.add(diags) {
		return false
	}
	managed, diags := schemas.Type(addr.Managed, r.Addr.Resource.Type)
	if !x.add(diags) {
		return false
	}
	if managed == nil || managed.Identity == nil {
		x.fail("Provider cannot tell what it lists", fmt.Sprintf("The provider %s lists %s without a managed resource type of that name that has an identity. This is a bug in the provider.", at.Provider.Display(), r.Addr.Resource.Type))
		return false
	}
	x.managed = managed
	x.list.Sensitive = managed.Block.SensitivePaths(sample(managed.Block))
	return true
}

// sample is an object with everything that each object of a type has: unknown
// attributes, and the blocks that there is one of.
func sample(b *schema.Block) cty.Value {
	attrs := map[string]cty.Value{}
	for name, t := range b.Type().AttributeTypes() {
		attrs[name] = cty.UnknownVal(t)
		if n := b.Blocks[name]; n != nil && (n.Nesting == schema.Single || n.Nesting == schema.Group) {
			attrs[name] = sample(n.Block)
		}
	}
	return cty.ObjectVal(attrs)
}

// request evaluates the block. Generated configuration needs whole objects.
func (x *search) request() (provider.ListRequest, bool) {
	r := x.site.Resource
	req := provider.ListRequest{TypeName: r.Addr.Resource.Type, Config: value.Null(r.Schema.Block.Type()), Limit: mostByDefault, IncludeObjects: x.Generate}
	if r.Body != nil {
		v, diags := r.Body.Eval(x.scope)
		if !x.add(diags) {
			return req, false
		}
		req.Config = value.Strip(v)
	}
	if !req.Config.Cty().IsWhollyKnown() {
		x.fail("Search configuration must be known", fmt.Sprintf("The configuration of %s depends on values that are not known: a search sees variables, local values and other lists, and no resources.", x.list.Addr))
		return req, false
	}
	if v, ok := x.known(r.List.IncludeObjects, cty.Bool, "include_resource"); !ok {
		return req, false
	} else if !v.IsNull() {
		req.IncludeObjects = req.IncludeObjects || v.True()
	}
	v, ok := x.known(r.List.Limit, cty.Number, "limit")
	if ok && !v.IsNull() {
		n, _ := v.AsBigFloat().Int64()
		if ok = n > 0 && v.Equals(cty.NumberIntVal(n)).True(); !ok {
			x.fail("Invalid limit", "The limit of a list block is a whole number above zero.")
		}
		req.Limit = n
	}
	return req, ok
}

// known evaluates an argument of the block; null where it is not set.
func (x *search) known(e *lang.Expr, t cty.Type, name string) (cty.Value, bool) {
	if e == nil {
		return cty.NullVal(t), true
	}
	v, diags := e.Eval(x.scope, t)
	if !x.add(diags) {
		return cty.NilVal, false
	}
	bare := value.Strip(v).Cty()
	if !bare.IsKnown() || value.Contains(v, value.Sensitive|value.Ephemeral) {
		x.fail("Invalid "+name+" argument", "The argument "+name+" of a list block must be known, and neither sensitive nor ephemeral.")
		return cty.NilVal, false
	}
	return bare, true
}

// found takes note of one object.
func (x *search) found(ctx context.Context, l provider.Listed) {
	if !x.note(l.Diags) {
		return
	}
	if l.Identity.IsZero() || !conforms(l.Identity, x.managed.Identity.Element()) || l.Identity.Cty().IsNull() || !l.Identity.Cty().IsWhollyKnown() {
		x.fail("Provider produced an object without identity", fmt.Sprintf("%s found %q, and the provider does not say how to identify it. This is a bug in the provider.", x.list.Addr, l.DisplayName))
		return
	}
	o := &Object{DisplayName: l.DisplayName, Identity: l.Identity, IdentityVersion: x.managed.IdentityVersion, Value: l.Object}
	if x.Generate && !x.write(ctx, o) {
		return
	}
	x.list.Found = append(x.list.Found, o)
	x.tell(func(w Watcher) { w.Found(x.list, o) })
}

func conforms(v value.Bare, t cty.Type) bool { return len(v.Cty().Type().TestConformance(t)) == 0 }

func (x *search) tell(what func(Watcher)) {
	if x.Watcher == nil {
		return
	}
	x.telling.Lock()
	defer x.telling.Unlock()
	what(x.Watcher)
}
