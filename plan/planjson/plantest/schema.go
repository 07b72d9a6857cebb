package plantest

import (
	"encoding/json"
	"fmt"
	"slices"

	"github.com/plumb-iac/plumb/schema"
	"github.com/zclconf/go-cty/cty"
	ctyjson "github.com/zclconf/go-cty/cty/json"
)

// block is a block's schema as it is written down.
type block struct {
	Attributes map[string]attribute `json:"attributes"`
	Blocks     map[string]nested    `json:"blocks"`
}

type attribute struct {
	Type json.RawMessage `json:"type"`
	// Nesting and Attributes are those of a structural attribute.
	Nesting    string               `json:"nesting"`
	Attributes map[string]attribute `json:"attributes"`
	Flags      []string             `json:"flags"`
}

type nested struct {
	block
	Nesting string `json:"nesting"`
}

var nestings = map[string]schema.Nesting{
	"single": schema.Single, "group": schema.Group, "list": schema.List, "set": schema.Set, "map": schema.Map,
}

func (b block) build() (*schema.Block, error) {
	attrs, err := buildAll(b.Attributes)
	if err != nil {
		return nil, err
	}
	var blocks []*schema.Nested
	for name, n := range b.Blocks {
		inner, err := n.build()
		if err != nil {
			return nil, err
		}
		blocks = append(blocks, &schema.Nested{Name: name, Nesting: nestings[n.Nesting], Block: inner})
	}
	return schema.NewBlock(attrs, blocks), nil
}

func buildAll(all map[string]attribute) ([]*schema.Attribute, error) {
	var out []*schema.Attribute
	for name, a := range all {
		built, err := a.build(name)
		if err != nil {
			return nil, err
		}
		out = append(out, built)
	}
	return out, nil
}

func (a attribute) build(name string) (*schema.Attribute, error) {
	out := &schema.Attribute{
		Name: name, Optional: true,
		Computed: slices.Contains(a.Flags, "computed"), Sensitive: slices.Contains(a.Flags, "sensitive"), WriteOnly: slices.Contains(a.Flags, "write-only"),
	}
	if a.Nesting != "" {
		parts, err := buildAll(a.Attributes)
		if err != nil {
			return nil, err
		}
		out.Nested = schema.NewObject(nestings[a.Nesting], parts)
		return out, nil
	}
	out.Type = cty.String
	if len(a.Type) > 0 {
		t, err := ctyjson.UnmarshalType(a.Type)
		if err != nil {
			return nil, fmt.Errorf("the type of %s: %w", name, err)
		}
		out.Type = t
	}
	return out, nil
}
