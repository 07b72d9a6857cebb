package settings

import (
	"maps"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/hashicorp/hcl/v2/json"
	"github.com/plumb-iac/plumb/addr"
	"github.com/plumb-iac/plumb/diag"
	"github.com/plumb-iac/plumb/internal/hcldiag"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/convert"
)

// reader reads one CLI configuration file into the settings.
type reader struct {
	cli         *CLI
	env         Environment
	defaultHost string
	diags       diag.List
}

func (r *reader) read(name string, src []byte) {
	var file *hcl.File
	var diags hcl.Diagnostics
	if strings.HasSuffix(name, ".json") {
		file, diags = json.Parse(src, name)
	} else {
		file, diags = hclsyntax.ParseConfig(objectOverrides(src, name), name, hcl.InitialPos)
	}
	r.hcl(diags)
	if file == nil || file.Body == nil {
		return
	}
	c, _, diags := file.Body.PartialContent(&hcl.BodySchema{
		Attributes: []hcl.AttributeSchema{{Name: "plugin_cache_dir"}, {Name: "plugin_cache_may_break_dependency_lock_file"}, {Name: "dialect"}},
		Blocks: []hcl.BlockHeaderSchema{
			{Type: "provider_installation"}, {Type: "credentials", LabelNames: []string{"host"}},
			{Type: "credentials_helper", LabelNames: []string{"name"}}, {Type: "host", LabelNames: []string{"name"}}, {Type: "registry_protocols"},
		},
	})
	r.hcl(diags)
	if a := c.Attributes["plugin_cache_dir"]; a != nil {
		r.cli.PluginCacheDir = r.expand(r.text(a.Expr))
	}
	if a := c.Attributes["plugin_cache_may_break_dependency_lock_file"]; a != nil {
		r.cli.PluginCacheMayBreakLock = r.text(a.Expr) == "true"
	}
	if a := c.Attributes["dialect"]; a != nil {
		r.cli.Dialect = r.text(a.Expr)
	}
	for _, b := range c.Blocks {
		r.block(b)
	}
}

func (r *reader) block(b *hcl.Block) {
	switch b.Type {
	case "provider_installation":
		if r.cli.Methods != nil {
			r.err(b.DefRange, "Multiple provider_installation blocks", "There can be one provider_installation block in all CLI configuration files.")
			return
		}
		r.installation(b)
	case "credentials":
		r.hostname(b)
		if a := r.attributes(b)["token"]; a != nil {
			r.cli.Tokens[b.Labels[0]] = r.text(a.Expr)
		}
	case "credentials_helper":
		if r.cli.Helper != nil {
			r.err(b.DefRange, "Multiple credentials_helper blocks", "There can be one credentials_helper block in all CLI configuration files.")
			return
		}
		h := &CredentialsHelper{Name: b.Labels[0]}
		if a := r.attributes(b)["args"]; a != nil {
			h.Args = r.texts(a.Expr)
		}
		r.cli.Helper = h
	case "host":
		r.hostname(b)
		if a := r.attributes(b)["services"]; a != nil {
			r.cli.Services[b.Labels[0]] = r.mapping(a.Expr)
		}
	case "registry_protocols":
		attrs := r.attributes(b)
		if n, ok := r.count(attrs["retry_count"]); ok {
			r.cli.Network.Retries = n
		}
		if n, ok := r.count(attrs["request_timeout_seconds"]); ok && n > 0 {
			r.cli.Network.Timeout = time.Duration(n) * time.Second
		}
	}
}

// hostname tells of a block whose label no host can have.
func (r *reader) hostname(b *hcl.Block) {
	if name := b.Labels[0]; name == "" || strings.ContainsAny(name, " _/") {
		r.err(b.LabelRanges[0], "Invalid hostname", "\""+name+"\" is not the name of a host, with its port where that is not the usual one.")
	}
}

// count is a whole number that is not negative; false where there is none.
func (r *reader) count(a *hcl.Attribute) (int, bool) {
	if a == nil {
		return 0, false
	}
	n, err := strconv.Atoi(r.text(a.Expr))
	if err != nil || n < 0 {
		r.err(a.Expr.Range(), "Invalid CLI configuration", "A whole number that is not negative is expected here.")
		return 0, false
	}
	return n, true
}

func (r *reader) installation(b *hcl.Block) {
	method := func(name string) hcl.BlockHeaderSchema { return hcl.BlockHeaderSchema{Type: name} }
	c, diags := b.Body.Content(&hcl.BodySchema{
		Attributes: []hcl.AttributeSchema{{Name: "dev_overrides"}},
		Blocks:     []hcl.BlockHeaderSchema{method("direct"), method("filesystem_mirror"), method("network_mirror"), method("oci_mirror")},
	})
	r.hcl(diags)
	if a := c.Attributes["dev_overrides"]; a != nil {
		overrides := r.mapping(a.Expr)
		for _, source := range slices.Sorted(maps.Keys(overrides)) {
			p, err := addr.ParseProvider(source, r.defaultHost)
			if err != nil {
				r.err(a.Expr.Range(), "Invalid provider address in dev_overrides", "\""+source+"\": "+err.Error()+".")
				continue
			}
			r.cli.DevOverrides[p] = r.expand(overrides[source])
		}
	}
	r.cli.Methods = []Method{}
	for _, m := range c.Blocks {
		r.method(m)
	}
}

// methodKinds says of each block type what it is and where its location
// stands.
var methodKinds = map[string]struct {
	kind     MethodKind
	location string
}{
	"direct":            {Direct, ""},
	"filesystem_mirror": {FilesystemMirror, "path"},
	"network_mirror":    {NetworkMirror, "url"},
	"oci_mirror":        {OCIMirror, "repository_template"},
}

func (r *reader) method(b *hcl.Block) {
	row := methodKinds[b.Type]
	attrs := r.attributes(b)
	m := Method{Kind: row.kind}
	if row.location != "" {
		a := attrs[row.location]
		if a == nil {
			r.err(b.DefRange, "Invalid provider_installation method", "A "+b.Type+" block needs the argument \""+row.location+"\".")
			return
		}
		if m.Location = r.text(a.Expr); row.kind == FilesystemMirror {
			m.Location = r.expand(m.Location)
		}
		if row.kind == NetworkMirror && !secure(m.Location) {
			r.err(a.Expr.Range(), "Invalid URL for provider installation source", "The network mirror \""+m.Location+"\" is not at an https URL.")
			return
		}
	}
	m.Include, m.Exclude = r.patterns(attrs["include"]), r.patterns(attrs["exclude"])
	r.cli.Methods = append(r.cli.Methods, m)
}

// secure says whether a URL is one of the https scheme, or of this machine.
func secure(text string) bool {
	u, err := url.Parse(text)
	return err == nil && u.Host != "" && (u.Scheme == "https" || u.Hostname() == "127.0.0.1")
}

func (r *reader) patterns(a *hcl.Attribute) []Pattern {
	if a == nil {
		return nil
	}
	var out []Pattern
	for _, s := range r.texts(a.Expr) {
		p, ok := ParsePattern(s, r.defaultHost)
		if !ok {
			r.err(a.Expr.Range(), "Invalid provider source address pattern", "\""+s+"\" is not of the form [HOSTNAME/]NAMESPACE/TYPE.")
			continue
		}
		out = append(out, p)
	}
	return out
}

func (r *reader) attributes(b *hcl.Block) hcl.Attributes {
	attrs, diags := b.Body.JustAttributes()
	r.hcl(diags)
	return attrs
}

// value evaluates an expression; names in templates are environment variables.
func (r *reader) value(e hcl.Expression) cty.Value {
	ctx := &hcl.EvalContext{Variables: map[string]cty.Value{}}
	for _, t := range e.Variables() {
		ctx.Variables[t.RootName()] = cty.StringVal(r.env.Get(t.RootName()))
	}
	v, diags := e.Value(ctx)
	r.hcl(diags)
	return v
}

func (r *reader) text(e hcl.Expression) string {
	v, err := convert.Convert(r.value(e), cty.String)
	if err != nil {
		r.err(e.Range(), "Invalid CLI configuration", "A string is expected here.")
	}
	if err != nil || v.IsNull() || !v.IsKnown() {
		return ""
	}
	return v.AsString()
}

func (r *reader) texts(e hcl.Expression) []string {
	v, err := convert.Convert(r.value(e), cty.List(cty.String))
	if err != nil {
		r.err(e.Range(), "Invalid CLI configuration", "A list of strings is expected here.")
	}
	if err != nil || v.IsNull() || !v.IsWhollyKnown() {
		return nil
	}
	var out []string
	for _, s := range v.AsValueSlice() {
		if !s.IsNull() {
			out = append(out, s.AsString())
		}
	}
	return out
}

func (r *reader) mapping(e hcl.Expression) map[string]string {
	v, err := convert.Convert(r.value(e), cty.Map(cty.String))
	if err != nil {
		r.err(e.Range(), "Invalid CLI configuration", "An object of strings is expected here.")
	}
	if err != nil || v.IsNull() || !v.IsWhollyKnown() {
		return nil
	}
	out := map[string]string{}
	for k, s := range v.AsValueMap() {
		if !s.IsNull() {
			out[k] = s.AsString()
		}
	}
	return out
}

// expand puts environment variables into a path.
func (r *reader) expand(s string) string {
	if rest, ok := strings.CutPrefix(s, "~/"); ok {
		return r.env.Get("HOME") + "/" + rest
	}
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		end := i + 1
		for s[i] == '$' && end < len(s) && (s[end] == '_' || isAlnum(s[end])) {
			end++
		}
		if end == i+1 {
			b.WriteByte(s[i])
			continue
		}
		b.WriteString(r.env.Get(s[i+1 : end]))
		i = end - 1
	}
	return b.String()
}

func isAlnum(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9'
}

// objectOverrides turns the block dev_overrides, whose names are quoted as in
// the syntax of old, into an argument that is an object, which may have quoted
// names. It keeps the positions of all lines.
func objectOverrides(src []byte, name string) []byte {
	tokens, _ := hclsyntax.LexConfig(src, name, hcl.InitialPos)
	for i, t := range tokens[:max(len(tokens)-1, 0)] {
		next := tokens[i+1]
		if t.Type != hclsyntax.TokenIdent || string(t.Bytes) != "dev_overrides" || next.Type != hclsyntax.TokenOBrace {
			continue
		}
		at := t.Range.End.Byte
		out := append(append(append([]byte{}, src[:at]...), '='), src[at:]...)
		return out
	}
	return src
}

func (r *reader) hcl(diags hcl.Diagnostics) {
	for _, d := range hcldiag.List(diags) {
		r.diags = r.diags.Append(d.By(diag.Operator))
	}
}

func (r *reader) err(at hcl.Range, summary, detail string) {
	r.diags = r.diags.Append(diag.Err(summary, detail).At(hcldiag.RangeOf(at)).By(diag.Operator))
}
