package process

import (
	"context"
	"fmt"
	"net"
	"runtime/debug"
	"sync"

	"github.com/plumb-iac/plumb/addr"
	"github.com/plumb-iac/plumb/diag"
	"github.com/plumb-iac/plumb/provider/wire"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/status"
	"google.golang.org/grpc/test/bufconn"
)

// InProcess serves a provider inside this program, over a connection in
// memory. register adds the provider's service to a server; which version it
// is shows by the service's name.
func InProcess(p addr.Provider, register func(*grpc.Server)) *wire.Client {
	server := grpc.NewServer(
		grpc.MaxRecvMsgSize(256<<20),
		grpc.UnaryInterceptor(recoverUnary),
		grpc.StreamInterceptor(recoverStream),
	)
	register(server)
	return wire.New(&inside{provider: p, server: server, listener: bufconn.Listen(256 << 10)}, wire.Options{Provider: p})
}

// inside is the link to a provider inside this program.
type inside struct {
	provider addr.Provider
	server   *grpc.Server
	listener *bufconn.Listener

	mu     sync.Mutex
	conn   *grpc.ClientConn
	closed bool
}

// Dial implements wire.Link.
func (l *inside) Dial(context.Context) (grpc.ClientConnInterface, wire.Protocol, diag.List) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.closed {
		return nil, 0, diag.List{Launch{Provider: l.provider}.closed()}
	}
	protocol := served(l.server)
	if protocol == 0 {
		return nil, 0, diag.Errs(failedToStart, fmt.Sprintf("Provider %s is part of this program but serves neither version 5 nor 6 of the provider protocol.", l.provider.Display()))
	}
	if l.conn == nil {
		conn, err := grpc.NewClient("passthrough:///in-process",
			grpc.WithContextDialer(func(ctx context.Context, _ string) (net.Conn, error) { return l.listener.DialContext(ctx) }),
			grpc.WithTransportCredentials(insecure.NewCredentials()))
		if err != nil {
			return nil, 0, diag.Errs(failedToStart, err.Error())
		}
		go func() { _ = l.server.Serve(l.listener) }()
		l.conn = conn
	}
	return l.conn, protocol, nil
}

func served(s *grpc.Server) wire.Protocol {
	services := s.GetServiceInfo()
	for _, p := range []wire.Protocol{wire.V6, wire.V5} {
		if _, ok := services[fmt.Sprintf("tfplugin%d.Provider", p)]; ok {
			return p
		}
	}
	return 0
}

// LastWords implements wire.Link; a panic is in the error itself.
func (l *inside) LastWords() string { return "" }

// Close implements wire.Link.
func (l *inside) Close() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.closed = true
	var err error
	if l.conn != nil {
		err = l.conn.Close()
	}
	l.server.Stop()
	return err
}

// recoverUnary and recoverStream keep a provider's panic from ending the
// engine, which would lose results of other objects.
func recoverUnary(ctx context.Context, req any, _ *grpc.UnaryServerInfo, next grpc.UnaryHandler) (resp any, err error) {
	defer recovered(&err)
	return next(ctx, req)
}

func recoverStream(srv any, stream grpc.ServerStream, _ *grpc.StreamServerInfo, next grpc.StreamHandler) (err error) {
	defer recovered(&err)
	return next(srv, stream)
}

func recovered(err *error) {
	if r := recover(); r != nil {
		*err = status.Error(codes.Internal, fmt.Sprintf("panic: %v\n\n%s", r, debug.Stack()))
	}
}
