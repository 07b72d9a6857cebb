package process

import (
	"encoding/binary"
	"errors"
	"hash/crc32"
	"os"
	"path/filepath"
	"slices"

	"github.com/plumb-iac/plumb/provider/wire"
)

// cacheMagic begins a schema file: the format's name and version.
const cacheMagic = "plumb schema 2\n"

// remembered is an answer with the surroundings that it was given in.
type remembered struct {
	wire.Answer
	surroundings []surroundings
}

// knows says whether the answer was given in these surroundings.
func (r remembered) knows(s surroundings) bool { return slices.Contains(r.surroundings, s) }

// surroundingsKept bounds the surroundings of one answer: the latest stay.
const surroundingsKept = 64

var errCacheFile = errors.New("not a whole schema file")

// encodeAnswer writes an answer as a file: magic, protocol version, how many
// surroundings follow, these, length and bytes of the schema, the identities'
// bytes, and a checksum of it all.
func encodeAnswer(r remembered) []byte {
	known := r.surroundings[max(0, len(r.surroundings)-surroundingsKept):]
	out := make([]byte, 0, len(cacheMagic)+len(r.Schema)+len(r.Identity)+len(known)*len(surroundings{})+16)
	out = append(out, cacheMagic...)
	out = append(out, byte(r.Protocol), byte(len(known)))
	for _, k := range known {
		out = append(out, k[:]...)
	}
	out = binary.BigEndian.AppendUint64(out, uint64(len(r.Schema)))
	out = append(out, r.Schema...)
	out = append(out, r.Identity...)
	return binary.BigEndian.AppendUint32(out, checksum(out))
}

func decodeAnswer(raw []byte) (remembered, error) {
	var r remembered
	fixed := len(cacheMagic) + 2
	if len(raw) < fixed+4 || string(raw[:len(cacheMagic)]) != cacheMagic {
		return r, errCacheFile
	}
	body, sum := raw[:len(raw)-4], binary.BigEndian.Uint32(raw[len(raw)-4:])
	known := int(raw[fixed-1])
	head := fixed + known*len(surroundings{}) + 8
	if checksum(body) != sum || head > len(body) {
		return r, errCacheFile
	}
	n := binary.BigEndian.Uint64(raw[head-8 : head])
	if n > uint64(len(body)-head) {
		return r, errCacheFile
	}
	for i := range known {
		r.surroundings = append(r.surroundings, surroundings(body[fixed+i*len(surroundings{}):]))
	}
	r.Protocol = wire.Protocol(raw[len(cacheMagic)])
	r.Schema, r.Identity = body[head:head+int(n)], body[head+int(n):]
	return r, nil
}

func checksum(p []byte) uint32 {
	return crc32.Checksum(p, crc32.MakeTable(crc32.Castagnoli))
}

// replaceFile puts a whole file in place or leaves the old one. That it cannot
// is no harm: the file only saves time.
func replaceFile(path string, content []byte) {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return
	}
	f, err := os.CreateTemp(filepath.Dir(path), ".new-*")
	if err != nil {
		return
	}
	_, err = f.Write(content)
	if cerr := f.Close(); err == nil {
		err = cerr
	}
	if err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		_ = os.Remove(f.Name())
	}
}
