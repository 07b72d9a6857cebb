package operate

import (
	"context"

	"github.com/plumb-iac/plumb/addr"
	"github.com/plumb-iac/plumb/diag"
	"github.com/plumb-iac/plumb/engine"
	"github.com/plumb-iac/plumb/internal/cli/command"
	"github.com/plumb-iac/plumb/internal/cli/session"
	"github.com/plumb-iac/plumb/internal/view/human"
)

// Query is the row of query.
func Query() command.Command {
	return command.Command{
		Name: "query", JSONLines: true, Args: "[options]",
		Synopsis: "List remote objects",
		About: `Has providers list the remote objects that the list blocks of the query files (.tfquery.hcl) ask for, and shows them. Neither the state nor anything remote is changed.

With -generate-config-out, resource and import blocks are written for what is found, to bring it under management.`,
		New: func(f *command.Flags) command.Run {
			b := &flagSet{f: f}
			b.string("generate-config-out", "FILE", "Write resource and import blocks for what is found to this new file.", func(o *Options, v string) { o.GenerateConfig = v })
			b.variables()
			b.bool("json", false, "Write lines of JSON for programs.", func(o *Options, v bool) { o.JSON = v })
			b.input()
			b.parallelism()
			return func(ctx context.Context, s *session.Session, args []string) int {
				if len(args) > 0 {
					return s.Misused("Too many command line arguments", "The query command takes no arguments. Did you mean to use -chdir?")
				}
				return runQuery(ctx, s, b.options())
			}
		},
	}
}

func runQuery(ctx context.Context, s *session.Session, o Options) (status int) {
	p := newOperation(s, o)
	p.queries = true
	defer p.end(&status)
	var diags diag.List
	for _, step := range []func() diag.List{
		p.generateTarget, p.open, p.configure, p.searchable,
		func() diag.List { return p.assemble(ctx) },
	} {
		if diags = diags.With(step()); diags.HasErrors() {
			return p.fail(diags)
		}
	}
	var lists []*engine.Listing
	p.run(func() {
		if found := p.engine.Validate(ctx).Errors(); found.HasErrors() {
			diags = diags.With(found)
			return
		}
		var more diag.List
		lists, more = p.engine.Query(ctx, engine.QueryOptions{
			Variables: p.given.All(), Generate: o.GenerateConfig != "", Watcher: p.watcher()})
		diags = diags.With(more)
	})
	_, failed := p.generate(foundBlocks(lists))
	diags = diags.With(failed)
	p.face.Diagnostics(diags)
	if diags.HasErrors() {
		return 1
	}
	return 0
}

// searchable refuses to search without anything to search for.
func (p *operation) searchable() diag.List {
	for r := range p.tree.Root.Resources {
		if r.Mode == addr.List {
			return nil
		}
	}
	return diag.List{diag.Err("No resources to query",
		"There is no list block in this directory. Searches are written as list blocks in files that end in .tfquery.hcl.").By(diag.Operator)}
}

// watcher is who hears of what is found.
func (p *operation) watcher() engine.QueryWatcher {
	if m, ok := p.face.(*machine); ok {
		return m.Log
	}
	return human.Lists{Out: p.s.Stdout}
}
