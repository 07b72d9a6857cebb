package value_test

import (
	"testing"

	"github.com/plumb-iac/plumb/value"
	"github.com/zclconf/go-cty/cty"
)

func TestPathString(t *testing.T) {
	for want, p := range map[string]cty.Path{
		`.network[0].tags["a"]`:     cty.GetAttrPath("network").IndexInt(0).GetAttr("tags").IndexString("a"),
		`.free["a.b-c"]["\x1b[2J"]`: cty.GetAttrPath("free").GetAttr("a.b-c").GetAttr("\x1b[2J"),
		`.größe_2["say \"hi\""]`:    cty.GetAttrPath("größe_2").IndexString(`say "hi"`),
		`.set[…]`:                   cty.GetAttrPath("set").Index(cty.ObjectVal(map[string]cty.Value{"a": cty.True})),
	} {
		if got := value.PathString(p); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}
