package wire

import (
	"github.com/plumb-iac/plumb/provider/wire/tfplugin5"
	"github.com/plumb-iac/plumb/provider/wire/tfplugin6"
)

// lift says a version 5 schema in version 6's messages, which can say all of
// it.
func lift(m *tfplugin5.Schema) *tfplugin6.Schema {
	return &tfplugin6.Schema{Version: m.GetVersion(), Block: liftBlock(m.GetBlock())}
}

func liftBlock(m *tfplugin5.Schema_Block) *tfplugin6.Schema_Block {
	if m == nil {
		return nil
	}
	out := &tfplugin6.Schema_Block{
		Version:            m.Version,
		Description:        m.Description,
		DescriptionKind:    tfplugin6.StringKind(m.DescriptionKind),
		Deprecated:         m.Deprecated,
		DeprecationMessage: m.DeprecationMessage,
	}
	for _, a := range m.Attributes {
		out.Attributes = append(out.Attributes, liftAttribute(a))
	}
	for _, n := range m.BlockTypes {
		out.BlockTypes = append(out.BlockTypes, &tfplugin6.Schema_NestedBlock{
			TypeName: n.GetTypeName(),
			Block:    liftBlock(n.GetBlock()),
			Nesting:  tfplugin6.Schema_NestedBlock_NestingMode(n.GetNesting()),
			MinItems: n.GetMinItems(),
			MaxItems: n.GetMaxItems(),
		})
	}
	return out
}

func liftAttribute(m *tfplugin5.Schema_Attribute) *tfplugin6.Schema_Attribute {
	return &tfplugin6.Schema_Attribute{
		Name:               m.GetName(),
		Type:               m.GetType(),
		Description:        m.GetDescription(),
		DescriptionKind:    tfplugin6.StringKind(m.GetDescriptionKind()),
		Required:           m.GetRequired(),
		Optional:           m.GetOptional(),
		Computed:           m.GetComputed(),
		Sensitive:          m.GetSensitive(),
		WriteOnly:          m.GetWriteOnly(),
		Deprecated:         m.GetDeprecated(),
		DeprecationMessage: m.GetDeprecationMessage(),
	}
}
