//go:build !unix

package main

import (
	"os"
	"time"
)

// peak is 0 where the system does not tell how much memory a process had.
func peak(*os.ProcessState) int64 { return 0 }

// spent is 0 where the system does not tell of children that have ended.
func spent() time.Duration { return 0 }
