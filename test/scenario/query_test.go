package scenario

import (
	"context"
	"strings"

	"github.com/plumb-iac/plumb/diag"
	"github.com/plumb-iac/plumb/engine"
	"github.com/plumb-iac/plumb/provider"
)

func (i *instance) ValidateList(ctx context.Context, req provider.ListRequest) diag.List {
	return logged(i, func() diag.List { return i.Provider.ValidateList(ctx, req) })
}

func (i *instance) ListResources(ctx context.Context, req provider.ListRequest, each func(provider.Listed) bool) diag.List {
	return logged(i, func() diag.List { return i.Provider.ListResources(ctx, req, each) })
}

// finds writes down what a search tells.
type finds struct{ lines []string }

func (f *finds) Began(l *engine.Listing) {
	f.lines = append(f.lines, "begin "+l.Addr.String()+" "+text(l.Config.Cty())+pathList("sensitive", l.Sensitive))
}

func (f *finds) Found(l *engine.Listing, o *engine.Listed) {
	line := "found " + l.Addr.String() + " " + o.DisplayName + " " + text(o.Identity.Cty())
	if !o.Value.IsZero() {
		line += " " + text(o.Value.Cty())
	}
	f.lines = append(f.lines, line)
}

func (f *finds) Ended(l *engine.Listing) { f.lines = append(f.lines, "end "+l.Addr.String()) }

// query runs a search.
func (tl *teller) query(ctx context.Context, e *engine.Engine, c command) diag.List {
	f := &finds{}
	lists, diags := e.Query(ctx, engine.QueryOptions{Variables: tl.planOptions(c).Variables, Generate: c.has("generate"), Watcher: f})
	tl.section("calls", "calls", tl.took())
	tl.section("", "found", f.lines)
	for _, l := range lists {
		for _, o := range l.Found {
			if o.Config != "" {
				tl.section("", "generated", strings.Split(o.Config+"\n"+o.Import, "\n"))
			}
		}
	}
	tl.section("", "diagnostics", tl.diagnostics(diags))
	return diags
}
