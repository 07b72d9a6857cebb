package state

import (
	"encoding/binary"

	"github.com/plumb-iac/plumb/addr"
)

// sortKey is a resource address as bytes that compare like the addresses do
// (addr.AbsResource.Less), because comparing addresses inside modules takes
// them apart each time.
type sortKey string

// Less orders as bytes.
func (k sortKey) Less(o sortKey) bool { return k < o }

// The bytes that structure a sort key. A module step is greater than the end
// of the path, so that parents come before their children.
const (
	endOfPath  = 0x00
	moduleStep = 0x01
	endOfName  = 0x00
	noKey      = 0x01
	intKey     = 0x02
	stringKey  = 0x03
	anyKey     = 0x04 // of addresses to look for: nothing has it
	escaped    = 0xff
)

func sortKeyOf(a addr.AbsResource) sortKey {
	var room [96]byte
	b := room[:0]
	if !a.Module.IsRoot() {
		for _, s := range a.Module.Steps() {
			b = append(append(append(b, moduleStep), s.Name...), endOfName)
			b = appendInstanceKey(b, s.Key)
		}
	}
	b = append(b, endOfPath, ^byte(a.Resource.Mode))
	b = append(append(b, a.Resource.Type...), endOfName)
	return sortKey(append(b, a.Resource.Name...))
}

func appendInstanceKey(b []byte, k addr.InstanceKey) []byte {
	if n, ok := k.Int(); ok {
		return binary.BigEndian.AppendUint64(append(b, intKey), uint64(n)^1<<63)
	}
	if k.IsAny() {
		return append(b, anyKey)
	}
	s, ok := k.Str()
	if !ok {
		return append(b, noKey)
	}
	b = append(b, stringKey)
	for i := 0; i < len(s); i++ {
		b = append(b, s[i])
		if s[i] == 0 {
			b = append(b, escaped)
		}
	}
	return append(b, 0, endOfName)
}

// nameKey orders outputs by name.
type nameKey string

// Less orders alphabetically.
func (k nameKey) Less(o nameKey) bool { return k < o }
