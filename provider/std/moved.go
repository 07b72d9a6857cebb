package std

import (
	"context"
	"encoding/json"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

// origin is a resource type of another provider whose objects a moved block may
// carry over: same object, no download any more.
//
// Attributes of the same name are kept; rename maps the others, target to
// source; fix, when given, settles what a name cannot.
type origin struct {
	provider string // namespace/type, on whatever registry host
	resource string
	rename   map[string]string
	fix      func(attrs map[string]any)
}

func (o origin) mover() resource.StateMover {
	return resource.StateMover{StateMover: o.move}
}

func (o origin) move(ctx context.Context, req resource.MoveStateRequest, resp *resource.MoveStateResponse) {
	if req.SourceTypeName != o.resource || !strings.HasSuffix(req.SourceProviderAddress, "/"+o.provider) || req.SourceRawState == nil {
		return
	}
	attrs := map[string]any{}
	if err := json.Unmarshal(req.SourceRawState.JSON, &attrs); err != nil {
		resp.Diagnostics.AddError("Unreadable object", "The recorded "+o.resource+" cannot be carried over, because its attributes cannot be read: "+err.Error()+".")
		return
	}
	for target, source := range o.rename {
		attrs[target] = attrs[source]
	}
	if o.fix != nil {
		o.fix(attrs)
	}
	value, err := objectFromJSON(attrs, resp.TargetState.Schema.Type().TerraformType(ctx))
	if err != nil {
		resp.Diagnostics.AddError("Unreadable object", "The recorded "+o.resource+" does not fit the type it is moved to: "+err.Error()+".")
		return
	}
	resp.TargetState.Raw = value
}

func objectFromJSON(attrs map[string]any, want tftypes.Type) (tftypes.Value, error) {
	encoded, err := json.Marshal(attrs)
	if err != nil {
		return tftypes.Value{}, err
	}
	raw := tfprotov6.RawState{JSON: encoded}
	return raw.UnmarshalWithOpts(want, tfprotov6.UnmarshalOpts{
		ValueFromJSONOpts: tftypes.ValueFromJSONOpts{IgnoreUndefinedAttributes: true},
	})
}

func movers(origins ...origin) []resource.StateMover {
	out := make([]resource.StateMover, len(origins))
	for i, o := range origins {
		out[i] = o.mover()
	}
	return out
}
