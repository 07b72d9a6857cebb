//go:build unix

package provisioner

import (
	"context"
	"crypto/ed25519"
	"crypto/rand"
	"encoding/pem"
	"errors"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/zclconf/go-cty/cty"
	"golang.org/x/crypto/ssh"
)

// server is an ssh server that runs commands with the shell of this machine.
type server struct {
	port    int
	hostKey string
	key     string
}

func newServer(t *testing.T) server {
	t.Helper()
	_, hostPrivate, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	hostSigner, err := ssh.NewSignerFromKey(hostPrivate)
	if err != nil {
		t.Fatal(err)
	}
	_, userPrivate, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	block, err := ssh.MarshalPrivateKey(userPrivate, "")
	if err != nil {
		t.Fatal(err)
	}
	userSigner, err := ssh.NewSignerFromKey(userPrivate)
	if err != nil {
		t.Fatal(err)
	}
	conf := &ssh.ServerConfig{
		PasswordCallback: func(_ ssh.ConnMetadata, password []byte) (*ssh.Permissions, error) {
			if string(password) == "sesame" {
				return nil, nil
			}
			return nil, errors.New("no")
		},
		PublicKeyCallback: func(_ ssh.ConnMetadata, key ssh.PublicKey) (*ssh.Permissions, error) {
			if string(key.Marshal()) == string(userSigner.PublicKey().Marshal()) {
				return nil, nil
			}
			return nil, errors.New("no")
		},
	}
	conf.AddHostKey(hostSigner)
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close() })
	go func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			go serve(conn, conf)
		}
	}()
	_, port, _ := net.SplitHostPort(l.Addr().String())
	n, _ := strconv.Atoi(port)
	return server{n, string(ssh.MarshalAuthorizedKey(hostSigner.PublicKey())), string(pem.EncodeToMemory(block))}
}

func serve(conn net.Conn, conf *ssh.ServerConfig) {
	_, channels, requests, err := ssh.NewServerConn(conn, conf)
	if err != nil {
		return
	}
	go ssh.DiscardRequests(requests)
	for c := range channels {
		switch c.ChannelType() {
		case "session":
			go session(c)
		case "direct-tcpip":
			go forward(c)
		default:
			_ = c.Reject(ssh.UnknownChannelType, "")
		}
	}
}

func session(c ssh.NewChannel) {
	ch, requests, err := c.Accept()
	if err != nil {
		return
	}
	for r := range requests {
		if r.Type != "exec" {
			_ = r.Reply(false, nil)
			continue
		}
		_ = r.Reply(true, nil)
		go func() {
			defer ch.Close()
			cmd := exec.Command("/bin/sh", "-c", string(r.Payload[4:]))
			cmd.Stdin, cmd.Stdout, cmd.Stderr = ch, ch, ch.Stderr()
			status := byte(0)
			if cmd.Run() != nil {
				status = byte(max(1, cmd.ProcessState.ExitCode()))
			}
			_, _ = ch.SendRequest("exit-status", false, []byte{0, 0, 0, status})
		}()
	}
}

func forward(c ssh.NewChannel) {
	var to struct {
		Host     string
		Port     uint32
		From     string
		FromPort uint32
	}
	if ssh.Unmarshal(c.ExtraData(), &to) != nil {
		return
	}
	conn, err := net.Dial("tcp", net.JoinHostPort(to.Host, strconv.Itoa(int(to.Port))))
	if err != nil {
		_ = c.Reject(ssh.ConnectionFailed, err.Error())
		return
	}
	ch, requests, err := c.Accept()
	if err != nil {
		return
	}
	go ssh.DiscardRequests(requests)
	go pipe(ch, conn)
	pipe(conn, ch)
}

type readWriteCloser interface {
	Read([]byte) (int, error)
	Write([]byte) (int, error)
	Close() error
}

func pipe(to, from readWriteCloser) {
	defer to.Close()
	buf := make([]byte, 4096)
	for {
		n, err := from.Read(buf)
		if n > 0 {
			if _, err := to.Write(buf[:n]); err != nil {
				return
			}
		}
		if err != nil {
			return
		}
	}
}

func connection(given map[string]cty.Value) cty.Value {
	attrs := map[string]cty.Value{"host": cty.StringVal("127.0.0.1"), "timeout": cty.StringVal("10s"), "user": cty.NullVal(cty.String)}
	for name, v := range given {
		attrs[name] = v
	}
	return cty.ObjectVal(attrs)
}

func remote(name string, config map[string]cty.Value, conn cty.Value) (text string, err string) {
	return remoteFrom("", name, config, conn)
}

// remoteFrom is remote for an engine that works in dir.
func remoteFrom(dir, name string, config map[string]cty.Value, conn cty.Value) (text string, err string) {
	p := All(Options{GOOS: "linux", Dir: dir})[name]
	var lines []string
	for _, d := range p.Run(context.Background(), body(p, config), conn, func(s string) { lines = append(lines, s) }) {
		err += d.Summary + ": " + d.Detail
	}
	return strings.Join(lines, "\n"), err
}

func TestRemoteExec(t *testing.T) {
	s := newServer(t)
	dir := t.TempDir()
	conn := connection(map[string]cty.Value{
		"port": cty.NumberIntVal(int64(s.port)), "password": cty.StringVal("sesame"), "host_key": cty.StringVal(s.hostKey),
		"script_path": cty.StringVal(filepath.Join(dir, "it's_%RAND%.sh")),
	})
	inline := cty.ListVal([]cty.Value{cty.StringVal("echo hello"), cty.StringVal("echo more >&2")})
	out, problem := remote("remote-exec", map[string]cty.Value{"inline": inline}, conn)
	if problem != "" || !strings.HasSuffix(out, "Connected!\nhello\nmore") && !strings.HasSuffix(out, "Connected!\nmore\nhello") || strings.Contains(out, "sesame") {
		t.Error(out, problem)
	}
	if left, _ := os.ReadDir(dir); len(left) != 0 {
		t.Error("the script is left behind")
	}
	_, problem = remote("remote-exec", map[string]cty.Value{"inline": cty.ListVal([]cty.Value{cty.StringVal("exit 3")})}, conn)
	if !strings.Contains(problem, "remote-exec provisioner error: the script failed: Process exited with status 3") {
		t.Error(problem)
	}
	if _, problem = remote("remote-exec", nil, conn); !strings.Contains(problem, "exactly one of") {
		t.Error(problem)
	}
}

// An embedded engine works in a directory that is not the process's.
func TestNamesOfFilesAreSeenFromTheDirectory(t *testing.T) {
	s := newServer(t)
	dir := t.TempDir()
	conn := connection(map[string]cty.Value{
		"port": cty.NumberIntVal(int64(s.port)), "password": cty.StringVal("sesame"),
		"script_path": cty.StringVal(filepath.Join(t.TempDir(), "s.sh")),
	})
	if err := os.WriteFile(filepath.Join(dir, "hello.sh"), []byte("#!/bin/sh\necho hello\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	script := cty.StringVal("hello.sh")
	for argument, v := range map[string]cty.Value{"script": script, "scripts": cty.ListVal([]cty.Value{script})} {
		out, problem := remoteFrom(dir, "remote-exec", map[string]cty.Value{argument: v}, conn)
		if problem != "" || !strings.HasSuffix(out, "hello") {
			t.Error(argument, out, problem)
		}
	}
	copied := filepath.Join(t.TempDir(), "copy")
	if _, problem := remoteFrom(dir, "file", map[string]cty.Value{"source": script, "destination": cty.StringVal(copied)}, conn); problem != "" {
		t.Error(problem)
	}
	if _, err := os.Stat(copied); err != nil {
		t.Error(err)
	}
}

func TestConnections(t *testing.T) {
	s, bastion := newServer(t), newServer(t)
	port := cty.NumberIntVal(int64(s.port))
	echo := map[string]cty.Value{"inline": cty.ListVal([]cty.Value{cty.StringVal("echo in")})}
	for name, c := range map[string]struct {
		given map[string]cty.Value
		fails string
	}{
		"key":      {map[string]cty.Value{"port": port, "private_key": cty.StringVal(s.key)}, ""},
		"bastion":  {map[string]cty.Value{"port": port, "private_key": cty.StringVal(s.key), "bastion_host": cty.StringVal("127.0.0.1"), "bastion_port": cty.NumberIntVal(int64(bastion.port)), "bastion_private_key": cty.StringVal(bastion.key)}, ""},
		"impostor": {map[string]cty.Value{"port": port, "password": cty.StringVal("sesame"), "host_key": cty.StringVal(bastion.hostKey), "timeout": cty.StringVal("1ms")}, "did not let us in"},
		"nothing":  {map[string]cty.Value{"port": port, "agent": cty.False}, "neither a password nor a private key"},
		"winrm":    {map[string]cty.Value{"type": cty.StringVal("winrm")}, "not supported"},
		"duration": {map[string]cty.Value{"timeout": cty.StringVal("soon")}, "is not a duration"},
		"bad key":  {map[string]cty.Value{"port": port, "private_key": cty.StringVal("-----BEGIN X-----")}, "cannot be read"},
	} {
		t.Run(name, func(t *testing.T) {
			out, problem := remote("remote-exec", echo, connection(c.given))
			if c.fails == "" && (problem != "" || !strings.HasSuffix(out, "\nin")) || !strings.Contains(problem, c.fails) {
				t.Errorf("%s\n%s", out, problem)
			}
			if strings.Contains(out+problem, "sesame") || strings.Contains(out+problem, "BEGIN") {
				t.Error("a secret is shown")
			}
		})
	}
	if _, problem := remote("file", map[string]cty.Value{"content": cty.StringVal("x"), "destination": cty.StringVal("y")}, cty.NullVal(cty.DynamicPseudoType)); !strings.Contains(problem, "no connection block") {
		t.Error(problem)
	}
}

func TestFile(t *testing.T) {
	s := newServer(t)
	conn := connection(map[string]cty.Value{"port": cty.NumberIntVal(int64(s.port)), "password": cty.StringVal("sesame")})
	from, to := t.TempDir(), t.TempDir()
	if err := os.MkdirAll(filepath.Join(from, "d/e"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(from, "d/e/f"), []byte("deep"), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ source, content, destination, check, want string }{
		{"", "text", "one", "one", "text"},
		{filepath.Join(from, "d/e/f"), "", "two", "two", "deep"},
		{filepath.Join(from, "d"), "", "three", "three/d/e/f", "deep"},
		{filepath.Join(from, "d") + "/", "", "four", "four/e/f", "deep"},
	} {
		given := map[string]cty.Value{"destination": cty.StringVal(filepath.Join(to, c.destination))}
		if c.source != "" {
			given["source"] = cty.StringVal(c.source)
		} else {
			given["content"] = cty.StringVal(c.content)
		}
		if _, problem := remote("file", given, conn); problem != "" {
			t.Error(problem)
		}
		if got, err := os.ReadFile(filepath.Join(to, c.check)); err != nil || string(got) != c.want {
			t.Error(string(got), err)
		}
	}
}
