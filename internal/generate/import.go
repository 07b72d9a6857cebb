package generate

import (
	"strings"

	"github.com/hashicorp/hcl/v2/hclwrite"
	"github.com/plumb-iac/plumb/addr"
	"github.com/plumb-iac/plumb/schema"
	"github.com/plumb-iac/plumb/value"
)

// ImportSubject is what an import block is written for.
type ImportSubject struct {
	To addr.Resource
	// Provider is the provider argument, "" where none is needed.
	Provider string
	Identity *schema.Object
}

// Import writes an import block that names an object by its identity. It ends
// without a line break.
func Import(s ImportSubject, identity value.Bare) string {
	w := &writer{}
	w.line("import {")
	w.line("to = ", s.To.String())
	if s.Provider != "" {
		w.line("provider = ", s.Provider)
	}
	w.line("identity = {")
	for _, name := range s.Identity.Names() {
		if v := identity.Cty().GetAttr(name); !v.IsNull() {
			w.line(name, " = ", text(v))
		}
	}
	w.line("}")
	w.line("}")
	return strings.TrimSpace(string(hclwrite.Format([]byte(w.String()))))
}
