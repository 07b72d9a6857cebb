package guard

import (
	"context"
	"fmt"
	"runtime/debug"
	"time"

	"github.com/plumb-iac/plumb/addr"
	"github.com/plumb-iac/plumb/diag"
	"github.com/plumb-iac/plumb/provider"
	"github.com/plumb-iac/plumb/provider/wire"
)

// grace is how long a call may take after its context ended. A provider that heeds
// the context can say in it what it has done.
const grace = 2 * time.Second

// Opener opens providers, as the engine wants it.
type Opener interface {
	Open(ctx context.Context, p addr.Provider) (provider.Provider, diag.List)
	Schemas(ctx context.Context, p addr.Provider) (provider.Schemas, diag.List)
}

// Source is an Opener whose providers stand behind the wall.
type Source struct{ Behind Opener }

// Open gives a new instance; with errors there may be none, and without them there
// is one.
func (s Source) Open(ctx context.Context, p addr.Provider) (provider.Provider, diag.List) {
	opened, diags := ask(ctx, call{p, "Open", ""}, func() (provider.Provider, diag.List) { return s.Behind.Open(ctx, p) })
	if opened == nil {
		return nil, call{p, "Open", ""}.something(diags)
	}
	return around(p, opened), diags
}

// Schemas gives a provider's schemas, as Open gives an instance.
func (s Source) Schemas(ctx context.Context, p addr.Provider) (provider.Schemas, diag.List) {
	return schemas(ctx, p, func() (provider.Schemas, diag.List) { return s.Behind.Schemas(ctx, p) })
}

func schemas(ctx context.Context, p addr.Provider, get func() (provider.Schemas, diag.List)) (provider.Schemas, diag.List) {
	c := call{p, "Schemas", ""}
	all, diags := ask(ctx, c, get)
	if all == nil {
		return nil, c.something(diags)
	}
	return all, diags
}

// call names a call in diagnostics.
type call struct {
	of              addr.Provider
	method, subject string
}

func (c call) String() string {
	if c.subject == "" {
		return c.method
	}
	return c.method + " for " + c.subject
}

// something has at least one error say why nothing came.
func (c call) something(diags diag.List) diag.List {
	if diags.HasErrors() {
		return diags
	}
	return diags.Append(wire.Failed(c.of, c.String(), "it gave nothing and no reason"))
}

// panicked is the error of a call that did not return. A nil cause is that of a
// goroutine that ended itself.
func (c call) panicked(cause any) diag.Diag {
	if cause == nil {
		return wire.Failed(c.of, c.String(), "its goroutine ended without an answer")
	}
	d := wire.Failed(c.of, c.String(), fmt.Sprintf("panic: %v", cause))
	d.Detail += "\n\n" + string(debug.Stack())
	return d
}

// answer is what came of a call.
type answer[T any] struct {
	result T
	diags  diag.List
}

// ask makes a call and waits for it, or for its context and the grace.
func ask[T any](ctx context.Context, c call, do func() (T, diag.List)) (T, diag.List) {
	answered := make(chan answer[T], 1)
	go func() {
		var a answer[T]
		returned := false
		defer func() {
			if cause := recover(); !returned {
				a = answer[T]{diags: diag.List{c.panicked(cause)}}
			}
			answered <- a
		}()
		a.result, a.diags = do()
		returned = true
	}()
	select {
	case a := <-answered:
		return a.result, a.diags
	case <-ctx.Done():
	}
	select {
	case a := <-answered:
		return a.result, a.diags
	case <-time.After(grace):
		var none T
		return none, diag.List{wire.Cancelled(c.of, c.String())}
	}
}

// tell makes a call that answers in diagnostics alone.
func tell(ctx context.Context, c call, do func() diag.List) diag.List {
	_, diags := ask(ctx, c, func() (struct{}, diag.List) { return struct{}{}, do() })
	return diags
}

// end makes a call that answers in an error.
func end(ctx context.Context, c call, do func() error) error {
	type ended struct{ err error }
	e, diags := ask(ctx, c, func() (ended, diag.List) { return ended{do()}, nil })
	for _, d := range diags {
		return fmt.Errorf("%s: %s", d.Summary, d.Detail)
	}
	return e.err
}
