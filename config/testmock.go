package config

import (
	"path"
	"sort"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/plumb-iac/plumb/addr"
	"github.com/plumb-iac/plumb/diag"
	"github.com/plumb-iac/plumb/internal/hcldiag"
)

// mockBlocks are the blocks of a mock_provider block and of the files of its
// source directory.
func mockBlocks() []hcl.BlockHeaderSchema {
	return []hcl.BlockHeaderSchema{block("mock_resource", "type"), block("mock_data", "type"), block("mock_ephemeral", "type"),
		block("override_resource"), block("override_data")}
}

// mockModes are the modes that the mock blocks are about.
var mockModes = map[string]addr.Mode{"mock_resource": addr.Managed, "mock_data": addr.Data, "mock_ephemeral": addr.Ephemeral}

// mock decodes a mock_provider block. What it says itself counts before what the
// files of its source directory say.
func (t *testDecoder) mock(b *hcl.Block) {
	c := t.content(b.Body, schemaOf([]string{"alias", "for_each", "source", "override_during"}, mockBlocks()...))
	m := &MockProvider{Key: ProviderKey{Name: b.Labels[0]}, ForEach: expr(c, "for_each"), Types: map[MockKey]*MockType{}, Range: hcldiag.RangeOf(b.DefRange)}
	if !t.localName(m.Key.Name, b.LabelRanges[0]) {
		return
	}
	if a := c.Attributes["alias"]; a != nil {
		m.Key.Alias = t.str(a)
		t.name(m.Key.Alias, a.Expr.Range(), "Invalid provider configuration alias")
	}
	if m.ForEach != nil && m.Key.Alias == "" {
		t.err(c.Attributes["for_each"].NameRange, "Alias required when using \"for_each\"", "Only a provider configuration with an alias can have several instances.")
	}
	m.During = t.during(c)
	targets := map[string]*Override{}
	t.mocked(c.Blocks, m, targets)
	if a := c.Attributes["source"]; a != nil {
		t.mockSource(a, m)
	}
	if t.configured(m.Key, b.DefRange) {
		t.f.Mocks[m.Key] = m
	}
}

// during reads override_during.
func (t *testDecoder) during(c *hcl.BodyContent) MockTime {
	a := c.Attributes["override_during"]
	if a == nil {
		return MockUndecided
	}
	switch t.word(a, "plan", "apply") {
	case "plan":
		return MockAtPlan
	case "apply":
		return MockAtApply
	}
	return MockUndecided
}

// mocked decodes the blocks that say what stands for a provider's answers.
func (t *testDecoder) mocked(blocks hcl.Blocks, m *MockProvider, targets map[string]*Override) {
	for _, b := range blocks {
		mode, isType := mockModes[b.Type]
		if !isType {
			m.Overrides = t.override(m.Overrides, b, targets)
			continue
		}
		c := t.content(b.Body, schemaOf([]string{"defaults", "override_during"}))
		one := &MockType{Key: MockKey{mode, b.Labels[0]}, Defaults: expr(c, "defaults"), During: t.during(c), Range: hcldiag.RangeOf(b.DefRange)}
		if first := m.Types[one.Key]; first != nil {
			t.err(b.DefRange, "Duplicate "+b.Type+" block", "The values for "+one.Key.Type+" are given at "+first.Range.String()+" already.")
			continue
		}
		m.Types[one.Key] = one
	}
}

// mockSource adds what the files of a directory (*.tfmock.hcl, *.tfmock.json) say
// and the block does not.
func (t *testDecoder) mockSource(a *hcl.Attribute, m *MockProvider) {
	dir := path.Join(t.root.Dir, slashed(t.str(a)))
	entries, err := t.l.fs.ReadDir(dir)
	if err != nil {
		t.err(a.Expr.Range(), "Failed to read mock data", "The directory "+dir+" cannot be read: "+err.Error()+". It is looked for from the directory of the configuration.")
		return
	}
	var names []string
	for _, e := range entries {
		if n := e.Name(); !e.IsDir() && !IgnoredFile(n) && (strings.HasSuffix(n, ".tfmock.hcl") || strings.HasSuffix(n, ".tfmock.json")) {
			names = append(names, n)
		}
	}
	sort.Strings(names)
	found := &MockProvider{Types: map[MockKey]*MockType{}}
	targets := map[string]*Override{}
	for _, n := range names {
		if body := t.beside(t.l, path.Join(dir, n)); body != nil {
			t.mocked(t.content(body, schemaOf(nil, mockBlocks()...)).Blocks, found, targets)
		}
	}
	for key, one := range found.Types {
		if m.Types[key] == nil {
			m.Types[key] = one
		}
	}
	// The last of several overrides that cover an object counts.
	m.Overrides = append(found.Overrides, m.Overrides...)
}

// override decodes an override block and adds it to the list. targets are the
// addresses that the same place overrides already.
func (t *testDecoder) override(list []*Override, b *hcl.Block, targets map[string]*Override) []*Override {
	what := "values"
	if b.Type == "override_module" {
		what = "outputs"
	}
	c := t.content(b.Body, schemaOf([]string{"!target", what, "override_during"}))
	o := &Override{Values: expr(c, what), During: t.during(c), Range: hcldiag.RangeOf(b.DefRange)}
	a := c.Attributes["target"]
	if a == nil {
		return list
	}
	target, ok := t.endpoint(a)
	if !ok || !t.overridable(b.Type, target) {
		return list
	}
	o.Target, o.TargetRange = target.Target, target.Range
	if first := targets[o.Target.String()]; first != nil {
		t.err(b.DefRange, "Duplicate "+b.Type+" block", "What stands for "+o.Target.String()+" is said at "+first.Range.String()+" already.")
		return list
	}
	targets[o.Target.String()] = o
	return append(list, o)
}

// overridable says whether a target is of the kind that a block is about.
func (t *testDecoder) overridable(block string, m MoveEndpoint) bool {
	wrong := ""
	switch {
	case block == "override_module" && m.HasResource:
		wrong = "The target of override_module is a module, such as module.network."
	case block == "override_module":
		for _, step := range m.Module.Steps() {
			if !step.Key.IsNone() {
				wrong = "override_module stands for all instances of a module; leave the instance key out."
			}
		}
	case !m.HasResource:
		wrong = "The target of " + block + " is a resource or one of its instances, in a module or not."
	case block == "override_resource" && m.Resource.Mode == addr.Data:
		wrong = "This is a data source; the block for these is override_data."
	case block == "override_data" && m.Resource.Mode != addr.Data:
		wrong = "This is no data source; the block for managed resources is override_resource."
	}
	if wrong == "" {
		return true
	}
	t.diags = t.diags.Append(diag.Err("Invalid override target", wrong).At(m.Range))
	return false
}
