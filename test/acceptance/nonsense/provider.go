package nonsense

import (
	"math/big"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

// Provider is honest but for a stage.
type Provider struct {
	// World is a directory with a file for each object, named after it.
	World string
	// Stage is where it answers nonsense, and Kind what: see [Provider.spoil] and
	// [Provider.leave]. A kind that ends in "-after" or "-state" comes when the deed
	// is done.
	Stage, Kind string
	// Cut loses the connection; nil where it cannot. The provider goes on with what
	// it is at.
	Cut func()
	// Deeds are the changes that it is at.
	Deeds sync.WaitGroup
}

var part = tftypes.Object{AttributeTypes: map[string]tftypes.Type{"v": tftypes.String}}

// thing is the type of every object: those of resources, data sources and ephemeral
// resources alike.
var thing = tftypes.Object{AttributeTypes: map[string]tftypes.Type{
	"id": tftypes.String, "name": tftypes.String, "size": tftypes.Number, "note": tftypes.String, "part": tftypes.List{ElementType: part}}}

var identity = tftypes.Object{AttributeTypes: map[string]tftypes.Type{"id": tftypes.String}}

func text(s string) tftypes.Value { return tftypes.NewValue(tftypes.String, s) }

// attributes are those of an object; nil of one that is not there.
func attributes(v tftypes.Value) map[string]tftypes.Value {
	var out map[string]tftypes.Value
	if v.IsNull() || !v.IsKnown() || v.As(&out) != nil {
		return nil
	}
	return out
}

func object(attrs map[string]tftypes.Value) tftypes.Value { return tftypes.NewValue(thing, attrs) }

func word(attrs map[string]tftypes.Value, name string) string {
	var s string
	if v := attrs[name]; v.IsKnown() && !v.IsNull() {
		_ = v.As(&s)
	}
	return s
}

func encode(t tftypes.Type, v tftypes.Value) *tfprotov6.DynamicValue {
	d, err := tfprotov6.NewDynamicValue(t, v)
	if err != nil {
		panic(err) // values are made of their types here
	}
	return &d
}

func decode(d *tfprotov6.DynamicValue) tftypes.Value {
	v, err := d.Unmarshal(thing)
	if err != nil {
		panic(err)
	}
	return v
}

// at says that it is the stage of the nonsense.
func (p *Provider) at(stage string) bool { return p.Stage == stage && p.Kind != "" }

func (p *Provider) late() bool {
	return strings.HasSuffix(p.Kind, "-after") || strings.HasSuffix(p.Kind, "-state")
}

// leave is how a call ends without an answer. done says that the deed is done.
func (p *Provider) leave(stage string, done bool) {
	if !p.at(stage) || p.late() != done {
		return
	}
	switch strings.TrimSuffix(p.Kind, "-after") {
	case "panic":
		panic("this is beyond me")
	case "exit":
		os.Exit(3)
	case "cut":
		p.Cut()
	}
}

// fails is an error that the provider reports, before or after the deed.
func (p *Provider) fails(stage string, done bool) []*tfprotov6.Diagnostic {
	if !p.at(stage) || p.late() != done || !strings.HasPrefix(p.Kind, "error") {
		return nil
	}
	return []*tfprotov6.Diagnostic{{Severity: tfprotov6.DiagnosticSeverityError, Summary: "No", Detail: "It would not."}}
}

// spoil makes nonsense of an answer.
func (p *Provider) spoil(stage string, v tftypes.Value) *tfprotov6.DynamicValue {
	if !p.at(stage) {
		return encode(thing, v)
	}
	attrs := attributes(v)
	with := func(name string, value tftypes.Value) *tfprotov6.DynamicValue {
		if attrs == nil { // there was to be nothing
			attrs = map[string]tftypes.Value{"id": text("thing"), "name": text("thing"), "size": tftypes.NewValue(tftypes.Number, nil),
				"note": text("note"), "part": tftypes.NewValue(tftypes.List{ElementType: part}, []tftypes.Value{})}
		}
		attrs[name] = value
		return encode(thing, object(attrs))
	}
	switch p.Kind {
	case "wrong type":
		list := tftypes.List{ElementType: tftypes.String}
		odd := tftypes.Object{AttributeTypes: map[string]tftypes.Type{"id": tftypes.String, "name": list, "size": tftypes.Number, "note": tftypes.String, "part": list}}
		return encode(odd, tftypes.NewValue(odd, map[string]tftypes.Value{"id": text("thing"), "name": tftypes.NewValue(list, []tftypes.Value{text("a")}),
			"size": tftypes.NewValue(tftypes.Number, 1), "note": text("note"), "part": tftypes.NewValue(list, []tftypes.Value{text("a")})}))
	case "missing attribute":
		small := tftypes.Object{AttributeTypes: map[string]tftypes.Type{"id": tftypes.String}}
		return encode(small, tftypes.NewValue(small, map[string]tftypes.Value{"id": text("thing")}))
	case "garbage":
		return &tfprotov6.DynamicValue{MsgPack: []byte{0xc1, 0xff}}
	case "no value":
		return nil
	case "null":
		return encode(thing, tftypes.NewValue(thing, nil))
	case "unknown", "error-unknown-state":
		return with("note", tftypes.NewValue(tftypes.String, tftypes.UnknownValue))
	case "infinite":
		return with("size", tftypes.NewValue(tftypes.Number, new(big.Float).SetInf(false)))
	case "unknown object":
		return encode(thing, tftypes.NewValue(thing, tftypes.UnknownValue))
	case "another value":
		return with("size", tftypes.NewValue(tftypes.Number, 99))
	case "extra blocks":
		one := tftypes.NewValue(part, map[string]tftypes.Value{"v": text("extra")})
		return with("part", tftypes.NewValue(tftypes.List{ElementType: part}, []tftypes.Value{one}))
	}
	return encode(thing, v)
}

// file is that of an object.
func (p *Provider) file(id string) string { return filepath.Join(p.World, id) }

func (p *Provider) put(attrs map[string]tftypes.Value) error {
	return os.WriteFile(p.file(word(attrs, "id")), []byte(word(attrs, "name")), 0o600)
}

func (p *Provider) exists(id string) bool {
	_, err := os.Stat(p.file(id))
	return err == nil
}
