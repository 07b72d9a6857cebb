package wire

import (
	"context"
	"net"
	"strings"
	"sync"
	"testing"

	"github.com/plumb-iac/plumb/addr"
	"github.com/plumb-iac/plumb/diag"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/status"
	"google.golang.org/grpc/test/bufconn"
	"google.golang.org/protobuf/proto"
)

var testProvider = addr.Provider{Host: addr.DefaultHost, Namespace: "test", Type: "t"}

// script is a provider's server at the level of messages: each method decodes
// its request and gives its answers, or an error. Methods that it does not
// have are unimplemented.
type script struct {
	protocol Protocol
	methods  map[string]method

	mu    sync.Mutex
	calls []string
}

type method struct {
	request proto.Message
	answer  func(request proto.Message) ([]proto.Message, error)
}

// on makes a method from a function of messages.
func on[Q any, P interface {
	*Q
	proto.Message
}](answer func(P) ([]proto.Message, error)) method {
	return method{P(new(Q)), func(m proto.Message) ([]proto.Message, error) { return answer(m.(P)) }}
}

// says makes a method that always gives the same.
func says[Q any, P interface {
	*Q
	proto.Message
}](answers ...proto.Message) method {
	return on[Q, P](func(P) ([]proto.Message, error) { return answers, nil })
}

func (s *script) handle(_ any, stream grpc.ServerStream) error {
	full, _ := grpc.MethodFromServerStream(stream)
	name := full[strings.LastIndex(full, "/")+1:]
	s.mu.Lock()
	s.calls = append(s.calls, full)
	m, ok := s.methods[name]
	s.mu.Unlock()
	if !ok {
		return status.Error(codes.Unimplemented, "unknown method "+name)
	}
	req := m.request.ProtoReflect().New().Interface()
	if err := stream.RecvMsg(req); err != nil {
		return err
	}
	answers, err := m.answer(req)
	for _, a := range answers {
		if err := stream.SendMsg(a); err != nil {
			return err
		}
	}
	return err
}

// serve gives a client of the script over real gRPC in memory.
func (s *script) serve(t *testing.T, options Options) *Client {
	t.Helper()
	l := bufconn.Listen(1 << 20)
	server := grpc.NewServer(grpc.UnknownServiceHandler(s.handle))
	go func() { _ = server.Serve(l) }()
	conn, err := grpc.NewClient("passthrough:///script",
		grpc.WithContextDialer(func(ctx context.Context, _ string) (net.Conn, error) { return l.DialContext(ctx) }),
		grpc.WithTransportCredentials(insecure.NewCredentials()))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close(); server.Stop() })
	if options.Provider.IsZero() {
		options.Provider = testProvider
	}
	return New(connected{conn, s.protocol}, options)
}

// connected is the link of a connection that the test keeps.
type connected struct {
	conn     grpc.ClientConnInterface
	protocol Protocol
}

func (l connected) Dial(context.Context) (grpc.ClientConnInterface, Protocol, diag.List) {
	return l.conn, l.protocol, nil
}
func (l connected) LastWords() string { return "" }
func (l connected) Close() error      { return nil }
