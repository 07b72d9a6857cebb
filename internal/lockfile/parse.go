package lockfile

import (
	"bytes"

	"github.com/apparentlymart/go-versions/versions"
	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/gohcl"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/plumb-iac/plumb/addr"
	"github.com/plumb-iac/plumb/diag"
	"github.com/plumb-iac/plumb/internal/hcldiag"
)

// Parse reads a lock file. The result is usable as far as the text is.
func Parse(name string, src []byte) (*File, diag.List) {
	p := &parser{file: New()}
	p.file.tofu = bytes.Contains(src, []byte(tofuHeader))
	f, diags := hclsyntax.ParseConfig(src, name, hcl.InitialPos)
	p.hcl(diags)
	if f == nil || f.Body == nil {
		return p.file, p.diags
	}
	c, diags := f.Body.Content(&hcl.BodySchema{Blocks: []hcl.BlockHeaderSchema{{Type: "provider", LabelNames: []string{"source_addr"}}, {Type: "module", LabelNames: []string{"path"}}}})
	p.hcl(diags)
	for _, b := range c.Blocks {
		if b.Type == "provider" {
			p.provider(b)
		}
	}
	return p.file, p.diags
}

type parser struct {
	file  *File
	diags diag.List
}

func (p *parser) provider(b *hcl.Block) {
	source, err := addr.ParseProvider(b.Labels[0], addr.DefaultHost)
	if err != nil {
		p.err(b.LabelRanges[0], "Invalid provider source address", "The address \""+b.Labels[0]+"\" is not that of a provider: "+err.Error()+".")
		return
	}
	if source.String() != b.Labels[0] {
		p.err(b.LabelRanges[0], "Non-normalized provider source address", "In a lock file the provider's address is written in full: \""+source.String()+"\".")
		return
	}
	if source.IsBuiltin() {
		p.err(b.LabelRanges[0], "Invalid provider source address", "The provider "+source.String()+" is part of the program, so no version of it can be chosen.")
		return
	}
	if _, taken := p.file.locks[source]; taken {
		p.err(b.LabelRanges[0], "Duplicate provider lock", "There is another block for "+source.String()+" above.")
		return
	}
	if l, ok := p.lock(b, source); ok {
		p.file.locks[source] = l
	}
}

func (p *parser) lock(b *hcl.Block, source addr.Provider) (Lock, bool) {
	l := Lock{Provider: source}
	c, _, diags := b.Body.PartialContent(&hcl.BodySchema{Attributes: []hcl.AttributeSchema{{Name: "version", Required: true}, {Name: "constraints"}, {Name: "hashes"}}})
	p.hcl(diags)
	if a := c.Attributes["version"]; a != nil {
		p.hcl(gohcl.DecodeExpression(a.Expr, nil, &l.Version))
		if v, err := versions.ParseVersion(l.Version); err != nil || v.String() != l.Version {
			p.err(a.Expr.Range(), "Invalid provider version number", "\""+l.Version+"\" is not a version in the form 1.2.3.")
			return l, false
		}
	}
	if a := c.Attributes["constraints"]; a != nil {
		p.hcl(gohcl.DecodeExpression(a.Expr, nil, &l.Constraints))
		if _, err := Normalise(l.Constraints); err != nil {
			p.err(a.Expr.Range(), "Invalid provider version constraints", err.Error()+".")
		}
	}
	if a := c.Attributes["hashes"]; a != nil {
		p.hcl(gohcl.DecodeExpression(a.Expr, nil, &l.Hashes))
		l.Hashes = unique(l.Hashes)
	}
	return l, l.Version != ""
}

func (p *parser) hcl(diags hcl.Diagnostics) { p.diags = p.diags.With(hcldiag.List(diags)) }

func (p *parser) err(at hcl.Range, summary, detail string) {
	p.diags = p.diags.Append(diag.Err(summary, detail).At(hcldiag.RangeOf(at)))
}
