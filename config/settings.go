package config

import (
	"errors"

	"github.com/hashicorp/go-version"
	"github.com/hashicorp/hcl/v2"
	"github.com/plumb-iac/plumb/addr"
	"github.com/plumb-iac/plumb/diag"
	"github.com/plumb-iac/plumb/internal/hcldiag"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/convert"
)

// settingsBlock is what one terraform or language block says.
type settingsBlock struct {
	Settings
	required    []*RequiredProvider
	requiredAt  []diag.Range
	backends    []*Backend
	clouds      []*Backend
	stores      []*StateStore
	meta        []*ProviderMeta
	encryptions []*hcl.Block
}

func (d *decoder) terraform(b *hcl.Block, out *declared) {
	c := d.content(b.Body, schemaOf([]string{"required_version", "experiments", "language"},
		block("backend", "type"), block("cloud"), block("state_store", "type"), block("required_providers"),
		block("provider_meta", "provider"), block("encryption")))
	var s settingsBlock
	s.Range = hcldiag.RangeOf(b.DefRange)
	if a, ok := c.Attributes["required_version"]; ok && (d.tofu || !d.reading.VersionsFromTofuFiles) {
		if v, ok := d.requiredVersion(a); ok {
			s.requires(v, d.reading.VersionsFromTofuFiles)
		}
	}
	if !d.reading.VersionsFromTofuFiles {
		d.experiments(c.Attributes["experiments"])
		d.edition(c.Attributes["language"])
	}
	for _, inner := range c.Blocks {
		d.setting(inner, &s)
	}
	out.settings = append(out.settings, s)
}

// requires notes a version that is required of the language: of OpenTofu's in
// files of its own, else of Terraform's.
func (s *settingsBlock) requires(v VersionConstraint, tofu bool) {
	if tofu {
		s.CompatibleWith = append(s.CompatibleWith, v)
	} else {
		s.RequiredVersions = append(s.RequiredVersions, v)
	}
}

func (d *decoder) setting(b *hcl.Block, s *settingsBlock) {
	at := hcldiag.RangeOf(b.DefRange)
	switch b.Type {
	case "required_providers":
		s.required = append(s.required, d.required(b)...)
		s.requiredAt = append(s.requiredAt, at)
	case "backend":
		s.backends = append(s.backends, &Backend{Type: b.Labels[0], Config: b.Body, Range: at, TypeRange: hcldiag.RangeOf(b.LabelRanges[0])})
	case "cloud":
		s.clouds = append(s.clouds, &Backend{Type: "cloud", Config: b.Body, Range: at, TypeRange: hcldiag.RangeOf(b.TypeRange)})
	case "state_store":
		if store := d.stateStore(b); store != nil {
			s.stores = append(s.stores, store)
		}
	case "provider_meta":
		if d.localName(b.Labels[0], b.LabelRanges[0]) {
			d.constants(b.Body)
			s.meta = append(s.meta, &ProviderMeta{Provider: b.Labels[0], Config: b.Body, Range: at})
		}
	case "encryption":
		d.content(b.Body, EncryptionSchema())
		s.encryptions = append(s.encryptions, b)
	}
}

// stateStore decodes a state_store block; nil for one that names no provider.
func (d *decoder) stateStore(b *hcl.Block) *StateStore {
	c, rest, diags := b.Body.PartialContent(schemaOf(nil, block("provider", "name")))
	d.hcl(diags)
	if len(c.Blocks) == 0 {
		d.err(b.DefRange, "Missing provider block", "A state_store block has one provider block, which names the provider that keeps the state and has its configuration, maybe an empty one: provider \"NAME\" {}.")
		return nil
	}
	p := c.Blocks[0]
	for _, other := range c.Blocks[1:] {
		d.err(other.DefRange, "Duplicate provider block", "A state_store block has one provider block, and the first one is at "+hcldiag.RangeOf(p.DefRange).String()+".")
	}
	if args, _ := p.Body.JustAttributes(); args["alias"] != nil {
		d.err(args["alias"].NameRange, "Invalid provider configuration", "The configuration of the provider that keeps the state is this one and no other, so it has no alias.")
	}
	d.constants(rest)
	d.constants(p.Body)
	return &StateStore{
		Type: b.Labels[0], Config: rest, Provider: p.Labels[0], ProviderConfig: p.Body,
		Range: hcldiag.RangeOf(b.DefRange), TypeRange: hcldiag.RangeOf(b.LabelRanges[0]), ProviderRange: hcldiag.RangeOf(p.LabelRanges[0]),
	}
}

// constants reports arguments that are not written out.
func (d *decoder) constants(b hcl.Body) {
	args, _ := b.JustAttributes() // what else there is, its schema has to know
	for _, name := range sortedKeys(args) {
		_, diags := args[name].Expr.Value(nil)
		d.hcl(diags)
	}
}

func (d *decoder) experiments(a *hcl.Attribute) {
	if a == nil {
		return
	}
	items, diags := hcl.ExprList(a.Expr)
	d.hcl(diags)
	if len(items) > 0 {
		d.err(a.NameRange, "Module uses experimental features", "This program has no experimental language features; remove the experiments argument.")
	}
}

func (d *decoder) edition(a *hcl.Attribute) {
	if a == nil {
		return
	}
	switch word := hcl.ExprAsKeyword(a.Expr); word {
	case "TF2021":
	case "":
		d.err(a.Expr.Range(), "Invalid language edition", "A language edition is a bare word. The only one is TF2021, which is what is meant without this argument.")
	default:
		d.err(a.Expr.Range(), "Unsupported language edition", "There is no language edition "+word+" here. The only one is TF2021, which is what is meant without this argument.")
	}
}

// language decodes OpenTofu's block of that name.
func (d *decoder) language(b *hcl.Block, out *declared) {
	if d.override {
		d.err(b.DefRange, "Language selections in override file", "A language block belongs into a normal file, not into an override file.")
		return
	}
	c := d.content(b.Body, schemaOf([]string{"edition", "experiments"}, block("compatible_with")))
	if a, ok := c.Attributes["edition"]; ok && hcl.ExprAsKeyword(a.Expr) != "tofu2024" {
		d.err(a.Expr.Range(), "Invalid language edition", "The only edition that a language block can name is tofu2024.")
	}
	d.experiments(c.Attributes["experiments"])
	var s settingsBlock
	for i, inner := range c.Blocks {
		if i > 0 {
			d.once("language block", inner, c.Blocks[0])
			continue
		}
		attrs, diags := inner.Body.JustAttributes()
		d.hcl(diags)
		if a, ok := attrs["opentofu"]; ok {
			if v, ok := d.requiredVersion(a); ok {
				s.CompatibleWith = append(s.CompatibleWith, v)
				d.effective(v, a)
			}
		}
	}
	out.settings = append(out.settings, s)
}

// effective warns of a constraint that lets versions in that do not know the block
// it stands in, and so cannot keep them out.
func (d *decoder) effective(v VersionConstraint, a *hcl.Attribute) {
	if constraints, err := version.NewConstraint(v.Text); err == nil && admitsOlder(constraints) {
		d.warn(a.Range, "Ineffective version constraint",
			"This constraint includes versions of OpenTofu before "+languageSince+", which do not read language blocks and so are not kept out by it. Require at least "+languageSince+" here; for earlier versions, there is required_version in a terraform block of a .tofu file.")
	}
}

func (d *decoder) strayRequired(b *hcl.Block, _ *declared) {
	d.err(b.TypeRange, "Invalid required_providers block", "A required_providers block belongs inside a terraform block.")
}

// requiredVersion reads a required_version argument, in which, unlike in other
// places, a number will do and null requires nothing.
func (d *decoder) requiredVersion(a *hcl.Attribute) (VersionConstraint, bool) {
	if v, diags := a.Expr.Value(nil); !diags.HasErrors() {
		if v.IsNull() {
			return VersionConstraint{}, false
		}
		if text, err := convert.Convert(v, cty.String); err == nil && v.Type() == cty.Number {
			return d.constraint(hcl.StaticExpr(text, a.Expr.Range()), a.Range)
		}
	}
	return d.constraint(a.Expr, a.Range)
}

// constraint reads a version constraint.
func (d *decoder) constraint(e hcl.Expression, argument hcl.Range) (VersionConstraint, bool) {
	c := VersionConstraint{Range: hcldiag.RangeOf(e.Range()), Argument: hcldiag.RangeOf(argument)}
	v, diags := e.Value(nil)
	if diags.HasErrors() {
		d.hcl(diags)
		return c, false
	}
	text, ok := stringOf(v)
	if !ok {
		d.err(e.Range(), "Invalid version constraint", "A version constraint is a string, such as \"~> 1.2\", without references to anything.")
		return c, false
	}
	c.Text = text
	return c, d.validConstraint(text, e.Range())
}

func (d *decoder) validConstraint(text string, at hcl.Range) bool {
	if _, err := version.NewConstraint(text); err != nil {
		d.err(at, "Invalid version constraint", "\""+text+"\" is not a version constraint. Constraints look like \"1.2.3\", \">= 1.2, < 2.0\" or \"~> 1.2\".")
		return false
	}
	return true
}

// required decodes a required_providers block.
func (d *decoder) required(b *hcl.Block) []*RequiredProvider {
	attrs, diags := b.Body.JustAttributes()
	d.hcl(diags)
	var out []*RequiredProvider
	for _, name := range sortedKeys(attrs) {
		a := attrs[name]
		if !d.localName(name, a.Expr.Range()) {
			continue
		}
		out = append(out, d.requirement(a))
	}
	return out
}

func (d *decoder) requirement(a *hcl.Attribute) *RequiredProvider {
	r := &RequiredProvider{Name: a.Name, Range: hcldiag.RangeOf(a.NameRange), Source: addr.ImpliedProvider(a.Name, d.reading.DefaultHost)}
	pairs, diags := hcl.ExprMap(a.Expr)
	if diags.HasErrors() {
		d.legacyRequirement(a, r)
		return r
	}
	for _, pair := range pairs {
		key, diags := pair.Key.Value(nil)
		d.hcl(diags)
		name, ok := stringOf(key)
		if diags.HasErrors() || !ok {
			continue
		}
		switch name {
		case "version":
			r.Version, _ = d.constraint(pair.Value, hcl.RangeBetween(pair.Key.Range(), pair.Value.Range()))
		case "source":
			d.source(pair.Value, r)
		case "configuration_aliases":
			d.aliases(pair.Value, r)
		default:
			d.err(pair.Key.Range(), "Invalid required_providers object",
				"An entry of required_providers has no \""+name+"\": only source, version and configuration_aliases. Settings of the provider itself go into a provider block.")
		}
	}
	return r
}

// legacyRequirement is an entry that is a version constraint and nothing else.
func (d *decoder) legacyRequirement(a *hcl.Attribute, r *RequiredProvider) {
	v, diags := a.Expr.Value(nil)
	d.hcl(diags)
	if diags.HasErrors() {
		return
	}
	if t := v.Type(); v.IsNull() || t != cty.String && t != cty.Number {
		d.err(a.Expr.Range(), "Invalid required_providers object", "An entry of required_providers is an object with source and version.")
		return
	}
	r.Version, _ = d.requiredVersion(a)
}

func (d *decoder) source(e hcl.Expression, r *RequiredProvider) {
	v, _ := e.Value(nil)
	text, ok := stringOf(v)
	if !ok {
		d.err(e.Range(), "Invalid source", "A provider's source address is a string without references to anything.")
		return
	}
	source, err := addr.ParseProvider(text, d.reading.DefaultHost)
	if err != nil {
		d.err(e.Range(), badSource(err), sentence(err.Error()))
		return
	}
	r.Source, r.SourceSet = source, true
}

// badSource is the summary for the part of a source address that is wrong.
func badSource(err error) string {
	var part *addr.ProviderPartError
	switch {
	case !errors.As(err, &part):
		return "Invalid provider source string"
	case part.Part == addr.HostPart:
		return "Invalid provider source hostname"
	}
	return "Invalid provider " + part.Part
}

// aliases reads the configurations that a module has to be passed, which may be
// the default one.
func (d *decoder) aliases(e hcl.Expression, r *RequiredProvider) {
	items, diags := hcl.ExprList(e)
	d.hcl(diags)
	for _, item := range items {
		if _, diags := hcl.AbsTraversalForExpr(item); diags.HasErrors() {
			d.hcl(diags)
			continue
		}
		ref, ok := d.providerRef(item)
		switch {
		case !ok:
		case ref.Name != r.Name:
			d.err(e.Range(), "Invalid configuration_aliases value",
				"The aliases declared in the entry \""+r.Name+"\" all begin with that name: "+r.Name+".ALIAS.")
		default:
			r.Aliases = append(r.Aliases, ref.ProviderKey)
		}
	}
}
