// Package osfiles is the operating system's file system: as the functions of
// the language see it, and as everything that writes a file that must not be
// lost needs it.
//
// It must never know the language, nor what is in a file.
//
// Invariants:
//
//	OF1. Errors of [Disk] are those of package os, unchanged.
//	OF2. [Replace] renames a complete, synced file over the old one and syncs
//	     the directory. Until then the old one is untouched, and a failure
//	     leaves nothing behind. Only where a rename is impossible (a mounted
//	     file) is it overwritten, after the complete copy is durable, and that
//	     copy stays if this fails.
//	OF3. A link stays a link, a device a device, and the permissions and the
//	     owner of a file survive unless it is to be private.
//	OF4. The lock that [OpenLocked] takes is that of the file which has the name.
//
// Read first: [Disk], [Replace], [OpenLocked].
package osfiles
