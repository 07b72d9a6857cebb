package human

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"github.com/plumb-iac/plumb/internal/query"
	"github.com/plumb-iac/plumb/internal/view"
	"github.com/zclconf/go-cty/cty"
	ctyjson "github.com/zclconf/go-cty/cty/json"
)

// Lists tells what a search finds: the objects of a list block when it is
// done, a line each.
type Lists struct{ Out io.Writer }

// Began tells nothing.
func (Lists) Began(*query.List) {}

// Found tells nothing: the columns are as wide as their widest part.
func (Lists) Found(*query.List, *query.Object) {}

// Ended tells what a list found.
func (s Lists) Ended(l *query.List) {
	if len(l.Found) == 0 {
		return
	}
	w := tabwriter.NewWriter(s.Out, 0, 0, 3, ' ', 0)
	for _, o := range l.Found {
		_, _ = fmt.Fprintf(w, "%s\t%s\t%s\n", l.Addr, view.Harmless(identity(o.Identity.Cty())), view.Harmless(o.DisplayName))
	}
	_ = w.Flush()
	_, _ = io.WriteString(s.Out, "\n")
}

// identity is "id=x,realm=y".
func identity(v cty.Value) string {
	var parts []string
	for it := v.ElementIterator(); it.Next(); {
		name, part := it.Element()
		parts = append(parts, name.AsString()+"="+plain(part))
	}
	return strings.Join(parts, ",")
}

// plain is a string as it is, and anything else in JSON.
func plain(v cty.Value) string {
	if v.IsNull() {
		return ""
	}
	if v.Type() == cty.String {
		return v.AsString()
	}
	text, err := ctyjson.Marshal(v, v.Type())
	if err != nil {
		return "?"
	}
	return string(text)
}
