package human_test

import (
	"strings"
	"testing"

	"github.com/plumb-iac/plumb/addr"
	"github.com/plumb-iac/plumb/internal/query"
	"github.com/plumb-iac/plumb/internal/view/human"
	"github.com/plumb-iac/plumb/value"
	"github.com/zclconf/go-cty/cty"
)

func TestListsStandInColumns(t *testing.T) {
	at, err := addr.ParseInstance(`list.x_disk.all`)
	if err != nil {
		t.Fatal(err)
	}
	object := func(name string, attrs map[string]cty.Value) *query.Object {
		return &query.Object{DisplayName: name, Identity: value.MustBare(cty.ObjectVal(attrs))}
	}
	var b strings.Builder
	l := human.Lists{Out: &b}
	l.Ended(&query.List{Addr: at})
	l.Ended(&query.List{Addr: at, Found: []*query.Object{
		object("one", map[string]cty.Value{"id": cty.StringVal("x-1"), "n": cty.NumberIntVal(7), "z": cty.NullVal(cty.String)}),
		object("another\x1b[2J", map[string]cty.Value{"id": cty.StringVal("x"), "ok": cty.True}),
	}})
	want := "list.x_disk.all   id=x-1,n=7,z=   one\nlist.x_disk.all   id=x,ok=true    another␛[2J\n\n"
	if b.String() != want {
		t.Errorf("got %q, want %q", b.String(), want)
	}
}
