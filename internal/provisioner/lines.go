package provisioner

import (
	"bufio"
	"io"
	"strings"
	"sync"
)

const (
	// tailSize is how much of the output an error message repeats.
	tailSize = 8 << 10
	maxLine  = 64 << 10
)

// printer tells output line by line and keeps the end of it. Several readers
// may feed it.
type printer struct {
	mu     sync.Mutex
	output func(string)
	tail   []byte
}

func (p *printer) line(s string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.output(strings.TrimRight(s, "\r\n"))
	p.tail = append(p.tail, s...)
	if extra := len(p.tail) - tailSize; extra > 0 {
		p.tail = p.tail[extra:]
	}
}

// read tells everything that r has.
func (p *printer) read(r io.Reader) {
	b := bufio.NewReaderSize(r, maxLine)
	for {
		part, err := b.ReadSlice('\n')
		if len(part) > 0 {
			p.line(string(part))
		}
		if err != nil && err != bufio.ErrBufferFull {
			return
		}
	}
}

// stream gives a writer whose lines are told. done says that nothing more
// comes, and returns when everything was told.
func (p *printer) stream() (w io.Writer, done func()) {
	r, out := io.Pipe()
	read := make(chan struct{})
	go func() {
		p.read(r)
		close(read)
	}()
	return out, func() {
		_ = out.Close()
		<-read
	}
}

// end is the last part of the output.
func (p *printer) end() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return string(p.tail)
}
