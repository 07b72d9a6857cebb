package config

import "github.com/hashicorp/hcl/v2/ext/typeexpr"

// TypeDefaults are the defaults of optional() attributes in a type constraint.
type TypeDefaults = typeexpr.Defaults
