//go:build !unix

package process

import "io/fs"

// socketsAreFiles: providers listen on ports, which any user can reach.
const socketsAreFiles = false

// inode is unknown here; size and time must do.
func inode(fs.FileInfo) string { return "-" }
