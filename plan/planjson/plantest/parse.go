package plantest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"sort"
	"strings"

	"github.com/plumb-iac/plumb/addr"
	"github.com/plumb-iac/plumb/plan"
	"github.com/plumb-iac/plumb/schema"
	"github.com/plumb-iac/plumb/value"
	"github.com/zclconf/go-cty/cty"
	"golang.org/x/tools/txtar"
)

// document is a plan as it is written down.
type document struct {
	Mode     string            `json:"mode"`
	Errored  bool              `json:"errored"`
	Changes  []change          `json:"changes"`
	Drift    []change          `json:"drift"`
	Outputs  map[string]output `json:"outputs"`
	Relevant []relevant        `json:"relevant"`
	Deferred []deferred        `json:"deferred"`
	Runs     []run             `json:"runs"`
}

type deferred struct {
	Reason string `json:"reason"`
	Change change `json:"change"`
}

// run is a run of an action; with a reason it is deferred.
type run struct {
	Reason  string          `json:"reason"`
	Address string          `json:"address"`
	Of      string          `json:"of"`
	At      string          `json:"at"`
	Config  json.RawMessage `json:"config"`
}

type change struct {
	Address   string          `json:"address"`
	From      string          `json:"from"`
	Deposed   string          `json:"deposed"`
	Action    string          `json:"action"`
	Reason    string          `json:"reason"`
	Before    json.RawMessage `json:"before"`
	After     json.RawMessage `json:"after"`
	Replace   [][]any         `json:"replace"`
	Importing string          `json:"importing"`
}

type output struct {
	Action    string          `json:"action"`
	Before    json.RawMessage `json:"before"`
	After     json.RawMessage `json:"after"`
	Sensitive bool            `json:"sensitive"`
}

type relevant struct {
	Address string `json:"address"`
	Path    []any  `json:"path"`
}

var modes = map[string]plan.Mode{"": plan.Normal, "destroy": plan.Destroy, "refresh-only": plan.RefreshOnly}

// Parse reads a story.
func Parse(a *txtar.Archive) (*plan.Document, error) {
	var d document
	var b block
	for _, f := range a.Files {
		var err error
		switch f.Name {
		case "plan.json":
			err = decode(f.Data, &d)
		case "schema.json":
			err = decode(f.Data, &b)
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", f.Name, err)
		}
	}
	s, err := b.build()
	if err != nil {
		return nil, err
	}
	return d.build(&schema.Resource{Block: s})
}

func decode(text []byte, into any) error {
	dec := json.NewDecoder(bytes.NewReader(text))
	dec.UseNumber()
	dec.DisallowUnknownFields()
	return dec.Decode(into)
}

func (d document) build(s *schema.Resource) (*plan.Document, error) {
	out := &plan.Document{Mode: modes[d.Mode], Errored: d.Errored, Applyable: !d.Errored, Complete: true}
	var err error
	if out.Changes, err = buildChanges(d.Changes, s); err != nil {
		return nil, err
	}
	if out.Drift, err = buildChanges(d.Drift, s); err != nil {
		return nil, err
	}
	for name, o := range d.Outputs {
		built := plan.OutputChange{Name: name, Action: action(o.Action), Sensitive: o.Sensitive}
		if built.Before, err = parseValue(o.Before, cty.DynamicPseudoType); err != nil {
			return nil, err
		}
		if built.After, err = parseValue(o.After, cty.DynamicPseudoType); err != nil {
			return nil, err
		}
		out.Outputs = append(out.Outputs, built)
	}
	sort.Slice(out.Outputs, func(i, j int) bool { return out.Outputs[i].Name < out.Outputs[j].Name })
	for _, x := range d.Deferred {
		c, err := x.Change.build(s)
		if err != nil {
			return nil, err
		}
		out.Deferred = append(out.Deferred, &plan.DeferredChange{Reason: plan.DeferReason(x.Reason), Change: *c})
		out.Complete = false
	}
	for _, r := range d.Runs {
		inv, err := r.build()
		if err != nil {
			return nil, err
		}
		if r.Reason == "" {
			out.Invocations = append(out.Invocations, &inv)
			continue
		}
		out.DeferredInvocations = append(out.DeferredInvocations, &plan.DeferredInvocation{Reason: plan.DeferReason(r.Reason), Invocation: inv})
	}
	for _, r := range d.Relevant {
		at, err := addr.ParseInstance(r.Address)
		if err != nil {
			return nil, err
		}
		out.Relevant = append(out.Relevant, plan.RelevantAttr{Resource: at, Path: path(r.Path)})
	}
	return out, nil
}

func (r run) build() (plan.Invocation, error) {
	at, err := addr.ParsePlannedAction(r.Address)
	if err != nil {
		return plan.Invocation{}, err
	}
	of, err := addr.ParsePlanned(r.Of)
	if err != nil {
		return plan.Invocation{}, err
	}
	config, err := parseValue(r.Config, cty.DynamicPseudoType)
	return plan.Invocation{Addr: r.Address, Type: at.Type, Name: at.Name, Module: at.Module, Config: config,
		Provider: testProvider, Trigger: &plan.InvocationTrigger{Resource: of, Event: r.At}}, err
}

var testProvider = addr.ProviderConfig{Provider: addr.Provider{Host: addr.DefaultHost, Namespace: "example", Type: "test"}}

func buildChanges(list []change, s *schema.Resource) ([]*plan.Change, error) {
	var out []*plan.Change
	for _, c := range list {
		built, err := c.build(s)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", c.Address, err)
		}
		out = append(out, built)
	}
	return out, nil
}

func (c change) build(s *schema.Resource) (*plan.Change, error) {
	at, err := addr.ParsePlanned(c.Address)
	if err != nil {
		return nil, err
	}
	out := &plan.Change{
		Addr: at, PrevAddr: at, Deposed: addr.DeposedKey(c.Deposed), Action: action(c.Action), Reason: plan.Reason(c.Reason), Schema: s,
		Provider: testProvider,
	}
	if c.From != "" {
		if out.PrevAddr, err = addr.ParseInstance(c.From); err != nil {
			return nil, err
		}
	}
	if c.Importing != "" {
		out.Importing = &plan.Importing{ID: c.Importing}
	}
	for _, p := range c.Replace {
		out.ReplacePaths = append(out.ReplacePaths, path(p))
	}
	if out.Before, err = object(c.Before, s); err != nil {
		return nil, err
	}
	out.After, err = object(c.After, s)
	return out, err
}

// object is a value of the schema with the marks that the schema adds.
func object(text json.RawMessage, s *schema.Resource) (value.V, error) {
	v, err := parseValue(text, s.Block.Type())
	if err != nil {
		return v, err
	}
	bare, marks := value.Split(v)
	var more value.Marks
	for _, p := range s.Block.SensitivePaths(bare.Cty()) {
		more = append(more, value.PathMark{Path: p, Kinds: value.Sensitive})
	}
	return value.Join(bare, marks.Plus(more)), nil
}

func action(words string) plan.Action {
	for a := plan.NoOp; a <= plan.ForgetThenCreate; a++ {
		if strings.Join(a.Names(), ",") == words {
			return a
		}
	}
	return plan.NoOp
}

func path(steps []any) cty.Path {
	var out cty.Path
	for _, s := range steps {
		switch s := s.(type) {
		case string:
			out = out.GetAttr(s)
		case json.Number:
			n, _ := s.Int64()
			out = out.IndexInt(int(n))
		}
	}
	return out
}
