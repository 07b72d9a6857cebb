// Package builtin is the provider that needs no plugin:
// terraform.io/builtin/terraform.
package builtin
