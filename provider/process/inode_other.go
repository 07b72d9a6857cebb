//go:build !unix

package process

import "io/fs"

// inode is unknown here; size and time must do.
func inode(fs.FileInfo) string { return "-" }
