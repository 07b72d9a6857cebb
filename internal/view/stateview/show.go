package stateview

import (
	"io"
	"strings"

	"github.com/plumb-iac/plumb/addr"
	"github.com/plumb-iac/plumb/internal/lang/valuetext"
	"github.com/plumb-iac/plumb/internal/view"
	"github.com/plumb-iac/plumb/internal/view/diff"
	"github.com/plumb-iac/plumb/internal/view/diffview"
	"github.com/plumb-iac/plumb/plan/planjson"
	"github.com/plumb-iac/plumb/schema"
	"github.com/plumb-iac/plumb/state"
	"github.com/plumb-iac/plumb/value"
)

// whole shows values as they are.
var whole = diffview.Manner{All: true, Quiet: true}

// Show writes a whole state; nil is no state.
func Show(out io.Writer, s *state.Snapshot, schemas planjson.Schemas, style view.Style) error {
	if s == nil {
		_, err := io.WriteString(out, "No state.\n")
		return err
	}
	w := writer{Painter: diffview.Painter{Style: style}, schemas: schemas}
	w.objects(s)
	w.outputs(s)
	if w.b.Len() == 0 {
		w.b.WriteString("The state file is empty. No resources are represented.\n")
	}
	_, err := io.WriteString(out, w.b.String())
	return err
}

// Instance writes the current object of one instance. It writes nothing and
// says false when there is none.
func Instance(out io.Writer, s *state.Snapshot, a addr.AbsInstance, schemas planjson.Schemas, style view.Style) (bool, error) {
	i := s.Instance(a)
	if i == nil || i.Current() == nil {
		return false, nil
	}
	w := writer{Painter: diffview.Painter{Style: style}, schemas: schemas}
	w.object(addr.Object{Instance: a}, i.Current(), i.Provider().Provider)
	_, err := io.WriteString(out, w.b.String())
	return true, err
}

type writer struct {
	diffview.Painter
	b       strings.Builder
	schemas planjson.Schemas
}

func (w *writer) objects(s *state.Snapshot) {
	var module addr.ModuleInstance
	for r := range s.Resources() {
		for i := range r.Instances() {
			for key, o := range i.Objects() {
				switch {
				case w.b.Len() == 0:
				case r.Addr().Module != module:
					w.b.WriteString("\n\n")
				default:
					w.b.WriteString("\n")
				}
				module = r.Addr().Module
				w.object(addr.Object{Instance: r.Addr().Instance(i.Key()), Deposed: key}, o, i.Provider().Provider)
			}
		}
	}
}

func (w *writer) object(at addr.Object, o *state.Object, p addr.Provider) {
	w.b.WriteString("# " + at.Instance.String() + ":" + condition(at, o) + "\n")
	r := at.Instance.Resource
	keyword := "resource"
	if r.Mode == addr.Data {
		keyword = "data"
	}
	w.b.WriteString(keyword + " " + valuetext.Quote(r.Type) + " " + valuetext.Quote(r.Name) + " " + w.content(r, o, p) + "\n")
}

// condition tells deposed and tainted objects from others.
func condition(at addr.Object, o *state.Object) string {
	text := ""
	if at.Deposed != "" {
		text = " (deposed object " + string(at.Deposed) + ")"
	}
	if o.Status == state.Tainted {
		text += " (tainted)"
	}
	return text
}

func (w *writer) content(r addr.Resource, o *state.Object, p addr.Provider) string {
	var s *schema.Resource
	if w.schemas != nil {
		s = w.schemas(p, r.Mode, r.Type)
	}
	v, err := planjson.Decode(o, s)
	if err != nil {
		return "{\n    # " + err.Error() + "\n}"
	}
	block := diff.SchemaOf(v)
	if planjson.Fits(v, s) {
		block = s.Block
	}
	return w.Block(diff.Resource(block, v, v, diff.Options{}), -1, whole)
}

func (w *writer) outputs(s *state.Snapshot) {
	first := true
	for name, o := range s.Outputs() {
		if first {
			w.b.WriteString("\n\nOutputs:\n\n")
			first = false
		}
		v := o.Value
		if o.Sensitive {
			v = value.Mark(v, value.Sensitive)
		}
		w.b.WriteString(name + " = " + w.Value(diff.Value(v.Type(), v, v), -1, whole) + "\n")
	}
}
