package wire

import (
	"fmt"

	"google.golang.org/grpc/encoding"
	"google.golang.org/grpc/mem"
	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/proto"
)

// Answer is what a provider said about its schemas, as it came over the wire.
type Answer struct {
	Protocol Protocol
	// Schema is the answer to the schema call.
	Schema []byte
	// Identity is the answer to the call for identity schemas; empty when the
	// provider has none.
	Identity []byte
}

// kind says in which part of the schema answer a type is.
type kind uint8

const (
	kindNone kind = iota
	kindResource
	kindData
	kindEphemeral
	kindList
	kindAction
	kindStateStore
)

// kinds are the parts: the field of the answer, and the name in diagnostics.
var kinds = [...]struct {
	field protowire.Number
	noun  string
}{
	kindNone:       {0, "type"},
	kindResource:   {2, "managed resource type"},
	kindData:       {3, "data source"},
	kindEphemeral:  {8, "ephemeral resource type"},
	kindList:       {9, "list resource type"},
	kindAction:     {11, "action type"},
	kindStateStore: {10, "state store type"},
}

// Fields of the schema answer that are not types, and of the identity answer.
const (
	fieldProvider     = 1
	fieldDiagnostics  = 4
	fieldMeta         = 5
	fieldCapabilities = 6
	fieldFunctions    = 7
	fieldIdentities   = 1
	fieldIdentityDiag = 2
)

// index is an answer cut into pieces that are still encoded.
type index struct {
	provider, meta, capabilities []byte
	diagnostics                  [][]byte
	types                        [len(kinds)]map[string][]byte
	functions                    map[string][]byte
}

// cut indexes the answer to the schema call. The pieces share its memory.
func cut(answer []byte) (index, error) {
	var x index
	err := eachField(answer, func(field protowire.Number, piece []byte) error {
		switch field {
		case fieldProvider:
			x.provider = piece
		case fieldMeta:
			x.meta = piece
		case fieldCapabilities:
			x.capabilities = piece
		case fieldDiagnostics:
			x.diagnostics = append(x.diagnostics, piece)
		case fieldFunctions:
			return addEntry(&x.functions, piece)
		}
		for k := range kinds {
			if kinds[k].field == field {
				return addEntry(&x.types[k], piece)
			}
		}
		return nil
	})
	return x, err
}

// cutIdentities indexes the answer with identity schemas.
func cutIdentities(answer []byte) (schemas map[string][]byte, diagnostics [][]byte, err error) {
	err = eachField(answer, func(field protowire.Number, piece []byte) error {
		switch field {
		case fieldIdentities:
			return addEntry(&schemas, piece)
		case fieldIdentityDiag:
			diagnostics = append(diagnostics, piece)
		}
		return nil
	})
	return schemas, diagnostics, err
}

// addEntry adds one encoded map entry.
func addEntry(to *map[string][]byte, entry []byte) error {
	var key string
	value := []byte{}
	err := eachField(entry, func(field protowire.Number, piece []byte) error {
		switch field {
		case 1:
			key = string(piece)
		case 2:
			value = piece
		}
		return nil
	})
	if err != nil {
		return err
	}
	if *to == nil {
		*to = map[string][]byte{}
	}
	(*to)[key] = value
	return nil
}

// eachField visits the length-delimited fields of a message and passes over
// all others.
func eachField(message []byte, visit func(protowire.Number, []byte) error) error {
	for len(message) > 0 {
		field, kind, n := protowire.ConsumeTag(message)
		if n < 0 {
			return fmt.Errorf("malformed message: %w", protowire.ParseError(n))
		}
		message = message[n:]
		if kind == protowire.BytesType {
			piece, n := protowire.ConsumeBytes(message)
			if n < 0 {
				return fmt.Errorf("malformed message: %w", protowire.ParseError(n))
			}
			if err := visit(field, piece[:len(piece):len(piece)]); err != nil {
				return err
			}
			message = message[n:]
			continue
		}
		if n = protowire.ConsumeFieldValue(field, kind, message); n < 0 {
			return fmt.Errorf("malformed message: %w", protowire.ParseError(n))
		}
		message = message[n:]
	}
	return nil
}

// rawCodec hands an answer over without decoding it.
type rawCodec struct{}

var _ encoding.CodecV2 = rawCodec{}

// Name implements encoding.CodecV2; the bytes are a protocol buffer's.
func (rawCodec) Name() string { return "proto" }

// Marshal implements encoding.CodecV2.
func (rawCodec) Marshal(v any) (mem.BufferSlice, error) {
	m, ok := v.(proto.Message)
	if !ok {
		return nil, fmt.Errorf("%T is no message", v)
	}
	raw, err := proto.Marshal(m)
	return mem.BufferSlice{mem.SliceBuffer(raw)}, err
}

// Unmarshal implements encoding.CodecV2.
func (rawCodec) Unmarshal(data mem.BufferSlice, v any) error {
	to, ok := v.(*[]byte)
	if !ok {
		return fmt.Errorf("%T cannot hold an undecoded answer", v)
	}
	*to = data.Materialize()
	return nil
}
