//go:build unix

package process

import (
	"io/fs"
	"strconv"
	"syscall"
)

// inode tells files apart that were put in each other's place.
func inode(info fs.FileInfo) string {
	if s, ok := info.Sys().(*syscall.Stat_t); ok {
		return strconv.FormatUint(uint64(s.Ino), 10)
	}
	return "-"
}
