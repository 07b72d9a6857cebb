package session

import (
	"errors"
	"io"
	"syscall"
)

// outlive is a stream whose reader may go away: what is written afterwards is lost,
// which is no failure of the command. `state list | grep -q` ends the reader at the
// first line that fits, and a script with pipefail asks how the command ended.
type outlive struct{ io.Writer }

// Write reports no error when nobody reads any more.
func (o outlive) Write(p []byte) (int, error) {
	n, err := o.Writer.Write(p)
	if errors.Is(err, syscall.EPIPE) {
		return len(p), nil
	}
	return n, err
}
