package std

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Objects of the providers this one replaces are carried over by a moved block
// and need no change afterwards.
func TestMoved(t *testing.T) {
	r := newRig(t)
	at := filepath.Join(t.TempDir(), "f")
	r.must(os.WriteFile(at, []byte("hi"), 0o644))
	r.must(os.Chmod(at, 0o644))
	for _, tc := range []struct {
		kind, provider, source, state string
		config                        values
		is                            string
	}{
		{"std_random_pet", "registry.terraform.io/hashicorp/random", "random_pet",
			`{"id":"mellow-otter","keepers":null,"length":2,"prefix":null,"separator":"-"}`, values{}, "mellow-otter"},
		{"std_random_id", "registry.opentofu.org/hashicorp/random", "random_id",
			`{"id":"AQI","byte_length":2,"hex":"0102","dec":"258","b64_url":"AQI","b64_std":"AQI=","prefix":null,"keepers":{"a":"b"}}`,
			values{"byte_length": 2, "keepers": values{"a": "b"}}, "AQI"},
		{"std_random_uuid", "registry.terraform.io/hashicorp/random", "random_uuid",
			`{"id":"u","result":"u","keepers":null}`, values{}, "u"},
		{"std_tls_key", "registry.terraform.io/hashicorp/tls", "tls_private_key",
			`{"algorithm":"ECDSA","ecdsa_curve":"P224","id":"k","rsa_bits":2048,"public_key_fingerprint_md5":"","private_key_pem":"p"}`,
			values{"algorithm": "ECDSA"}, "k"},
		{"std_file", "registry.terraform.io/hashicorp/local", "local_file",
			`{"filename":"` + at + `","content":"hi","content_base64":null,"sensitive_content":null,"source":null,"file_permission":"0644","directory_permission":"0755","id":"x","content_sha256":"y"}`,
			values{"path": at, "content": "hi"}, at},
	} {
		moved := r.move(tc.kind, tc.provider, tc.source, tc.state)
		o, there := r.read(moved)
		if !there || o.text("id") != tc.is {
			t.Errorf("%s: %v", tc.kind, o.value)
			continue
		}
		r.settledOn(o, tc.config)
	}
}

func TestMovedSecretStaysSecret(t *testing.T) {
	r := newRig(t)
	o := r.move("std_file", "registry.terraform.io/hashicorp/local", "local_sensitive_file",
		`{"filename":"f","content":"hunter2","file_permission":"0700"}`)
	if o.text("sensitive_content") != "hunter2" || o.attrs()["content"] != nil {
		t.Errorf("moved to %v", o.attrs())
	}
}

func TestSlugAndShellQuote(t *testing.T) {
	for in, want := range map[string]string{"My Service (v2)": "my-service-v2", "": "", "--": "", "Ünïcode x": "n-code-x"} {
		if got := slug(in); got != want {
			t.Errorf("slug(%q) = %q, want %q", in, got, want)
		}
	}
	if got := shellQuote([]string{"echo", "it's", "", "a b", "$x", "--k=v"}); got != `echo 'it'\''s' '' 'a b' '$x' --k=v` {
		t.Error(got)
	}
}

// Every attribute of every type says what it is.
func TestEverythingIsDocumented(t *testing.T) {
	r := newRig(t)
	for name, s := range r.schema.ResourceSchemas {
		for _, a := range s.Block.Attributes {
			if !strings.HasSuffix(strings.TrimSpace(a.Description), ".") {
				t.Errorf("%s.%s: %q", name, a.Name, a.Description)
			}
		}
	}
	for name, s := range r.schema.DataSourceSchemas {
		for _, a := range s.Block.Attributes {
			if a.Description == "" {
				t.Errorf("data %s.%s is not documented", name, a.Name)
			}
		}
	}
}
