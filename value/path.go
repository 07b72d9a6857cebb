package value

import (
	"errors"
	"strconv"
	"strings"
	"unicode"

	"github.com/zclconf/go-cty/cty"
)

// PathLess is a total order over paths: step by step, attributes before
// indexes.
func PathLess(a, b cty.Path) bool {
	for i := 0; i < len(a) && i < len(b); i++ {
		if sameName(a[i], b[i]) {
			continue // the most common case, without making texts
		}
		x, y := stepText(a[i]), stepText(b[i])
		if x != y {
			return x < y
		}
	}
	return len(a) < len(b)
}

func sameName(a, b cty.PathStep) bool {
	x, ok := a.(cty.GetAttrStep)
	y, both := b.(cty.GetAttrStep)
	return ok && both && x.Name == y.Name
}

// PathString writes a path the way references to it are written:
// `.network[0].tags["a"]`. An index into a set is written "[…]", and an attribute
// whose name is no identifier like an index.
func PathString(p cty.Path) string {
	var b strings.Builder
	for _, s := range p {
		b.WriteString(stepText(s))
	}
	return b.String()
}

// ErrorText is the text of an error, with the path in front at which go-cty found it
// inside a value: `.network[0].port: a number is required`.
func ErrorText(err error) string {
	var at cty.PathError
	if !errors.As(err, &at) || len(at.Path) == 0 {
		return err.Error()
	}
	return PathString(at.Path) + ": " + at.Error()
}

// plain says whether a name can stand behind a full stop.
func plain(name string) bool {
	for i, r := range name {
		if r != '_' && !unicode.IsLetter(r) && (i == 0 || r != '-' && !unicode.In(r, unicode.Nd, unicode.M)) {
			return false
		}
	}
	return name != ""
}

func stepText(s cty.PathStep) string {
	switch s := s.(type) {
	case cty.GetAttrStep:
		if !plain(s.Name) {
			return "[" + strconv.Quote(s.Name) + "]"
		}
		return "." + s.Name
	case cty.IndexStep:
		k := s.Key
		switch {
		case k.IsNull() || !k.IsKnown() || k.IsMarked():
			return "[…]"
		case k.Type() == cty.String:
			return "[" + strconv.Quote(k.AsString()) + "]"
		case k.Type() == cty.Number:
			return "[" + k.AsBigFloat().Text('f', -1) + "]"
		}
	}
	return "[…]"
}
