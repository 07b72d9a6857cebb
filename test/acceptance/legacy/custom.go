package legacy

import (
	"context"

	"github.com/hashicorp/terraform-plugin-sdk/v2/diag"
	"github.com/hashicorp/terraform-plugin-sdk/v2/helper/schema"
	"github.com/plumb-iac/plumb/test/acceptance/cloud"
)

// Customized gives a provider of one type, legacy_custom, whose plans customize
// has a hand in: it is asked with the name of the object.
//
// Of each of the four attributes that are computed the provider decides what the
// plan left open: at creation the value "state", at an update "remade".
func Customized(w *cloud.World, customize func(name string, d *schema.ResourceDiff) error) *schema.Provider {
	part := &schema.Resource{Schema: map[string]*schema.Schema{"v": {Type: schema.TypeString, Optional: true}}}
	r := kept(w, "custom", &schema.Resource{
		Schema: map[string]*schema.Schema{
			"name":  {Type: schema.TypeString, Required: true},
			"plain": {Type: schema.TypeString, Optional: true},
			"c":     {Type: schema.TypeString, Computed: true},
			"oc":    {Type: schema.TypeString, Optional: true, Computed: true},
			"cb":    {Type: schema.TypeList, Computed: true, Elem: part},
			"ocb":   {Type: schema.TypeList, Optional: true, Computed: true, Elem: part},
		},
		CustomizeDiff: func(_ context.Context, d *schema.ResourceDiff, _ any) error {
			return customize(d.Get("name").(string), d)
		},
	})
	create, update := r.CreateContext, r.UpdateContext
	r.CreateContext = func(ctx context.Context, d *schema.ResourceData, m any) diag.Diagnostics {
		decide(d, "state")
		return create(ctx, d, m)
	}
	r.UpdateContext = func(ctx context.Context, d *schema.ResourceData, m any) diag.Diagnostics {
		decide(d, "remade")
		return update(ctx, d, m)
	}
	return &schema.Provider{ResourcesMap: map[string]*schema.Resource{"legacy_custom": r}}
}

// decide gives a value to what the plan does not know.
func decide(d *schema.ResourceData, v string) {
	for name, value := range map[string]any{"c": v, "oc": v, "cb": Embedded(v), "ocb": Embedded(v)} {
		if !d.GetRawPlan().GetAttr(name).IsWhollyKnown() {
			_ = d.Set(name, value)
		}
	}
}

// Embedded is a value of the attributes cb and ocb, which hold embedded resources.
func Embedded(v string) any { return []any{map[string]any{"v": v}} }
