package schemajson

import (
	"io"
	"sort"

	"github.com/plumb-iac/plumb/internal/lang"
	"github.com/plumb-iac/plumb/plan/planjson/jsonout"
)

// WriteFunctions writes the signatures of functions as metadata functions
// -json does.
func WriteFunctions(out io.Writer, all map[string]lang.Signature) error {
	w := jsonout.New(out)
	names := make([]string, 0, len(all))
	for name := range all {
		names = append(names, name)
	}
	sort.Strings(names)
	w.Begin()
	w.KeyString("format_version", "1.0")
	w.Key("function_signatures")
	w.Begin()
	for _, name := range names {
		text, err := all[name].JSON()
		if err != nil {
			return err
		}
		w.Key(name)
		w.Raw(text)
	}
	w.End()
	w.End()
	return w.Err()
}

// Version is what version -json tells.
type Version struct {
	// Version is the language level, which programs look for under
	// terraform_version.
	Version, Platform string
	// Plumb is plumb's own version.
	Plumb string
	// Providers are the selected versions by provider address.
	Providers map[string]string
}

// WriteVersion writes versions as version -json does.
func WriteVersion(out io.Writer, v Version) error {
	w := jsonout.NewIndented(out)
	names := make([]string, 0, len(v.Providers))
	for name := range v.Providers {
		names = append(names, name)
	}
	sort.Strings(names)
	w.Begin()
	w.KeyString("terraform_version", v.Version)
	w.KeyString("plumb_version", v.Plumb)
	w.KeyString("platform", v.Platform)
	w.Key("provider_selections")
	w.Begin()
	for _, name := range names {
		w.KeyString(name, v.Providers[name])
	}
	w.End()
	w.KeyBool("terraform_outdated", false)
	w.End()
	return w.Err()
}
