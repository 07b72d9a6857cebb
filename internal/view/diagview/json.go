package diagview

import (
	"encoding/json"
	"io"
	"strings"

	"github.com/plumb-iac/plumb/diag"
	"github.com/plumb-iac/plumb/plan/planjson/jsonout"
)

// WriteJSON writes one diagnostic as an object.
func WriteJSON(w *jsonout.Writer, d *diag.Diag, source Source) {
	w.Begin()
	w.KeyString("severity", d.Severity.String())
	w.KeyString("summary", d.Summary)
	w.KeyString("detail", d.Detail)
	w.KeyFilled("address", d.Address)
	if d.Subject != nil {
		writeRange(w, d, source)
	}
	w.End()
}

func writeRange(w *jsonout.Writer, d *diag.Diag, source Source) {
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
	if s, ok := cut(d, source); ok {
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
	w.End()
}

func writeCall(w *jsonout.Writer, c *diag.Call) {
	w.Key("function_call")
	w.Begin()
	w.KeyString("called_as", c.Name)
	if len(c.Signature) > 0 {
		w.Key("signature")
		w.Raw(c.Signature)
	}
	w.End()
}

// parameters are the parameter names of a function's JSON signature.
func parameters(signature []byte) string {
	type parameter struct{ Name string }
	var s struct {
		Parameters []parameter `json:"parameters"`
		Variadic   *parameter  `json:"variadic_parameter"`
	}
	if json.Unmarshal(signature, &s) != nil {
		return ""
	}
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
	for _, d := range l.Sorted() {
		WriteJSON(w, &d, source)
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
