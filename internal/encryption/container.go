package encryption

import (
	"bytes"
	"context"
	"encoding/json"
)

// containerVersion is the only version of the form that there is.
const containerVersion = "v0"

// container is the form of what is encrypted.
type container struct {
	// Serial and Lineage are those of a state, in the clear for the programs that
	// store it; nil for a plan. They are not authenticated and nobody here reads
	// them.
	Serial  *uint64 `json:"serial,omitempty"`
	Lineage *string `json:"lineage,omitempty"`
	Meta    metas   `json:"meta"`
	Data    []byte  `json:"encrypted_data"`
	Version string  `json:"encryption_version"`
}

// Seal gives the form in which a plan is written.
func (t *Target) Seal(ctx context.Context, plain []byte) ([]byte, error) {
	if t.Plain() {
		return plain, nil
	}
	return t.contain(ctx, plain, container{}, json.Marshal)
}

// SealState gives the form in which a state of this lineage and serial is
// written.
func (t *Target) SealState(ctx context.Context, plain []byte, lineage string, serial uint64) ([]byte, error) {
	if t.Plain() {
		return plain, nil
	}
	return t.contain(ctx, plain, container{Lineage: &lineage, Serial: &serial}, func(v any) ([]byte, error) {
		return json.MarshalIndent(v, "", "  ")
	})
}

func (t *Target) contain(ctx context.Context, plain []byte, c container, write func(any) ([]byte, error)) ([]byte, error) {
	var err error
	if c.Data, c.Meta, err = t.seal(ctx, plain); err != nil {
		return nil, err
	}
	c.Version = containerVersion
	return write(c)
}

// Opened is something that was read.
type Opened struct {
	// Plain is the content.
	Plain []byte
	// Stale says that it would be written in another way: with another method, or
	// encrypted at all.
	Stale bool
	// Torn says that a journal does not end with a whole frame.
	Torn bool
	// Cut says that what the journal ends with is the first part of a frame, so
	// that its writing never came to an end.
	Cut bool
	// Damaged says that more frames stand behind the first one that is not as it was
	// written: it is not the end of a write that was cut off. Whole is how many bytes of
	// the journal come before that.
	Damaged bool
	Whole   int64
}

// Open gives what Seal or SealState was given. A nil target gives what is not
// encrypted. Errors are of the type *[Problem].
func (t *Target) Open(ctx context.Context, src []byte) (Opened, error) {
	c, err := contained(src)
	if err != nil {
		return Opened{}, err
	}
	switch {
	case c == nil && t == nil:
		return Opened{Plain: src}, nil
	case c == nil:
		allowed, stale := t.takesPlain()
		if !allowed {
			return Opened{}, t.refused()
		}
		return Opened{Plain: src, Stale: stale}, nil
	case t == nil:
		return Opened{}, problem("Unsupported state file format", "This state file is encrypted and can not be read without an encryption configuration. Add the encryption block or the TF_ENCRYPTION that it was written with.")
	case c.Version != containerVersion:
		return Opened{}, problem("Failed to decrypt the "+t.name, "It has the encryption version %q, and this version of plumb knows %q.", c.Version, containerVersion)
	}
	plain, stale, err := t.open(ctx, c.Data, c.Meta)
	return Opened{Plain: plain, Stale: stale}, err
}

// Given is Open for a file that the operator hands over: it may be in the
// clear.
func (t *Target) Given(ctx context.Context, src []byte) ([]byte, error) {
	if c, err := contained(src); c == nil && err == nil {
		return src, nil
	}
	o, err := t.Open(ctx, src)
	return o.Plain, err
}

// Form is what a file looks like.
type Form uint8

// The forms.
const (
	// NotEncrypted is anything in the clear.
	NotEncrypted Form = iota
	// EncryptedState has a lineage, EncryptedPlan has not.
	EncryptedState
	EncryptedPlan
)

// FormOf looks at the content of a file.
func FormOf(src []byte) Form {
	c, err := contained(src)
	switch {
	case c == nil || err != nil:
		return NotEncrypted
	case c.Lineage != nil:
		return EncryptedState
	}
	return EncryptedPlan
}

// contained reads the form; nil for something that does not have it.
func contained(src []byte) (*container, error) {
	if !bytes.HasPrefix(bytes.TrimLeft(src, " \t\r\n"), []byte("{")) || !bytes.Contains(src, []byte(`"encrypted_data"`)) {
		return nil, nil
	}
	var probe struct {
		Data    json.RawMessage `json:"encrypted_data"`
		Version *string         `json:"encryption_version"`
	}
	if err := json.Unmarshal(src, &probe); err != nil {
		if json.Valid(src) {
			return nil, nil
		}
		return nil, damaged(err)
	}
	if probe.Data == nil || probe.Version == nil {
		return nil, nil
	}
	var c container
	if err := json.Unmarshal(src, &c); err != nil {
		return nil, damaged(err)
	}
	return &c, nil
}

func damaged(err error) error {
	return problem("Encrypted file is damaged", "It looks like something encrypted, and it cannot be read: %v. If it was cut off, look for a backup next to it.", err)
}
