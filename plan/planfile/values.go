package planfile

import (
	"errors"
	"fmt"

	"github.com/plumb-iac/plumb/value"
	"github.com/zclconf/go-cty/cty"
	ctyjson "github.com/zclconf/go-cty/cty/json"
	"github.com/zclconf/go-cty/cty/msgpack"
)

// valueRow is a value: its type's number, its msgpack form, and its marks.
type valueRow struct {
	Type  int       `json:"t"`
	Value []byte    `json:"v"`
	Marks []markRow `json:"m,omitempty"`
}

type markRow struct {
	Path  pathRow    `json:"p,omitempty"`
	Kinds value.Kind `json:"k"`
	Note  string     `json:"n,omitempty"`
}

// pathRow is a path: an attribute is its name, an index an object.
type pathRow []stepRow

type stepRow struct {
	Attr  *string   `json:"a,omitempty"`
	Index *valueRow `json:"i,omitempty"`
}

// typeTable numbers types: a plan has few of them and many values.
type typeTable struct {
	texts []string
	byTop map[string]int
	last  []numbered
}

type numbered struct {
	ty cty.Type
	n  int
}

// recent is how many types are remembered without their text: values of one
// resource come one after the other.
const recent = 4

func newTypeTable() *typeTable { return &typeTable{byTop: map[string]int{}} }

func (t *typeTable) number(ty cty.Type) (int, error) {
	for _, l := range t.last {
		if l.ty.Equals(ty) {
			return l.n, nil
		}
	}
	text, err := ctyjson.MarshalType(ty)
	if err != nil {
		return 0, err
	}
	n, known := t.byTop[string(text)]
	if !known {
		n = len(t.texts)
		t.texts = append(t.texts, string(text))
		t.byTop[string(text)] = n
	}
	if len(t.last) == recent {
		t.last = t.last[1:]
	}
	t.last = append(t.last, numbered{ty, n})
	return n, nil
}

// encoder makes rows of a plan; the first error stays in err.
type encoder struct {
	types *typeTable
	err   error
}

func (e *encoder) fail(err error) {
	if e.err == nil {
		e.err = err
	}
}

func (e *encoder) value(v value.V) *valueRow {
	if v == cty.NilVal {
		return nil
	}
	bare, marks := value.Split(v)
	row := e.bare(bare)
	for _, m := range marks {
		if m.Kinds&(value.Ephemeral|value.Poison) != 0 {
			e.fail(errors.New("P4: a value that may not be stored reached the plan file"))
		}
		row.Marks = append(row.Marks, markRow{e.path(m.Path), m.Kinds, m.Note})
	}
	return row
}

func (e *encoder) bare(b value.Bare) *valueRow {
	if b.IsZero() {
		return nil
	}
	v := b.Cty()
	n, err := e.types.number(v.Type())
	e.fail(err)
	raw, err := msgpack.Marshal(v, v.Type())
	e.fail(err)
	return &valueRow{Type: n, Value: raw}
}

func (e *encoder) path(p cty.Path) pathRow {
	var out pathRow
	for _, s := range p {
		switch s := s.(type) {
		case cty.GetAttrStep:
			name := s.Name
			out = append(out, stepRow{Attr: &name})
		case cty.IndexStep:
			out = append(out, stepRow{Index: e.value(s.Key)})
		}
	}
	return out
}

func (e *encoder) paths(ps []cty.Path) []pathRow {
	var out []pathRow
	for _, p := range ps {
		out = append(out, e.path(p))
	}
	return out
}

// decoder is encoder's way back.
type decoder struct {
	types []cty.Type
	err   error
}

func (d *decoder) fail(err error) {
	if d.err == nil {
		d.err = err
	}
}

func (d *decoder) readTypes(texts []string) error {
	for _, t := range texts {
		ty, err := value.TypeFromJSON([]byte(t))
		if err != nil {
			return err
		}
		d.types = append(d.types, ty)
	}
	return nil
}

func (d *decoder) value(row *valueRow) value.V {
	if row == nil {
		return cty.NilVal
	}
	b := d.bare(row)
	if b.IsZero() {
		return cty.NilVal
	}
	var marks value.Marks
	for _, m := range row.Marks {
		marks = append(marks, value.PathMark{Path: d.path(m.Path), Kinds: m.Kinds, Note: m.Note})
	}
	return value.Join(b, marks)
}

func (d *decoder) bare(row *valueRow) value.Bare {
	if row == nil {
		return value.Bare{}
	}
	if row.Type < 0 || row.Type >= len(d.types) {
		d.fail(fmt.Errorf("a value has type number %d of %d", row.Type, len(d.types)))
		return value.Bare{}
	}
	v, err := msgpack.Unmarshal(row.Value, d.types[row.Type])
	if err != nil {
		d.fail(err)
		return value.Bare{}
	}
	return value.MustBare(v)
}

func (d *decoder) path(row pathRow) cty.Path {
	var out cty.Path
	for _, s := range row {
		switch {
		case s.Attr != nil:
			out = append(out, cty.GetAttrStep{Name: *s.Attr})
		case s.Index != nil:
			if k := d.value(s.Index); k != cty.NilVal {
				out = append(out, cty.IndexStep{Key: k})
			}
		}
	}
	return out
}

func (d *decoder) paths(rows []pathRow) []cty.Path {
	var out []cty.Path
	for _, r := range rows {
		out = append(out, d.path(r))
	}
	return out
}
