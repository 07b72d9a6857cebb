package encryption

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/plumb-iac/plumb/internal/processgroup"
)

// TestMain is also each of the external programs.
func TestMain(m *testing.M) {
	if play := plays[os.Getenv("PLUMB_TEST_PROGRAM")]; play != nil && len(os.Args) > 1 && os.Args[1] == "-program" {
		play(os.Args[2])
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// plays are what programs do, given their argument.
var plays = map[string]func(string){
	"fine": func(part string) {
		if part == "key" {
			introduce(keyMagic, 1)
			var meta struct{ Count int }
			asked := json.NewDecoder(os.Stdin).Decode(&meta) == nil && meta.Count > 0
			answer := map[string]any{"encryption_key": bytes.Repeat([]byte("k"), 32)}
			if asked {
				answer["decryption_key"] = bytes.Repeat([]byte("k"), 32)
			}
			_ = json.NewEncoder(os.Stdout).Encode(map[string]any{"keys": answer, "meta": map[string]int{"count": 1}})
			return
		}
		introduce(methodMagic, 1)
		var in payload
		_ = json.NewDecoder(os.Stdin).Decode(&in)
		if len(in.Key) != 32 {
			os.Exit(3)
		}
		for i := range in.Payload {
			in.Payload[i] ^= 0x55
		}
		_ = json.NewEncoder(os.Stdout).Encode(payload{Payload: in.Payload})
	},
	// It answers before it has read everything.
	"streams": func(string) {
		introduce(methodMagic, 1)
		fmt.Print(`{"payload":"`, strings.Repeat("AAAA", 1<<18))
		_, _ = io.Copy(io.Discard, os.Stdin)
		fmt.Print(`"}`)
	},
	"silent": func(string) {},
	// It hangs, and what it has started has its output open.
	"hangs": func(string) {
		introduce(methodMagic, 1)
		fmt.Fprint(os.Stderr, "one moment")
		child := exec.Command(must(os.Executable()), "-program", "x")
		child.Env, child.Stdout, child.Stderr = append(os.Environ(), "PLUMB_TEST_PROGRAM=sleeps"), os.Stdout, os.Stderr
		_ = child.Run()
	},
	"sleeps":  func(string) { time.Sleep(time.Minute) },
	"waits":   func(string) { _, _ = io.Copy(os.Stderr, os.Stdin) },
	"fails":   func(string) { introduce(keyMagic, 1); fmt.Fprint(os.Stderr, "no such key\n"); os.Exit(4) },
	"newer":   func(string) { introduce(keyMagic, 2); _, _ = io.Copy(os.Stderr, os.Stdin) },
	"another": func(string) { introduce("Something-Else", 1); _, _ = io.Copy(os.Stderr, os.Stdin) },
	"babbles": func(string) { introduce(keyMagic, 1); fmt.Print("not JSON") },
	"keyless": func(string) { introduce(keyMagic, 1); fmt.Print(`{"keys":{},"meta":null}`) },
	// It leaves a program behind that holds its output, and tells its id.
	"leaves": func(string) {
		introduce(keyMagic, 1)
		child := exec.Command(must(os.Executable()), "-program", "stay")
		child.Env, child.Stdout = append(os.Environ(), "PLUMB_TEST_PROGRAM=stays"), os.Stdout
		if err := child.Start(); err != nil {
			os.Exit(5)
		}
		fmt.Print(child.Process.Pid)
	},
	"stays":   func(string) { time.Sleep(time.Minute) },
	"endless": func(string) { fmt.Print(strings.Repeat("x", 1<<20)) },
}

func introduce(magic string, version int) {
	fmt.Printf("{\"magic\":%q,\"version\":%d}\n", magic, version)
}

// external is a configuration that uses this program for everything.
func external(t *testing.T, play string) *Target {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv("PLUMB_TEST_PROGRAM", play)
	return mustRead(t, in(fmt.Sprintf(`
key_provider "external" "k" {
  command = [%[1]q, "-program", "key"]
}
method "external" "m" {
  keys            = key_provider.external.k
  encrypt_command = [%[1]q, "-program", "encrypt"]
  decrypt_command = [%[1]q, "-program", "decrypt"]
}
state {
  method = method.external.m
}`, self)), "").State()
}

// TestPrograms: keys and encryption by programs, for large contents, too.
func TestPrograms(t *testing.T) {
	ctx := context.Background()
	how := external(t, "fine")
	for _, plain := range [][]byte{[]byte("so-secret"), {}, bytes.Repeat([]byte("so-secret"), 100_000)} {
		sealed, err := how.SealState(ctx, plain, "l", 1)
		if err != nil || bytes.Contains(sealed, []byte("so-secret")) {
			t.Fatal(err)
		}
		if o, err := how.Open(ctx, sealed); err != nil || !bytes.Equal(o.Plain, plain) {
			t.Errorf("%d bytes of %d: %v", len(o.Plain), len(plain), err)
		}
		// Another run, whose key provider is asked with what the first one kept.
		if o, err := external(t, "fine").Open(ctx, sealed); err != nil || !bytes.Equal(o.Plain, plain) {
			t.Errorf("%d bytes of %d: %v", len(o.Plain), len(plain), err)
		}
	}
	j, err := how.NewJournal(ctx)
	if err != nil {
		t.Fatal(err)
	}
	frame, err := j.Seal([]byte("one"))
	if err != nil {
		t.Fatal(err)
	}
	if o, err := how.OpenJournal(ctx, append(j.Head, frame...)); err != nil || string(o.Plain) != "one" {
		t.Errorf("%q: %v", o.Plain, err)
	}
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// TestStreaming: a program may answer while it reads.
func TestStreaming(t *testing.T) {
	t.Setenv("PLUMB_TEST_PROGRAM", "streams")
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	p := &program{encrypt: []string{self, "-program", "encrypt"}}
	out, err := p.seal(context.Background(), nil, make([]byte, 1<<20))
	if err != nil || len(out) != 3<<18 {
		t.Errorf("%d bytes: %v", len(out), err)
	}
}

// TestProgramThatHangs: it is ended in time, with what it has started.
func TestProgramThatHangs(t *testing.T) {
	cmd := exec.CommandContext(t.Context(), must(os.Executable()), "-program", "encrypt")
	cmd.Env = append(os.Environ(), "PLUMB_TEST_PROGRAM=hangs")
	processgroup.Own(cmd)
	begun := time.Now()
	_, err := exchange(cmd, methodMagic, []byte("so-secret"), limits{time.Minute, time.Second, lingering})
	if err == nil || !strings.Contains(err.Error(), "gave no answer within 1s and was ended; on its error stream it said: one moment") {
		t.Error(err)
	}
	if d := time.Since(begun); d > 2*lingering {
		t.Errorf("it took %s", d)
	}
}

// TestLeavings: an answer does not wait for what a program has started and left
// running with its output.
func TestLeavings(t *testing.T) {
	cmd := exec.Command(must(os.Executable()), "-program", "key")
	cmd.Env = append(os.Environ(), "PLUMB_TEST_PROGRAM=leaves")
	begun := time.Now()
	text, err := exchange(cmd, keyMagic, nil, limits{time.Minute, time.Minute, 50 * time.Millisecond})
	if err != nil {
		t.Fatal(err)
	}
	left, err := os.FindProcess(must(strconv.Atoi(string(text))))
	if err == nil {
		err = left.Kill()
	}
	if took := time.Since(begun); err != nil || took > 30*time.Second {
		t.Errorf("it took %s: %v", took, err)
	}
}

// TestProgramsThatFail: each failure is told, and what is to be kept secret is
// told to no program that has not said what it is.
func TestProgramsThatFail(t *testing.T) {
	for play, want := range map[string]string{
		"silent":  "did not begin with a line that has the magic",
		"another": "did not begin with a line that has the magic",
		"endless": "did not begin with a line that has the magic",
		"newer":   "version 2 of the protocol",
		"fails":   "no such key",
		"babbles": "not the JSON",
		"keyless": "gave no encryption key",
	} {
		_, err := external(t, play).Seal(context.Background(), []byte("so-secret"))
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", play, err)
			continue
		}
		if strings.Contains(err.Error(), "null") {
			t.Errorf("%s was told the question: %v", play, err)
		}
	}
	cmd := exec.Command(must(os.Executable()), "-program", "key")
	cmd.Env = append(os.Environ(), "PLUMB_TEST_PROGRAM=waits")
	if _, err := exchange(cmd, keyMagic, []byte("so-secret"), limits{100 * time.Millisecond, time.Minute, lingering}); err == nil || strings.Contains(err.Error(), "so-secret") {
		t.Error(err)
	}
	k := &keyProgram{[]string{"./no-such-program"}}
	if _, _, err := k.fresh(context.Background()); err == nil || !strings.Contains(err.Error(), "cannot be started") {
		t.Error(err)
	}
}
