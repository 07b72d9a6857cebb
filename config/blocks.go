package config

import "github.com/hashicorp/hcl/v2"

// kinds are the top-level block types of module files: how each looks and who
// decodes it.
func kinds() []kind {
	return []kind{
		{block("terraform"), (*decoder).terraform},
		{block("language"), (*decoder).language},
		{block("required_providers"), (*decoder).strayRequired},
		{block("provider", "name"), (*decoder).provider},
		{block("variable", "name"), (*decoder).variable},
		{block("locals"), (*decoder).localValues},
		{block("output", "name"), (*decoder).output},
		{block("module", "name"), (*decoder).call},
		{block("resource", "type", "name"), (*decoder).managed},
		{block("data", "type", "name"), (*decoder).data},
		{block("ephemeral", "type", "name"), (*decoder).ephemeral},
		{block("action", "type", "name"), (*decoder).action},
		{block("check", "name"), (*decoder).check},
		{block("moved"), (*decoder).move},
		{block("removed"), (*decoder).remove},
		{block("import"), (*decoder).importing},
	}
}

type kind struct {
	header hcl.BlockHeaderSchema
	decode func(*decoder, *hcl.Block, *declared)
}

// queryKinds are the block types of query files.
func queryKinds() []kind {
	return []kind{
		{block("provider", "name"), (*decoder).provider},
		{block("variable", "name"), (*decoder).variable},
		{block("locals"), (*decoder).localValues},
		{block("list", "type", "name"), (*decoder).list},
	}
}

// dispatch is a table of kinds made ready for decoding.
type dispatch struct {
	schema *hcl.BodySchema
	by     map[string]kind
}

func newDispatch(table []kind) *dispatch {
	t := &dispatch{schema: &hcl.BodySchema{}, by: map[string]kind{}}
	for _, k := range table {
		t.schema.Blocks = append(t.schema.Blocks, k.header)
		t.by[k.header.Type] = k
	}
	return t
}

func (d *decoder) decodeFile(body hcl.Body) *declared {
	table := d.kinds
	if d.query {
		table = newDispatch(queryKinds())
	}
	out := &declared{override: d.override}
	for _, b := range d.content(body, table.schema).Blocks {
		table.by[b.Type].decode(d, b, out)
	}
	return out
}
