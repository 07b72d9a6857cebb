package engine

import (
	"context"
	"crypto/rand"
	"maps"

	"github.com/plumb-iac/plumb/addr"
	"github.com/plumb-iac/plumb/config"
	"github.com/plumb-iac/plumb/diag"
	"github.com/plumb-iac/plumb/internal/evaluate"
	"github.com/plumb-iac/plumb/internal/hcldiag"
	"github.com/plumb-iac/plumb/internal/lang"
	"github.com/plumb-iac/plumb/plan"
	"github.com/plumb-iac/plumb/schema"
	"github.com/plumb-iac/plumb/state"
	"github.com/plumb-iac/plumb/value"
	"github.com/zclconf/go-cty/cty"
)

// ConsoleOptions say what expressions are evaluated against.
type ConsoleOptions struct {
	State     *state.Snapshot
	Variables map[string]Input
	// Planned makes resources worth what the plan makes of them, rather than
	// what the state holds.
	Planned *plan.Document
	// Scope is the module instance by which expressions are evaluated; the zero
	// value is the root module.
	Scope addr.ModuleInstance
}

// Console evaluates expressions as a module would, mostly the root module.
type Console struct {
	e       *Engine
	o       ConsoleOptions
	planned map[addr.AbsInstance]value.V
}

// consoleInput names what was typed in diagnostics, and the local value that
// holds it; no local can be called so in a file.
const consoleInput = "<console-input>"

// Console prepares a console. The diagnostics are those of the configuration:
// with errors, expressions that need what is wrong will fail. There is no console
// when there is no module to evaluate them in.
func (e *Engine) Console(ctx context.Context, o ConsoleOptions) (*Console, diag.List) {
	if o.State == nil {
		o.State = state.New("")
	}
	c := &Console{e: e, o: o, planned: map[addr.AbsInstance]value.V{}}
	if o.Planned != nil {
		for _, change := range o.Planned.Changes {
			if change.Deposed == "" {
				c.planned[change.Addr] = change.After
			}
		}
	}
	if e.options.Config.Module(o.Scope.Module()) == nil {
		return nil, diag.List{diag.Err("No such module",
			"The configuration calls no module "+o.Scope.Module().String()+", so nothing can be evaluated as it would.").By(diag.Operator)}
	}
	_, diags := e.compile(ctx, e.options.Config, o.State)
	return c, diags
}

// Evaluate gives the value of an expression. It is added to the module as a local
// value, and only what that reads is evaluated.
func (c *Console) Evaluate(ctx context.Context, text string) (value.V, diag.List) {
	c.e.running.Lock()
	defer c.e.running.Unlock()
	expr, diags := lang.ParseLiteral(text, consoleInput)
	if diags.HasErrors() {
		return cty.DynamicVal, diags
	}
	prog, diags := c.e.compile(ctx, c.with(&config.Local{Name: consoleInput, Expr: expr, Range: hcldiag.RangeOf(expr.Range())}), c.o.State)
	if prog == nil {
		return cty.DynamicVal, diags
	}
	if typed := ofInput(diags); typed.HasErrors() {
		return cty.DynamicVal, typed
	}
	inputs, diags := c.e.inputs(ctx, prog, c.variables())
	if diags.HasErrors() {
		return cty.DynamicVal, diags
	}
	setup := c.e.setup(ctx, prog, evaluate.Applying, c.e.options.Now().UTC())
	setup.Inputs, setup.Unfit = inputs.values, inputs.unfit
	setup.Functions = lang.Functions(lang.FuncOptions{
		BaseDir: ".", Files: c.e.options.Files, Console: true, Clock: c.e.options.Now, Random: rand.Reader,
	})
	w := &consoleRun{Run: evaluate.NewRun(prog, setup), c: c, done: map[int]bool{}}
	for _, s := range prog.Sites() {
		if s.Kind == evaluate.Local && s.Module.Config.Path == c.o.Scope.Module() && s.Name == "local."+consoleInput {
			return w.value(s)
		}
	}
	return cty.DynamicVal, w.Diags()
}

// with gives the configuration with one more local value in the console's module.
func (c *Console) with(l *config.Local) *config.Tree {
	return c.e.options.Config.With(func(m *config.Module) {
		if m.Path != c.o.Scope.Module() {
			return
		}
		m.Locals = maps.Clone(m.Locals)
		if m.Locals == nil {
			m.Locals = map[string]*config.Local{}
		}
		m.Locals[l.Name] = l
	})
}

// variables are those given, and unknown values for required ones that are not:
// an expression that needs none of them can be evaluated all the same.
func (c *Console) variables() map[string]Input {
	all := maps.Clone(c.o.Variables)
	if all == nil {
		all = map[string]Input{}
	}
	for name, cfg := range c.e.options.Config.Root.Variables {
		if _, given := all[name]; !given && cfg.Required() {
			all[name] = Input{Value: cty.UnknownVal(cfg.Type.WithoutOptionalAttributesDeep())}
		}
	}
	return all
}

func orUnknown(v value.V) value.V {
	if v == cty.NilVal {
		return cty.DynamicVal
	}
	return v
}

// ofInput are the diagnostics about what was typed.
func ofInput(l diag.List) diag.List {
	var out diag.List
	for _, d := range l {
		if d.Subject != nil && d.Subject.Filename == consoleInput {
			out = append(out, d)
		}
	}
	return out
}

// consoleRun evaluates sites one after the other, depth first.
type consoleRun struct {
	*evaluate.Run
	c    *Console
	done map[int]bool
}

// value is what the site of the expression is worth in the console's module
// instance.
func (w *consoleRun) value(s *evaluate.Site) (value.V, diag.List) {
	w.needs(s)
	mi, exists := w.Index(s.Module, w.c.o.Scope)
	diags := w.Diags()
	if exists && !s.Faulty() {
		v, more := s.Local.Eval(w.Scope(s, mi), cty.DynamicPseudoType)
		return orUnknown(v), diags.With(more)
	}
	if exists || diags.HasErrors() {
		return cty.DynamicVal, diags
	}
	detail := "The module has no instance at present."
	if all := w.Instances(s.Module); len(all) > 0 {
		detail = "Its instances are:"
		for _, i := range all {
			detail += "\n - " + i.Addr.String()
		}
	}
	return cty.DynamicVal, append(diags, diag.Err("No such module instance",
		"There is no module instance "+w.c.o.Scope.String()+" to evaluate the expression in. "+detail).By(diag.Operator))
}

func (w *consoleRun) site(s *evaluate.Site) {
	if w.done[s.ID] {
		return
	}
	w.done[s.ID] = true
	w.needs(s)
	switch s.Kind {
	case evaluate.Provider, evaluate.Check, evaluate.Import, evaluate.Done:
	case evaluate.Resource:
		w.resource(s)
	default:
		w.Evaluate(s)
	}
}

// needs evaluates what a site reads, and the call that makes its module's
// instances.
func (w *consoleRun) needs(s *evaluate.Site) {
	for _, id := range s.Reads {
		w.site(w.Sites()[id])
	}
	if m := s.Module; m.Parent != nil {
		w.site(m.Call)
	}
}

// resource is worth what the plan or the state has of it. Where neither has
// anything of it, and it is repeated, all of it is unknown, instances included.
func (w *consoleRun) resource(s *evaluate.Site) {
	if !w.Expand(s) {
		return
	}
	out := make([]value.V, len(w.Instances(s.Module)))
	for mi := range out {
		keys, has := w.Keys(s, mi), false
		out[mi] = keys.Aggregate(func(key addr.InstanceKey) cty.Value {
			v, found := w.c.instance(w.InstanceAddr(s, mi, key), s.Resource.Schema)
			has = has || found
			return v
		})
		if !has && keys.Len() > 0 && keys.Repeats() {
			out[mi] = cty.DynamicVal
		}
	}
	w.Put(s, out)
}

// instance is the value of one instance, unknown when there is none.
func (c *Console) instance(a addr.AbsInstance, sch *schema.Resource) (v value.V, found bool) {
	if v, ok := c.planned[a]; ok {
		return v, true
	}
	if sch == nil {
		return cty.DynamicVal, false
	}
	o := c.o.State.Object(addr.Object{Instance: a})
	unknown := cty.UnknownVal(sch.Block.Type())
	if o == nil || o.SchemaVersion != sch.Version || o.Attrs == nil {
		return unknownObject(unknown), o != nil
	}
	of, err := o.Value(sch)
	if err != nil {
		return unknown, true
	}
	return value.Join(of, o.Marks(of.Cty(), sch)), true
}

// unknownObject is an object whose attributes are unknown one by one, so that
// the console shows which there are.
func unknownObject(v cty.Value) cty.Value {
	attrs := map[string]cty.Value{}
	for name, t := range v.Type().AttributeTypes() {
		attrs[name] = cty.UnknownVal(t)
	}
	return cty.ObjectVal(attrs)
}
