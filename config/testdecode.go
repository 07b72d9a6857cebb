package config

import (
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/plumb-iac/plumb/addr"
	"github.com/plumb-iac/plumb/diag"
	"github.com/plumb-iac/plumb/internal/hcldiag"
)

// testSchema are the blocks of a test file.
func testSchema() *hcl.BodySchema {
	return schemaOf(nil, append(overrideHeaders(), block("test"), block("variables"), block("variable", "name"),
		block("provider", "name"), block("mock_provider", "name"), block("run", "name"))...)
}

func overrideHeaders() []hcl.BlockHeaderSchema {
	return []hcl.BlockHeaderSchema{block("override_resource"), block("override_data"), block("override_module")}
}

// testDecoder decodes one test file.
type testDecoder struct {
	*decoder
	l    *loader
	root *Module
	f    *TestFile
	// settings and variables are the first blocks of those types.
	settings, variables *hcl.Block
	targets             map[string]*Override
	runs                map[string]*TestRun
}

// testFile reads a test file; nil when it cannot be read.
func (d *decoder) testFile(l *loader, root *Module, name string) *TestFile {
	body := d.beside(l, name)
	if body == nil {
		return nil
	}
	t := &testDecoder{decoder: d, l: l, root: root, targets: map[string]*Override{}, runs: map[string]*TestRun{}, f: &TestFile{
		Name: name, Values: map[string]*TestValue{}, Declared: map[string]*Variable{},
		Providers: map[ProviderKey]*Provider{}, Mocks: map[ProviderKey]*MockProvider{},
	}}
	blocks := d.content(body, testSchema()).Blocks
	for _, b := range blocks {
		if b.Type == "test" && t.single("test file", b, t.settings) {
			t.settings = b
			t.f.Parallel, _ = d.flag(t.experimental(b, "parallel"), "parallel")
		}
	}
	for _, b := range blocks {
		t.block(b)
	}
	return t.f
}

func (t *testDecoder) block(b *hcl.Block) {
	switch b.Type {
	case "variables":
		if t.single("test file", b, t.variables) {
			t.variables, t.f.Values = b, t.values(b)
		}
	case "variable":
		t.variable(b)
	case "provider":
		t.provider(b)
	case "mock_provider":
		t.mock(b)
	case "run":
		t.run(b)
	case "override_resource", "override_data", "override_module":
		t.f.Overrides = t.override(t.f.Overrides, b, t.targets)
	}
}

// experimental reads a body in which the experimental arguments of the
// incumbents may stand, and says of these that they are not understood.
func (t *testDecoder) experimental(b *hcl.Block, attrs ...string) *hcl.BodyContent {
	c := t.content(b.Body, schemaOf(append(attrs, "skip_cleanup")))
	t.keepsNothing(c)
	return c
}

func (t *testDecoder) keepsNothing(c *hcl.BodyContent) {
	if a := c.Attributes["skip_cleanup"]; a != nil {
		t.err(a.NameRange, "Tests always clean up", "Plumb destroys what a test made when the file ends, so skip_cleanup, an experimental argument, cannot be used. Remove it.")
	}
}

// values reads the arguments of a variables block.
func (t *testDecoder) values(b *hcl.Block) map[string]*TestValue {
	attrs, diags := b.Body.JustAttributes()
	t.hcl(diags)
	out := make(map[string]*TestValue, len(attrs))
	for _, name := range sortedKeys(attrs) {
		out[name] = &TestValue{Name: name, Expr: attrs[name].Expr, Range: hcldiag.RangeOf(attrs[name].Range)}
	}
	return out
}

func (t *testDecoder) variable(b *hcl.Block) {
	var out declared
	t.decoder.variable(b, &out)
	for _, v := range out.variables {
		if first := t.f.Declared[v.Name]; first != nil {
			t.err(b.DefRange, "Duplicate variable declaration", "A variable named \""+v.Name+"\" is already declared at "+first.Range.String()+".")
			continue
		}
		t.f.Declared[v.Name] = v
	}
}

func (t *testDecoder) provider(b *hcl.Block) {
	var out declared
	t.decoder.provider(b, &out)
	for _, p := range out.providers {
		if p.Version.Text != "" {
			t.diags = t.diags.Append(diag.Err("Version constraint in a test file", "Which version of a provider is used is said in required_providers of the configuration, not in its tests.").At(p.Version.Argument))
		}
		if t.configured(p.Key, b.DefRange) {
			t.f.Providers[p.Key] = p
		}
	}
}

// configured refuses a second configuration of a key, real or mocked.
func (t *testDecoder) configured(key ProviderKey, at hcl.Range) bool {
	var first *diag.Range
	if p := t.f.Providers[key]; p != nil {
		first = &p.Range
	} else if m := t.f.Mocks[key]; m != nil {
		first = &m.Range
	}
	if first == nil {
		return true
	}
	t.err(at, "Duplicate provider block", "This test file has a configuration "+key.String()+" at "+first.String()+" already. A real and a mocked provider need different aliases to be used side by side.")
	return false
}

// run decodes a run block.
func (t *testDecoder) run(b *hcl.Block) {
	c := t.content(b.Body, schemaOf([]string{"command", "expect_failures", "providers", "state_key", "parallel", "skip_cleanup"},
		append(overrideHeaders(), block("plan_options"), block("variables"), block("module"), block("assert"), block("backend", "type"))...))
	r := &TestRun{Name: b.Labels[0], Parallel: t.f.Parallel, Range: hcldiag.RangeOf(b.DefRange)}
	if !t.name(r.Name, b.LabelRanges[0], "Invalid run block name") {
		return
	}
	if first := t.runs[r.Name]; first != nil {
		t.err(b.DefRange, "Duplicate \"run\" block names", "This file has a run \""+r.Name+"\" at "+first.Range.String()+" already. Later runs refer to a run by its name, so each needs its own.")
		return
	}
	t.keepsNothing(c)
	t.runArguments(c, r)
	t.runBlocks(c, r)
	t.runs[r.Name] = r
	t.f.Runs = append(t.f.Runs, r)
}

func (t *testDecoder) runArguments(c *hcl.BodyContent, r *TestRun) {
	if a := c.Attributes["command"]; a != nil {
		r.PlanOnly = t.word(a, "apply", "plan") == "plan"
	}
	if a := c.Attributes["providers"]; a != nil {
		r.ProvidersSet, r.Providers = true, t.passed(a.Expr)
	}
	if a := c.Attributes["expect_failures"]; a != nil {
		r.ExpectFailures = t.expectations(a.Expr)
	}
	r.StateKey, _ = t.text(c, "state_key")
	if parallel, set := t.flag(c, "parallel"); set {
		r.Parallel = parallel
	}
}

// word reads an argument that is one of some bare words. Unlike [decoder.keyword] it
// takes none in quotes, which test files never had.
func (t *testDecoder) word(a *hcl.Attribute, words ...string) string {
	got := hcl.ExprAsKeyword(a.Expr)
	if slices.Contains(words, got) {
		return got
	}
	t.err(a.Expr.Range(), "Invalid \""+a.Name+"\" keyword", "The argument \""+a.Name+"\" is one of these words, without quotes: "+strings.Join(words, " or ")+".")
	return ""
}

// expectations reads the objects whose conditions have to fail.
func (t *testDecoder) expectations(e hcl.Expression) []TestReference {
	items, diags := hcl.ExprList(e)
	t.hcl(diags)
	var out []TestReference
	for _, item := range items {
		if ref, ok := t.traversal(item); ok {
			out = append(out, TestReference{Traversal: ref, Range: hcldiag.RangeOf(item.Range())})
		}
	}
	return out
}

// single refuses a second block of a type.
func (t *testDecoder) single(what string, b, first *hcl.Block) bool {
	if first == nil {
		return true
	}
	t.err(b.DefRange, "Multiple \""+b.Type+"\" blocks", "This "+what+" has a "+b.Type+" block at "+hcldiag.RangeOf(first.DefRange).String()+" already.")
	return false
}

func (t *testDecoder) runBlocks(c *hcl.BodyContent, r *TestRun) {
	var options, variables, module *hcl.Block
	targets := map[string]*Override{}
	for _, b := range c.Blocks {
		switch b.Type {
		case "plan_options":
			if t.single("run", b, options) {
				options = b
				t.planOptions(b, r)
			}
		case "variables":
			if t.single("run", b, variables) {
				variables, r.Values = b, t.values(b)
			}
		case "module":
			if t.single("run", b, module) {
				module = b
				t.module(b, r)
			}
		case "assert":
			r.Asserts = append(r.Asserts, t.condition(b))
		case "backend":
			t.err(b.DefRange, "Tests keep no state", "The state of a run is kept until its test file ends and nowhere else, so a backend block, which is experimental, cannot be used. Remove it.")
		default:
			r.Overrides = t.override(r.Overrides, b, targets)
		}
	}
}

func (t *testDecoder) planOptions(b *hcl.Block, r *TestRun) {
	c := t.content(b.Body, schemaOf([]string{"mode", "refresh", "replace", "target"}))
	o := &r.Options
	if a := c.Attributes["mode"]; a != nil {
		o.RefreshOnly = t.word(a, "normal", "refresh-only") == "refresh-only"
	}
	if refresh, set := t.flag(c, "refresh"); set {
		o.SkipRefresh = !refresh
	}
	if o.RefreshOnly && o.SkipRefresh {
		t.err(c.Attributes["refresh"].Expr.Range(), "Incompatible plan options", "With refresh = false a plan in the mode refresh-only would have nothing to do.")
	}
	for _, m := range t.addresses(c.Attributes["target"]) {
		o.Targets = append(o.Targets, m.Target)
	}
	for _, m := range t.addresses(c.Attributes["replace"]) {
		if !m.HasResource || m.Resource.Mode != addr.Managed {
			t.diags = t.diags.Append(diag.Err("Invalid replacement address", "Only an instance of a managed resource can be replaced.").At(m.Range))
			continue
		}
		o.Replace = append(o.Replace, addr.AbsInstance{Module: m.Module, Resource: m.Resource, Key: m.Key})
	}
}

// addresses reads a list of addresses.
func (t *testDecoder) addresses(a *hcl.Attribute) []MoveEndpoint {
	if a == nil {
		return nil
	}
	items, diags := hcl.ExprList(a.Expr)
	t.hcl(diags)
	var out []MoveEndpoint
	for _, item := range items {
		if m, ok := t.endpoint(&hcl.Attribute{Name: a.Name, Expr: item}); ok {
			out = append(out, m)
		}
	}
	return out
}

// module decodes the block that names another module to run.
func (t *testDecoder) module(b *hcl.Block, r *TestRun) {
	c := t.content(b.Body, schemaOf([]string{"source", "version"}))
	if c.Attributes["source"] == nil {
		t.err(b.DefRange, "Missing \"source\" attribute for module block", "A module block of a run says with source which module is run instead of the one under test.")
	}
	r.Module = &ModuleCall{Name: r.Name, SourceExpr: expr(c, "source"), VersionExpr: expr(c, "version"), Range: hcldiag.RangeOf(b.DefRange), Body: b.Body}
	if r.Module.SourceExpr != nil {
		r.Module.SourceRange = hcldiag.RangeOf(r.Module.SourceExpr.Range())
	}
}
