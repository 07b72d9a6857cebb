package suite

import (
	"strconv"

	"github.com/plumb-iac/plumb/addr"
	"github.com/plumb-iac/plumb/internal/settings"
	"github.com/plumb-iac/plumb/provider"
	"github.com/plumb-iac/plumb/provider/mock"
)

// doubles are what stands in for providers in a run; they implement
// engine.Doubles.
type doubles struct {
	strings mock.Strings
	mocks   map[doubled]mock.Spec
	objects map[addr.ConfigResource][]overridden
}

// doubled is a configuration of the root module.
type doubled struct {
	provider addr.Provider
	alias    string
}

// overridden is what stands in for the provider of some objects.
type overridden struct {
	target addr.Target
	values mock.Values
}

func newDoubles(s *Suite) *doubles {
	d := &doubles{mocks: map[doubled]mock.Spec{}, objects: map[addr.ConfigResource][]overridden{}}
	dialect := s.o.Engine.Dialect
	d.strings.Length, _ = strconv.Atoi(dialect.Text(settings.MockStringLength)) // a number in both dialects
	if !dialect.Yes(settings.MockValuesKnown) {
		d.strings.Random = s.o.Random
	}
	return d
}

func (d *doubles) add(t addr.Target, v mock.Values) {
	at := addr.ConfigResource{Module: t.Module.Module(), Resource: t.Resource}
	d.objects[at] = append(d.objects[at], overridden{t, v})
}

// Stands implements engine.Doubles.
func (d *doubles) Stands(at addr.ProviderConfig) bool {
	_, ok := d.mocks[doubled{at.Provider, at.Alias}]
	return ok && at.Module.IsRoot()
}

// Provider implements engine.Doubles.
func (d *doubles) Provider(at addr.ProviderConfig, around provider.Provider) provider.Provider {
	return mock.New(around, d.mocks[doubled{at.Provider, at.Alias}])
}

// Object implements engine.Doubles. Of those that are about the object the last
// one counts, one with an instance's key before one without.
func (d *doubles) Object(at addr.AbsInstance, served provider.Provider) provider.Provider {
	var best *overridden
	list := d.objects[at.Config()]
	for i := range list {
		if o := &list[i]; o.target.Contains(at) && (best == nil || o.target.HasKey || !best.target.HasKey) {
			best = o
		}
	}
	if best == nil {
		return served
	}
	return mock.New(served, mock.Spec{Other: best.values, Imports: true, Strings: d.strings})
}
