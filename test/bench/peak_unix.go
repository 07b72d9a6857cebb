//go:build unix

package main

import (
	"os"
	"runtime"
	"syscall"
)

// peak is the most memory that a process had, in bytes. Systems count it in
// kibibytes, but for Darwin.
func peak(s *os.ProcessState) int64 {
	most := int64(s.SysUsage().(*syscall.Rusage).Maxrss)
	if runtime.GOOS == "darwin" {
		return most
	}
	return most << 10
}
