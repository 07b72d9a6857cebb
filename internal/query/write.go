package query

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/plumb-iac/plumb/addr"
	"github.com/plumb-iac/plumb/internal/generate"
)

// write makes the resource and import blocks of an object.
func (x *search) write(ctx context.Context, o *Object) bool {
	if o.Value.IsZero() || o.Value.Cty().IsNull() {
		x.fail("Cannot generate configuration", fmt.Sprintf("%s found %q, and the provider gave no object to write configuration for, although it was asked to.", x.list.Addr, o.DisplayName))
		return false
	}
	r := x.site.Resource
	at := addr.Resource{Mode: addr.Managed, Type: r.Addr.Resource.Type}
	o.Name = x.name()
	at.Name = o.Name
	subject := generate.Subject{Addr: at, Schema: x.managed.Block, Provider: r.Config.Provider.String(), EmptyUnset: true}
	v := o.Value
	schemas, _ := x.Schemas(r.Provider.Provider.Addr.Provider)
	if schemas != nil && schemas.Capabilities().GenerateConfig {
		suggested, diags := x.client.GenerateConfig(ctx, at.Type, v)
		if !x.note(diags) {
			return false
		}
		v, subject.Configured = suggested, true
	}
	if v.IsZero() || !conforms(v, x.managed.Block.Type()) || !v.Cty().IsWhollyKnown() || v.Cty().IsNull() {
		x.fail("Provider produced invalid config", fmt.Sprintf("The provider gave nothing that could be written down for %q. This is a bug in the provider.", o.DisplayName))
		return false
	}
	o.Config = generate.Resource(subject, v)
	o.Import = generate.Import(generate.ImportSubject{To: at, Provider: subject.Provider, Identity: x.managed.Identity}, o.Identity)
	return true
}

// name is the next free name for what a list found: its own with a number.
func (x *search) name() string {
	base := x.list.Addr.Resource.Name
	if k, ok := x.list.Addr.Key.Int(); ok {
		base += "_" + strconv.Itoa(k)
	}
	if k, ok := x.list.Addr.Key.Str(); ok {
		base += "_" + plain(k)
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	for i := len(x.list.Found); ; i++ {
		name := base + "_" + strconv.Itoa(i)
		key := x.list.Addr.Resource.Type + "." + name
		if !x.names[key] {
			x.names[key] = true
			return name
		}
	}
}

// plain leaves of a text what names may have.
func plain(s string) string {
	return strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '-' {
			return r
		}
		return '_'
	}, s)
}
