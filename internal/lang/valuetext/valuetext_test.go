package valuetext_test

import (
	"testing"

	"github.com/plumb-iac/plumb/internal/lang/valuetext"
	"github.com/plumb-iac/plumb/value"
	"github.com/zclconf/go-cty/cty"
)

func TestFormat(t *testing.T) {
	str := cty.StringVal
	tests := []struct {
		v    cty.Value
		want string
	}{
		{str("multi\nline"), "<<EOT\nmulti\nline\nEOT"},
		{str("a\nEOT\nb"), "<<EOT_\na\nEOT\nb\nEOT_"},
		{cty.TupleVal([]cty.Value{str("a\nb")}), "[\n  <<-EOT\n  a\n  b\n  EOT,\n]"},
		{str("\x1b[31mred"), `"\u001b[31mred"`},
		{str("\x1b[2J\ngone"), `"\u001b[2J\ngone"`},
		{str("a\r\nb"), `"a\r\nb"`},
		{str("a\u202eb\u200d漢"), `"a\u202eb\u200d漢"`},
		{str("👨\u200d👩 \U000e0001"), "\"👨\u200d👩 \\U000e0001\""},
		{cty.UnknownVal(cty.String), "(known after apply)"},
		{value.Mark(str("a"), value.Sensitive), "(sensitive value)"},
		{value.Mark(str("a"), value.Ephemeral), "(ephemeral value)"},
		{value.Mark(str("a"), value.Deprecated), `"a"`},
		{cty.NullVal(cty.Map(cty.String)), "tomap(null) /* of string */"},
		{cty.NullVal(cty.List(cty.Number)), "tolist(null) /* of number */"},
		{cty.NullVal(cty.EmptyObject), "null /* object */"},
		{cty.MapVal(map[string]cty.Value{"k": cty.NullVal(cty.Bool)}), "tomap({\n  \"k\" = tobool(null)\n})"},
		{cty.MapValEmpty(cty.String), "tomap({})"},
		{cty.NilVal, "null"},
	}
	for _, tt := range tests {
		if got := valuetext.Format(tt.v, 0); got != tt.want {
			t.Errorf("%#v gives\n%s\nwant\n%s", tt.v, got, tt.want)
		}
	}
}
