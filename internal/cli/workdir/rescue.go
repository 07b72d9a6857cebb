package workdir

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"

	"github.com/plumb-iac/plumb/addr"
	"github.com/plumb-iac/plumb/config"
	"github.com/plumb-iac/plumb/diag"
	"github.com/plumb-iac/plumb/internal/backend"
	"github.com/plumb-iac/plumb/internal/backend/local"
	"github.com/plumb-iac/plumb/state"
	"github.com/zclconf/go-cty/cty"
)

// errored is the file for a state that its store does not take.
const errored = "errored.tfstate"

// erroredTest is the file for the state of a test that could not be cleaned up.
const erroredTest = "errored_test.tfstate"

// KeepTest writes what is left of a test of the configuration to a new file of the
// present directory and says which. It is encrypted if states are; where that is
// not possible, nothing is written.
func (d *Dir) KeepTest(ctx context.Context, tree *config.Tree, s *state.Snapshot) (string, error) {
	if diags := d.encrypt(tree); diags.HasErrors() {
		return "", fmt.Errorf("states are to be encrypted, and that cannot be done: %s: %s", diags.Errors()[0].Summary, diags.Errors()[0].Detail)
	}
	name := erroredTest
	for n := 2; ; n++ {
		if _, err := os.Lstat(name); errors.Is(err, fs.ErrNotExist) {
			break
		} else if err != nil {
			return "", err
		}
		name = fmt.Sprintf("errored_test-%d.tfstate", n)
	}
	return name, local.Save(ctx, name, s, d.form(d.crypt.State()))
}

// Rescue puts the state elsewhere that could not be written to its place: into a
// file of the present directory, or, where that fails too, onto the error
// stream. It does nothing when nothing would be lost.
func (st *Storage) Rescue(ctx context.Context, s *state.Snapshot) diag.List {
	if !st.failed || !st.lost || s == nil || s.Equal(st.opened.Snapshot) {
		return nil // nothing is missing
	}
	if stored := st.opened.Stored; stored != nil {
		s = s.WithSerial(max(s.Serial(), stored.Serial()+1))
	}
	form := st.dir.form(st.dir.crypt.State())
	if err := local.Save(ctx, errored, s, form); err != nil {
		return diag.List{diag.Err("Failed to create local state file",
			"The state could not be written to "+errored+" either: "+err.Error()+"."+st.dump(ctx, s, form)).By(diag.Operator)}
	}
	return diag.List{diag.Err("Failed to persist state to backend",
		"The state could not be written to "+st.store.Path()+", for the reason given above. So that nothing is lost, it is in the file "+errored+" of the present directory now. Mend the cause, and before any other command that changes the state store it with\n    plumb state push "+errored).By(diag.Operator)}
}

// dump shows a state that no file takes, encrypted if states are, and says what
// to do with it.
func (st *Storage) dump(ctx context.Context, s *state.Snapshot, form backend.Form) string {
	var text bytes.Buffer
	if err := form.Content(ctx, s)(&text); err != nil {
		return " Nor can it be shown: " + err.Error() + ".\n\n" + st.remains(s)
	}
	st.s.Complain("%s\n", text.Bytes())
	return " It was written to the error stream, as the last resort: put it into a file, and store it with \"plumb state push\"."
}

// remains says what is left of a run whose state no place took: the journal, and
// what only this process knows.
func (st *Storage) remains(s *state.Snapshot) string {
	text := "There is no journal, so the stored state is what it was before."
	if j := st.opened.Journal; j != nil {
		text = fmt.Sprintf("Leave the state (%s) and its journal (%s) where they are, and mend what failed. The next command takes what the journal has into account.", st.store.Path(), j.Path())
	}
	if st.opened.Journal != nil && len(st.unrecorded) == 0 {
		return text + " It has everything that was done."
	}
	text += " These objects were changed last, and what became of them is recorded nowhere but here:\n"
	for _, at := range st.unrecorded {
		text += "\n - " + at.String() + fate(s, at)
	}
	return text + "\n\nNote this down. The next plan tells of them as operations with an unknown outcome. Then import what exists and is not in the state (\"plumb import ADDRESS ID\"), and remove from it what is gone (\"plumb state rm ADDRESS\")."
}

// fate is what the state knows of an object, with its id where that is no secret.
func fate(s *state.Snapshot, at addr.Object) string {
	o := s.Object(at)
	if o == nil {
		return " is gone"
	}
	var known struct{ ID any }
	hidden := slices.ContainsFunc(o.Sensitive, func(p cty.Path) bool { return len(p) == 0 || p[0] == cty.GetAttrStep{Name: "id"} })
	if hidden || json.Unmarshal(o.Attrs, &known) != nil || known.ID == nil {
		return " exists"
	}
	return fmt.Sprintf(" exists [id=%v]", known.ID)
}
