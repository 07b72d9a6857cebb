package jsonlog

import (
	"github.com/plumb-iac/plumb/internal/query"
	"github.com/plumb-iac/plumb/plan/planjson/jsonout"
	"github.com/plumb-iac/plumb/value"
	"github.com/zclconf/go-cty/cty"
)

// Began writes that a search begins.
func (l *Log) Began(q *query.List) {
	l.list(q, "Starting query...", "list_start", func(w *jsonout.Writer) {
		w.Key("input_config")
		given(w, q.Config.Cty())
		if len(q.Sensitive) > 0 {
			w.Key("sensitive_attribute_paths")
			w.BeginList()
			for _, p := range q.Sensitive {
				w.String(path(p))
			}
			w.EndList()
		}
	})
}

// Found writes an object that was found.
func (l *Log) Found(q *query.List, o *query.Object) {
	l.list(q, "Result found", "list_resource_found", func(w *jsonout.Writer) {
		w.KeyString("display_name", o.DisplayName)
		w.Key("identity")
		w.Value(o.Identity.Cty())
		w.KeyInt("identity_version", o.IdentityVersion)
		if !o.Value.IsZero() && !o.Value.Cty().IsNull() {
			w.Key("resource_object")
			w.Value(o.Value.Cty())
		}
		w.KeyFilled("config", o.Config)
		w.KeyFilled("import_config", o.Import)
	})
}

// Ended writes that a search is done.
func (l *Log) Ended(q *query.List) {
	l.list(q, "List complete", "list_complete", func(w *jsonout.Writer) {
		w.KeyInt("total", int64(len(q.Found)))
	})
}

func (l *Log) list(q *query.List, message, kind string, rest func(*jsonout.Writer)) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.line("info", q.Addr.String()+": "+message, kind, func(w *jsonout.Writer) {
		w.Key(kind)
		w.Begin()
		w.KeyString("address", q.Addr.String())
		w.KeyString("resource_type", q.Addr.Resource.Type)
		rest(w)
		w.End()
	})
}

// given writes the arguments of a configuration that are set.
func given(w *jsonout.Writer, v cty.Value) {
	w.Begin()
	if !v.IsNull() {
		for it := v.ElementIterator(); it.Next(); {
			if name, arg := it.Element(); !arg.IsNull() {
				w.Key(name.AsString())
				w.Value(arg)
			}
		}
	}
	w.End()
}

func path(p cty.Path) string {
	text := value.PathString(p)
	if len(text) > 0 && text[0] == '.' {
		return text[1:]
	}
	return text
}
