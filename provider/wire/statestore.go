package wire

import (
	"context"
	"errors"
	"io"

	"github.com/plumb-iac/plumb/diag"
	"github.com/plumb-iac/plumb/provider"
	"github.com/plumb-iac/plumb/provider/wire/tfplugin6"
	"github.com/plumb-iac/plumb/value"
	"google.golang.org/grpc"
	"google.golang.org/protobuf/proto"
)

// proposedChunk is how many bytes of a state are to travel at a time unless the
// provider wants otherwise. A chunk is a message, and gRPC's servers take 4 MiB.
const proposedChunk = 2 << 20

var _ provider.StateStorer = (*Client)(nil)

// OpenStateStore implements provider.StateStorer.
func (c *Client) OpenStateStore(ctx context.Context, typeName string, config value.Bare) (provider.StateStore, diag.List) {
	x := c.beginAbout(ctx, rpcValidateStateStore, typeName, kindStateStore)
	valid := send[tfplugin6.ValidateStateStore_Response](ctx, x, &tfplugin6.ValidateStateStore_Request{
		TypeName: typeName, Config: x.put("configuration", config),
	})
	if valid != nil {
		x.said(valid.Diagnostics)
	}
	x.rpc = rpcConfigureStateStore
	done := send[tfplugin6.ConfigureStateStore_Response](ctx, x, &tfplugin6.ConfigureStateStore_Request{
		TypeName: typeName, Config: x.put("configuration", config),
		Capabilities: &tfplugin6.StateStoreClientCapabilities{ChunkSize: proposedChunk},
	})
	if done == nil {
		return nil, x.diags
	}
	x.said(done.Diagnostics)
	chunk := done.GetCapabilities().GetChunkSize()
	if chunk <= 0 || chunk > maxMessage {
		chunk = proposedChunk
	}
	return &stateStore{client: c, typeName: typeName, chunk: chunk}, x.diags
}

// stateStore is a store that is configured.
type stateStore struct {
	client   *Client
	typeName string
	// chunk is the size that was agreed on.
	chunk int64
}

func (s *stateStore) begin(ctx context.Context, r rpc) *exchange {
	x := s.client.begin(ctx, r)
	x.typeName = s.typeName
	return x
}

// States implements provider.StateKeeper.
func (s *stateStore) States(ctx context.Context) ([]string, diag.List) {
	x := s.begin(ctx, rpcGetStates)
	resp := send[tfplugin6.GetStates_Response](ctx, x, &tfplugin6.GetStates_Request{TypeName: s.typeName})
	if resp == nil {
		return nil, x.diags
	}
	x.said(resp.Diagnostics)
	return resp.StateId, x.diags
}

// ReadState implements provider.StateKeeper. What comes is held to what was
// announced: half a state is none.
func (s *stateStore) ReadState(ctx context.Context, id string) ([]byte, diag.List) {
	x := s.begin(ctx, rpcReadState)
	var content []byte
	var total int64
	stream(ctx, x, &tfplugin6.ReadStateBytes_Request{TypeName: s.typeName, StateId: id}, func(r *tfplugin6.ReadStateBytes_Response) bool {
		x.said(r.Diagnostics)
		if x.diags.HasErrors() {
			return false
		}
		if len(r.Bytes) > 0 && r.GetRange().GetStart() != int64(len(content)) {
			x.diags = x.diags.Append(x.torn(int64(len(content)), r.GetRange().GetStart()))
			return false
		}
		total = max(total, r.TotalLength)
		content = append(content, r.Bytes...)
		return true
	})
	if x.ok() && int64(len(content)) != total {
		x.diags = x.diags.Append(x.torn(int64(len(content)), total))
	}
	if x.diags.HasErrors() {
		return nil, x.diags
	}
	return content, x.diags
}

// WriteState implements provider.StateKeeper.
func (s *stateStore) WriteState(ctx context.Context, id string, content []byte) diag.List {
	x := s.begin(ctx, rpcWriteState)
	total := int64(len(content))
	resp := upload[tfplugin6.WriteStateBytes_Response](ctx, x, func(send func(*tfplugin6.WriteStateBytes_RequestChunk) error) error {
		meta := &tfplugin6.RequestChunkMeta{TypeName: s.typeName, StateId: id}
		for start := int64(0); start < total; start += s.chunk {
			end := min(start+s.chunk, total)
			err := send(&tfplugin6.WriteStateBytes_RequestChunk{
				Meta: meta, Bytes: content[start:end], TotalLength: total,
				Range: &tfplugin6.StateRange{Start: start, End: end - 1},
			})
			if err != nil {
				return err
			}
			meta = nil
		}
		return nil
	})
	if resp != nil {
		x.said(resp.Diagnostics)
	}
	return x.diags
}

// DeleteState implements provider.StateKeeper.
func (s *stateStore) DeleteState(ctx context.Context, id string) diag.List {
	x := s.begin(ctx, rpcDeleteState)
	resp := send[tfplugin6.DeleteState_Response](ctx, x, &tfplugin6.DeleteState_Request{TypeName: s.typeName, StateId: id})
	if resp != nil {
		x.said(resp.Diagnostics)
	}
	return x.diags
}

// LockState implements provider.StateLocker.
func (s *stateStore) LockState(ctx context.Context, id, operation string) (string, diag.List) {
	x := s.begin(ctx, rpcLockState)
	resp := send[tfplugin6.LockState_Response](ctx, x, &tfplugin6.LockState_Request{TypeName: s.typeName, StateId: id, Operation: operation})
	if resp == nil {
		return "", x.diags
	}
	x.said(resp.Diagnostics)
	return resp.LockId, x.diags
}

// UnlockState implements provider.StateLocker.
func (s *stateStore) UnlockState(ctx context.Context, id, lock string) diag.List {
	x := s.begin(ctx, rpcUnlockState)
	resp := send[tfplugin6.UnlockState_Response](ctx, x, &tfplugin6.UnlockState_Request{TypeName: s.typeName, StateId: id, LockId: lock})
	if resp != nil {
		x.said(resp.Diagnostics)
	}
	return x.diags
}

// upload makes a call with a stream of requests. It gives nil when there is no
// answer.
func upload[R any, Q proto.Message, P interface {
	*R
	proto.Message
}](ctx context.Context, x *exchange, all func(send func(Q) error) error) P {
	if !x.ok() {
		return nil
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	desc := &grpc.StreamDesc{StreamName: x.rpc.name(x.protocol), ClientStreams: true}
	s, err := x.conn.NewStream(ctx, desc, x.rpc.path(x.protocol), grpc.MaxCallRecvMsgSize(maxMessage))
	if err == nil {
		err = all(func(m Q) error { return s.SendMsg(m) })
	}
	if err == nil {
		err = s.CloseSend()
	}
	resp := P(new(R))
	if err == nil || errors.Is(err, io.EOF) { // the answer tells why it stopped listening
		err = s.RecvMsg(resp)
	}
	if err != nil {
		x.failed(ctx, err)
		return nil
	}
	return resp
}
