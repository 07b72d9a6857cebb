package config

import "github.com/plumb-iac/plumb/internal/settings"

// ReadingOf is how files are read in a dialect.
func ReadingOf(d settings.Dialect) Reading {
	return Reading{
		TofuFiles:                d.Yes(settings.TofuFiles),
		VersionsFromTofuFiles:    d.Yes(settings.VersionsFromTofuFiles),
		RemovedForgets:           d.Yes(settings.RemovedForgets),
		RootImports:              !d.Yes(settings.ImportInModules),
		Enabled:                  d.Yes(settings.LifecycleEnabled),
		PreventDestroyExpression: d.Yes(settings.PreventDestroyExpression),
		AnyVariableEarly:         d.Yes(settings.AnyVariableEarly),
		DefaultHost:              d.Text(settings.DefaultHost),
	}
}
