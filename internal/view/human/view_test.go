package human_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/plumb-iac/plumb/addr"
	"github.com/plumb-iac/plumb/event"
	"github.com/plumb-iac/plumb/internal/view"
	"github.com/plumb-iac/plumb/internal/view/human"
)

var zero = time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)

func object(s string) addr.Object {
	i, err := addr.ParseInstance(s)
	if err != nil {
		panic(err)
	}
	return addr.Object{Instance: i}
}

// transcript is a run with a bit of everything.
func transcript() []event.Event {
	a, b := object("x.a"), object("module.m.x.b[0]")
	old := b
	old.Deposed = "0123abcd"
	return []event.Event{
		event.Phase{Name: event.Planning},
		event.Begun{Object: a, Op: event.Refresh, IDKey: "id", IDValue: "1"},
		event.Ended{Object: a, Op: event.Refresh, IDKey: "id", IDValue: "1"},
		event.Begun{Object: object("data.x.d"), Op: event.ReadData},
		event.Ended{Object: object("data.x.d"), Op: event.ReadData, Elapsed: 65 * time.Second, IDKey: "name", IDValue: "d"},
		event.Begun{Object: b, Op: event.Import, IDKey: "id", IDValue: "i"},
		event.Ended{Object: b, Op: event.Import, IDKey: "id", IDValue: "i"},
		event.Phase{Name: event.Applying},
		event.Begun{Object: b, Op: event.Import, IDKey: "id", IDValue: "i"},
		event.Ended{Object: b, Op: event.Import, IDKey: "id", IDValue: "i"},
		event.Begun{Object: a, Op: event.Update, IDKey: "id", IDValue: "1"},
		event.Ended{Object: a, Op: event.Update, IDKey: "id", IDValue: "1"},
		event.Begun{Object: b, Op: event.Create},
		event.Begun{Object: b, Op: event.Provision, Detail: "local-exec"},
		event.Output{Object: b, Detail: "local-exec", Text: "hello\n"},
		event.Output{Object: b, Detail: "local-exec", Text: "\n"},
		event.Ended{Object: b, Op: event.Provision, Detail: "local-exec"},
		event.Ended{Object: b, Op: event.Create, IDKey: "id", IDValue: strings.Repeat("0123456789", 9)},
		event.Begun{Object: old, Op: event.Delete, IDKey: "id", IDValue: "0"},
		event.Ended{Object: old, Op: event.Delete, IDKey: "id", IDValue: "0"},
		event.Begun{Object: object("x.c"), Op: event.Create},
		event.Failed{Object: object("x.c"), Op: event.Create},
		event.Begun{Object: object("ephemeral.x.e"), Op: event.Open},
		event.Ended{Object: object("ephemeral.x.e"), Op: event.Open},
		event.Begun{Object: a, Op: event.Action, Detail: "action.x.n"},
		event.Output{Object: a, Detail: "action.x.n", Text: "step"},
		event.Failed{Object: a, Op: event.Action, Detail: "action.x.n", Message: "told to fail"},
		event.Begun{Op: event.Action, Detail: "action.x.n"},
		event.Ended{Op: event.Action, Detail: "action.x.n"},
	}
}

const told = `x.a: Refreshing state... [id=1]
data.x.d: Reading...
data.x.d: Read complete after 1m5s [name=d]
module.m.x.b[0]: Preparing import... [id=i]
module.m.x.b[0]: Importing... [id=i]
module.m.x.b[0]: Import complete [id=i]
x.a: Modifying... [id=1]
x.a: Modifications complete after 0s [id=1]
module.m.x.b[0]: Creating...
module.m.x.b[0]: Provisioning with 'local-exec'...
module.m.x.b[0] (local-exec): hello

module.m.x.b[0]: Creation complete after 0s [id=012345678901234567890123456789012345678...23456789012345678901234567890123456789]
module.m.x.b[0] (deposed object 0123abcd): Destroying... [id=0]
module.m.x.b[0]: Destruction complete after 0s
x.c: Creating...
ephemeral.x.e: Opening...
ephemeral.x.e: Opening complete after 0s
Action started: action.x.n (triggered by x.a)
Action action.x.n (triggered by x.a): step
Action failed: action.x.n (triggered by x.a) - told to fail
Action started: action.x.n (triggered by CLI)
Action complete: action.x.n (triggered by CLI)
`

func TestTranscript(t *testing.T) {
	var b strings.Builder
	v := human.New(&b, human.Options{})
	for _, e := range transcript() {
		if v.Observe(e) != event.Continue {
			t.Error("asked for a stop")
		}
	}
	if b.String() != told {
		t.Errorf("got\n%s", b.String())
	}
	want := view.Tally{Imported: 1, Added: 1, Changed: 1, Destroyed: 1, Invoked: 1, InvokeFailed: 1}
	if v.Tally() != want {
		t.Errorf("%+v", v.Tally())
	}
	if got := human.Applied(v.Tally()); got != "Apply complete! Resources: 1 imported, 1 added, 1 changed, 1 destroyed. Actions: 1 invoked, 1 failed." {
		t.Error(got)
	}
}

func TestStill(t *testing.T) {
	var b strings.Builder
	v := human.New(&b, human.Options{})
	v.Observe(event.Begun{Header: event.Header{Time: zero}, Object: object("x.a"), Op: event.Create})
	v.Observe(event.Begun{Header: event.Header{Time: zero}, Object: object("x.b"), Op: event.Delete, IDKey: "id", IDValue: "1"})
	for s := range 26 {
		v.Tick(zero.Add(time.Duration(s) * time.Second))
	}
	v.Observe(event.Ended{Object: object("x.b"), Op: event.Delete})
	v.Tick(zero.Add(3723 * time.Second))
	want := `x.a: Creating...
x.b: Destroying... [id=1]
x.a: Still creating... [00m10s elapsed]
x.b: Still destroying... [id=1, 00m10s elapsed]
x.a: Still creating... [00m20s elapsed]
x.b: Still destroying... [id=1, 00m20s elapsed]
x.b: Destruction complete after 0s
x.a: Still creating... [01h02m03s elapsed]
`
	if b.String() != want {
		t.Errorf("got\n%s", b.String())
	}
}

// The live lines are taken away before anything else is written, and none are
// left at the end.
func TestLive(t *testing.T) {
	var b strings.Builder
	v := human.New(&b, human.Options{Live: true})
	v.Observe(event.Begun{Header: event.Header{Time: zero}, Object: object("x.a"), Op: event.Create})
	v.Tick(zero.Add(2 * time.Second))
	v.Observe(event.Ended{Object: object("x.a"), Op: event.Create})
	v.Tick(zero.Add(3 * time.Second))
	v.Close()
	want := "x.a: Creating...\n\x1b[?7l  x.a: creating 00m02s\n\x1b[?7h\x1b[1A\r\x1b[Jx.a: Creation complete after 0s\n"
	if b.String() != want {
		t.Errorf("%q", b.String())
	}
}

// What others say stands above the live lines, which are not drawn over it.
func TestLiveSay(t *testing.T) {
	var b strings.Builder
	v := human.New(&b, human.Options{Live: true})
	v.Observe(event.Begun{Header: event.Header{Time: zero}, Object: object("x.a"), Op: event.Create})
	v.Tick(zero.Add(time.Second))
	b.Reset()
	v.Say("wait\n")
	if want := "\x1b[1A\r\x1b[Jwait\n"; b.String() != want {
		t.Errorf("got %q, want %q", b.String(), want)
	}
	b.Reset()
	v.Tick(zero.Add(2 * time.Second))
	if strings.Contains(b.String(), "\x1b[1A") {
		t.Errorf("what was said is drawn over: %q", b.String())
	}
}

// The live lines stay below what is written meanwhile, in the same write. What began
// since the last tick is not among them, for it mostly ends before the next.
func TestLiveStays(t *testing.T) {
	var b strings.Builder
	v := human.New(&b, human.Options{Live: true})
	v.Observe(event.Begun{Header: event.Header{Time: zero}, Object: object("x.a"), Op: event.Create})
	v.Tick(zero.Add(time.Second))
	b.Reset()
	v.Observe(event.Begun{Header: event.Header{Time: zero.Add(1500 * time.Millisecond)}, Object: object("x.b"), Op: event.Create})
	if want := "\x1b[1A\r\x1b[Jx.b: Creating...\n\x1b[?7l  x.a: creating 00m01s\n\x1b[?7h"; b.String() != want {
		t.Errorf("got %q, want %q", b.String(), want)
	}
}

// A terminal that was resized has lines of its new width from the next write on.
func TestLiveResized(t *testing.T) {
	var b strings.Builder
	columns := 80
	v := human.New(&b, human.Options{Live: true, Size: func() (int, int) { return columns, 24 }})
	v.Observe(event.Begun{Header: event.Header{Time: zero}, Object: object("module.somewhere.x.b"), Op: event.Create})
	v.Tick(zero.Add(time.Second))
	columns = 30
	b.Reset()
	v.Tick(zero.Add(2 * time.Second))
	if want := "\x1b[1A\r\x1b[J\x1b[?7l  module.somewhere.x.b 00m02s\n\x1b[?7h"; b.String() != want {
		t.Errorf("got %q, want %q", b.String(), want)
	}
}

// Programs move no cursor and leave no colour behind, and ids are no orders either.
func TestForeignText(t *testing.T) {
	var b strings.Builder
	v := human.New(&b, human.Options{})
	v.Observe(event.Begun{Object: object("x.a"), Op: event.Update, IDKey: "id", IDValue: "a\x1b[2J"})
	v.Observe(event.Output{Object: object("x.a"), Detail: "local-exec", Text: "\x1b[2A\x1b[Kup \x1b[31mred\x1b[0m\n10%\r100%\r\n"})
	want := "x.a: Modifying... [id=a␛[2J]\nx.a (local-exec): up red\nx.a (local-exec): 100%\n"
	if b.String() != want {
		t.Errorf("got %q, want %q", b.String(), want)
	}
}

// An object has one line, which tells what is being done to it now.
func TestLiveLatest(t *testing.T) {
	var b strings.Builder
	v := human.New(&b, human.Options{Live: true, Style: view.Style{Width: 40}})
	a := object("module.somewhere.far_away.x[12]")
	v.Observe(event.Begun{Header: event.Header{Time: zero}, Object: a, Op: event.Create})
	v.Observe(event.Begun{Header: event.Header{Time: zero.Add(time.Second)}, Object: a, Op: event.Provision, Detail: "file"})
	v.Observe(event.Begun{Header: event.Header{Time: zero}, Object: object("x.b"), Op: event.Delete})
	b.Reset()
	v.Tick(zero.Add(61 * time.Second))
	if want := "\x1b[?7l  module.somewh...far_away.x[12] 01m00s\n  x.b: destroying 01m01s\n\x1b[?7h"; b.String() != want {
		t.Errorf("%q", b.String())
	}
}

// However many operations run, and however small the terminal is, the live lines
// fit into it: none is as wide as it is, and the cursor has a row of its own.
func TestLiveFits(t *testing.T) {
	for _, size := range []struct{ columns, rows, lines int }{{80, 24, 8}, {30, 5, 4}, {12, 3, 2}, {4, 2, 1}, {1, 1, 0}, {0, 0, 8}} {
		var b strings.Builder
		v := human.New(&b, human.Options{Live: true, Size: func() (int, int) { return size.columns, size.rows }})
		for i := range 30 {
			v.Observe(event.Begun{Header: event.Header{Time: zero}, Object: object(fmt.Sprintf("module.somewhere.far_away.x[%d]", i)), Op: event.Create})
		}
		b.Reset()
		v.Tick(zero.Add(61 * time.Second))
		text := strings.TrimSuffix(strings.TrimPrefix(b.String(), "\x1b[?7l"), "\x1b[?7h")
		lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
		if text == "" {
			lines = nil
		}
		if len(lines) != size.lines {
			t.Errorf("%v: %d lines in %q", size, len(lines), text)
		}
		for _, l := range lines {
			if size.columns > 0 && len(l) >= size.columns {
				t.Errorf("%v: %q", size, l)
			}
		}
	}
}

func TestShorten(t *testing.T) {
	for _, c := range []struct {
		in    string
		width int
		want  string
	}{{"abcdef", 6, "abcdef"}, {"abcdefg", 6, "ab...g"}, {"äbcdefgh", 7, "äb...gh"}, {"abc", 2, ".."}, {"abcdef", 0, ""}, {"漢字かな漢字", 9, "漢...字"}} {
		if got := human.Shorten(c.in, c.width); got != c.want {
			t.Errorf("%q in %d: %q", c.in, c.width, got)
		}
	}
}
