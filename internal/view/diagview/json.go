package diagview

import (
	"encoding/json"
	"io"
	"strings"

	"github.com/plumb-iac/plumb/diag"
	"github.com/plumb-iac/plumb/plan/planjson/jsonout"
)

// WriteJSON writes one diagnostic as an object, with what q has of the source.
func WriteJSON(w *jsonout.Writer, d *diag.Diag, q *Quotes) {
	w.Begin()
	w.KeyString("severity", d.Severity.String())
	w.KeyString("summary", d.Summary)
	w.KeyString("detail", d.Detail)
	w.KeyFilled("address", d.Address)
	if d.Subject != nil {
		writeRange(w, d, q)
	}
	w.End()
}

func writeRange(w *jsonout.Writer, d *diag.Diag, q *Quotes) {
	r := *d.Subject
	if r.Start.Byte == r.End.Byte {
		r.End = diag.Pos{Line: r.Start.Line, Column: r.Start.Column + 1, Byte: r.Start.Byte + 1}
	}
	w.Key("range")
	w.Begin()
	w.KeyString("filename", r.Filename)
	writePos(w, "start", r.Start)
	writePos(w, "end", r.End)
	w.End()
	if s, ok := q.cut(d); ok {
		w.Key("snippet")
		writeSnippet(w, d, s)
	}
}

func writePos(w *jsonout.Writer, name string, p diag.Pos) {
	w.Key(name)
	w.Begin()
	w.KeyInt("line", int64(p.Line))
	w.KeyInt("column", int64(p.Column))
	w.KeyInt("byte", int64(p.Byte))
	w.End()
}

func writeSnippet(w *jsonout.Writer, d *diag.Diag, s snippet) {
	w.Begin()
	w.Key("context")
	if s.context == "" {
		w.Null()
	} else {
		w.String(s.context)
	}
	w.KeyString("code", s.code)
	w.KeyInt("start_line", int64(s.startLine))
	w.KeyInt("highlight_start_offset", int64(s.from))
	w.KeyInt("highlight_end_offset", int64(s.to))
	w.Key("values")
	w.BeginList()
	for _, n := range notes(d) {
		w.Begin()
		w.KeyString("traversal", n.Traversal)
		w.KeyString("statement", n.Statement)
		w.End()
	}
	w.EndList()
	if d.Call != nil {
		writeCall(w, d.Call)
	}
	if c := d.Compared; c != nil {
		w.Key("test_assertion_expr")
		w.Begin()
		w.KeyString("lhs", c.Left)
		w.KeyString("rhs", c.Right)
		w.KeyString("warning", c.Warning)
		w.KeyBool("show_verbose", false)
		w.End()
	}
	w.End()
}

func writeCall(w *jsonout.Writer, c *diag.Call) {
	w.Key("function_call")
	w.Begin()
	w.KeyString("called_as", c.Name)
	if s, known := signatureOf(c); known {
		w.Key("signature")
		s.write(w, c.Name)
	}
	w.End()
}

// signature is what diagnostics tell of a function's signature.
type signature struct {
	Parameters []parameter     `json:"parameters"`
	Variadic   *parameter      `json:"variadic_parameter"`
	Return     json.RawMessage `json:"return_type"`
}

type parameter struct {
	Name string          `json:"name"`
	Type json.RawMessage `json:"type"`
}

func signatureOf(c *diag.Call) (s signature, known bool) {
	err := json.Unmarshal(c.Signature, &s)
	return s, err == nil && len(s.Return) > 0
}

// write writes the form that diagnostics have it in, which is not that of
// "metadata functions".
func (s signature) write(w *jsonout.Writer, name string) {
	w.Begin()
	w.KeyString("name", name)
	w.Key("params")
	w.BeginList()
	for _, p := range s.Parameters {
		p.write(w)
	}
	w.EndList()
	if s.Variadic != nil {
		w.Key("variadic_param")
		s.Variadic.write(w)
	}
	w.Key("return_type")
	w.Raw(s.Return)
	w.End()
}

func (p parameter) write(w *jsonout.Writer) {
	w.Begin()
	w.KeyString("name", p.Name)
	w.Key("type")
	w.Raw(p.Type)
	w.End()
}

// parameters are the parameter names of a called function.
func parameters(c *diag.Call) string {
	s, _ := signatureOf(c)
	var names []string
	for _, p := range s.Parameters {
		names = append(names, p.Name)
	}
	if s.Variadic != nil {
		names = append(names, s.Variadic.Name+"...")
	}
	return strings.Join(names, ", ")
}

// Validate writes the result of validate -json.
func Validate(out io.Writer, l diag.List, source Source) error {
	w := jsonout.NewIndented(out)
	w.Begin()
	w.KeyString("format_version", "1.0")
	w.KeyBool("valid", !l.HasErrors())
	w.KeyInt("error_count", int64(len(l.Errors())))
	w.KeyInt("warning_count", int64(len(l.Warnings())))
	w.Key("diagnostics")
	w.BeginList()
	q := QuotesOf(source)
	for _, d := range l.Sorted() {
		WriteJSON(w, &d, q)
	}
	w.EndList()
	w.End()
	return w.Err()
}

// ValidateText writes the result of validate for people, diagnostics first.
func ValidateText(out io.Writer, l diag.List, o Options) error {
	if err := Write(out, l, o); err != nil || l.HasErrors() {
		return err
	}
	text := o.Paint("Success!", "1", "32") + " The configuration is valid"
	if len(l) > 0 {
		text += ", but there were some validation warnings as shown above"
	}
	_, err := io.WriteString(out, text+".\n\n")
	return err
}
