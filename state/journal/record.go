package journal

import (
	"encoding/binary"
	"hash/crc32"

	"github.com/plumb-iac/plumb/state"
)

// magic begins the first record; the byte behind it is the format's version.
const (
	magic   = "plumb journal"
	version = 2
)

// kind is what a record holds.
type kind byte

const (
	kindBegin kind = iota + 1
	kindSeal
	kindPut
	kindDrop
	kindDepose
	kindUndepose
	kindTaint
	kindRebind
	kindPutProvider
	kindPrune
	kindPutOutput
	kindDropOutput
	kindPutChecks
	kindIntent
	kindSettle
)

// sum continues a checksum over the next record.
func sum(before uint32, body []byte) uint32 {
	return crc32.Update(before, crc32.MakeTable(crc32.Castagnoli), body)
}

// Encoder makes the records of one journal, in order.
type Encoder struct {
	sequence uint64
	sum      uint32
	body     []byte
}

// Begin appends the record that a journal starts with: the lineage and serial
// of the state that it continues. Amid other records it starts the journal
// anew: what is before it no longer counts.
func (e *Encoder) Begin(dst []byte, lineage string, serial uint64) []byte {
	e.sequence = 0
	e.body = append(append(e.start(kindBegin), magic...), version)
	e.body = binary.AppendUvarint(appendText(e.body, lineage), serial)
	return e.finish(dst)
}

// Append appends the record of an edit. dst is as it was when there is an
// error.
func (e *Encoder) Append(dst []byte, edit state.Edit) ([]byte, error) {
	body, err := appendEdit(e, edit)
	if err != nil {
		return dst, err
	}
	e.body = body
	return e.finish(dst), nil
}

// Seal appends the record that announces a state, which holds all edits so far. dst
// is as it was when there is an error.
func (e *Encoder) Seal(dst []byte, s *state.Snapshot) ([]byte, error) {
	digest, err := DigestOf(s)
	if err != nil {
		return dst, err
	}
	e.body = append(e.start(kindSeal), digest[:]...)
	return e.finish(dst), nil
}

// Anew gives the records of a journal that begins with a stored state and with the
// operations whose outcome is still open, and what makes those that follow.
func Anew(stored *state.Snapshot, open []state.Intent) (records []byte, e Encoder, err error) {
	records = e.Begin(nil, stored.Lineage(), stored.Serial())
	for _, i := range open {
		if records, err = e.Append(records, i); err != nil {
			return nil, e, err
		}
	}
	records, err = e.Seal(records, stored)
	return records, e, err
}

// start begins a body.
func (e *Encoder) start(k kind) []byte {
	return append(binary.AppendUvarint(e.body[:0], e.sequence), byte(k))
}

// finish appends length, body and checksum.
func (e *Encoder) finish(dst []byte) []byte {
	e.sequence++
	e.sum = sum(e.sum, e.body)
	dst = binary.AppendUvarint(dst, uint64(len(e.body)))
	return binary.LittleEndian.AppendUint32(append(dst, e.body...), e.sum)
}

// Log is a journal as it was read.
type Log struct {
	// Lineage and Serial name the state that the journal continues.
	Lineage string
	Serial  uint64
	Edits   []state.Edit
	// Seals are the states that were announced, in order.
	Seals []Seal
	// Records is the number of whole records since the journal began, Size the
	// length in bytes of all whole records, Torn the number of bytes behind them.
	Records    int
	Size, Torn int64
	// Damaged says that a whole record stands somewhere in what is torn: it is not
	// the end of a write that was cut off.
	Damaged bool

	sum uint32
}

// Seal announces that a state is going to be stored.
type Seal struct {
	// Digest is that of the state, Edits how many edits of the journal it holds: the
	// first ones.
	Digest Digest
	Edits  int
}

// Encoder makes the records that follow those of the log.
func (l *Log) Encoder() Encoder { return Encoder{sequence: uint64(l.Records), sum: l.sum} }

// Empty says whether there is nothing to recover.
func (l *Log) Empty() bool { return len(l.Edits) == 0 }

// Read reads the longest prefix of src that is whole records.
func Read(src []byte) *Log {
	l := &Log{}
	d := newDecoder()
	rest := src
	for {
		body, next, s, ok := split(rest, l.sum)
		if !ok || !l.add(d, body) {
			break
		}
		rest, l.sum = next, s
		l.Records++
	}
	l.Torn = int64(len(rest))
	l.Size = int64(len(src)) - l.Torn
	l.Damaged = l.Records > 0 && l.goesOn(rest)
	return l
}

// goesOn says whether a later record stands whole in rest, behind the checksum
// that it continues.
func (l *Log) goesOn(rest []byte) bool {
	const sums = 4
	for at := sums; at < len(rest); at++ {
		n, width := binary.Uvarint(rest[at:])
		if width <= 0 || n > uint64(len(rest)) {
			continue
		}
		sequence, k := binary.Uvarint(rest[at+width:])
		if k <= 0 || sequence <= uint64(l.Records) || sequence > uint64(l.Records+len(rest)) {
			continue
		}
		if _, _, _, ok := split(rest[at:], binary.LittleEndian.Uint32(rest[at-sums:])); ok {
			return true
		}
	}
	return false
}

// Unborn says whether src is what a crash leaves of a journal's first write: the
// first part of the record that a journal begins with, and nothing more. What
// waits for a write to be durable has not happened then. Where lengths do not
// agree with each other, a whole journal was damaged, and src is not unborn.
func Unborn(src []byte) bool {
	n, width := binary.Uvarint(src)
	if width <= 0 {
		return len(src) == 1
	}
	body, head := src[width:], append([]byte{0, byte(kindBegin)}, magic+string(rune(version))...)
	known := min(len(body), len(head))
	if uint64(len(body)) >= n+4 || string(body[:known]) != string(head[:known]) {
		return false
	}
	lineage, width := binary.Uvarint(body[known:])
	if width <= 0 {
		return n <= 1<<16
	}
	serial := int64(n) - int64(len(head)+width) - int64(lineage)
	return 0 < serial && serial <= binary.MaxVarintLen64
}

// split takes the first record off and gives the checksum to go on with.
func split(src []byte, before uint32) (body, rest []byte, s uint32, ok bool) {
	n, width := binary.Uvarint(src)
	if width <= 0 || n > uint64(len(src)) || uint64(len(src)-width) < n+4 {
		return nil, src, before, false
	}
	body = src[width : width+int(n)]
	rest = src[width+int(n):]
	s = sum(before, body)
	return body, rest[4:], s, binary.LittleEndian.Uint32(rest) == s
}

// add takes in a record, unless it is not the one that has to follow.
func (l *Log) add(d *decoder, body []byte) bool {
	d.reset(body)
	sequence, k := d.uint(), kind(d.byte())
	if k == kindBegin {
		return sequence == 0 && l.begin(d)
	}
	if l.Records == 0 || sequence != uint64(l.Records) {
		return false
	}
	switch k {
	case kindSeal:
		l.Seals = append(l.Seals, Seal{Digest: d.digest(), Edits: len(l.Edits)})
	default:
		e := d.edit(k)
		if e == nil || !d.done() {
			return false
		}
		l.Edits = append(l.Edits, e)
		return true
	}
	return d.done()
}

// begin forgets what came before.
func (l *Log) begin(d *decoder) bool {
	if d.fixed(len(magic)) != magic || d.byte() != version {
		return false
	}
	lineage, serial := d.text(), d.uint()
	if !d.done() {
		return false
	}
	*l = Log{Lineage: lineage, Serial: serial, sum: l.sum}
	return true
}
