package schema

import (
	"sort"

	"github.com/zclconf/go-cty/cty"
)

// Nesting is how nested objects are arranged.
type Nesting uint8

// The nestings. Group is a block that is always there, with nothing set when
// it was not written. The zero value is invalid.
const (
	InvalidNesting Nesting = iota
	Single
	Group
	List
	Set
	Map
)

// String is the word of the schema JSON.
func (n Nesting) String() string {
	return [...]string{"invalid", "single", "group", "list", "set", "map"}[n]
}

// Attribute is one argument or result.
type Attribute struct {
	Name string
	// Type is the attribute's type; for a structural attribute NewBlock and
	// NewObject fill it in from Nested.
	Type cty.Type
	// Nested describes a structural attribute; nil for a plain one.
	Nested *Object

	Required, Optional, Computed bool
	Sensitive, WriteOnly         bool
	Deprecated                   bool
	DeprecationMessage           string
	Description                  string
	// Markdown says that Description is Markdown.
	Markdown bool
}

// Object is the inner schema of a structural attribute.
type Object struct {
	Nesting    Nesting
	Attributes map[string]*Attribute
	names      []string
}

// Nested is a nested block type.
type Nested struct {
	Name    string
	Nesting Nesting
	Block   *Block
	// MinItems and MaxItems bound the number of blocks; MaxItems 0 is no bound.
	MinItems, MaxItems int
	// Computed blocks may be filled in by the provider.
	Computed bool
}

// Block is the body of a resource, provider or nested block.
type Block struct {
	Attributes         map[string]*Attribute
	Blocks             map[string]*Nested
	Description        string
	Markdown           bool
	Deprecated         bool
	DeprecationMessage string

	attrNames, blockNames []string
	implied               cty.Type
	sensitive, writeOnly  bool
}

// Empty is a block without any content.
var Empty = NewBlock(nil, nil)

// NewBlock finishes a block of attributes and nested blocks.
func NewBlock(attrs []*Attribute, blocks []*Nested) *Block {
	b := &Block{Attributes: make(map[string]*Attribute, len(attrs)), Blocks: make(map[string]*Nested, len(blocks))}
	types := make(map[string]cty.Type, len(attrs)+len(blocks))
	for _, a := range attrs {
		finish(a)
		b.Attributes[a.Name] = a
		b.attrNames = append(b.attrNames, a.Name)
		types[a.Name] = a.Type
		b.sensitive = b.sensitive || a.anywhere(func(a *Attribute) bool { return a.Sensitive })
		b.writeOnly = b.writeOnly || a.anywhere(func(a *Attribute) bool { return a.WriteOnly })
	}
	for _, n := range blocks {
		b.Blocks[n.Name] = n
		b.blockNames = append(b.blockNames, n.Name)
		types[n.Name] = n.Type()
		b.sensitive = b.sensitive || n.Block.sensitive
		b.writeOnly = b.writeOnly || n.Block.writeOnly
	}
	sort.Strings(b.attrNames)
	sort.Strings(b.blockNames)
	b.implied = cty.Object(types)
	return b
}

// NewObject finishes the schema of a structural attribute.
func NewObject(nesting Nesting, attrs []*Attribute) *Object {
	o := &Object{Nesting: nesting, Attributes: make(map[string]*Attribute, len(attrs))}
	for _, a := range attrs {
		finish(a)
		o.Attributes[a.Name] = a
		o.names = append(o.names, a.Name)
	}
	sort.Strings(o.names)
	return o
}

func finish(a *Attribute) {
	if a.Nested != nil {
		a.Type = a.Nested.Type()
	}
}

// Names are the attributes' names, sorted.
func (o *Object) Names() []string { return o.names }

// Element is the type of one nested object.
func (o *Object) Element() cty.Type {
	types := make(map[string]cty.Type, len(o.names))
	for name, a := range o.Attributes {
		types[name] = a.Type
	}
	return cty.Object(types)
}

// Type is the type of the whole attribute. A collection whose elements hold values of
// dynamic type is a tuple or an object, so its type is dynamic.
func (o *Object) Type() cty.Type {
	return nestedType(o.Nesting, o.Element())
}

// Type is the type of all blocks of this type together.
func (n *Nested) Type() cty.Type { return nestedType(n.Nesting, n.Block.Type()) }

func nestedType(n Nesting, element cty.Type) cty.Type {
	collection := n == List || n == Set || n == Map
	switch {
	case collection && element.HasDynamicTypes():
		return cty.DynamicPseudoType
	case n == List:
		return cty.List(element)
	case n == Set:
		return cty.Set(element)
	case n == Map:
		return cty.Map(element)
	}
	return element
}

// Type is the type of an object of this schema.
func (b *Block) Type() cty.Type { return b.implied }

// AttrNames are the attributes' names, sorted.
func (b *Block) AttrNames() []string { return b.attrNames }

// BlockNames are the nested block types' names, sorted.
func (b *Block) BlockNames() []string { return b.blockNames }

// HasSensitive says whether any attribute at any depth is sensitive.
func (b *Block) HasSensitive() bool { return b.sensitive }

// HasWriteOnly says whether any attribute at any depth is write-only.
func (b *Block) HasWriteOnly() bool { return b.writeOnly }

func (a *Attribute) anywhere(is func(*Attribute) bool) bool {
	if is(a) {
		return true
	}
	if a.Nested == nil {
		return false
	}
	for _, n := range a.Nested.Attributes {
		if n.anywhere(is) {
			return true
		}
	}
	return false
}

// Resource is the schema of a resource type, data source, ephemeral resource
// or provider configuration.
type Resource struct {
	Version int64
	Block   *Block
	// Identity is nil when the type has no resource identity.
	Identity        *Object
	IdentityVersion int64
}

// Function is the signature of a provider function.
type Function struct {
	Parameters         []Parameter
	Variadic           *Parameter
	Return             cty.Type
	Summary            string
	Description        string
	DeprecationMessage string
}

// Parameter is one parameter of a function.
type Parameter struct {
	Name                    string
	Type                    cty.Type
	AllowNull, AllowUnknown bool
	Description             string
}
