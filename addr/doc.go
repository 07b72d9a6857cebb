// Package addr owns the addresses of everything a configuration or a state can
// name: modules, resources, resource instances, providers, outputs, checks and
// the arguments of -target.
//
// It must never know values, schemas or files: an address is text with a
// structure and nothing more.
//
// Invariants:
//
//	A1. Every address type is comparable and usable as a map key.
//	A2. Parse(a.String()) == a for every valid address a.
//	A3. Less is a total order: modules before their children, names
//	    alphabetically, no key before integer keys before string keys,
//	    integer keys numerically.
//
// Read first: [ModuleInstance], [AbsInstance], [Provider].
package addr
