//go:build unix

package process

import (
	"io/fs"
	"strconv"
	"syscall"
)

// socketsAreFiles: providers listen on sockets with an owner and permissions.
const socketsAreFiles = true

// inode tells files apart that were put in each other's place.
func inode(info fs.FileInfo) string {
	if s, ok := info.Sys().(*syscall.Stat_t); ok {
		return strconv.FormatUint(uint64(s.Ino), 10)
	}
	return "-"
}
