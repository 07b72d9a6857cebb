package suite

import (
	"context"
	"strings"

	"github.com/plumb-iac/plumb/config"
	"github.com/plumb-iac/plumb/diag"
	"github.com/plumb-iac/plumb/engine"
	"github.com/plumb-iac/plumb/value"
	"github.com/zclconf/go-cty/cty"
)

// Validate checks what the tests refer to, without a value for anything. What is
// wrong with the modules under test is not told: it is theirs.
func (s *Suite) Validate(ctx context.Context) diag.List {
	s.share()
	defer func() { s.current().Close() }()
	var diags diag.List
	for _, f := range s.files {
		x := s.newFileRun(f)
		x.open = true
		x.vars, x.outputs = unknownVars(s.o.Engine.Config.Root, f.Config), map[string]value.V{}
		sc := &scope{suite: s, vars: x.vars, later: later(f.Runs, 0), open: true}
		evaluated(sc, f.Config.Values)
		diags = diags.With(of(f, sc.diags))
		for i, r := range f.Runs {
			st, found := x.stage(ctx, i)
			x.outputs[r.Name()] = cty.DynamicVal
			if st != nil {
				asked := &engine.Questions{Asked: x.asked(st, i)}
				found = found.With(s.current().For(st.tree, st.doubles).Check(ctx, asked))
				x.outputs[r.Name()] = outputs(st.tree.Root, nil, cty.DynamicVal)
			}
			diags = diags.With(of(f, found))
		}
	}
	return diags.Once()
}

// unknownVars are all variables that a file's expressions can refer to.
func unknownVars(root *config.Module, f *config.TestFile) map[string]value.V {
	out := map[string]value.V{}
	for name := range root.Variables {
		out[name] = cty.DynamicVal
	}
	for name := range f.Declared {
		out[name] = cty.DynamicVal
	}
	for name := range f.Values {
		out[name] = cty.DynamicVal
	}
	return out
}

// of are the diagnostics about what stands in a file, or in those of its mocks.
func of(f *File, l diag.List) diag.List {
	var out diag.List
	for _, d := range l {
		if d.Subject != nil && (d.Subject.Filename == f.Name() || strings.Contains(d.Subject.Filename, ".tfmock.")) {
			out = append(out, d)
		}
	}
	return out
}
