package encryption

import (
	"bytes"
	"context"
	"encoding/json"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/plumb-iac/plumb/config"
	"github.com/plumb-iac/plumb/diag"
	"pgregory.net/rapid"
)

// read reads what main.tf and the environment configure.
func read(t testing.TB, text, environment string) (*Encryption, diag.List) {
	t.Helper()
	load := config.LoadOptions{Early: config.Early{Workspace: "default"}}
	tree, diags := config.Load(fstest.MapFS{"main.tf": {Data: []byte(text)}}, ".", load)
	if diags.HasErrors() {
		return nil, diags
	}
	return Read(Options{Tree: tree, Environment: environment, Load: load})
}

// mustRead is read where nothing is wrong.
func mustRead(t testing.TB, text, environment string) *Encryption {
	t.Helper()
	e, diags := read(t, text, environment)
	if diags.HasErrors() {
		t.Fatal(diags)
	}
	return e
}

// in puts what stands in an encryption block around.
func in(body string) string { return "terraform {\nencryption {\n" + body + "\n}\n}\n" }

// fixed gives the same key always.
type fixed []byte

func (f fixed) fresh(context.Context) (key, meta []byte, err error) { return f, []byte(`{}`), nil }

func (f fixed) again(context.Context, []byte, metas) ([]byte, error) { return f, nil }

// quick is a target that needs no time for its keys.
func quick(keys ...string) *Target {
	t := &Target{name: "state"}
	for _, k := range keys {
		if k == "" {
			t.methods = append(t.methods, step{address: "method.unencrypted.x"})
			continue
		}
		p := &provider{address: "key_provider.fixed." + k, metaKey: "key", maker: fixed(bytes.Repeat([]byte(k), 32)[:32])}
		t.methods = append(t.methods, step{"method.aes_gcm." + k, &gcm{keys: p}})
	}
	return t
}

// TestOpenTofu reads what OpenTofu wrote.
func TestOpenTofu(t *testing.T) {
	ctx := context.Background()
	source := func(name string) []byte {
		b, err := os.ReadFile("testdata/opentofu/" + name)
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	e := mustRead(t, string(source("main.tf")), "")
	for _, c := range []struct {
		name  string
		how   *Target
		form  Form
		stale bool
		want  string
	}{
		{"main.tfstate", e.State(), EncryptedState, false, `"version":4`},
		{"chained.tfstate", e.State(), EncryptedState, true, `"version":4`},
		{"plan.tfplan", e.Plan(), EncryptedPlan, false, "PK"},
	} {
		src := source(c.name)
		if got := FormOf(src); got != c.form {
			t.Errorf("%s: form %d, want %d", c.name, got, c.form)
		}
		o, err := c.how.Open(ctx, src)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		if o.Stale != c.stale || !bytes.Contains(o.Plain, []byte(c.want)) {
			t.Errorf("%s: stale %t, %.80q", c.name, o.Stale, o.Plain)
		}
	}
	other := mustRead(t, strings.Replace(string(source("main.tf")), "for tests only", "of somebody else", 1), "")
	if o, err := other.State().Open(ctx, source("main.tfstate")); err == nil {
		t.Errorf("read with another passphrase: %q", o.Plain)
	}
}

// TestForm holds the form of what is written to the one that OpenTofu reads.
func TestForm(t *testing.T) {
	ctx := context.Background()
	e := mustRead(t, in(`
key_provider "pbkdf2" "k" {
  passphrase = "a-long-enough-passphrase"
  iterations = 200000
}
method "aes_gcm" "m" {
  keys = key_provider.pbkdf2.k
}
state {
  method = method.aes_gcm.m
}`), "")
	sealed, err := e.State().SealState(ctx, []byte("{}"), "lin-eage", 7)
	if err != nil {
		t.Fatal(err)
	}
	var got struct {
		Serial  int               `json:"serial"`
		Lineage string            `json:"lineage"`
		Meta    map[string][]byte `json:"meta"`
		Data    []byte            `json:"encrypted_data"`
		Version string            `json:"encryption_version"`
	}
	in := json.NewDecoder(bytes.NewReader(sealed))
	in.DisallowUnknownFields()
	if err := in.Decode(&got); err != nil {
		t.Fatal(err)
	}
	if got.Serial != 7 || got.Lineage != "lin-eage" || got.Version != "v0" || len(got.Data) != 12+2+16 || len(got.Meta) != 1 {
		t.Errorf("%s", sealed)
	}
	var kept struct {
		Salt       []byte `json:"salt"`
		Iterations int    `json:"iterations"`
		Hash       string `json:"hash_function"`
		KeyLength  int    `json:"key_length"`
	}
	if err := json.Unmarshal(got.Meta["key_provider.pbkdf2.k"], &kept); err != nil || len(kept.Salt) != 32 || kept.Iterations != 200000 || kept.Hash != "sha512" || kept.KeyLength != 32 {
		t.Errorf("%s: %v", got.Meta["key_provider.pbkdf2.k"], err)
	}
	if e.Plan() != nil {
		t.Error("plans are encrypted, which nobody asked for")
	}
	second, err := e.State().SealState(ctx, []byte("{}"), "lin-eage", 8)
	if err != nil {
		t.Fatal(err)
	}
	one, _ := contained(sealed)
	two, _ := contained(second)
	if !bytes.Equal(one.Meta["key_provider.pbkdf2.k"], two.Meta["key_provider.pbkdf2.k"]) {
		t.Error("a second key was made in the same run")
	}
	if bytes.Equal(one.Data, two.Data) {
		t.Error("the same nonce was used twice")
	}
}

// TestRoundTrip: what any method writes, it reads; what was encrypted with an
// earlier one is read and stale; and nothing of it is in the clear.
func TestRoundTrip(t *testing.T) {
	ctx := context.Background()
	rapid.Check(t, func(t *rapid.T) {
		plain := append([]byte("so-secret"), rapid.SliceOf(rapid.Byte()).Draw(t, "plain")...)
		keys := rapid.SliceOfNDistinct(rapid.SampledFrom([]string{"a", "b", "c", ""}), 1, 4, func(s string) string { return s }).Draw(t, "keys")
		how := quick(keys...)
		writer := rapid.IntRange(0, len(keys)-1).Draw(t, "writer")
		sealed, err := quick(keys[writer]).SealState(ctx, plain, "l", 1)
		if err != nil {
			t.Fatal(err)
		}
		if keys[writer] != "" && bytes.Contains(sealed, []byte("so-secret")) {
			t.Fatal("in the clear")
		}
		o, err := how.Open(ctx, sealed)
		if err != nil || !bytes.Equal(o.Plain, plain) || o.Stale != (writer > 0) {
			t.Fatalf("%q, stale %t: %v", o.Plain, o.Stale, err)
		}
		if _, err := quick("z").Open(ctx, sealed); err == nil {
			t.Fatal("read with a key that it was not written with, or without any")
		}
	})
}

// TestTampering alters every byte of what is encrypted, and cuts it off
// everywhere.
func TestTampering(t *testing.T) {
	ctx := context.Background()
	how := quick("a")
	sealed, err := how.Seal(ctx, []byte("so-secret"))
	if err != nil {
		t.Fatal(err)
	}
	c, err := contained(sealed)
	if err != nil {
		t.Fatal(err)
	}
	try := func(what string, at int, data []byte) {
		altered := *c
		altered.Data = data
		src, err := json.Marshal(altered)
		if err != nil {
			t.Fatal(err)
		}
		if o, err := how.Open(ctx, src); err == nil || o.Plain != nil {
			t.Errorf("%s at %d: read %q", what, at, o.Plain)
		}
	}
	for i := range c.Data {
		data := slices.Clone(c.Data)
		data[i] ^= 1
		try("altered", i, data)
		try("cut off", i, c.Data[:i])
	}
	try("continued", 0, append(slices.Clone(c.Data), 0))
	for i := range sealed {
		if o, err := how.Open(ctx, sealed[:i]); err == nil {
			t.Errorf("cut off at %d: read %q", i, o.Plain)
		}
	}
}

// TestPlain: what is in the clear is read where that is configured and nowhere
// else.
func TestPlain(t *testing.T) {
	ctx := context.Background()
	src := []byte(`{"version":4,"outputs":{"x":{"value":"\"encrypted_data\""}}}`)
	journal := []byte("plumb journal")
	for _, c := range []struct {
		how        *Target
		fine, stay bool
	}{
		{nil, true, true},
		{quick("a"), false, false},
		{quick("a", "b"), false, false},
		{quick(""), true, true},
		{quick("a", ""), true, false},
		{quick("", "a"), true, true},
	} {
		for name, open := range map[string]func(context.Context, []byte) (Opened, error){"state": c.how.Open, "journal": c.how.OpenJournal} {
			src := map[string][]byte{"state": src, "journal": journal}[name]
			o, err := open(ctx, src)
			if (err == nil) != c.fine || err == nil && (o.Stale == c.stay || !bytes.Equal(o.Plain, src)) {
				t.Errorf("%+v: %s stale %t: %v", c.how, name, o.Stale, err)
			}
		}
		if plain, err := c.how.Given(ctx, src); err != nil || !bytes.Equal(plain, src) {
			t.Errorf("%+v: given: %v", c.how, err)
		}
	}
}

// TestLocked: without any configuration what is encrypted is refused.
func TestLocked(t *testing.T) {
	ctx := context.Background()
	var none *Target
	sealed, err := quick("a").SealState(ctx, []byte("{}"), "l", 1)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := none.Open(ctx, sealed); err == nil || !strings.Contains(err.Error(), "can not be read without an encryption configuration") {
		t.Error(err)
	}
	if _, err := quick("").Open(ctx, sealed); err == nil {
		t.Error("read without a key")
	}
	j, err := quick("a").NewJournal(ctx)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := none.OpenJournal(ctx, j.Head); err == nil {
		t.Error("read without a key")
	}
	if j, err := none.NewJournal(ctx); j != nil || err != nil {
		t.Error("an encrypted journal where nothing is encrypted")
	}
}

// TestJournal: cut off anywhere, a journal is its whole frames; damaged anywhere,
// it is a part of them or an error; with another key it is an error.
func TestJournal(t *testing.T) {
	ctx := context.Background()
	how := quick("a")
	j, err := how.NewJournal(ctx)
	if err != nil {
		t.Fatal(err)
	}
	src, want := j.Head, []string{"one", "two", "three"}
	ends := []int{len(src)}
	for _, w := range want {
		frame, err := j.Seal([]byte(w))
		if err != nil {
			t.Fatal(err)
		}
		src = append(src, frame...)
		ends = append(ends, len(src))
	}
	for n := len(j.Head); n <= len(src); n++ {
		whole := 0
		for whole+1 < len(ends) && ends[whole+1] <= n {
			whole++
		}
		o, err := how.OpenJournal(ctx, src[:n])
		if err != nil || string(o.Plain) != strings.Join(want[:whole], "") || o.Torn != (ends[whole] != n) || o.Cut != o.Torn || o.Damaged || o.Whole != int64(ends[whole]) {
			t.Errorf("cut off at %d: %q, %+v, %v", n, o.Plain, o, err)
		}
		unwritten := append(slices.Clone(src[:n]), make([]byte, 100)...)
		if o, err := how.OpenJournal(ctx, unwritten); err != nil || o.Damaged || string(o.Plain) != strings.Join(want[:whole], "") {
			t.Errorf("cut off at %d, with room behind: %q, %+v, %v", n, o.Plain, o, err)
		}
	}
	all := strings.Join(want, "")
	for n := range src {
		damaged := slices.Clone(src)
		damaged[n] ^= 0x41
		o, err := how.OpenJournal(ctx, damaged)
		if err == nil && (!strings.HasPrefix(all, string(o.Plain)) || string(o.Plain) == all) {
			t.Errorf("damaged at %d: %q", n, o.Plain)
		}
		if err == nil && !o.Torn && n >= len(journalMagic) {
			t.Errorf("damaged at %d, and taken for whole", n)
		}
		if err == nil && o.Plain == nil && o.Cut {
			t.Errorf("damaged at %d, and taken for a journal that was never written", n)
		}
		if last := n >= ends[len(ends)-2]; err == nil && n >= len(j.Head) && (o.Damaged == last || o.Whole > int64(n)) {
			t.Errorf("damaged at %d: %+v", n, o)
		}
	}
	if _, err := quick("b").OpenJournal(ctx, src); err == nil {
		t.Error("read with another key")
	}
	if o, err := quick("b", "a").OpenJournal(ctx, src); err != nil || string(o.Plain) != all || !o.Stale {
		t.Errorf("%q, stale %t: %v", o.Plain, o.Stale, err)
	}
}

// FuzzOpen: nothing that is read panics, and what comes out was put in.
func FuzzOpen(f *testing.F) {
	ctx := context.Background()
	how := quick("a")
	sealed, _ := how.SealState(ctx, []byte("so-secret"), "l", 1)
	j, _ := how.NewJournal(ctx)
	frame, _ := j.Seal([]byte("so-secret"))
	f.Add(sealed)
	f.Add(append(slices.Clone(j.Head), frame...))
	f.Add([]byte(`{"meta":null,"encrypted_data":"","encryption_version":"v0"}`))
	f.Add([]byte(`{"meta":{"key":1},"encrypted_data":"AAAA","encryption_version":"v1"}`))
	f.Add([]byte(`{"encrypted_data":{},"encryption_version":"v0"}`))
	f.Add([]byte(journalMagic + "\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01"))
	f.Fuzz(func(t *testing.T, src []byte) {
		if o, err := how.Open(ctx, src); err == nil && string(o.Plain) != "so-secret" {
			t.Errorf("read %q", o.Plain)
		}
		if o, err := how.OpenJournal(ctx, src); err == nil && strings.ReplaceAll(string(o.Plain), "so-secret", "") != "" {
			t.Errorf("read %q", o.Plain)
		}
		if o, err := quick("a", "").Open(ctx, src); err == nil && string(o.Plain) != "so-secret" && !bytes.Equal(o.Plain, src) {
			t.Errorf("read %q", o.Plain)
		}
		_ = FormOf(src)
		_, _ = (&derived{passphrase: "x"}).again(ctx, append([]byte(`{"key_length":99999999}`), src...), nil)
	})
}

// TestJournalOfNoise: looking for frames in what is none comes to an end.
func TestJournalOfNoise(t *testing.T) {
	noise := make([]byte, 4<<20)
	_, _ = rand.NewChaCha8([32]byte{}).Read(noise)
	if goesOn(noise) {
		t.Error("a frame was found")
	}
}
