// Package legacy owns a provider on terraform-plugin-sdk: the type system with
// which most providers were written, and whose deviations are tolerated.
//
// It must never know which program calls it.
//
// Invariants:
//
//	L1. Objects are kept as the attributes that the SDK gives.
//
// Read first: [Provider].
package legacy

import (
	"context"
	"fmt"
	"strings"

	"github.com/hashicorp/terraform-plugin-sdk/v2/diag"
	"github.com/hashicorp/terraform-plugin-sdk/v2/helper/customdiff"
	"github.com/hashicorp/terraform-plugin-sdk/v2/helper/schema"
	"github.com/hashicorp/terraform-plugin-sdk/v2/helper/validation"
	"github.com/plumb-iac/plumb/test/acceptance/cloud"
)

// Provider gives the provider for a world.
func Provider(w *cloud.World) *schema.Provider {
	return &schema.Provider{
		Schema: map[string]*schema.Schema{
			"region": {Type: schema.TypeString, Optional: true, DefaultFunc: schema.EnvDefaultFunc("LEGACY_REGION", "here")},
		},
		ResourcesMap: map[string]*schema.Resource{
			"legacy_thing":   thing(w),
			"legacy_diff":    different(w),
			"legacy_old":     versioned(w),
			"legacy_partial": partial(w),
			"legacy_known":   known(w),
		},
		DataSourcesMap: map[string]*schema.Resource{"legacy_count": count(w)},
		ConfigureContextFunc: func(_ context.Context, d *schema.ResourceData) (any, diag.Diagnostics) {
			return d.Get("region"), nil
		},
	}
}

// kept gives a resource type the four operations, on a world.
func kept(w *cloud.World, kind string, r *schema.Resource) *schema.Resource {
	names := func() []string {
		var out []string
		for name := range r.Schema {
			if !r.Schema[name].WriteOnly {
				out = append(out, name)
			}
		}
		return out
	}
	save := func(d *schema.ResourceData) {
		object := map[string]any{}
		for _, name := range names() {
			v := d.Get(name)
			if set, ok := v.(*schema.Set); ok {
				v = set.List()
			}
			object[name] = v
		}
		w.Put(kind, d.Id(), object)
	}
	r.CreateContext = func(_ context.Context, d *schema.ResourceData, _ any) diag.Diagnostics {
		if diags := fault(d, "create-nothing"); diags != nil {
			return diags
		}
		d.SetId(w.NewID(kind))
		for name, s := range r.Schema {
			if s.Computed && s.Type == schema.TypeString && d.Get(name) == "" {
				_ = d.Set(name, "made "+name)
			}
		}
		save(d)
		return fault(d, "create")
	}
	r.ReadContext = func(_ context.Context, d *schema.ResourceData, _ any) diag.Diagnostics {
		object, ok := w.Get(kind, d.Id()).(map[string]any)
		if !ok {
			d.SetId("")
			return nil
		}
		for _, name := range names() {
			if err := d.Set(name, object[name]); err != nil {
				return diag.FromErr(err)
			}
		}
		return nil
	}
	r.UpdateContext = func(_ context.Context, d *schema.ResourceData, _ any) diag.Diagnostics {
		if diags := fault(d, "update"); diags != nil {
			d.Partial(true)
			return diags
		}
		if diags := fault(d, "update-careless"); diags != nil {
			return diags
		}
		save(d)
		return nil
	}
	r.DeleteContext = func(_ context.Context, d *schema.ResourceData, _ any) diag.Diagnostics {
		if diags := fault(d, "delete"); diags != nil {
			return diags
		}
		w.Delete(kind, d.Id())
		return nil
	}
	r.Importer = &schema.ResourceImporter{StateContext: schema.ImportStatePassthroughContext}
	return r
}

// fault is what the configuration asked to go wrong: an attribute fail names the
// stage.
func fault(d *schema.ResourceData, stage string) diag.Diagnostics {
	if v, ok := d.GetOk("fail"); !ok || v != stage {
		return nil
	}
	return diag.Diagnostics{{Severity: diag.Error, Summary: "Fault in " + stage, Detail: "The configuration asked for it."}}
}

// thing has every kind of attribute and block.
func thing(w *cloud.World) *schema.Resource {
	text := &schema.Schema{Type: schema.TypeString}
	return kept(w, "thing", &schema.Resource{Schema: map[string]*schema.Schema{
		"bool":   {Type: schema.TypeBool, Optional: true},
		"int":    {Type: schema.TypeInt, Optional: true, ValidateFunc: validation.IntBetween(0, 100)},
		"float":  {Type: schema.TypeFloat, Optional: true},
		"string": {Type: schema.TypeString, Optional: true},
		"list":   {Type: schema.TypeList, Optional: true, Elem: text},
		"set":    {Type: schema.TypeSet, Optional: true, Elem: text},
		"map":    {Type: schema.TypeMap, Optional: true, Elem: text},
		"made":   {Type: schema.TypeString, Computed: true},
		"either": {Type: schema.TypeString, Optional: true, Computed: true},
		"given":  {Type: schema.TypeString, Optional: true, Default: "default"},
		"fixed":  {Type: schema.TypeString, Optional: true, ForceNew: true},
		"secret": {Type: schema.TypeString, Optional: true, Sensitive: true},
		"once":   {Type: schema.TypeString, Optional: true, WriteOnly: true},
		"lower": {Type: schema.TypeString, Optional: true, StateFunc: func(v any) string { return strings.ToLower(v.(string)) },
			DiffSuppressFunc: func(_, old, now string, _ *schema.ResourceData) bool { return strings.EqualFold(old, now) }},
		"this": {Type: schema.TypeString, Optional: true, ConflictsWith: []string{"that"}},
		"that": {Type: schema.TypeString, Optional: true, Deprecated: "use this"},
		"one": {Type: schema.TypeList, Optional: true, MaxItems: 1, Elem: &schema.Resource{Schema: map[string]*schema.Schema{
			"size": {Type: schema.TypeInt, Required: true},
			"note": {Type: schema.TypeString, Optional: true, Default: "none"},
			"deep": {Type: schema.TypeSet, Optional: true, Elem: &schema.Resource{Schema: map[string]*schema.Schema{
				"key": {Type: schema.TypeString, Required: true},
			}}},
		}}},
		"row": {Type: schema.TypeSet, Optional: true, Elem: &schema.Resource{Schema: map[string]*schema.Schema{
			"port": {Type: schema.TypeInt, Required: true},
			"from": {Type: schema.TypeList, Optional: true, Elem: text},
			"made": {Type: schema.TypeString, Computed: true},
		}}},
		"attr": {Type: schema.TypeList, Optional: true, Computed: true, ConfigMode: schema.SchemaConfigModeAttr,
			Elem: &schema.Resource{Schema: map[string]*schema.Schema{"name": {Type: schema.TypeString, Optional: true}}}},
	}})
}

// different plans with CustomizeDiff.
func different(w *cloud.World) *schema.Resource {
	return kept(w, "diff", &schema.Resource{
		Schema: map[string]*schema.Schema{
			"name":  {Type: schema.TypeString, Required: true},
			"shout": {Type: schema.TypeString, Computed: true},
			"stamp": {Type: schema.TypeString, Computed: true},
			"size":  {Type: schema.TypeInt, Optional: true},
		},
		CustomizeDiff: customdiff.All(
			func(_ context.Context, d *schema.ResourceDiff, _ any) error {
				if d.Id() == "" || d.HasChange("name") {
					return d.SetNew("shout", strings.ToUpper(d.Get("name").(string)))
				}
				return nil
			},
			customdiff.ComputedIf("stamp", func(_ context.Context, d *schema.ResourceDiff, _ any) bool { return d.HasChange("size") }),
			customdiff.ForceNewIfChange("size", func(_ context.Context, old, now, _ any) bool { return now.(int) < old.(int) }),
			customdiff.ValidateChange("size", func(_ context.Context, _, now, _ any) error {
				if now.(int) > 100 {
					return fmt.Errorf("size %d is too much", now)
				}
				return nil
			}),
		),
	})
}

// Old gives the provider as it was before [Provider].
func Old(w *cloud.World) *schema.Provider {
	return &schema.Provider{ResourcesMap: map[string]*schema.Resource{"legacy_old": kept(w, "old", &schema.Resource{
		Schema: map[string]*schema.Schema{"name": {Type: schema.TypeString, Required: true}}})}}
}

// versioned is a type in its second version.
func versioned(w *cloud.World) *schema.Resource {
	first := Old(w).ResourcesMap["legacy_old"]
	return kept(w, "old", &schema.Resource{
		SchemaVersion: 1,
		Schema: map[string]*schema.Schema{
			"name":  {Type: schema.TypeString, Required: true},
			"extra": {Type: schema.TypeString, Optional: true},
		},
		StateUpgraders: []schema.StateUpgrader{{Version: 0, Type: first.CoreConfigSchema().ImpliedType(),
			Upgrade: func(_ context.Context, raw map[string]any, _ any) (map[string]any, error) {
				raw["extra"] = "upgraded"
				w.Put("old", raw["id"].(string), map[string]any{"name": raw["name"], "extra": "upgraded"})
				return raw, nil
			}}},
	})
}

// partial breaks off where the configuration says.
func partial(w *cloud.World) *schema.Resource {
	return kept(w, "partial", &schema.Resource{Schema: map[string]*schema.Schema{
		"name": {Type: schema.TypeString, Optional: true},
		"fail": {Type: schema.TypeString, Optional: true},
	}})
}

// known has an identity.
func known(w *cloud.World) *schema.Resource {
	r := kept(w, "known", &schema.Resource{
		Schema: map[string]*schema.Schema{
			"name": {Type: schema.TypeString, Required: true, ForceNew: true},
			"note": {Type: schema.TypeString, Optional: true},
		},
		Identity: &schema.ResourceIdentity{Version: 1, SchemaFunc: func() map[string]*schema.Schema {
			return map[string]*schema.Schema{"ref": {Type: schema.TypeString, RequiredForImport: true}}
		}},
	})
	create, read := r.CreateContext, r.ReadContext
	identify := func(d *schema.ResourceData) diag.Diagnostics {
		id, err := d.Identity()
		if err != nil {
			return diag.FromErr(err)
		}
		return diag.FromErr(id.Set("ref", d.Id()))
	}
	r.CreateContext = func(ctx context.Context, d *schema.ResourceData, m any) diag.Diagnostics {
		return append(create(ctx, d, m), identify(d)...)
	}
	r.ReadContext = func(ctx context.Context, d *schema.ResourceData, m any) diag.Diagnostics {
		out := read(ctx, d, m)
		if d.Id() == "" {
			return out
		}
		return append(out, identify(d)...)
	}
	r.Importer = &schema.ResourceImporter{StateContext: schema.ImportStatePassthroughWithIdentity("ref")}
	return r
}

// count is a data source.
func count(w *cloud.World) *schema.Resource {
	return &schema.Resource{
		Schema: map[string]*schema.Schema{
			"kind":   {Type: schema.TypeString, Required: true},
			"number": {Type: schema.TypeInt, Computed: true},
			"region": {Type: schema.TypeString, Computed: true},
		},
		ReadContext: func(_ context.Context, d *schema.ResourceData, region any) diag.Diagnostics {
			d.SetId(d.Get("kind").(string))
			_ = d.Set("region", region)
			return diag.FromErr(d.Set("number", len(w.IDs(d.Get("kind").(string)))))
		},
	}
}
