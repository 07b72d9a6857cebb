// Package osfiles is the operating system's file system, as the functions of
// the language see it.
//
// It owns nothing: every call goes to package os. It must never know the
// language.
//
// Invariants:
//
//	OF1. Errors are those of package os, unchanged.
//
// Read first: [Disk].
package osfiles
