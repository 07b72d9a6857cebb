package generate_test

import (
	"testing"

	"github.com/plumb-iac/plumb/addr"
	"github.com/plumb-iac/plumb/internal/generate"
	"github.com/plumb-iac/plumb/schema"
	"github.com/plumb-iac/plumb/value"
	"github.com/zclconf/go-cty/cty"
)

func TestImport(t *testing.T) {
	identity := schema.NewObject(schema.Single, []*schema.Attribute{str("id"), str("realm"), {Name: "n", Type: cty.Number, Optional: true}})
	v := value.MustBare(cty.ObjectVal(map[string]cty.Value{"id": cty.StringVal(`a"${b}`), "realm": cty.NullVal(cty.String), "n": cty.NumberIntVal(3)}))
	at := addr.Resource{Mode: addr.Managed, Type: "x_thing", Name: "a"}
	for provider, want := range map[string]string{
		"":    "import {\n  to = x_thing.a\n  identity = {\n    id = \"a\\\"$${b}\"\n    n  = 3\n  }\n}",
		"x.y": "import {\n  to       = x_thing.a\n  provider = x.y\n  identity = {\n    id = \"a\\\"$${b}\"\n    n  = 3\n  }\n}",
	} {
		if got := generate.Import(generate.ImportSubject{To: at, Provider: provider, Identity: identity}, v); got != want {
			t.Errorf("got\n%s\nwant\n%s", got, want)
		}
	}
}
