package journal

import (
	"crypto/sha256"
	"hash"

	"github.com/plumb-iac/plumb/addr"
	"github.com/plumb-iac/plumb/state"
)

// Digest tells states with other contents apart. Serial, lineage and the writer's
// version are no part of it: two snapshots that are [state.Snapshot.Equal] have the
// same.
type Digest [sha256.Size]byte

// DigestOf is the digest of a state. An error is that of what has no form in a journal.
func DigestOf(s *state.Snapshot) (Digest, error) {
	d := digester{hash: sha256.New()}
	for r := range s.Resources() {
		if r.Len() == 0 {
			d.put(appendProvider(appendInstance(d.start(kindPutProvider), r.Addr().Instance(addr.NoKey)), r.Provider()), nil)
		}
		for i := range r.Instances() {
			at := r.Addr().Instance(i.Key())
			for key, o := range i.Objects() {
				b := appendObjectAddr(d.start(kindPut), addr.Object{Instance: at, Deposed: key})
				d.put(appendObject(appendProvider(b, i.Provider()), o))
			}
		}
	}
	for name, o := range s.Outputs() {
		d.put(appendOutput(appendText(d.start(kindPutOutput), name), o))
	}
	d.put(appendChecks(d.start(kindPutChecks), s.Checks()), nil)
	return Digest(d.hash.Sum(nil)), d.err
}

// digester hashes parts of a state, each in the form of the edit that makes it.
type digester struct {
	hash hash.Hash
	body []byte
	err  error
}

func (d *digester) start(k kind) []byte { return append(d.body[:0], byte(k)) }

func (d *digester) put(body []byte, err error) {
	if err != nil {
		d.err = err
		return
	}
	d.body = body
	_, _ = d.hash.Write(body)
}
