package encryption

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"strings"
	"sync/atomic"
	"time"

	"github.com/plumb-iac/plumb/internal/processgroup"
)

// The words by which a program says what it is, in the first line that it
// writes.
const (
	keyMagic    = "OpenTofu-External-Key-Provider"
	methodMagic = "OpenTofu-External-Encryption-Method"
	magicLine   = 4 << 10
	// lingering is how long what a program started may keep its output open.
	lingering = 5 * time.Second
	// patience is how long a program may take to say what it is. One that is no
	// program of this kind waits for input that it is not given.
	patience = 30 * time.Second
	// answering is how long it may take to answer then. What waits for it may be
	// the record of something that was done.
	answering = 2 * time.Minute
)

// keyProgram is a program that gives keys. It is asked before anything is changed,
// and remains in the terminal's hands: it may want to ask a person.
type keyProgram struct{ command []string }

// keyAnswer is what such a program answers.
type keyAnswer struct {
	Keys struct {
		Encryption []byte `json:"encryption_key"`
		Decryption []byte `json:"decryption_key"`
	} `json:"keys"`
	Meta json.RawMessage `json:"meta"`
}

func (k *keyProgram) fresh(ctx context.Context) (key, meta []byte, err error) {
	a, err := k.ask(ctx, []byte("null"))
	if err != nil {
		return nil, nil, err
	}
	if len(a.Keys.Encryption) == 0 {
		return nil, nil, errors.New("the external program gave no encryption key")
	}
	if len(a.Meta) == 0 {
		a.Meta = json.RawMessage("null")
	}
	return a.Keys.Encryption, a.Meta, nil
}

func (k *keyProgram) again(ctx context.Context, meta []byte, _ metas) ([]byte, error) {
	a, err := k.ask(ctx, meta)
	if err != nil {
		return nil, err
	}
	if len(a.Keys.Decryption) == 0 {
		return nil, errors.New("the external program gave no decryption key for what it has kept")
	}
	return a.Keys.Decryption, nil
}

func (k *keyProgram) ask(ctx context.Context, meta []byte) (keyAnswer, error) {
	var a keyAnswer
	return a, converse(exec.CommandContext(ctx, k.command[0], k.command[1:]...), keyMagic, json.RawMessage(meta), &a)
}

// program encrypts and decrypts by programs. They run amid a change, too, so that
// an interrupt at the terminal must not reach them: what was done has to be
// recorded.
type program struct {
	encrypt, decrypt []string
	keys             *provider
}

// payload is what such programs are given and give back.
type payload struct {
	Key     []byte `json:"key,omitempty"`
	Payload []byte `json:"payload"`
}

func (p *program) provider() *provider { return p.keys }

func (p *program) seal(ctx context.Context, key, plain []byte) ([]byte, error) {
	return p.convert(ctx, p.encrypt, key, plain)
}

func (p *program) open(ctx context.Context, key, sealed []byte) ([]byte, error) {
	return p.convert(ctx, p.decrypt, key, sealed)
}

func (p *program) convert(ctx context.Context, command []string, key, in []byte) ([]byte, error) {
	var out struct {
		Payload *[]byte `json:"payload"`
	}
	cmd := exec.CommandContext(ctx, command[0], command[1:]...)
	processgroup.Own(cmd)
	if err := converse(cmd, methodMagic, payload{key, in}, &out); err != nil {
		return nil, err
	}
	if out.Payload == nil {
		return nil, fmt.Errorf("the external program %s gave no payload", command[0])
	}
	return *out.Payload, nil
}

// converse starts a program, hears from its first line that it is one of the
// kind that magic names, and only then tells it what it asks. The answer is what
// the program writes until it ends.
func converse(cmd *exec.Cmd, magic string, question, answer any) error {
	in, err := json.Marshal(question)
	if err != nil {
		return err
	}
	text, err := exchange(cmd, magic, in, limits{patience, answering, lingering})
	if err != nil {
		return fmt.Errorf("the external program %s %w", cmd.Args[0], err)
	}
	if err := json.Unmarshal(text, answer); err != nil {
		return fmt.Errorf("the external program %s gave an answer that is not the JSON that it should be", cmd.Args[0])
	}
	return nil
}

// limits are how long a program may take to introduce itself, and to answer, and
// how long what it has started may keep its output open.
type limits struct{ patience, answering, lingering time.Duration }

// exchange runs one conversation.
func exchange(cmd *exec.Cmd, magic string, in []byte, l limits) ([]byte, error) {
	var complaint bytes.Buffer
	cmd.Stderr, cmd.WaitDelay = &complaint, l.lingering
	stdin, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	stdout, written := io.Pipe()
	cmd.Stdout = written
	if err := cmd.Start(); err != nil {
		return nil, fmt.Errorf("cannot be started: %w", err)
	}
	ended := make(chan error, 1)
	go func() {
		// Wait copies the output. It does not wait longer than cmd.WaitDelay for
		// what the program has started and left with its output.
		ended <- cmd.Wait()
		_ = written.Close()
	}()
	out := bufio.NewReaderSize(stdout, magicLine)
	tooLong := time.AfterFunc(l.patience, func() { end(cmd) })
	stranger := introduced(out, magic)
	tooLong.Stop()
	var late atomic.Bool
	if stranger != nil {
		_ = stdin.Close() // nothing is told to it
		end(cmd)
	} else {
		tooLong = time.AfterFunc(l.answering, func() { late.Store(true); end(cmd) })
		defer tooLong.Stop()
		// It may answer while it reads. One that does not want to know all says
		// so by how it ends.
		go func() { _, _ = stdin.Write(in); _ = stdin.Close() }()
	}
	text, heard := io.ReadAll(out)
	failed := <-ended
	switch {
	case stranger != nil:
		return nil, fmt.Errorf("%w; on its error stream it said: %s", stranger, said(&complaint))
	case late.Load():
		return nil, fmt.Errorf("gave no answer within %s and was ended; on its error stream it said: %s", l.answering, said(&complaint))
	case failed != nil && !errors.Is(failed, exec.ErrWaitDelay):
		return nil, fmt.Errorf("ended with %w; on its error stream it said: %s", failed, said(&complaint))
	}
	return text, heard
}

// end ends a program, with all that it has started where it leads a group.
func end(cmd *exec.Cmd) {
	if cmd.SysProcAttr != nil {
		processgroup.Kill(cmd)
	}
	_ = cmd.Process.Kill()
}

// introduced reads the first line.
func introduced(r *bufio.Reader, magic string) error {
	line, err := r.ReadSlice('\n')
	var head struct {
		Magic   string `json:"magic"`
		Version int    `json:"version"`
	}
	if err != nil || json.Unmarshal(line, &head) != nil || head.Magic != magic {
		return fmt.Errorf("did not begin with a line that has the magic %q", magic)
	}
	if head.Version != 1 {
		return fmt.Errorf("has version %d of the protocol, and plumb knows version 1", head.Version)
	}
	return nil
}

// said is what a program wrote to its error stream, as far as that fits.
func said(b *bytes.Buffer) string {
	text := strings.TrimSpace(b.String())
	if text == "" {
		return "nothing"
	}
	const most = 2000
	if len(text) > most {
		text = "…" + strings.ToValidUTF8(text[len(text)-most:], "")
	}
	return text
}
