package encryption

import (
	"fmt"
	"slices"

	"github.com/hashicorp/hcl/v2"
	"github.com/plumb-iac/plumb/diag"
	"github.com/plumb-iac/plumb/internal/hcldiag"
)

// builder makes targets of declarations. What is used is made once.
type builder struct {
	options   Options
	declared  declared
	providers map[name]*provider
	methods   map[name]*step
	// busy are the key providers being made, to stop at cycles.
	busy  map[name]bool
	diags diag.List
}

func newBuilder(o Options, d declared) *builder {
	o.Load.Reading.AnyVariableEarly = true
	return &builder{options: o, declared: d, providers: map[name]*provider{}, methods: map[name]*step{}, busy: map[name]bool{}}
}

func (b *builder) hcl(diags hcl.Diagnostics) { b.diags = b.diags.With(hcldiag.List(diags)) }

func (b *builder) err(at hcl.Range, summary, detail string) {
	b.diags = b.diags.Append(diag.Err(summary, detail).At(hcldiag.RangeOf(at)))
}

// target makes the target of a block; nil for none.
func (b *builder) target(what string, u *use) *Target {
	if u == nil {
		return nil
	}
	t := &Target{name: what}
	enforced := false
	for _, a := range u.enforced {
		enforced = b.truth(a) || enforced
	}
	for ; u != nil; u = u.fallback {
		s := b.method(what, u)
		if s == nil {
			continue
		}
		if s.method == nil && enforced {
			b.err(u.at, "Unencrypted method is forbidden", "Unable to use unencrypted method since the enforced flag is set. The block, or TF_ENCRYPTION, says enforced = true, so neither the "+what+" nor a fallback may be unencrypted.")
		}
		t.methods = append(t.methods, *s)
	}
	if len(t.methods) == 0 {
		return nil // there are errors
	}
	return t
}

// method is what a block refers to; nil where that is an error.
func (b *builder) method(what string, u *use) *step {
	if u.method == nil {
		b.err(u.at, "Missing required argument", `The argument "method" is required, but no definition was found: neither the encryption block of the configuration nor TF_ENCRYPTION says how the `+what+` is encrypted.`)
		return nil
	}
	at, diags := hcl.AbsTraversalForExpr(u.method.Expr)
	if b.hcl(diags); diags.HasErrors() {
		return nil
	}
	n, ok := named(at, "method")
	if !ok {
		b.err(u.method.Range, "Invalid encryption method identifier", "Expected method of form method.<type>.<name>")
		return nil
	}
	d := b.declared.methods[n]
	if d == nil {
		b.err(u.method.Range, "Reference to undeclared encryption method", fmt.Sprintf("There is no method %q %q block declared in the encryption block.", n.kind, n.name))
		return nil
	}
	if made, done := b.methods[n]; done {
		return made
	}
	b.methods[n] = nil
	if m, ok := b.makeMethod(d); ok {
		b.methods[n] = &step{"method." + n.kind + "." + n.name, m}
	}
	return b.methods[n]
}

// named reads a reference of the form WORD.TYPE.NAME.
func named(at hcl.Traversal, word string) (name, bool) {
	if len(at) != 3 || at.RootName() != word {
		return name{}, false
	}
	kind, ok := at[1].(hcl.TraverseAttr)
	own, ok2 := at[2].(hcl.TraverseAttr)
	return name{kind.Name, own.Name}, ok && ok2
}

// makeMethod makes a method; nil is unencrypted. ok is false after an error.
func (b *builder) makeMethod(d *declaration) (m method, ok bool) {
	switch d.kind {
	case "aes_gcm":
		a := b.arguments(d, required("keys"), optional("aad"))
		g := &gcm{keys: a.keys("keys"), extra: a.bytes("aad")}
		if g.keys == nil && a.ok() {
			b.err(d.at, "Missing required argument", `The argument "keys" is required, and it is null.`)
		}
		return g, a.ok() && a.distinct(g.keys)
	case "external":
		a := b.arguments(d, optional("keys"), required("encrypt_command"), required("decrypt_command"))
		p := &program{keys: a.keys("keys"), encrypt: a.command("encrypt_command"), decrypt: a.command("decrypt_command")}
		return p, a.ok() && a.distinct(p.keys)
	case "unencrypted":
		a := b.arguments(d)
		b.diags = b.diags.Append(diag.Warn("Unencrypted method configured", "With it, states or plans are read and may be written in the clear. It is meant for the time in which encryption is introduced or taken away: remove it afterwards.").At(hcldiag.RangeOf(d.at)))
		return nil, a.ok()
	}
	b.err(d.at, `Error fetching encryption method "`+d.kind+`"`, "There is no method of this type. There are aes_gcm, external and unencrypted.")
	return nil, false
}

// provider makes a key provider; nil after an error.
func (b *builder) provider(n name) *provider {
	if p, done := b.providers[n]; done {
		return p
	}
	d := b.declared.providers[n]
	p := &provider{address: "key_provider." + n.kind + "." + n.name}
	p.metaKey = p.address
	if b.busy[n] {
		b.err(d.at, "Key providers in a circle", "The chain of "+p.address+" leads back to itself, so that there is no key to begin with.")
		return nil
	}
	b.busy[n] = true
	before := len(b.diags.Errors())
	b.makeProvider(d, p)
	if len(b.diags.Errors()) > before {
		p = nil
	}
	b.providers[n] = p
	return p
}

// makeProvider makes what p does.
func (b *builder) makeProvider(d *declaration, p *provider) {
	switch d.kind {
	case "pbkdf2":
		a := b.arguments(d, optional("passphrase"), optional("chain"), optional("iterations"), optional("key_length"), optional("salt_length"), optional("hash_function"), optional(aliasArgument))
		p.chain = a.keys("chain")
		m := &derived{
			passphrase: a.text("passphrase", ""), chain: p.chain, hash: a.text("hash_function", "sha512"),
			iterations: a.number("iterations", defaultIterations), keyLength: a.number("key_length", defaultLength), saltLength: a.number("salt_length", defaultLength),
		}
		p.maker, p.metaKey = m, a.alias(p.metaKey)
		if err := m.check(); err != nil && a.ok() {
			b.err(d.at, "Unable to build encryption key data", p.address+" failed with error: "+err.Error())
		}
	case "external":
		a := b.arguments(d, required("command"), optional(aliasArgument))
		p.maker, p.metaKey = &keyProgram{a.command("command")}, a.alias(p.metaKey)
	default:
		b.unknownProvider(d)
	}
}

// services are the key providers of the family that talk to a service.
var services = []string{"aws_kms", "gcp_kms", "openbao", "azure_vault"}

func (b *builder) unknownProvider(d *declaration) {
	detail := "There is no key provider of this type. There are pbkdf2 and external."
	if s := d.kind; slices.Contains(services, s) {
		detail = "This version of plumb does not talk to the service behind " + s + ". Use a key provider of the type external instead, with a program that gets the key from there (docs/encryption.md shows one); or pbkdf2, with the passphrase from a variable that your secret store fills. A state that was encrypted with " + s + " is moved by OpenTofu: have it write the state with one of these, with " + s + " as the fallback."
	}
	b.err(d.at, `Key provider "`+d.kind+`" is not available`, detail)
}

// distinct checks that no two key providers of a chain keep their data under the
// same name.
func (a *arguments) distinct(p *provider) bool {
	seen := map[string]bool{}
	for ; p != nil; p = p.chain {
		if seen[p.metaKey] {
			a.b.err(a.at, "Duplicate metadata key", "Two key providers that this method uses keep what they need under the name \""+p.metaKey+"\". Give one of them another encrypted_metadata_alias.")
			return false
		}
		seen[p.metaKey] = true
	}
	return true
}

// reference is the name in a reference to a key provider.
func (b *builder) reference(at hcl.Traversal) (name, bool) {
	// What follows the name, as in key_provider.a.b.encryption_key, is not ours to
	// give.
	n, ok := named(at[:min(3, len(at))], "key_provider")
	if !ok {
		b.err(at.SourceRange(), "Invalid reference to a key provider", "A key provider is referred to as key_provider.<type>.<name>.")
		return n, false
	}
	if b.declared.providers[n] == nil {
		b.err(at.SourceRange(), "Reference to undeclared key provider", fmt.Sprintf("There is no key_provider %q %q block declared in the encryption block.", n.kind, n.name))
		return n, false
	}
	return n, true
}
