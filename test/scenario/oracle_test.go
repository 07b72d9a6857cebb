package scenario

import (
	"bytes"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/plumb-iac/plumb/addr"
	"github.com/plumb-iac/plumb/diag"
	"github.com/plumb-iac/plumb/event"
	"github.com/plumb-iac/plumb/plan"
	"github.com/plumb-iac/plumb/plan/planfile"
	"github.com/plumb-iac/plumb/state"
	"github.com/plumb-iac/plumb/state/journal"
	v4 "github.com/plumb-iac/plumb/state/v4"
)

// oracle says after every command of a life what is not as promised. It knows the
// true world, and why an object may be known and not there, or there and not known.
type oracle struct {
	tl *teller
	// astray are objects that nobody has to know, with the reason; ghosts those that
	// may be known although they are gone.
	astray, ghosts map[string]string
	was            *state.Snapshot
	known          map[string]addr.Object
	honest         bool
	complaints     []string
}

func newOracle(tl *teller) *oracle {
	tl.world.witness.durable, tl.world.witness.dead = tl.disk.recovered, map[string]bool{}
	tl.world.witness.denied = map[string]bool{}
	return &oracle{tl: tl, astray: map[string]string{}, ghosts: map[string]string{}, was: tl.disk.stored, honest: true, known: map[string]addr.Object{}}
}

func (o *oracle) complain(format string, args ...any) {
	o.complaints = append(o.complaints, fmt.Sprintf(format, args...))
}

// expected are the errors that an honest provider does not keep away.
var expected = []string{"Instance cannot be destroyed", "Moved object still exists", "Resource instance already exists", "Cannot apply incomplete plan"}

// after judges command i and gives the complaints.
func (o *oracle) after(i int) []string {
	o.complaints = nil
	c, tl := o.tl.story.run[i], o.tl
	ended := tl.ended[i].Errors()
	switch c.verb {
	case "script":
		o.honest = c.args[0] == "honest"
	case "validate":
		if len(ended) > 0 {
			o.complain("the configuration is not valid: %v", tl.diagnostics(ended))
		}
	case "lose":
		o.ghosts[c.args[1]] = "it was lost"
	case "place":
		o.astray[c.args[1]] = "it is foreign"
	case "state-rm":
		for id, at := range o.known {
			if at.Instance.String() == c.args[0] && at.Deposed == "" {
				o.astray[id] = "it was taken out of the state"
			}
		}
	}
	now := tl.disk.recovered()
	if c.operates() {
		o.happened(c, now, ended)
		now = tl.disk.recovered()
	}
	o.belongs(now)
	o.whole(now)
	o.integrity(now)
	o.complaints = append(o.complaints, tl.world.witness.crimes...)
	tl.world.witness.crimes = nil
	return o.complaints
}

// happened holds what a command did against its plan.
func (o *oracle) happened(c command, now journal.Recovery, ended diag.List) {
	tl, w := o.tl, &o.tl.world.witness
	if tl.carried == nil {
		return
	}
	for _, change := range tl.carried.Changes {
		if change.Action.Forgets() {
			o.astray[attribute(bare(change.Before), "id")] = "it was forgotten"
		}
	}
	open := map[addr.Object]string{}
	for _, i := range now.Unresolved {
		open[i.Object] = i.Op
	}
	times := map[string]int{}
	for _, a := range w.acts {
		if times[a.op+a.object.String()]++; times[a.op+a.object.String()] > 1 {
			o.complain("%s of %s was asked for twice", a.op, a.object)
		}
		if !planned(tl.carried, a) {
			o.complain("%s of %s was not planned", a.op, a.object)
		}
		o.excuse(a, open)
	}
	o.sequence(w.acts)
	o.told(w.acts)
	full := len(ended) == 0 && !c.breaksLife()
	if full {
		o.complete(w.acts)
	}
	o.ending(c, now, ended, full)
}

func (c command) breaksLife() bool {
	return slices.ContainsFunc([]string{"halt", "halt-after", "cancel-after", "cut", "journal-fails", "journal-stuck", "store-fails"}, c.has)
}

// excuse notes what a change explains.
func (o *oracle) excuse(a act, open map[addr.Object]string) {
	mourned := slices.Contains(o.tl.disk.mourned, a.object)
	switch {
	case a.op == "create" && (open[a.object] == "create" || a.is == "" && a.failed && !a.silent):
		// What was made has an id that only the world tells.
		o.astray[a.name+"-*"] = "its creation is unresolved, or was denied"
	case a.op == "create" && mourned:
		o.astray[a.is] = "it was mourned"
	case a.op == "delete" && (a.failed || open[a.object] == "delete" || mourned):
		o.ghosts[a.was] = "its end is not certain"
		delete(o.tl.world.witness.dead, a.was) // and may be asked for again
	}
}

// planned says whether a change is part of a plan.
func planned(d *plan.Document, a act) bool {
	return slices.ContainsFunc(d.Changes, func(c *plan.Change) bool {
		replaces := c.Deposed == "" && c.Action.IsReplace()
		switch {
		case c.Addr != a.object.Instance:
			return false
		case a.op == "create":
			return c.Action == plan.Create || replaces
		case a.op == "update":
			return c.Action == plan.Update
		}
		return c.Action == plan.Delete && c.Deposed == a.object.Deposed || replaces
	})
}

// sequence holds that what an object depends on was made before it.
func (o *oracle) sequence(acts []act) {
	for i, a := range acts {
		here := o.tl.final.Object(a.object)
		if a.op == "delete" || here == nil || idOf(here) != a.is {
			continue
		}
		for _, b := range acts[i+1:] {
			if b.op != "delete" && slices.Contains(here.Dependencies, b.object.Instance.Config()) {
				o.complain("%s of %s came before the %s of %s, on which it depends", a.op, a.object, b.op, b.object)
			}
		}
	}
}

// told holds that people are told of every change, of its beginning and of its end,
// and of nothing else.
func (o *oracle) told(acts []act) {
	key := func(op event.Op, at addr.Object) string { return op.String() + " " + at.String() }
	began, ended := map[string]int{}, map[string]int{}
	for _, e := range o.tl.seen {
		switch e := e.(type) {
		case event.Begun:
			began[key(e.Op, e.Object)]++
		case event.Ended:
			ended[key(e.Op, e.Object)]++
		case event.Failed:
			ended[key(e.Op, e.Object)]++
		}
	}
	if !maps.Equal(began, ended) {
		o.complain("the beginnings %v and the ends %v differ", began, ended)
	}
	for _, a := range acts {
		if began[a.op+" "+a.object.String()] != 1 {
			o.complain("%d beginnings of %s %s", began[a.op+" "+a.object.String()], a.op, a.object)
		}
	}
}

// complete holds that a plan which was carried out without errors was so in full.
func (o *oracle) complete(acts []act) {
	did := map[string]int{}
	for _, a := range acts {
		did[a.op+" "+a.object.Instance.String()]++
	}
	for _, c := range o.tl.carried.Changes {
		if c.Addr.Resource.Mode != addr.Managed {
			continue
		}
		var want []string
		switch c.Action {
		case plan.Create:
			want = []string{"create"}
		case plan.Delete:
			want = []string{"delete"}
		case plan.DeleteThenCreate, plan.CreateThenDelete:
			want = []string{"create", "delete"}
		}
		for _, op := range want {
			if did[op+" "+c.Addr.String()] == 0 {
				o.complain("%s of %s was planned and did not happen", op, c.Addr)
			}
		}
	}
}

// ending holds the state that an apply gave against what the disk has, and a full
// success against a second plan.
func (o *oracle) ending(c command, now journal.Recovery, ended diag.List, full bool) {
	tl := o.tl
	lost := slices.ContainsFunc(ended, func(d diag.Diag) bool { return d.Summary == "Failed to save state" })
	if !lost && !o.refused() && !tl.final.Equal(now.Snapshot) {
		o.complain("the state that the apply gave is not what the disk has:\n%s", strings.Join(tl.state(tl.final), "\n"))
	}
	for _, at := range differing(tl.final, now.Snapshot) {
		if (o.refused() || c.has("journal-fails")) && knows(now.Snapshot, idOf(tl.final.Object(at))) {
			continue // a move that was not begun, or a record that was written although that failed
		}
		if !c.has("cut") && !slices.Contains(tl.disk.mourned, at) {
			o.complain("%s is not on the disk as the apply left it, and nobody was told", at)
		}
	}
	if !c.has("cut") && len(tl.disk.mourned) > 0 {
		// What a person does who was told so: the state is put where it belongs.
		tl.disk.stored = tl.final.WithSerial(tl.disk.stored.Serial() + 1)
		tl.must(tl.disk.settle(now.Unresolved))
		for _, at := range tl.disk.mourned {
			delete(o.astray, idOf(tl.final.Object(at)))
		}
	}
	if full && !tl.disk.stored.Equal(tl.final) {
		o.complain("the state is not stored")
	}
	unexpected := slices.DeleteFunc(ended, func(d diag.Diag) bool { return slices.Contains(expected, d.Summary) })
	plain := len(c.flags) == 1 || len(c.flags) == 2 && c.has("allow-deferral")
	if o.honest && plain && len(unexpected) > 0 {
		o.complain("an honest provider, and errors: %v", tl.diagnostics(unexpected))
	}
	if full && o.honest && plain && c.verb != "carry-out" {
		o.again(c)
	}
}

// refused says that the apply never began.
func (o *oracle) refused() bool {
	return !slices.ContainsFunc(o.tl.seen, func(e event.Event) bool {
		p, is := e.(event.Phase)
		return is && p.Name == event.Finishing
	})
}

// differing are the objects that two states do not have alike.
func differing(s, r *state.Snapshot) []addr.Object {
	var out []addr.Object
	for at, o := range s.Objects() {
		if there := r.Object(at); there == nil || !there.Equal(o) {
			out = append(out, at)
		}
	}
	for at, o := range r.Objects() {
		if s.Object(at) == nil && !knows(s, idOf(o)) {
			out = append(out, at)
		}
	}
	return out
}

// again plans a second time, when what was left to later rounds is done.
func (o *oracle) again(c command) {
	tl := o.tl
	p := command{text: "apply once more", verb: "apply", flags: maps.Clone(c.flags)}
	if c.verb == "destroy" {
		p.flags["destroy"] = []string{""}
	}
	for rounds := 3; rounds > 0 && c.has("allow-deferral"); rounds-- {
		tl.disk.start()
		tl.perform(p)
	}
	tl.disk.start()
	p.text, p.verb = "plan once more", "plan"
	tl.perform(p)
	if tl.doc == nil || changesAnything(tl.doc) {
		o.complain("the plan after it is not empty")
	}
}

func changesAnything(d *plan.Document) bool {
	return d.Applyable || slices.ContainsFunc(d.Changes, func(c *plan.Change) bool { return c.Action != plan.NoOp })
}

// idInRemote finds the id of an object that the fake lists.
var idInRemote = regexp.MustCompile(`^fake_disk .*\bid="([^"]*)"`)

// integrity holds the state against the world.
func (o *oracle) integrity(now journal.Recovery) {
	exist := map[string]bool{}
	for _, line := range o.tl.remote() {
		if m := idInRemote.FindStringSubmatch(line); m != nil {
			exist[m[1]] = true
		}
	}
	before := o.known
	o.known = map[string]addr.Object{}
	for at, obj := range now.Snapshot.Objects() {
		if at.Instance.Resource.Mode != addr.Managed {
			continue
		}
		id := idOf(obj)
		if other, twice := o.known[id]; twice {
			o.complain("%s and %s are both %s", other, at, id)
		}
		o.known[id] = at
		delete(o.astray, id)
		if !exist[id] && o.ghosts[id] == "" {
			o.complain("%s is %s, which does not exist", at, id)
		}
	}
	for id := range exist {
		delete(o.ghosts, id)
		if _, known := o.known[id]; known || o.astray[id] != "" {
			continue
		}
		if o.tl.world.witness.denied[id] {
			o.astray[id] = "the provider said that it is gone"
			continue
		}
		if why := o.astray[number.ReplaceAllString(id, "-*")]; why != "" && before[id] == (addr.Object{}) {
			o.astray[id] = why
			continue
		}
		o.complain("%s exists, and nobody knows (it was at %s)", id, before[id])
	}
	maps.DeleteFunc(o.astray, func(id, _ string) bool { return strings.HasSuffix(id, "-*") })
}

// belongs holds the journal to being that of the state, as nobody else writes either.
func (o *oracle) belongs(now journal.Recovery) {
	if now.Standing == journal.Overtaken || now.Standing == journal.Foreign {
		o.complain("the journal does not belong to the state, and nobody else wrote either")
	}
}

// whole holds the state to its own rules: sound, the same through its file, of one
// line, and without what is not to be stored.
func (o *oracle) whole(now journal.Recovery) {
	tl := o.tl
	for _, err := range now.Snapshot.Check() {
		o.complain("%s", err)
	}
	var b bytes.Buffer
	tl.must(v4.Write(&b, now.Snapshot, v4.Options{}))
	again, diags := v4.Parse(b.Bytes())
	if diags.HasErrors() || !again.Equal(now.Snapshot) {
		o.complain("the state is another one through its file: %v", diags)
	}
	kept := slices.Concat(b.Bytes(), tl.disk.bytes)
	if tl.doc != nil {
		var p bytes.Buffer
		tl.must(planfile.Write(&p, &planfile.Content{Document: tl.doc}))
		content, err := planfile.Read(bytes.NewReader(p.Bytes()), int64(p.Len()), tl.doc.Version)
		tl.must(err)
		kept = fmt.Appendf(kept, "%v", tl.changes(content.Document.Changes, false))
	}
	if bytes.Contains(kept, []byte(marker)) {
		o.complain("an ephemeral value was stored")
	}
	switch stored := tl.disk.stored; {
	case stored.Lineage() != o.was.Lineage():
		o.complain("the lineage changed")
	case stored != o.was && !stored.Equal(o.was) && stored.Serial() <= o.was.Serial(), stored.Serial() < o.was.Serial():
		o.complain("serial %d follows %d", stored.Serial(), o.was.Serial())
	}
	o.was = tl.disk.stored
}
