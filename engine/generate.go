package engine

import (
	"github.com/plumb-iac/plumb/addr"
	"github.com/plumb-iac/plumb/internal/evaluate"
	"github.com/plumb-iac/plumb/plan"
)

// generating asks for configuration of what import blocks name and nothing
// declares. What the state has already was imported before.
func generating(o PlanOptions) func(*evaluate.Options) {
	return func(e *evaluate.Options) {
		if !o.GenerateConfig || o.Mode != plan.Normal {
			return
		}
		e.Generate = func(r addr.Resource) bool {
			return o.State.Resource(addr.AbsResource{Resource: r}) == nil
		}
	}
}

// generated gives the configuration that a plan generated to the run that
// applies it.
func generated(doc *plan.Document) func(*evaluate.Options) {
	return func(e *evaluate.Options) {
		for _, c := range doc.Changes {
			if c.GeneratedConfig == "" {
				continue
			}
			if e.Generated == nil {
				e.Generated = map[addr.Resource]string{}
			}
			e.Generated[c.Addr.Resource] = c.GeneratedConfig
		}
	}
}

// GeneratedSources are the texts that a plan generated, by the names that places in
// diagnostics have for them.
func GeneratedSources(doc *plan.Document) map[string][]byte {
	out := map[string][]byte{}
	for _, c := range doc.Changes {
		if c.GeneratedConfig != "" {
			out[evaluate.GeneratedName(c.Addr.Resource)] = []byte(c.GeneratedConfig)
		}
	}
	return out
}
