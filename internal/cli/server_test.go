package cli_test

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"sync"

	"github.com/plumb-iac/plumb/test/stateserver"
	"github.com/rogpeppe/go-internal/testscript"
)

// servers are those of the scripts that run.
var servers sync.Map

// serverCommand is what scripts do with a server for the http backend:
//
//	server start                     starts one; its address is $SERVER
//	server lock ID                   takes the lock for somebody else
//	server unlock                    takes the lock away
//	server state FILE                writes what is stored to a file
//	server put FILE                  stores what is in a file
//	server trouble METHOD A-B WHAT   makes the A-th to B-th request of a method fail:
//	                                 a status, cut (no answer) or lost (done, no answer)
//	server calm                      ends the trouble
func serverCommand(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) == 0 {
		ts.Fatalf("usage: server start|lock|unlock|state|put|trouble|calm")
	}
	if args[0] == "start" {
		s := stateserver.New()
		ts.Defer(s.Close)
		servers.Store(ts, s)
		ts.Setenv("SERVER", s.URL+"/state")
		return
	}
	found, ok := servers.Load(ts)
	if !ok {
		ts.Fatalf("there is no server")
	}
	s := found.(*stateserver.Server)
	switch args[0] {
	case "lock":
		s.Put(s.State(), fmt.Appendf(nil, `{"ID":%q,"Operation":"OperationTypeApply","Who":"her@there"}`, args[1]))
	case "unlock":
		s.Put(s.State(), nil)
	case "state":
		ts.Check(os.WriteFile(ts.MkAbs(args[1]), s.State(), 0o600))
	case "put":
		s.Put([]byte(ts.ReadFile(args[1])), s.Lock())
	case "calm":
		s.Trouble(nil)
	case "trouble":
		s.Trouble(trouble(ts, args[1], args[2], args[3]))
	default:
		ts.Fatalf("server %s?", args[0])
	}
}

func trouble(ts *testscript.TestScript, method, which, what string) func(string, int) *stateserver.Fault {
	from, to, _ := strings.Cut(which, "-")
	first, err := strconv.Atoi(from)
	ts.Check(err)
	last, err := strconv.Atoi(to)
	ts.Check(err)
	f := &stateserver.Fault{Cut: true, After: what == "lost"}
	if status, err := strconv.Atoi(what); err == nil {
		f = &stateserver.Fault{Status: status, Body: "trouble"}
	}
	return func(m string, n int) *stateserver.Fault {
		if m == method && first <= n && n <= last {
			return f
		}
		return nil
	}
}
