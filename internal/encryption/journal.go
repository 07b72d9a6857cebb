package encryption

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/json"
	"hash/crc32"
)

// journalMagic begins an encrypted journal. Frames follow it, each its length, its
// bytes and a checksum of them: first the head in the clear, then what was
// appended, encrypted frame by frame. The order of what is inside is for the
// journal's own records to prove.
const journalMagic = "plumb encrypted journal 1\n"

// journalHead is what is needed to decrypt the frames.
type journalHead struct {
	Meta metas `json:"meta"`
}

// Journal encrypts what is appended to a new journal.
type Journal struct {
	// Head is what the journal begins with.
	Head []byte
	ctx  context.Context
	t    *Target
}

// NewJournal begins a journal; it gives nil where journals are not encrypted.
// Later calls end with ctx.
func (t *Target) NewJournal(ctx context.Context) (*Journal, error) {
	if t.Plain() {
		return nil, nil
	}
	_, kept, err := t.seal(ctx, []byte("plumb"))
	if err != nil {
		return nil, err
	}
	head, err := json.Marshal(journalHead{kept})
	if err != nil {
		return nil, err
	}
	return &Journal{appendFrame([]byte(journalMagic), head), ctx, t}, nil
}

// Seal gives what to append for records.
func (j *Journal) Seal(records []byte) ([]byte, error) {
	sealed, _, err := j.t.seal(j.ctx, records)
	if err != nil {
		return nil, err
	}
	return appendFrame(nil, sealed), nil
}

// EncryptedJournal says whether a journal is an encrypted one.
func EncryptedJournal(src []byte) bool { return bytes.HasPrefix(src, []byte(journalMagic)) }

// OpenJournal gives the records of a journal: those of the longest sequence of
// whole frames. Errors are of the type *[Problem].
func (t *Target) OpenJournal(ctx context.Context, src []byte) (Opened, error) {
	switch encrypted := EncryptedJournal(src); {
	case !encrypted && t == nil, len(src) == 0:
		return Opened{Plain: src}, nil
	case !encrypted:
		allowed, stale := t.takesPlain()
		if !allowed {
			return Opened{}, t.refused()
		}
		return Opened{Plain: src, Stale: stale}, nil
	case t == nil:
		return Opened{}, problem("The journal is encrypted", "It can not be read without an encryption configuration. Add the encryption block or the TF_ENCRYPTION that it was written with.")
	}
	return t.openFrames(ctx, src[len(journalMagic):])
}

func (t *Target) openFrames(ctx context.Context, rest []byte) (Opened, error) {
	var head journalHead
	text, rest, whole := splitFrame(rest)
	if !whole || json.Unmarshal(text, &head) != nil {
		return Opened{}, problem("The journal is damaged", "Its beginning cannot be read, so what it holds cannot be decrypted.")
	}
	var out Opened
	for {
		var sealed []byte
		if sealed, rest, whole = splitFrame(rest); !whole {
			out.Torn, out.Cut = len(rest) > 0, cut(rest)
			return out, nil
		}
		plain, stale, err := t.open(ctx, sealed, head.Meta)
		if err != nil {
			return Opened{}, err
		}
		out.Plain, out.Stale = append(out.Plain, plain...), stale
	}
}

func appendFrame(dst, b []byte) []byte {
	dst = append(binary.AppendUvarint(dst, uint64(len(b))), b...)
	return binary.LittleEndian.AppendUint32(dst, checksum(b))
}

// splitFrame takes the first frame off, if it is whole and as it was written.
func splitFrame(src []byte) (frame, rest []byte, whole bool) {
	n, width := binary.Uvarint(src)
	if width <= 0 || n > uint64(len(src)) || uint64(len(src)-width) < n+4 {
		return nil, src, false
	}
	frame, rest = src[width:width+int(n)], src[width+int(n):]
	if binary.LittleEndian.Uint32(rest) != checksum(frame) {
		return nil, src, false
	}
	return frame, rest[4:], true
}

// cut says whether src is shorter than the frame that it begins with.
func cut(src []byte) bool {
	n, width := binary.Uvarint(src)
	return len(src) > 0 && (width == 0 || width > 0 && uint64(len(src)-width) < n+4)
}

func checksum(b []byte) uint32 { return crc32.Checksum(b, crc32.MakeTable(crc32.Castagnoli)) }
