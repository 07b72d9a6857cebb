package provisioner

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/zclconf/go-cty/cty"
	"golang.org/x/crypto/ssh"
	"golang.org/x/crypto/ssh/agent"
)

// target is a machine reached by ssh.
type target struct {
	user, host string
	port       int
	auth       login
	hostKey    string
	timeout    time.Duration
	scriptPath string
	bastion    *target
}

// login is what a person proves to be themselves with.
type login struct {
	password, privateKey, certificate string
	agent                             bool
	agentSocket                       string
}

// newTarget reads a connection block.
func newTarget(connection cty.Value, env []string) (*target, error) {
	f := fields{connection}
	if connection == cty.NilVal || connection.IsNull() {
		return nil, errors.New("there is no connection block that says how to reach the machine")
	}
	switch kind := f.text("type"); {
	case kind != "" && kind != "ssh":
		return nil, fmt.Errorf("connections of type %q are not supported by this version of plumb; use ssh", kind)
	case f.text("host") == "":
		return nil, errors.New("the connection's host is not set")
	case f.set("proxy_host"):
		return nil, errors.New("connections through a proxy are not supported by this version of plumb; use a bastion host")
	}
	t := &target{
		user: cmp.Or(f.text("user"), "root"), host: f.text("host"), port: f.number("port", 22),
		hostKey: f.text("host_key"), timeout: 5 * time.Minute, scriptPath: cmp.Or(f.text("script_path"), "/tmp/plumb_%RAND%.sh"),
		auth: login{password: f.text("password"), privateKey: f.text("private_key"), certificate: f.text("certificate"), agent: !f.set("agent") || f.yes("agent"), agentSocket: variable(env, "SSH_AUTH_SOCK")},
	}
	if text := f.text("timeout"); text != "" {
		d, err := time.ParseDuration(text)
		if err != nil {
			return nil, fmt.Errorf("the connection's timeout %q is not a duration such as 5m", text)
		}
		t.timeout = d
	}
	if host := f.text("bastion_host"); host != "" {
		t.bastion = t.through(f, host)
	}
	return t, nil
}

// through is the bastion host; what is not said of it is as for the target.
func (t *target) through(f fields, host string) *target {
	b := &target{user: cmp.Or(f.text("bastion_user"), t.user), host: host, port: f.number("bastion_port", 22), hostKey: f.text("bastion_host_key"), timeout: t.timeout, auth: t.auth}
	if v := f.text("bastion_password"); v != "" {
		b.auth.password = v
	}
	if v := f.text("bastion_private_key"); v != "" {
		b.auth.privateKey, b.auth.certificate = v, ""
	}
	if v := f.text("bastion_certificate"); v != "" {
		b.auth.certificate = v
	}
	return b
}

func variable(env []string, name string) string {
	for _, e := range env {
		if v, ok := strings.CutPrefix(e, name+"="); ok {
			return v
		}
	}
	return ""
}

func (t *target) address() string { return net.JoinHostPort(t.host, strconv.Itoa(t.port)) }

// methods are the ways to log in, with what has to be closed afterwards.
func (l login) methods() ([]ssh.AuthMethod, func(), error) {
	var out []ssh.AuthMethod
	done := func() {}
	if l.privateKey != "" {
		signer, err := l.signer()
		if err != nil {
			return nil, done, err
		}
		out = append(out, ssh.PublicKeys(signer))
	}
	if l.agent && l.agentSocket != "" {
		if conn, err := net.Dial("unix", l.agentSocket); err == nil {
			done = func() { _ = conn.Close() }
			out = append(out, ssh.PublicKeysCallback(agent.NewClient(conn).Signers))
		}
	}
	if l.password != "" {
		password := l.password
		out = append(out, ssh.Password(password), ssh.KeyboardInteractive(func(_, _ string, questions []string, _ []bool) ([]string, error) {
			answers := make([]string, len(questions))
			for i := range answers {
				answers[i] = password
			}
			return answers, nil
		}))
	}
	if len(out) == 0 {
		return nil, done, errors.New("the connection has neither a password nor a private key, and no ssh agent is running")
	}
	return out, done, nil
}

func (l login) signer() (ssh.Signer, error) {
	key := []byte(l.privateKey)
	if !strings.Contains(l.privateKey, "-----BEGIN") {
		src, err := os.ReadFile(l.privateKey)
		if err != nil {
			return nil, errors.New("private_key is neither a key nor the name of a readable file")
		}
		key = src
	}
	signer, err := ssh.ParsePrivateKey(key)
	var locked *ssh.PassphraseMissingError
	switch {
	case errors.As(err, &locked):
		return nil, errors.New("the private key is protected by a passphrase; decrypt it or use an ssh agent")
	case err != nil:
		return nil, errors.New("the private key cannot be read; it should be in PEM or OpenSSH form")
	case l.certificate == "":
		return signer, nil
	}
	public, _, _, _, err := ssh.ParseAuthorizedKey([]byte(l.certificate))
	if err != nil {
		return nil, errors.New("the certificate cannot be read; it should be in the form of an authorized key")
	}
	cert, ok := public.(*ssh.Certificate)
	if !ok {
		return nil, errors.New("the certificate is a plain public key")
	}
	return ssh.NewCertSigner(cert, signer)
}

func (t *target) clientConfig() (*ssh.ClientConfig, func(), error) {
	methods, done, err := t.auth.methods()
	if err != nil {
		return nil, done, err
	}
	// Without a host_key any host is believed, as it is the incumbents' rule.
	check := ssh.InsecureIgnoreHostKey()
	if t.hostKey != "" {
		public, _, _, _, err := ssh.ParseAuthorizedKey([]byte(t.hostKey))
		if err != nil {
			return nil, done, errors.New("the host key cannot be read; it should be in the form of an authorized key")
		}
		check = ssh.FixedHostKey(public)
	}
	return &ssh.ClientConfig{User: t.user, Auth: methods, HostKeyCallback: check, Timeout: 15 * time.Second}, done, nil
}

// dial opens a connection once, through the bastion where there is one.
func (t *target) dial(ctx context.Context) (*ssh.Client, error) {
	conf, done, err := t.clientConfig()
	defer done()
	if err != nil {
		return nil, permanent{err}
	}
	var conn net.Conn
	if t.bastion != nil {
		via, err := t.bastion.dial(ctx)
		if err != nil {
			return nil, fmt.Errorf("bastion %s: %w", t.bastion.host, err)
		}
		conn, err = via.DialContext(ctx, "tcp", t.address())
		if err != nil {
			return nil, errors.Join(err, via.Close())
		}
		conn = tunnel{conn, via}
	} else {
		d := net.Dialer{Timeout: conf.Timeout}
		if conn, err = d.DialContext(ctx, "tcp", t.address()); err != nil {
			return nil, err
		}
	}
	stop := context.AfterFunc(ctx, func() { _ = conn.Close() })
	defer stop()
	c, channels, requests, err := ssh.NewClientConn(conn, t.address(), conf)
	if err != nil {
		return nil, errors.Join(err, conn.Close())
	}
	return ssh.NewClient(c, channels, requests), nil
}

// tunnel is a connection through a bastion, which is left when it closes.
type tunnel struct {
	net.Conn
	via *ssh.Client
}

// Close closes both connections.
func (t tunnel) Close() error { return errors.Join(t.Conn.Close(), t.via.Close()) }

// permanent is an error that trying again does not mend.
type permanent struct{ error }

// Unwrap is the error itself.
func (p permanent) Unwrap() error { return p.error }

// connect tries until the machine answers or time is up: it may have been
// created just now.
func (t *target) connect(ctx context.Context, output func(string)) (*ssh.Client, error) {
	output("Connecting to remote host via SSH...")
	for _, line := range t.describe() {
		output(line)
	}
	ctx, cancel := context.WithTimeout(ctx, t.timeout)
	defer cancel()
	wait := time.Second
	for {
		client, err := t.dial(ctx)
		if err == nil {
			output("Connected!")
			return client, nil
		}
		var final permanent
		if errors.As(err, &final) {
			return nil, err
		}
		select {
		case <-ctx.Done():
			return nil, fmt.Errorf("%s did not let us in within %s: %w", t.host, t.timeout, err)
		case <-time.After(wait):
			wait = min(2*wait, 20*time.Second)
		}
	}
}

func (t *target) describe() []string {
	out := []string{
		"  Host: " + t.host,
		"  User: " + t.user,
		fmt.Sprintf("  Password: %t", t.auth.password != ""),
		fmt.Sprintf("  Private key: %t", t.auth.privateKey != ""),
		fmt.Sprintf("  Certificate: %t", t.auth.certificate != ""),
		fmt.Sprintf("  SSH Agent: %t", t.auth.agent && t.auth.agentSocket != ""),
		fmt.Sprintf("  Checking Host Key: %t", t.hostKey != ""),
	}
	if t.bastion != nil {
		out = append(out, "Using configured bastion host...", "  Host: "+t.bastion.host, "  User: "+t.bastion.user)
	}
	return out
}
