package configjson_test

import (
	"bytes"
	"testing"

	"github.com/plumb-iac/plumb/addr"
	"github.com/plumb-iac/plumb/config"
	"github.com/plumb-iac/plumb/internal/view/configjson"
	"github.com/plumb-iac/plumb/plan/planjson/jsonout"
	"github.com/plumb-iac/plumb/schema"
	"github.com/plumb-iac/plumb/test/golden"
	"github.com/zclconf/go-cty/cty"
	"golang.org/x/tools/txtar"
)

// Each story is the files of a configuration and, as the file "want", its JSON.
// A comment that says so has variables told in detail.
func TestStories(t *testing.T) {
	golden.Stories(t, "testdata/*.txtar", func(t *testing.T, a *txtar.Archive) string {
		tree, diags := config.Load(golden.FS(a), ".", config.LoadOptions{})
		if diags.HasErrors() {
			t.Fatal(diags)
		}
		var b bytes.Buffer
		w := jsonout.NewIndented(&b)
		configjson.Write(w, tree, configjson.Options{
			Schemas:        configjson.Schemas{Resource: schemas},
			VariableDetail: bytes.Contains(a.Comment, []byte("in detail")),
		})
		if w.Err() != nil {
			t.Fatal(w.Err())
		}
		return b.String()
	})
}

// disk has every nesting of blocks.
var disk = &schema.Resource{Version: 2, Block: schema.NewBlock(
	[]*schema.Attribute{{Name: "size", Type: cty.Number}, {Name: "label", Type: cty.String}},
	[]*schema.Nested{
		{Name: "part", Nesting: schema.List, Block: schema.NewBlock([]*schema.Attribute{{Name: "at", Type: cty.String}}, nil)},
		{Name: "limit", Nesting: schema.Single, Block: schema.NewBlock([]*schema.Attribute{{Name: "n", Type: cty.Number}}, nil)},
		{Name: "tag", Nesting: schema.Map, Block: schema.NewBlock([]*schema.Attribute{{Name: "v", Type: cty.String}}, nil)},
	})}

func schemas(_ addr.Provider, _ addr.Mode, typeName string) *schema.Resource {
	if typeName == "test_disk" {
		return disk
	}
	dyn := cty.DynamicPseudoType
	return &schema.Resource{Block: schema.NewBlock([]*schema.Attribute{
		{Name: "id", Type: cty.String}, {Name: "input", Type: dyn}, {Name: "output", Type: dyn}, {Name: "triggers_replace", Type: dyn},
	}, nil)}
}
