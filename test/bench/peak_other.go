//go:build !unix

package main

import "os"

// peak is 0 where the system does not tell how much memory a process had.
func peak(*os.ProcessState) int64 { return 0 }
