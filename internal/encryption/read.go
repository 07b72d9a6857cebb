package encryption

import (
	"maps"
	"slices"

	"github.com/hashicorp/hcl/v2"
	"github.com/plumb-iac/plumb/config"
	"github.com/plumb-iac/plumb/diag"
	"github.com/plumb-iac/plumb/internal/hcldiag"
)

// Options are what encryption is configured with.
type Options struct {
	// Tree is the configuration; the block stands in its root module.
	Tree *config.Tree
	// Environment is the text of TF_ENCRYPTION. It is merged over the block:
	// arguments of key providers and methods one by one, targets likewise, except
	// that what is enforced stays so.
	Environment string
	// Load says what expressions may refer to.
	Load config.LoadOptions
}

// Encryption is what is encrypted, and how. A nil one encrypts nothing.
type Encryption struct {
	state, plan, others *Target
	// named are states of others by the name of the data source that reads them.
	named map[string]*Target
}

// State is how the states of this configuration, their backups and journals are
// encrypted.
func (e *Encryption) State() *Target {
	if e == nil {
		return nil
	}
	return e.state
}

// Plan is how plan files are encrypted.
func (e *Encryption) Plan() *Target {
	if e == nil {
		return nil
	}
	return e.plan
}

// RemoteState is how the state is encrypted that a terraform_remote_state data
// source reads: that of the first of names that is configured, else the default.
// In names the module's path comes first, as in "net.vpc" and "net[0].vpc[1]".
func (e *Encryption) RemoteState(names ...string) *Target {
	if e == nil {
		return nil
	}
	for _, n := range names {
		if t := e.named[n]; t != nil {
			return t
		}
	}
	return e.others
}

// Configured says whether encryption is configured at all.
func Configured(o Options) bool {
	body, diags := config.ParseEncryption(o.Environment)
	return o.Tree.Root.Settings.Encryption != nil || body != nil || len(diags) > 0
}

// Read reads what is configured; it is nil where nothing is. Key providers and
// methods that nobody uses are only looked over.
func Read(o Options) (*Encryption, diag.List) {
	environment, diags := config.ParseEncryption(o.Environment)
	block := o.Tree.Root.Settings.Encryption
	if block == nil && environment == nil {
		return nil, diags
	}
	d := newDecoder()
	for _, body := range []hcl.Body{block, environment} {
		if body != nil {
			d.read(body)
		}
	}
	diags = hcldiag.List(d.diags).With(diags)
	if diags.HasErrors() {
		return nil, diags
	}
	b := newBuilder(o, d.declared)
	e := &Encryption{state: b.target("state", d.state), plan: b.target("plan", d.plan), others: b.target("remote state", d.others), named: map[string]*Target{}}
	for _, name := range slices.Sorted(maps.Keys(d.named)) {
		e.named[name] = b.target("remote state of "+name, d.named[name])
	}
	return e, diags.With(b.diags)
}
