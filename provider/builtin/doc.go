// Package builtin owns the provider that needs no plugin,
// terraform.io/builtin/terraform: the resource terraform_data, the data source
// terraform_remote_state and three functions about variable files. It works in
// this process and directly on values; nothing is encoded but what was stored.
//
// It must never know a backend, a clock or a source of randomness: reading
// another configuration's state and making ids are given to it.
//
// Invariants:
//
//	U1. What is planned known is applied as planned. An output follows its
//	    input at the next apply and is unknown until then, or null if its input
//	    is.
//	U2. A value given to a write-only argument is nowhere in a plan; it becomes
//	    an output when it is applied.
//	U3. The schemas are made once by New and shared.
//	U4. No answer needs more than its question, but for ReadData, which reads.
//
// Read first: [New], [Options], Provider.planData.
package builtin
