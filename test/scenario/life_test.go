package scenario

import (
	"flag"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"golang.org/x/tools/txtar"
	"pgregory.net/rapid"
)

var long = flag.Int("life", 3, "how many steps a drawn life has at most, and with how many resources")

// found is where a life is written down that did not go well.
const found = "testdata/lives/found.txtar"

// TestLife takes drawn configurations through drawn failures, interruptions and
// deaths, and holds what there is after every command against what was promised.
// A life that fails is written to testdata/lives, where TestLives tells it again.
//
//	go test ./test/scenario -run TestLife$ -life=8 -rapid.checks=5000 -rapid.seed=$RANDOM
func TestLife(t *testing.T) {
	draw(t, func(rt *rapid.T) {
		a := drawLife(rt, limits{things: *long + 1, steps: *long})
		well := false
		defer func() {
			if !well {
				keep(a)
			}
		}()
		complaint := live(t, newStory("", a))
		if well = complaint == ""; !well {
			rt.Fatalf("%s\nThe life is in %s.", complaint, found)
		}
	})
}

// draw checks a property of drawn lives: of the same ones each time, so that a run
// tells something of the change at hand, unless -rapid.seed asks for others.
func draw(t *testing.T, property func(*rapid.T)) {
	t.Helper()
	if seed := flag.Lookup("rapid.seed"); seed.Value.String() == "0" {
		if err := seed.Value.Set("1"); err != nil {
			t.Fatal(err)
		}
		defer seed.Value.Set("0")
	}
	rapid.Check(t, property)
}

// TestLives tells the lives of testdata/lives.
func TestLives(t *testing.T) {
	files, _ := filepath.Glob("testdata/lives/*.txtar")
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			if complaint := live(t, readStory(t, file)); complaint != "" {
				t.Error(complaint)
			}
		})
	}
}

// live tells a life and gives the complaints about the first command that has any,
// with what was told so far.
func live(t *testing.T, s *story) string {
	t.Helper()
	routines := runtime.NumGoroutine()
	tl := newTeller(t, s, 1)
	tl.shows("changes state calls events journal remote")
	o := newOracle(tl)
	for i, c := range s.run {
		stop := watchdog(s, c)
		tl.command(i)
		complaints := o.after(i)
		stop()
		if len(complaints) > 0 {
			return tl.out.String() + "\n" + c.text + ": " + strings.Join(complaints, "\n")
		}
	}
	for range 100 {
		if runtime.NumGoroutine() <= routines {
			return ""
		}
		time.Sleep(time.Millisecond)
	}
	return tl.out.String() + "\ngoroutines are left over"
}

// watchdog ends the test when a command does not end.
func watchdog(s *story, c command) (stop func()) {
	timer := time.AfterFunc(time.Minute, func() {
		stacks := make([]byte, 1<<20)
		keep(s.archive)
		panic(c.text + " does not end\n" + string(stacks[:runtime.Stack(stacks, true)]))
	})
	return func() { timer.Stop() }
}

// keep writes a life down.
func keep(a *txtar.Archive) {
	_ = os.MkdirAll(filepath.Dir(found), 0o755)
	_ = os.WriteFile(found, txtar.Format(a), 0o644)
}
