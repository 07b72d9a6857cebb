package configjson_test

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/plumb-iac/plumb/addr"
	"github.com/plumb-iac/plumb/config"
	"github.com/plumb-iac/plumb/internal/view/configjson"
	"github.com/plumb-iac/plumb/plan/planjson/jsonout"
	"github.com/plumb-iac/plumb/schema"
	"github.com/zclconf/go-cty/cty"
	"golang.org/x/tools/txtar"
)

var update = flag.Bool("update", false, "rewrite the expected texts in testdata")

// Each story is the files of a configuration and, as the file "want", its JSON.
func TestStories(t *testing.T) {
	stories, _ := filepath.Glob("testdata/*.txtar")
	if len(stories) == 0 {
		t.Fatal("no stories")
	}
	for _, name := range stories {
		t.Run(strings.TrimSuffix(filepath.Base(name), ".txtar"), func(t *testing.T) { story(t, name) })
	}
}

func story(t *testing.T, name string) {
	a, err := txtar.ParseFile(name)
	if err != nil {
		t.Fatal(err)
	}
	files, want := fstest.MapFS{}, -1
	for i, f := range a.Files {
		if f.Name == "want" {
			want = i
			continue
		}
		files[f.Name] = &fstest.MapFile{Data: f.Data}
	}
	tree, diags := config.Load(files, ".", config.LoadOptions{})
	if diags.HasErrors() {
		t.Fatal(diags)
	}
	var b bytes.Buffer
	w := jsonout.NewIndented(&b)
	configjson.Write(w, tree, configjson.Schemas{Resource: schemas})
	if w.Err() != nil {
		t.Fatal(w.Err())
	}
	if *update {
		if want < 0 {
			a.Files = append(a.Files, txtar.File{Name: "want"})
			want = len(a.Files) - 1
		}
		a.Files[want].Data = b.Bytes()
		if err := os.WriteFile(name, txtar.Format(a), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if want < 0 || b.String() != string(a.Files[want].Data) {
		t.Errorf("got\n%s", b.String())
	}
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
