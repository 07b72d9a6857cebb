package stateserver

import (
	"crypto/md5"
	"encoding/base64"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"sync"
)

// Fault is what a server does instead of answering a request as it should.
type Fault struct {
	// Status, Header and Body are the answer; Cut is to break the connection.
	Status int
	Header map[string]string
	Body   string
	Cut    bool
	// After says that the request is carried out all the same.
	After bool
}

// Server keeps one state and one lock, whatever the address.
type Server struct {
	*httptest.Server
	mu          sync.Mutex
	state, lock []byte
	requests    []string
	header      http.Header
	seen        map[string]int
	trouble     func(method string, n int) *Fault
}

// New starts a server that holds nothing. Close ends it.
func New() *Server {
	s := &Server{seen: map[string]int{}}
	s.Server = httptest.NewServer(s)
	return s
}

// State is what is stored, nil for nothing.
func (s *Server) State() []byte {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.state
}

// Lock is the lock information of who holds the lock, nil for nobody.
func (s *Server) Lock() []byte {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.lock
}

// Put stores a state and takes or removes the lock, without a request.
func (s *Server) Put(state, lock []byte) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.state, s.lock = state, lock
}

// Trouble decides about the n-th request of a method from now on, counted from 1;
// nil is no fault.
func (s *Server) Trouble(with func(method string, n int) *Fault) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.trouble, s.seen = with, map[string]int{}
}

// Seen is how many requests of a method there were since Trouble.
func (s *Server) Seen(method string) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.seen[method]
}

// Asked are the requests since the last call, a method and an address each, and
// the headers of the last one.
func (s *Server) Asked() ([]string, http.Header) {
	s.mu.Lock()
	defer s.mu.Unlock()
	out := s.requests
	s.requests = nil
	return out, s.header
}

// ServeHTTP answers a request, or does not.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	body, err := io.ReadAll(r.Body)
	if err != nil {
		panic(err)
	}
	s.requests = append(s.requests, r.Method+" "+r.URL.RequestURI())
	s.header = r.Header
	s.seen[r.Method]++
	var f *Fault
	if s.trouble != nil {
		f = s.trouble(r.Method, s.seen[r.Method])
	}
	if f != nil && !f.After {
		s.fail(w, f)
		return
	}
	status, answer := s.serve(r, body)
	if f != nil {
		s.fail(w, f)
		return
	}
	w.WriteHeader(status)
	_, _ = w.Write(answer)
}

func (s *Server) fail(w http.ResponseWriter, f *Fault) {
	if f.Cut {
		panic(http.ErrAbortHandler)
	}
	for k, v := range f.Header {
		w.Header().Set(k, v)
	}
	w.WriteHeader(f.Status)
	_, _ = io.WriteString(w, f.Body)
}

func (s *Server) serve(r *http.Request, body []byte) (int, []byte) {
	if sum := md5.Sum(body); r.Method != "GET" && r.Header.Get("Content-MD5") != base64.StdEncoding.EncodeToString(sum[:]) {
		return 400, []byte("bad checksum")
	}
	var given, held struct{ ID string }
	_ = json.Unmarshal(s.lock, &held)
	switch r.Method {
	case "GET":
		if s.state == nil {
			return 404, nil
		}
		return 200, s.state
	case "POST", "PUT":
		if s.lock != nil && r.URL.Query().Get("ID") != held.ID {
			return 423, s.lock
		}
		s.state = body
		return 200, nil
	case "LOCK":
		if s.lock != nil {
			return 423, s.lock
		}
		s.lock = body
		return 200, nil
	case "UNLOCK":
		if err := json.Unmarshal(body, &given); err != nil || s.lock == nil || given.ID != held.ID {
			return 409, s.lock
		}
		s.lock = nil
		return 200, nil
	}
	return 405, nil
}

// First is trouble with the first n requests of a method.
func First(method string, n int, f Fault) func(string, int) *Fault {
	return func(m string, i int) *Fault {
		if m == method && i <= n {
			return &f
		}
		return nil
	}
}
