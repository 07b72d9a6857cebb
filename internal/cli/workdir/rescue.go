package workdir

import (
	"bytes"
	"context"

	"github.com/plumb-iac/plumb/diag"
	"github.com/plumb-iac/plumb/internal/backend/local"
	"github.com/plumb-iac/plumb/internal/encryption"
	"github.com/plumb-iac/plumb/state"
	v4 "github.com/plumb-iac/plumb/state/v4"
)

// errored is the file for a state that its store does not take.
const errored = "errored.tfstate"

// Rescue puts the state elsewhere that could not be written to its place: into a
// file of the present directory, or, where that fails too, onto the error
// stream. It does nothing when nothing would be lost.
func (st *Storage) Rescue(ctx context.Context, s *state.Snapshot) diag.List {
	if !st.failed || s == nil || s.Equal(st.opened.Snapshot) {
		return nil // nothing is missing
	}
	if stored := st.opened.Stored; stored != nil {
		s = s.WithSerial(max(s.Serial(), stored.Serial()+1))
	}
	how := st.dir.crypt.State()
	if err := local.Save(ctx, errored, s, st.s.Language, how); err != nil {
		return diag.List{diag.Err("Failed to create local state file",
			"The state could not be written to "+errored+" either: "+err.Error()+"."+st.dump(ctx, s, how)).By(diag.Operator)}
	}
	return diag.List{diag.Err("Failed to persist state to backend",
		"The state could not be written to "+st.store.Path()+", for the reason given above. So that nothing is lost, it is in the file "+errored+" of the present directory now. Mend the cause, and before any other command that changes the state store it with\n    plumb state push "+errored).By(diag.Operator)}
}

// dump shows a state that no file takes, encrypted if states are, and says what
// to do with it.
func (st *Storage) dump(ctx context.Context, s *state.Snapshot, how *encryption.Target) string {
	var text bytes.Buffer
	err := v4.Write(&text, s, v4.Options{Version: st.s.Language})
	shown := text.Bytes()
	if err == nil {
		shown, err = how.SealState(ctx, shown, s.Lineage(), s.Serial())
	}
	if err != nil {
		return " Nor can it be shown: " + err.Error() + ". Leave the journal beside the state where it is: it has what was done."
	}
	st.s.Complain("%s\n", shown)
	return " It was written to the error stream, as the last resort: put it into a file, and store it with \"plumb state push\"."
}
