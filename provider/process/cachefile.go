package process

import (
	"encoding/binary"
	"errors"
	"hash/crc32"
	"os"
	"path/filepath"

	"github.com/plumb-iac/plumb/provider/wire"
)

// cacheMagic begins a schema file: the format's name and version.
const cacheMagic = "plumb schema 1\n"

var errCacheFile = errors.New("not a whole schema file")

// encodeAnswer writes an answer as a file: magic, protocol version, length and
// bytes of the schema, the identities' bytes, and a checksum of it all.
func encodeAnswer(a wire.Answer) []byte {
	out := make([]byte, 0, len(cacheMagic)+len(a.Schema)+len(a.Identity)+16)
	out = append(out, cacheMagic...)
	out = append(out, byte(a.Protocol))
	out = binary.BigEndian.AppendUint64(out, uint64(len(a.Schema)))
	out = append(out, a.Schema...)
	out = append(out, a.Identity...)
	return binary.BigEndian.AppendUint32(out, checksum(out))
}

func decodeAnswer(raw []byte) (wire.Answer, error) {
	var a wire.Answer
	head := len(cacheMagic) + 1 + 8
	if len(raw) < head+4 || string(raw[:len(cacheMagic)]) != cacheMagic {
		return a, errCacheFile
	}
	body, sum := raw[:len(raw)-4], binary.BigEndian.Uint32(raw[len(raw)-4:])
	n := binary.BigEndian.Uint64(raw[head-8 : head])
	if checksum(body) != sum || n > uint64(len(body)-head) {
		return a, errCacheFile
	}
	a.Protocol = wire.Protocol(raw[len(cacheMagic)])
	a.Schema, a.Identity = body[head:head+int(n)], body[head+int(n):]
	return a, nil
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
