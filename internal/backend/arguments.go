package backend

import (
	"maps"

	"github.com/zclconf/go-cty/cty"
)

// Argument is one that the blocks of a backend can have.
type Argument struct {
	Name string
	// Type is what its value is converted to.
	Type cty.Type
	// Env is the environment variable that gives the value where nothing else
	// does; "" for none.
	Env string
}

// Arguments are the values of a backend's arguments by name: known, without
// marks, and of the argument's type. One that is not set is absent.
type Arguments map[string]cty.Value

// Has says whether an argument is set.
func (a Arguments) Has(name string) bool { _, has := a[name]; return has }

// Text is the value of an argument that is a string, "" where it is not set.
func (a Arguments) Text(name string) string {
	if v, has := a[name]; has {
		return v.AsString()
	}
	return ""
}

// Equal says whether the same arguments have the same values.
func (a Arguments) Equal(b Arguments) bool {
	return maps.EqualFunc(a, b, func(x, y cty.Value) bool { return x.RawEquals(y) })
}

// Mistake is something wrong with a backend's arguments.
type Mistake struct {
	// Argument is the one that is wrong, or missing.
	Argument        string
	Summary, Detail string
}
