package kill

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// encryptedWith is the environment that encrypts states with a passphrase, and
// reads what others encrypted.
func encryptedWith(passphrase string, others ...string) []string {
	var b strings.Builder
	target := ""
	for i, p := range append([]string{passphrase}, others...) {
		fmt.Fprintf(&b, "key_provider \"pbkdf2\" \"k%[1]d\" {\n  passphrase = %[2]q\n  iterations = 200000\n  encrypted_metadata_alias = %[2]q\n}\nmethod \"aes_gcm\" \"m%[1]d\" {\n  keys = key_provider.pbkdf2.k%[1]d\n}\n", i, p)
	}
	for i := len(others); i >= 0; i-- {
		target = fmt.Sprintf("  method = method.aes_gcm.m%d\n%s", i, target)
		if i > 0 {
			target = "fallback {\n" + target + "}\n"
		}
	}
	return []string{"TF_ENCRYPTION=" + b.String() + "state {\n" + target + "}\n"}
}

// TestKillEncrypted kills an apply whose state and journal are encrypted, and goes
// on with another key.
func TestKillEncrypted(t *testing.T) {
	if testing.Short() || runtime.GOOS == "windows" {
		t.Skip("short run: this test kills a process; run without -short")
	}
	first, second := "the first long passphrase", "the second long passphrase"
	d := &dir{t: t, bin: build(t), path: t.TempDir(), env: encryptedWith(first)}
	d.write("main.tf", fmt.Sprintf(configuration, files))
	d.run(0, "init", "-no-color")
	d.kill(files/2, "Creation complete", "apply", "-auto-approve", "-no-color")
	made, known := d.count(), d.known()
	if made < files/2 || known > made || made-known > 10 {
		t.Errorf("%d files exist, the state has %d", made, known)
	}
	journal := filepath.Join(d.path, ".terraform.tfstate.journal")
	before := d.sealed(journal)

	// Without the key, or without any, nothing is read, changed or lost.
	d.env = encryptedWith("somebody else's passphrase")
	if out := d.run(1, "apply", "-auto-approve", "-no-color"); !strings.Contains(out, "Failed to decrypt the state") {
		t.Error(out)
	}
	d.env = nil
	if out := d.run(1, "apply", "-auto-approve", "-no-color"); !strings.Contains(out, "is encrypted") {
		t.Error(out)
	}
	if !bytes.Equal(d.sealed(journal), before) {
		t.Error("the journal was changed by a run that could not read it")
	}

	// A run with a new key goes on, is killed as well, and leaves a journal that
	// the new key reads and the old one does not.
	d.env = encryptedWith(second, first)
	d.kill(10, "Creation complete", "apply", "-auto-approve", "-no-color")
	d.sealed(journal)
	if after := d.known(); after < known+10 {
		t.Errorf("the state has %d objects after another run, and had %d", after, known)
	}
	d.env = encryptedWith(first)
	if out := d.run(1, "state", "list"); !strings.Contains(out, "Failed to decrypt") {
		t.Error(out)
	}
	d.env = encryptedWith(second)
	d.run(0, "apply", "-auto-approve", "-no-color")
	if n := d.count(); n != 2*files || d.known() != n {
		t.Errorf("%d files exist after going on, the state has %d; want %d", n, d.known(), 2*files)
	}
	d.sealed(filepath.Join(d.path, "terraform.tfstate"))
	if _, err := os.Stat(journal); !os.IsNotExist(err) {
		t.Errorf("the journal is left: %v", err)
	}
	d.run(0, "plan", "-detailed-exitcode", "-no-color")
}

// sealed is the content of a file in which nothing is in the clear.
func (d *dir) sealed(path string) []byte {
	d.t.Helper()
	src, err := os.ReadFile(path)
	if err != nil {
		d.t.Fatal(err)
	}
	for _, text := range []string{"std_file", "file 1", "out/a"} {
		if bytes.Contains(src, []byte(text)) {
			d.t.Errorf("%s has %q in the clear", path, text)
		}
	}
	return src
}
