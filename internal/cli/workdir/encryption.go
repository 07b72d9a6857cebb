package workdir

import (
	"context"

	"github.com/plumb-iac/plumb/config"
	"github.com/plumb-iac/plumb/diag"
	"github.com/plumb-iac/plumb/internal/cli/inputs"
	"github.com/plumb-iac/plumb/internal/encryption"
	"github.com/plumb-iac/plumb/state"
	v4 "github.com/plumb-iac/plumb/state/v4"
)

// crypt is how this directory's states and plans are encrypted, as far as that
// was found out.
type crypt struct {
	known bool
	*encryption.Encryption
}

// encrypt finds out how states and plans are encrypted: the block in the tree's
// root module, and TF_ENCRYPTION.
func (d *Dir) encrypt(tree *config.Tree) diag.List {
	if d.crypt.known {
		return nil
	}
	o := encryption.Options{Tree: tree, Environment: d.S.Environment.Encryption()}
	if !encryption.Configured(o) {
		d.crypt.known = true
		return nil
	}
	diags := d.gather()
	if diags.HasErrors() {
		return diags
	}
	o.Load = d.loadOptions()
	how, more := encryption.Read(o)
	if diags = diags.With(more); more.HasErrors() {
		return diags
	}
	d.crypt = crypt{true, how}
	return diags
}

// gather finds the values of variables for what has to be known early, where the
// command has not given them.
func (d *Dir) gather() diag.List {
	if d.early != nil {
		return nil
	}
	vars := d.Vars
	if vars == nil {
		vars = &inputs.Flags{}
	}
	given, diags := vars.Collect(d.S, ".")
	d.early = given.Early()
	return diags
}

// encryptAsHere finds out from the present directory how states and plans are
// encrypted, before a saved plan brings a configuration. Without a configuration
// here, that of the plan will tell. asked says that encryption is configured
// here.
func (d *Dir) encryptAsHere() (asked bool, diags diag.List) {
	if d.crypt.known {
		return d.crypt.Encryption != nil, nil
	}
	tree, diags := d.Config(ConfigOptions{RootOnly: true, AnyVersion: true})
	if tree.Root.Settings.Encryption != nil || d.S.Environment.Encryption() != "" {
		return true, d.encrypt(tree) // the rest of the configuration may be as it is
	}
	if !diags.HasErrors() && !tree.Empty() {
		d.crypt.known = true
	}
	return false, diags.Errors()
}

// ParseState reads the content of a state file that the operator hands over. It
// may be encrypted as states are here, or in the clear.
func (d *Dir) ParseState(ctx context.Context, src []byte) (*state.Snapshot, diag.List) {
	if encryption.FormOf(src) != encryption.NotEncrypted {
		if _, diags := d.encryptAsHere(); diags.HasErrors() {
			return nil, diags
		}
		plain, err := d.crypt.State().Given(ctx, src)
		if err != nil {
			return nil, encryption.Diags(err, "")
		}
		src = plain
	}
	return v4.Parse(src)
}
