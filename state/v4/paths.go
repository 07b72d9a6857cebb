package v4

import (
	"slices"

	"github.com/plumb-iac/plumb/addr"
	"github.com/plumb-iac/plumb/value"
	"github.com/zclconf/go-cty/cty"
)

// paths reads sensitive_attributes: a list of paths, each a list of steps.
func (d *decoder) paths() ([]cty.Path, error) {
	var out []cty.Path
	err := d.array(func() error {
		var path cty.Path
		err := d.array(func() error {
			step, err := d.step()
			path = append(path, step)
			return err
		})
		out = append(out, path)
		return err
	})
	return out, err
}

func (d *decoder) step() (cty.PathStep, error) {
	var kind string
	var raw []byte
	err := d.object(func(field string) (err error) {
		switch field {
		case "type":
			kind, err = d.text()
		case "value":
			raw, err = d.value()
		default:
			err = d.skip()
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	bad := &mismatch{d.dec.InputOffset(), d.dec.StackPointer(), `a step of a path: {"type": "get_attr" or "index", "value": …}`}
	switch kind {
	case "get_attr":
		v, err := value.FromJSON(raw, cty.String)
		if err != nil || v.Cty().IsNull() {
			return nil, bad
		}
		return cty.GetAttrStep{Name: v.Cty().AsString()}, nil
	case "index":
		v, err := value.FromJSON(raw, cty.DynamicPseudoType)
		if err != nil || v.Cty().IsNull() {
			return nil, bad
		}
		return cty.IndexStep{Key: v.Cty()}, nil
	}
	return nil, bad
}

// sortDependencies sorts by address and drops repetitions.
func sortDependencies(deps []addr.ConfigResource) []addr.ConfigResource {
	if !slices.IsSortedFunc(deps, addr.Compare) {
		slices.SortFunc(deps, addr.Compare)
	}
	return slices.Compact(deps)
}
