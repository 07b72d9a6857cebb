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
	opened, rest, err := t.openFrames(ctx, src[len(journalMagic):])
	opened.Whole = int64(len(src) - len(rest))
	return opened, err
}

// openFrames decrypts frames up to the first one that is not whole, and gives what it
// did not read.
func (t *Target) openFrames(ctx context.Context, src []byte) (out Opened, rest []byte, err error) {
	var head journalHead
	text, rest, whole := splitFrame(src)
	if !whole || json.Unmarshal(text, &head) != nil {
		return out, rest, problem("The journal is damaged", "Its beginning cannot be read, so what it holds cannot be decrypted.")
	}
	for {
		var sealed []byte
		if sealed, rest, whole = splitFrame(rest); !whole {
			out.Torn, out.Cut, out.Damaged = len(rest) > 0, cut(rest), goesOn(rest)
			return out, rest, nil
		}
		plain, stale, err := t.open(ctx, sealed, head.Meta)
		if err != nil {
			return Opened{}, rest, err
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
	from, to := frameOf(src)
	if to < 0 {
		return nil, src, false
	}
	frame, rest = src[from:to], src[to:]
	if binary.LittleEndian.Uint32(rest) != checksum(frame) {
		return nil, src, false
	}
	return frame, rest[sums:], true
}

// sums is how long a checksum is.
const sums = 4

// frameOf is where the bytes of the frame are that src begins with, by its length alone; to
// is negative where src has not all of it. None is empty: room that a crash left
// unwritten is none.
func frameOf(src []byte) (from, to int) {
	n, width := binary.Uvarint(src)
	if width <= 0 || n == 0 || n > uint64(len(src)) || uint64(len(src)-width) < n+sums {
		return 0, -1
	}
	return width, width + int(n)
}

// goesOn says whether a frame stands whole behind the one that src begins with, which is
// not. Where the length of that cannot be believed either, frames are searched: what by
// its length and those behind it leads to the end of src, and is one by its checksum. The
// lengths come first, since a checksum looks at all that a frame would be.
func goesOn(src []byte) bool {
	if _, to := frameOf(src); to >= 0 {
		if _, _, whole := splitFrame(src[to+sums:]); whole {
			return true
		}
	}
	leads := make([]bool, len(src)+1)
	leads[len(src)] = true
	for at := len(src) - 1; at > 0; at-- {
		if _, to := frameOf(src[at:]); to >= 0 && leads[at+to+sums] {
			leads[at] = true
			if _, _, whole := splitFrame(src[at:]); whole {
				return true
			}
		}
	}
	return false
}

// cut says whether src is shorter than the frame that it begins with.
func cut(src []byte) bool {
	n, width := binary.Uvarint(src)
	return len(src) > 0 && (width == 0 || width > 0 && uint64(len(src)-width) < n+sums)
}

func checksum(b []byte) uint32 { return crc32.Checksum(b, crc32.MakeTable(crc32.Castagnoli)) }
