package workdir

import (
	"strings"

	"github.com/plumb-iac/plumb/config"
	"github.com/plumb-iac/plumb/diag"
)

// refuseEncryption stops where states and plans are to be encrypted: writing
// them in the clear would be worse than doing nothing.
func (d *Dir) refuseEncryption(tree *config.Tree) diag.List {
	refused := diag.Err("State encryption is not available", "The configuration asks for encrypted states and plans, and this version of plumb cannot encrypt them. It does not go on, because it would have to write them in the clear. Nothing was read or changed.")
	switch {
	case tree.Root.Settings.Encryption != nil:
		return diag.List{refused.At(tree.Root.Settings.EncryptionRange)}
	case strings.TrimSpace(d.S.Environment.Encryption()) != "":
		refused.Detail = strings.Replace(refused.Detail, "The configuration", "The environment variable TF_ENCRYPTION", 1)
		return diag.List{refused.By(diag.Operator)}
	}
	return nil
}
