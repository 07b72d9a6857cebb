package std

import (
	"context"
	"crypto/rand"
	"encoding/binary"

	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/mapplanmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/types"
)

// The random resources share three habits: a value is drawn once, when the
// resource is created; nothing is read back, for the state is the only place
// where it exists; and keepers decide when to draw again.

// below draws a number in [0, n), each with the same probability. Draws that
// would favour small numbers are thrown away. n must be positive.
func below(n int) int {
	limit := ^uint64(0) - ^uint64(0)%uint64(n)
	for {
		var b [8]byte
		_, _ = rand.Read(b[:]) // documented never to fail
		if v := binary.LittleEndian.Uint64(b[:]); v < limit {
			return int(v % uint64(n))
		}
	}
}

func randomBytes(n int) []byte {
	b := make([]byte, n)
	_, _ = rand.Read(b) // documented never to fail
	return b
}

func draw[T any](from []T) T { return from[below(len(from))] }

func shuffle[T any](s []T) {
	for i := len(s) - 1; i > 0; i-- {
		j := below(i + 1)
		s[i], s[j] = s[j], s[i]
	}
}

func keepersAttribute() schema.MapAttribute {
	return schema.MapAttribute{
		MarkdownDescription: "Arbitrary strings; when one of them changes, a new value is drawn. Keys whose value is null do not count.",
		Optional:            true,
		ElementType:         types.StringType,
		PlanModifiers: []planmodifier.Map{mapplanmodifier.RequiresReplaceIf(keepersChanged,
			"a new value is drawn when a keeper changes", "a new value is drawn when a keeper changes")},
	}
}

// keepersChanged ignores the difference between no keepers, an empty map and
// keys without a value, so that an imported value is not thrown away for it.
func keepersChanged(_ context.Context, req planmodifier.MapRequest, resp *mapplanmodifier.RequiresReplaceIfFuncResponse) {
	if req.PlanValue.IsUnknown() {
		resp.RequiresReplace = true
		return
	}
	resp.RequiresReplace = !sameKeepers(req.StateValue, req.PlanValue)
}

func sameKeepers(a, b types.Map) bool {
	return keepersWithin(a, b) && keepersWithin(b, a)
}

func keepersWithin(a, b types.Map) bool {
	others := b.Elements()
	for key, v := range a.Elements() {
		if v.IsNull() {
			continue
		}
		if other, present := others[key]; !present || !other.Equal(v) {
			return false
		}
	}
	return true
}

// drawn is embedded in the random resources: what they need not do.
type drawn struct{}

// Read keeps the state, the only place where the value exists.
func (drawn) Read(context.Context, resource.ReadRequest, *resource.ReadResponse) {}

// Update records the plan: whatever would change the value replaces it.
func (drawn) Update(_ context.Context, req resource.UpdateRequest, resp *resource.UpdateResponse) {
	resp.State.Raw = req.Plan.Raw
}

// Delete forgets the value.
func (drawn) Delete(context.Context, resource.DeleteRequest, *resource.DeleteResponse) {}
