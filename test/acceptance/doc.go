// Package acceptance holds plumb to what providers' own acceptance tests ask of a
// terraform binary. Two providers, written on the libraries that real ones are
// written on, are tested with github.com/hashicorp/terraform-plugin-testing, as
// their authors would do it; the program under test is the one that
// TF_ACC_TERRAFORM_PATH names.
//
// It must never know plumb from inside: it is a module of its own and drives
// the command line only. The same tests hold for every program of the family, as
// far as it has the features.
//
// Invariants:
//
//	T1. No test needs a network, a registry or another program.
//	T2. What is remote is a [cloud.World] in the memory of the test; at the end
//	    of each test it is empty.
//	T3. Tests run side by side and share nothing.
//	T4. What becomes of a plan that a provider has a hand in is written down in
//	    testdata/*.md, in words for those who write providers, and what becomes of
//	    objects in testdata/stories.txt. -update writes them; every program of the
//	    family writes the same, but for what docs/compatibility.md names.
//	    What plumb itself makes of a provider's nonsense is in testdata/nonsense.md.
//	T5. A story is told of a provider of either make over either protocol. Where
//	    the makes differ, it says why.
//
// What the harness cannot ask is asked of a stage, which runs the program itself.
//
// Read first: [cloud.World], package modern (terraform-plugin-framework), package
// legacy (terraform-plugin-sdk).
package acceptance
