package builtin

import "github.com/zclconf/go-cty/cty"

// storeIn is an object's store block, null where there is none.
func storeIn(object cty.Value) cty.Value {
	if object == cty.NilVal || object.IsNull() || !object.IsKnown() {
		return cty.NullVal(cty.DynamicPseudoType)
	}
	if !object.Type().HasAttribute("store") {
		return cty.NullVal(cty.DynamicPseudoType)
	}
	return object.GetAttr("store")
}

// planStore predicts a store block. Its outputs follow the write-only input
// only when they are stale.
func planStore(prior, proposed, config cty.Value) cty.Value {
	if proposed.IsNull() || !proposed.IsKnown() {
		return proposed
	}
	kept := stored(prior)
	if stale(kept, prior, proposed, config) {
		// The type of a write-only value may be another at the next apply.
		kept = cty.DynamicVal
	}
	return storeWith(proposed, kept)
}

// stale says whether what is stored is to be stored anew: when the version
// changes or, without a version, when the input is another value.
func stale(kept, prior, proposed, config cty.Value) bool {
	version := proposed.GetAttr("version")
	if !version.IsNull() {
		return prior.IsNull() || !same(version, prior.GetAttr("version"))
	}
	return config.IsNull() || !config.IsKnown() || !same(config.GetAttr("input"), kept)
}

// stored is the value that a store block holds, null for none.
func stored(store cty.Value) cty.Value {
	if store.IsNull() || !store.IsKnown() {
		return cty.NullVal(cty.DynamicPseudoType)
	}
	if v := store.GetAttr("output"); !v.IsNull() {
		return v
	}
	return store.GetAttr("sensitive_output")
}

// storeWith is a store block with v as the output that its argument sensitive
// chooses, and without its input.
func storeWith(store, v cty.Value) cty.Value {
	none := cty.NullVal(cty.DynamicPseudoType)
	sensitive := store.GetAttr("sensitive")
	open, hidden := v, none
	switch {
	case !sensitive.IsKnown() && !v.IsNull():
		open, hidden = cty.DynamicVal, cty.DynamicVal
	case sensitive.IsKnown() && !sensitive.IsNull() && sensitive.True():
		open, hidden = none, v
	}
	return cty.ObjectVal(map[string]cty.Value{
		"input": none, "output": open, "sensitive_output": hidden,
		"version": store.GetAttr("version"), "sensitive": sensitive, "replace": store.GetAttr("replace"),
	})
}

// replacesStore says whether a planned store block wants a new object because
// its outputs change.
func replacesStore(prior, planned cty.Value) bool {
	if planned.IsNull() || !planned.IsKnown() {
		return false
	}
	replace := planned.GetAttr("replace")
	if !replace.IsKnown() || replace.IsNull() || replace.False() {
		return false
	}
	if prior.IsNull() {
		return !stored(planned).IsNull()
	}
	return !same(planned.GetAttr("output"), prior.GetAttr("output")) ||
		!same(planned.GetAttr("sensitive_output"), prior.GetAttr("sensitive_output"))
}

// applyStore stores the input of the configuration where the plan left the
// outputs open.
func applyStore(planned, config cty.Value) cty.Value {
	switch {
	case planned.IsNull() || planned.IsKnown() && planned.GetAttr("output").IsKnown() && planned.GetAttr("sensitive_output").IsKnown():
		return planned
	case config.IsNull():
		return cty.NullVal(planned.Type())
	}
	return storeWith(config, config.GetAttr("input"))
}
