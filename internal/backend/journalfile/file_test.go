package journalfile_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/plumb-iac/plumb/addr"
	"github.com/plumb-iac/plumb/internal/backend/journalfile"
	"github.com/plumb-iac/plumb/state"
	"github.com/plumb-iac/plumb/state/journal"
)

// A damaged record does not take those behind it along: the journal is left as it
// is, and the error says where the damage is.
func TestDamaged(t *testing.T) {
	var enc journal.Encoder
	src := enc.Begin(nil, "l", 3)
	whole := len(src)
	for _, name := range []string{"a", "b", "c"} {
		at := addr.AbsInstance{Resource: addr.Resource{Mode: addr.Managed, Type: "x", Name: name}}
		var err error
		if src, err = enc.Append(src, state.Intent{Object: addr.Object{Instance: at}, Op: "create"}); err != nil {
			t.Fatal(err)
		}
	}
	src[whole+6] ^= 0x20
	path := filepath.Join(t.TempDir(), "journal")
	if err := os.WriteFile(path, src, 0o600); err != nil {
		t.Fatal(err)
	}
	_, err := journalfile.Open(t.Context(), path, "", nil)
	if err == nil || !strings.Contains(err.Error(), "is damaged at byte") {
		t.Errorf("opened: %v", err)
	}
	if left, err := os.ReadFile(path); err != nil || !bytes.Equal(left, src) {
		t.Errorf("the journal was changed: %v", err)
	}
}
