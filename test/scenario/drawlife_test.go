package scenario

import (
	"fmt"
	"slices"
	"strings"

	"github.com/plumb-iac/plumb/addr"
	"golang.org/x/tools/txtar"
	"pgregory.net/rapid"
)

// onein draws true once in n times.
func onein(t *rapid.T, n int, what string) bool { return rapid.IntRange(1, n).Draw(t, what) == n }

// drawThing draws what is said of one resource.
func drawThing(t *rapid.T, name string, others []string) thing {
	other := func(what string) string {
		return rapid.SampledFrom(append([]string{"", ""}, others...)).Draw(t, what)
	}
	x := thing{
		name: name, module: "none",
		repeat: rapid.SampledFrom([]string{"", "", "count", "for_each"}).Draw(t, "repeat"),
		n:      rapid.SampledFrom([]int{1, 2, 3, 0}).Draw(t, "n"),
		size:   rapid.IntRange(0, 1).Draw(t, "size"),
		from:   other("from"), notes: other("notes"), after: other("after"),
		via: onein(t, 5, "via"), first: onein(t, 4, "first"),
	}
	if onein(t, 4, "module") {
		x.module = rapid.SampledFrom([]string{"", "count", "for_each"}).Draw(t, "modules")
		x.many, x.pair = rapid.IntRange(1, 2).Draw(t, "many"), rapid.Bool().Draw(t, "pair")
	}
	if onein(t, 2, "plain") {
		return x
	}
	x.prevent, x.ignore, x.secret = onein(t, 8, "prevent"), onein(t, 5, "ignore"), onein(t, 4, "secret")
	x.begins, x.ends = onein(t, 5, "begins"), onein(t, 5, "ends")
	x.late, x.acts = onein(t, 4, "late"), onein(t, 5, "acts")
	if onein(t, 4, "triggered") {
		x.trigger = other("trigger")
	}
	return x
}

// limits are how far a life goes.
type limits struct {
	things, steps int
	// undisputed leaves out what the dialects read differently: whether
	// create_before_destroy spreads upwards, whether modules move by themselves when
	// they are counted, whether forgetting is an error of a destroy, and whether what
	// comes or goes triggers a replacement.
	undisputed bool
	// settled allows no deferral.
	settled bool
}

// allow leaves out of a thing what the limits do.
func (l limits) allow(x *thing) {
	if !l.undisputed {
		return
	}
	x.first, x.trigger = false, ""
	if x.module == "count" {
		x.module = "for_each"
	}
}

// drawNext draws the configuration that follows another one.
func drawNext(t *rapid.T, was *drawn, step int, l limits, defers bool) *drawn {
	next := &drawn{}
	names := make([]string, l.things)
	for i := range names {
		names[i] = fmt.Sprint("r", i)
	}
	if onein(t, 4, "turned") {
		slices.Reverse(names)
	}
	for i, name := range names {
		old, was := was.find(name)
		switch change := rapid.SampledFrom([]string{"keep", "draw", "gone", "keep", "size"}).Draw(t, name); {
		case change == "gone" || !was && change == "keep" && step > 0:
			continue
		case change == "keep" && was:
			next.things = append(next.things, old)
		case change == "size" && was:
			old.size = 1 - old.size
			next.things = append(next.things, old)
		default:
			next.things = append(next.things, drawThing(t, name, names[:i]))
		}
		l.allow(&next.things[len(next.things)-1])
		if x := &next.things[len(next.things)-1]; defers && onein(t, 4, "unknown") && !x.inModule() {
			x.repeat = "unknown"
		}
	}
	if onein(t, 2, "hosted") {
		next.host = rapid.SampledFrom(names).Draw(t, "host")
	}
	next.settle()
	next.statements = drawStatements(t, was, next, step, l)
	return next
}

// drawStatements draws what is said about the way from one configuration to the
// next.
func drawStatements(t *rapid.T, was, next *drawn, step int, l limits) []string {
	var out, homeless []string
	for _, x := range was.things {
		y, stays := next.find(x.name)
		switch {
		case stays && len(x.addresses()) > 0 && len(y.addresses()) > 0 && x.addresses()[0] != y.addresses()[0] && rapid.Bool().Draw(t, "moved"):
			out = append(out, fmt.Sprintf("moved {\n  from = %s\n  to   = %s\n}\n", x.addresses()[0], y.addresses()[0]))
		case !stays && onein(t, 3, "removed"):
			out = append(out, fmt.Sprintf("removed {\n  from = %s\n  lifecycle {\n    destroy = %t\n  }\n}\n", x.site(), rapid.Bool().Draw(t, "destroyed") || l.undisputed))
		case !stays && len(x.addresses()) > 0:
			homeless = append(homeless, x.addresses()[0])
		}
	}
	for _, y := range next.things {
		if _, stood := was.find(y.name); stood || len(y.addresses()) == 0 {
			continue
		}
		to := y.addresses()[0]
		switch {
		case len(homeless) > 0 && rapid.Bool().Draw(t, "renamed"):
			out = append(out, fmt.Sprintf("moved {\n  from = %s\n  to   = %s\n}\n", homeless[0], to))
			homeless = homeless[1:]
		case y.repeat != "unknown" && onein(t, 3, "imported"):
			out = append(out, fmt.Sprintf("import {\n  to = %s\n  id = \"ext-%s-%d\"\n}\n", to, y.name, step))
		}
	}
	return out
}

// honest is the script of a provider that does as it is told.
const honest = `provider
  region string optional
resource fake_disk
  id     string computed
  name   string required
  size   number optional replace
  from   string optional replace
  note   string optional
  state  string computed
  secret string optional write_only
data fake_image
  id   string computed
  name string required
action fake_note
  text string required
ephemeral fake_session
  name  string required
  token string computed
  on open set token = "` + marker + `"
`

// marker stands in what must never be stored.
const marker = "EPHEMERAL-SECRET"

func labelAt(address string) string {
	a, err := addr.ParseInstance(address)
	if err != nil {
		panic(err)
	}
	return labelOf(a)
}

// place is what a life is about at one step.
type place struct {
	*drawn
	addresses []string
	defers    bool
}

func placeOf(was, next *drawn, defers bool) place {
	p := place{drawn: next, defers: defers}
	for _, d := range []*drawn{next, was} {
		for _, x := range d.things {
			p.addresses = append(p.addresses, x.addresses()...)
		}
	}
	if len(p.addresses) == 0 {
		p.addresses = []string{"fake_disk.r0"}
	}
	return p
}

func (p place) address(t *rapid.T) string { return rapid.SampledFrom(p.addresses).Draw(t, "address") }

// site is an address or a whole declaration.
func (p place) site(t *rapid.T) string {
	a := p.address(t)
	if onein(t, 3, "whole") {
		a = strings.TrimRight(strings.SplitN(a, "[", 2)[0], ".")
		if m, _, ok := strings.Cut(a, ".fake_disk"); ok {
			return m
		}
	}
	return a
}

// troubles are rules of a fake provider, with % for the object.
var troubles = []string{
	`create % fail once "scripted"`, `create % fail "scripted"`, `create % partial once "scripted"`, `create % crash once`, `create % cut once`, `create % cut`,
	`create % unknown state`, `create % set note = "wrong"`, "create % partial \"half\"\n  on create % unknown state", `create % gone`,
	`update % fail once "scripted"`, `update % partial once "scripted"`, `update % crash once`, `update % cut`,
	`delete % fail once "scripted"`, `delete % fail "scripted"`, `delete % partial once "scripted"`, `delete % crash once`, `delete % cut once`, `delete % cut`,
	`read % fail once "scripted"`, `read % gone`, `read % crash once`, `plan % fail once "scripted"`, `plan % replace size`, `plan % crash once`,
	`plan % set note = "wrong"`, `plan % unknown state`,
}

// script draws a provider that fails now and then.
func (p place) script(t *rapid.T) string {
	at := "\ndata fake_image"
	head, tail, _ := strings.Cut(honest, at)
	for range rapid.IntRange(0, 4).Draw(t, "troubles") {
		name := fmt.Sprintf("%q", labelAt(p.address(t)))
		head += "\n  on " + strings.ReplaceAll(rapid.SampledFrom(troubles).Draw(t, "trouble"), "%", name)
	}
	if p.defers && onein(t, 3, "deferred") {
		head += fmt.Sprintf("\n  on plan %q defer once", labelAt(p.address(t)))
	}
	out := head + at + tail
	if onein(t, 6, "deaf") {
		out = strings.Replace(out, "action fake_note\n", "action fake_note\n  on invoke fail \"scripted\"\n", 1)
	}
	return out
}

// mishaps draws what happens behind the engine's back, and what people do to the
// state.
func (p place) mishaps(t *rapid.T) string {
	out := ""
	for range rapid.IntRange(0, 2).Draw(t, "mishaps") {
		at := p.address(t)
		id := fmt.Sprintf("%s-%d", labelAt(at), rapid.IntRange(1, 3).Draw(t, "made"))
		out += rapid.SampledFrom([]string{
			"lose fake_disk " + id, "drift fake_disk " + id + " note \"drifted\"", "drift fake_disk " + id + " size 7",
			"taint " + at, "untaint " + at, "state-rm " + at, "state-mv " + at + " " + p.address(t),
		}).Draw(t, "mishap") + "\n"
	}
	return out
}

// flags draws options of a command that plans.
func (p place) flags(t *rapid.T) string {
	return rapid.SampledFrom([]string{"", "", "", " -target=" + p.site(t), " -exclude=" + p.site(t), " -replace=" + p.address(t),
		" -destroy -target=" + p.site(t), " -destroy -exclude=" + p.site(t), " -destroy", " -refresh-only", " -refresh=false",
		" -refresh=false -destroy", " -target=" + p.site(t) + " -target=" + p.site(t)}).Draw(t, "flags")
}

// breaks draws how a command that applies comes to an end before it is done.
func (p place) breaks(t *rapid.T) string {
	n := rapid.IntRange(0, 40).Draw(t, "n")
	return rapid.SampledFrom([]string{"", "", "", " -halt=" + p.address(t), fmt.Sprint(" -halt-after=", n), fmt.Sprint(" -cancel-after=", n),
		fmt.Sprint(" -cut=", n*60), fmt.Sprint(" -journal-fails=", n/2), fmt.Sprint(" -journal-stuck=", n/2), " -store-fails", fmt.Sprint(" -store-fails -journal-fails=", n/2)}).Draw(t, "breaks")
}

// drawLife draws a story.
func drawLife(t *rapid.T, l limits) *txtar.Archive {
	a := &txtar.Archive{Comment: []byte("A life that a property found.\n\n"), Files: []txtar.File{
		{Name: "provider", Data: []byte(honest)}, {Name: "script honest", Data: []byte(honest)}}}
	if onein(t, 4, "opentofu") {
		a.Files = append(a.Files, txtar.File{Name: "dialect opentofu"})
	}
	general := fmt.Sprint(" -parallelism=", rapid.SampledFrom([]int{1, 1, 8}).Draw(t, "parallelism"))
	defers := !l.settled && onein(t, 5, "defers")
	if defers {
		general += " -allow-deferral"
	}
	run, was := "", &drawn{}
	for step := range rapid.IntRange(1, l.steps).Draw(t, "steps") {
		next := drawNext(t, was, step, l, defers)
		p, name := placeOf(was, next, defers), fmt.Sprint(step+1)
		for _, f := range next.files() {
			a.Files = append(a.Files, txtar.File{Name: name + "/" + f.Name, Data: f.Data})
		}
		run += "config " + name + "\nvalidate\n"
		for _, x := range next.things {
			run += fmt.Sprintf("place fake_disk ext-%s-%d %s\n", x.name, step, x.name)
		}
		if onein(t, 3, "honest") {
			run += "script honest\n"
		} else {
			a.Files = append(a.Files, txtar.File{Name: "script " + name, Data: []byte(p.script(t))})
			run += "script " + name + "\n"
		}
		run += p.mishaps(t)
		if onein(t, 4, "carried") {
			run += "plan" + p.flags(t) + general + "\ncarry-out" + p.breaks(t) + general + "\n"
		} else {
			run += "apply" + p.flags(t) + p.breaks(t) + general + "\n"
		}
		if rapid.Bool().Draw(t, "settles") {
			run += "script honest\napply" + p.breaks(t) + general + "\napply" + general + "\n"
		}
		was = next
	}
	last := &drawn{things: slices.Clone(was.things)}
	for i := range last.things {
		last.things[i].prevent = false
	}
	for _, f := range last.files() {
		a.Files = append(a.Files, txtar.File{Name: "99/" + f.Name, Data: f.Data})
	}
	run += "script honest\nconfig 99\ndestroy" + general + "\n"
	a.Files = append(a.Files, txtar.File{Name: "run", Data: []byte(run)})
	return a
}
