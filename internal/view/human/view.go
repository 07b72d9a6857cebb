package human

import (
	"io"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/plumb-iac/plumb/addr"
	"github.com/plumb-iac/plumb/event"
	"github.com/plumb-iac/plumb/internal/view"
)

// StillEvery is how often an operation that takes long is mentioned again.
const StillEvery = 10 * time.Second

// Options say how progress is shown.
type Options struct {
	view.Style
	// Live keeps a few lines about what is running at the bottom of a terminal. Size
	// tells how many columns and rows it has now, 0 for a number that is not known;
	// nil for those of the style and as many rows as it takes.
	Live bool
	Size func() (columns, rows int)
	// Concise leaves refreshing and reading away.
	Concise bool
	// Importing words imports the way the import command does.
	Importing bool
}

// View tells progress. Its methods may be called concurrently.
type View struct {
	mu      sync.Mutex
	out     io.Writer
	o       Options
	phase   event.PhaseName
	running map[job]*run
	order   []*run
	tally   view.Tally
	live    live
}

// job is an operation on an object; an object may be refreshed and updated,
// but never twice the same at once.
type job struct {
	object addr.Object
	op     event.Op
	detail string
}

// run is a job that has begun.
type run struct {
	job
	since, told    time.Time
	idKey, idValue string
}

// New makes a view that writes to out.
func New(out io.Writer, o Options) *View {
	return &View{out: out, o: o, running: map[job]*run{}}
}

// Tally is what was done so far.
func (v *View) Tally() view.Tally {
	v.mu.Lock()
	defer v.mu.Unlock()
	return v.tally
}

// Observe tells one event. It never asks for a stop.
func (v *View) Observe(e event.Event) event.Verdict {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.tally.Observe(e)
	switch e := e.(type) {
	case event.Begun:
		v.begun(e)
	case event.Ended:
		v.ended(e)
	case event.Failed:
		v.failed(e)
	case event.Output:
		v.output(e)
	case event.Phase:
		v.phase = e.Name
	}
	return event.Continue
}

// Tick tells the view the time: operations that take long are mentioned again.
func (v *View) Tick(now time.Time) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.o.Live {
		v.live.at = now
		v.live.draw(v.out, "", v.panel())
		return
	}
	for _, r := range v.order {
		if still := words[r.op].still; still != "" && now.Sub(r.told) >= StillEvery {
			r.told = now
			v.print(r.object.String() + ": Still " + still + "..." + elapsed(r, now))
		}
	}
}

// Say writes text of somebody else's. The live lines, which would be drawn over it,
// go away until the next tick.
func (v *View) Say(text string) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.live.clear(v.out)
	_, _ = io.WriteString(v.out, text)
}

// Close takes the live lines away.
func (v *View) Close() {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.live.clear(v.out)
}

// elapsed is " [id=x, 00m10s elapsed]".
func elapsed(r *run, now time.Time) string {
	took := clock(now.Sub(r.since)) + " elapsed]"
	if id := ident(r.idKey, r.idValue); id != "" {
		return strings.TrimSuffix(id, "]") + ", " + took
	}
	return " [" + took
}

func (v *View) wording(op event.Op) wording {
	if op == event.Import && v.phase != event.Applying {
		return preparing
	}
	return words[op]
}

func (v *View) begun(e event.Begun) {
	j := job{e.Object, e.Op, e.Detail}
	r := &run{job: j, since: e.Time, told: e.Time, idKey: e.IDKey, idValue: e.IDValue}
	v.running[j] = r
	v.order = append(v.order, r)
	switch e.Op {
	case event.Provision:
		v.print(e.Object.String() + ": Provisioning with '" + e.Detail + "'...")
		return
	case event.Action:
		v.print("Action started: " + action(e.Object, e.Detail))
		return
	}
	if e.Op == event.Import && v.o.Importing {
		v.print(e.Object.String() + `: Importing from ID "` + view.Harmless(e.IDValue) + `"...`)
		return
	}
	if w := v.wording(e.Op); w.begin != "" && !v.hushed(e.Op) {
		v.told(e.Object, w.begin, w.idAtBegin, e.IDKey, e.IDValue)
	}
}

func (v *View) ended(e event.Ended) {
	v.forget(job{e.Object, e.Op, e.Detail})
	if e.Op == event.Action {
		v.print("Action complete: " + action(e.Object, e.Detail))
		return
	}
	if e.Op == event.Import && v.o.Importing {
		v.print(e.Object.String() + ": Import prepared!")
		v.print("  Prepared " + e.Object.Instance.Resource.Type + " for import")
		return
	}
	w := v.wording(e.Op)
	if w.end == "" || v.hushed(e.Op) {
		return
	}
	text := w.end
	if w.timed {
		text += " after " + seconds(e.Elapsed)
	}
	// The end of a deposed object is the instance's: nobody knows it by its key.
	v.told(addr.Object{Instance: e.Object.Instance}, text, w.idAtEnd, e.IDKey, e.IDValue)
}

func (v *View) failed(e event.Failed) {
	v.forget(job{e.Object, e.Op, e.Detail})
	if e.Op != event.Action {
		return
	}
	text := "Action failed: " + action(e.Object, e.Detail)
	if e.Message != "" {
		text += " - " + view.Harmless(e.Message)
	}
	v.print(text)
}

func (v *View) output(e event.Output) {
	if _, ok := v.running[job{e.Object, event.Action, e.Detail}]; ok {
		v.print("Action " + action(e.Object, e.Detail) + ": " + view.Harmless(e.Text))
		return
	}
	for _, line := range strings.Split(strings.TrimRight(e.Text, "\r\n"), "\n") {
		line = v.o.Foreign(line)
		if line != "" { // a blank line is nobody's
			line = v.o.Bold(e.Object.String()+" ("+e.Detail+"):") + " " + line
		}
		v.write(line)
	}
}

// action names a run of an action with what triggered it.
func action(o addr.Object, name string) string {
	by := o.String()
	if o == (addr.Object{}) {
		by = "CLI"
	}
	return name + " (triggered by " + by + ")"
}

func (v *View) told(o addr.Object, text string, withID bool, key, val string) {
	line := o.String() + ": " + text
	if withID {
		line += ident(key, val)
	}
	v.print(line)
}

func (v *View) hushed(op event.Op) bool {
	return v.o.Concise && (op == event.Refresh || op == event.ReadData)
}

func (v *View) forget(j job) {
	r := v.running[j]
	if r == nil {
		return
	}
	delete(v.running, j)
	if i := slices.Index(v.order, r); i >= 0 {
		v.order = slices.Delete(v.order, i, i+1)
	}
}

func (v *View) print(line string) { v.write(v.o.Bold(line)) }

// write writes a line above the live ones, which stay.
func (v *View) write(line string) {
	if v.o.Live {
		v.live.draw(v.out, line+"\n", v.panel())
		return
	}
	_, _ = io.WriteString(v.out, line+"\n")
}
