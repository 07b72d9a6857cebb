package legacy

import (
	"context"
	"reflect"

	"github.com/hashicorp/terraform-plugin-sdk/v2/diag"
	"github.com/hashicorp/terraform-plugin-sdk/v2/helper/schema"
	"github.com/plumb-iac/plumb/test/acceptance/cloud"
)

// Story gives the provider of the stories that are told of providers of either
// make. Package modern has its twin.
func Story(w *cloud.World) *schema.Provider {
	return &schema.Provider{
		ResourcesMap: map[string]*schema.Resource{
			"story_thing": sparse(w, "story_thing", storyThing()),
			"story_other": sparse(w, "story_other", storyThing()),
		},
		DataSourcesMap: map[string]*schema.Resource{"story_count": {
			Schema: map[string]*schema.Schema{
				"kind":   {Type: schema.TypeString, Required: true},
				"number": {Type: schema.TypeInt, Computed: true},
			},
			ReadContext: func(_ context.Context, d *schema.ResourceData, _ any) diag.Diagnostics {
				kind := d.Get("kind").(string)
				if kind == "nothing" {
					return diag.Diagnostics{{Severity: diag.Error, Summary: "No such kind", Detail: "There are no such things."}}
				}
				d.SetId(kind)
				return diag.FromErr(d.Set("number", len(w.IDs(kind))))
			},
		}},
	}
}

// sparse is kept for providers that have learned what null is: a read leaves alone
// what it finds unchanged, and so unset what is not set.
func sparse(w *cloud.World, kind string, r *schema.Resource) *schema.Resource {
	r = kept(w, kind, r)
	r.ReadContext = func(_ context.Context, d *schema.ResourceData, _ any) (diags diag.Diagnostics) {
		object, ok := w.Get(kind, d.Id()).(map[string]any)
		if !ok {
			d.SetId("")
			return nil
		}
		for name, v := range object {
			if !reflect.DeepEqual(d.Get(name), v) {
				diags = append(diags, diag.FromErr(d.Set(name, v))...)
			}
		}
		return diags
	}
	return r
}

func storyThing() *schema.Resource {
	return &schema.Resource{Schema: map[string]*schema.Schema{
		"name":   {Type: schema.TypeString, Required: true},
		"zone":   {Type: schema.TypeString, Optional: true, ForceNew: true},
		"size":   {Type: schema.TypeInt, Optional: true},
		"made":   {Type: schema.TypeString, Computed: true},
		"given":  {Type: schema.TypeString, Optional: true, Computed: true},
		"secret": {Type: schema.TypeString, Optional: true, Sensitive: true},
		"once":   {Type: schema.TypeString, Optional: true, WriteOnly: true},
		"fail":   {Type: schema.TypeString, Optional: true},
		"row": {Type: schema.TypeList, Optional: true, Elem: &schema.Resource{Schema: map[string]*schema.Schema{
			"port": {Type: schema.TypeInt, Required: true},
			"note": {Type: schema.TypeString, Optional: true},
		}}},
	}}
}

// Rename changes a thing behind the provider's back.
func Rename(w *cloud.World, id, name string) {
	object := map[string]any{}
	for k, v := range w.Get("story_thing", id).(map[string]any) {
		object[k] = v
	}
	object["name"] = name
	w.Put("story_thing", id, object)
}

// Named is the name of a thing.
func Named(w *cloud.World, kind, id string) string {
	return w.Get(kind, id).(map[string]any)["name"].(string)
}
