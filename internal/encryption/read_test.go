package encryption

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/plumb-iac/plumb/diag"
)

const (
	fineKey = `
key_provider "pbkdf2" "k" {
  passphrase = "a-long-enough-passphrase"
  iterations = 200000
}
method "aes_gcm" "m" {
  keys = key_provider.pbkdf2.k
}
`
	fine = fineKey + `
state {
  method = method.aes_gcm.m
}
`
)

// TestMistakes: what is wrong is told, where it stands, and once.
func TestMistakes(t *testing.T) {
	key := func(args string) string {
		return "key_provider \"pbkdf2\" \"k\" {\n" + args + "\n}\nmethod \"aes_gcm\" \"m\" {\n keys = key_provider.pbkdf2.k\n}\nstate {\n method = method.aes_gcm.m\n}\nplan {\n method = method.aes_gcm.m\n}"
	}
	for _, c := range []struct{ body, environment, want string }{
		{fine, "", ""},
		{fine, "  \n", ""},
		{"", "", ""},
		{fineKey, "", ""},
		{"bogus = 1", "", "3: Unsupported argument"},
		{key(`passphrase = "short"`), "", "3: Unable to build encryption key data: key_provider.pbkdf2.k failed with error: passphrase is too short (minimum 16 characters)"},
		{key(``), "", "3: Unable to build encryption key data: no passphrase provided"},
		{key(`passphrase = null`), "", "3: Unable to build encryption key data: no passphrase provided"},
		{key("passphrase = \"a-long-enough-passphrase\"\niterations = 1000"), "", "3: Unable to build encryption key data: dangerously low (<200000)"},
		{key("passphrase = \"a-long-enough-passphrase\"\niterations = -1"), "", "3: Unable to build encryption key data: larger than zero"},
		{key("passphrase = \"a-long-enough-passphrase\"\niterations = 9999999999999"), "", "3: Unable to build encryption key data: larger than"},
		{key("passphrase = \"a-long-enough-passphrase\"\niterations = \"x\""), "", "5: Unsuitable value type: number is required"},
		{key("passphrase = \"a-long-enough-passphrase\"\niterations = 200000.5"), "", "5: Unsuitable value type: whole number"},
		{key("passphrase = \"a-long-enough-passphrase\"\nkey_length = 0"), "", "3: Unable to build encryption key data: key length"},
		{key("passphrase = \"a-long-enough-passphrase\"\nsalt_length = 0"), "", "3: Unable to build encryption key data: salt length"},
		{key("passphrase = \"a-long-enough-passphrase\"\nhash_function = \"md5\""), "", "3: Unable to build encryption key data: invalid hash function name: md5"},
		{key("passphrase = \"a-long-enough-passphrase\"\nbogus = 1"), "", "5: Unsupported argument"},
		{key("passphrase = terraform_data.a.id"), "", "4: Dynamic value in static context: terraform_data.a is known only when a plan is made"},
		{key("passphrase = local.none"), "", "4: Undefined local: none"},
		{key("passphrase = var.unset"), "", "4: No value for required variable"},
		{key("chain = key_provider.pbkdf2.k"), "", "3: Key providers in a circle"},
		{key("chain = key_provider.pbkdf2.none"), "", "4: Reference to undeclared key provider"},
		{key("chain = key_provider.pbkdf2"), "", "4: Invalid reference to a key provider"},
		{key("chain = \"x\""), "", "4: Expected key_provider value"},
		{fineKey + "method \"aes_gcm\" \"x\" {\n}\nstate {\n method = method.aes_gcm.x\n}", "", "11: Missing required argument"},
		{fineKey + "method \"aes_gcm\" \"x\" {\n keys = null\n}\nstate {\n method = method.aes_gcm.x\n}", "", "11: Missing required argument"},
		{fineKey + "method \"aes_gcm\" \"x\" {\n keys = key_provider.pbkdf2.k\n aad = [256]\n}\nstate {\n method = method.aes_gcm.x\n}", "", "13: Unsuitable value type: between 0 and 255"},
		{fineKey + "method \"none\" \"x\" {\n}\nstate {\n method = method.none.x\n}", "", "11: Error fetching encryption method \"none\""},
		{fineKey + "method \"external\" \"x\" {\n encrypt_command = []\n decrypt_command = [\"x\"]\n}\nstate {\n method = method.external.x\n}", "", "12: Unsuitable value type: name of a program"},
		{fineKey + "key_provider \"aws_kms\" \"x\" {\n region = \"x\"\n}\nmethod \"aes_gcm\" \"x\" {\n keys = key_provider.aws_kms.x\n}\nstate {\n method = method.aes_gcm.x\n}", "", "11: Key provider \"aws_kms\" is not available: type external instead"},
		{fineKey + "key_provider \"aws_kms\" \"unused\" {}\n", "", ""},
		{fineKey + "key_provider \"bad name\" \"x\" {}\n", "", "11: Invalid name in the encryption block"},
		{fineKey + fineKey, "", "12: Duplicate key_provider\n16: Duplicate method"},
		{fine + "state {\n method = method.aes_gcm.m\n}", "", "15: Duplicate state block"},
		{fineKey + "state {}", "", "11: Missing required argument"},
		{fineKey + "state {\n method = method.aes_gcm.none\n}", "", "12: Reference to undeclared encryption method"},
		{fineKey + "state {\n method = key_provider.pbkdf2.k\n}", "", "12: Invalid encryption method identifier"},
		{fineKey + "state {\n method = \"method.aes_gcm.m\"\n}", "", "12: Invalid expression"},
		{fineKey + "state {\n method = method.aes_gcm.m\n enforced = 5\n}", "", "13: Unsuitable value type: bool required"},
		{fineKey + "state {\n method = method.aes_gcm.m\n fallback {}\n}", "", "13: Missing required argument"},
		{fine + "method \"unencrypted\" \"u\" {}\nplan {\n method = method.unencrypted.u\n enforced = true\n}", "", "15: warning\n16: Unencrypted method is forbidden"},
		{fine + "remote_state_data_sources {\n remote_state_data_source \"x\" {\n  method = method.aes_gcm.none\n }\n}", "", "17: Reference to undeclared encryption method"},
		{fine, "garbage {", "1: Unsupported block type\n1: Unclosed configuration block"},
		{fine, `{"state"`, "1: Missing property value colon\n1: Root value must be object"},
		{fine, `{"state":{"enforced":true}}`, ""},
		{fineKey, `{"state":{"enforced":true}}`, "1: Missing required argument"},
		{fineKey, `{"state":{"enforced":true,"method":"method.aes_gcm.m"}}`, ""},
		{fine, `key_provider "pbkdf2" "k" { iterations = 5 }`, "4: Unable to build encryption key data: dangerously low"},
		{fineKey + "method \"unencrypted\" \"u\" {}\nstate {\n method = method.aes_gcm.m\n enforced = true\n}", "state {\n method = method.unencrypted.u\n enforced = false\n}", "11: warning\n1: Unencrypted method is forbidden"},
	} {
		_, diags := read(t, in(c.body)+"variable \"unset\" {}\n", c.environment)
		if got := told(diags); !matches(got, c.want) {
			t.Errorf("%s\nTF_ENCRYPTION=%s\ngot:\n%s\nwant:\n%s", c.body, c.environment, strings.Join(got, "\n"), c.want)
		}
	}
}

// told are diagnostics as lines: the line in the file, summary and detail.
func told(diags diag.List) []string {
	var out []string
	for _, d := range diags {
		line := 0
		if d.Subject != nil {
			line = d.Subject.Start.Line
		}
		if d.Severity == diag.Warning {
			out = append(out, fmt.Sprintf("%d: warning", line))
			continue
		}
		out = append(out, fmt.Sprintf("%d: %s: %s", line, d.Summary, d.Detail))
	}
	return out
}

// matches compares with lines of which each names the beginning, and after the
// last colon something inside.
func matches(got []string, want string) bool {
	if want == "" {
		return len(got) == 0
	}
	lines := strings.Split(want, "\n")
	if len(got) != len(lines) {
		return false
	}
	for i, w := range lines {
		begins, inside := w, ""
		if parts := strings.SplitN(w, ": ", 3); len(parts) == 3 {
			begins, inside = parts[0]+": "+parts[1], parts[2]
		}
		if !strings.HasPrefix(got[i], begins) || !strings.Contains(got[i], inside) {
			return false
		}
	}
	return true
}

// TestEnvironment: the environment changes arguments, replaces methods and adds
// fallbacks.
func TestEnvironment(t *testing.T) {
	ctx := context.Background()
	before := mustRead(t, in(fine), "").State()
	sealed, err := before.Seal(ctx, []byte("so-secret"))
	if err != nil {
		t.Fatal(err)
	}
	e := mustRead(t, in(fine), `
key_provider "pbkdf2" "other" {
  passphrase = "another-long-passphrase"
  iterations = 200000
}
method "aes_gcm" "other" {
  keys = key_provider.pbkdf2.other
}
state {
  method = method.aes_gcm.other
  fallback {
    method = method.aes_gcm.m
  }
}`)
	if o, err := e.State().Open(ctx, sealed); err != nil || !o.Stale {
		t.Errorf("stale %t: %v", o.Stale, err)
	}
	// With another salt length the same key provider reads what it wrote.
	e = mustRead(t, in(fine), `key_provider "pbkdf2" "k" { salt_length = 8 }`)
	if o, err := e.State().Open(ctx, sealed); err != nil || o.Stale {
		t.Errorf("stale %t: %v", o.Stale, err)
	}
	e = mustRead(t, in(fine), `key_provider "pbkdf2" "k" { passphrase = "another-long-passphrase" }`)
	if _, err := e.State().Open(ctx, sealed); err == nil {
		t.Error("the passphrase of the environment was not used")
	}
}

// TestRemoteStates: a data source's own method comes before the default.
func TestRemoteStates(t *testing.T) {
	e := mustRead(t, in(fine+`
remote_state_data_sources {
  default {
    method = method.aes_gcm.m
  }
  remote_state_data_source "net.vpc[1]" {
    method = method.aes_gcm.m
  }
}`), "")
	named, otherwise := e.RemoteState("net[0].vpc[1]", "net.vpc[1]"), e.RemoteState("vpc[0]", "vpc")
	if named == nil || otherwise == nil || named == otherwise || named.name != "remote state of net.vpc[1]" {
		t.Errorf("%+v, %+v", named, otherwise)
	}
	if mustRead(t, in(fine), "").RemoteState("x") != nil {
		t.Error("a state of others is encrypted, which nobody said")
	}
}

// TestNothing: without a block nothing is encrypted.
func TestNothing(t *testing.T) {
	e := mustRead(t, "locals {}", "")
	if e != nil || e.State() != nil || e.Plan() != nil || e.RemoteState("x") != nil {
		t.Error(e)
	}
}

// TestNoSecret: no diagnostic and no error has a passphrase or a key in it.
func TestNoSecret(t *testing.T) {
	_, diags := read(t, in(`key_provider "pbkdf2" "k" { passphrase = "tiny-secret" }
method "aes_gcm" "m" { keys = key_provider.pbkdf2.k }
state { method = method.aes_gcm.m }`), "")
	if text := fmt.Sprint(diags); !diags.HasErrors() || strings.Contains(text, "tiny-secret") {
		t.Error(text)
	}
}
