// Package install owns getting providers and modules into a working directory
// and finding them there: which versions are chosen, where packages come from,
// and that they are the ones that the lock file knows.
//
// It must never know what a provider does, nor how progress is shown.
//
// Invariants:
//
//	I1. Nothing is started that the lock file does not accept.
//	I2. A package appears at its place whole or not at all.
//	I3. Extracting an archive writes nowhere but into its directory.
//	I4. The lock file is written last, when all packages are in place.
//	I5. A token goes to the host that it is for and to no other, and into no
//	    message.
//
// Read first: [Install], [Locate], [InstallModules].
package install
