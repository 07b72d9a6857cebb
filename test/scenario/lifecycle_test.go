package scenario

import (
	"fmt"
	"strings"
	"testing"

	"github.com/plumb-iac/plumb/addr"
	"github.com/plumb-iac/plumb/plan"
	"github.com/plumb-iac/plumb/state/journal"
	"golang.org/x/tools/txtar"
	"pgregory.net/rapid"
)

// thing is a drawn resource. What it is made from is another object's id, and
// another id means another object; what it notes can change in place.
type thing struct {
	name        string
	repeat      string // "", "count", "for_each"
	n           int
	from, notes int // indexes of others, -1 for none
	first       bool
	size        int
	data        bool // reach from and notes through a data source
	inModule    bool
	many        int // instances of the module, 0 for one without a key
	after       int // index of what depends_on names, -1 for none
}

// site is the address of the declaration.
func (x thing) site() string {
	if x.inModule {
		return "module." + x.name
	}
	return "fake_disk." + x.name
}

// ref is an expression for the id of (the first of) a thing.
func (x thing) ref() string {
	at := "fake_disk." + x.name
	if x.inModule {
		at = "module." + x.name + ".all"
		if x.many > 0 {
			at = "module." + x.name + "[0].all"
		}
		return "one(slice(values(" + at + "), 0, 1))"
	}
	switch x.repeat {
	case "count":
		return at + "[0].id"
	case "for_each":
		return at + `["k0"].id`
	}
	return at + ".id"
}

func (x thing) block(all []thing) string {
	var b strings.Builder
	fmt.Fprintf(&b, "resource \"fake_disk\" %q {\n", x.name)
	label := fmt.Sprintf("%q", x.name)
	switch x.repeat {
	case "count":
		fmt.Fprintf(&b, "  count = %d\n", x.n)
		label = fmt.Sprintf(`"%s-${count.index}"`, x.name)
	case "for_each":
		fmt.Fprintf(&b, "  for_each = toset([for i in range(%d) : \"k${i}\"])\n", x.n)
		label = fmt.Sprintf(`"%s-${each.key}"`, x.name)
	}
	if x.inModule && x.many > 0 {
		label = strings.TrimSuffix(label, "\"") + "-${var.at}\""
	}
	fmt.Fprintf(&b, "  name = %s\n  size = %d\n", label, x.size)
	if x.after >= 0 && !x.inModule {
		fmt.Fprintf(&b, "  depends_on = [%s]\n", all[x.after].site())
	}
	if x.from >= 0 {
		fmt.Fprintf(&b, "  from = %s\n", x.reach(all, x.from))
	}
	if x.notes >= 0 {
		fmt.Fprintf(&b, "  note = %s\n", x.reach(all, x.notes))
	}
	if x.first {
		b.WriteString("  lifecycle {\n    create_before_destroy = true\n  }\n")
	}
	b.WriteString("}\n")
	return b.String()
}

func (x thing) reach(all []thing, i int) string {
	if x.data {
		return fmt.Sprintf("data.fake_image.%s_%s.name", x.name, all[i].name)
	}
	return all[i].ref()
}

// configurationOf is the files that declare some things.
func configurationOf(all []thing) []txtar.File {
	var b strings.Builder
	out := []txtar.File{}
	for _, x := range all {
		for _, i := range []int{x.from, x.notes} {
			text := fmt.Sprintf("data \"fake_image\" \"%s_%s\" {\n  name = %s\n}\n", x.name, at(all, i), refOf(all, i))
			if x.data && i >= 0 && !strings.Contains(b.String(), text) {
				b.WriteString(text)
			}
		}
		if !x.inModule {
			b.WriteString(x.block(all))
			continue
		}
		fmt.Fprintf(&b, "module %q {\n  source = \"./%s\"\n", x.name, x.name)
		inner := ""
		if x.many > 0 {
			fmt.Fprintf(&b, "  count = %d\n  at = count.index\n", x.many)
			inner += "variable \"at\" {}\n"
		}
		if x.after >= 0 {
			fmt.Fprintf(&b, "  depends_on = [%s]\n", all[x.after].site())
		}
		if x.from >= 0 {
			fmt.Fprintf(&b, "  from = %s\n", x.reach(all, x.from))
			inner += "variable \"from\" {}\n"
		}
		if x.notes >= 0 {
			fmt.Fprintf(&b, "  note = %s\n", x.reach(all, x.notes))
			inner += "variable \"note\" {}\n"
		}
		b.WriteString("}\n")
		block := x.block(all)
		if x.from >= 0 {
			block = strings.Replace(block, "from = "+x.reach(all, x.from), "from = var.from", 1)
		}
		if x.notes >= 0 {
			block = strings.Replace(block, "note = "+x.reach(all, x.notes), "note = var.note", 1)
		}
		value := "{ only = fake_disk." + x.name + ".id }"
		switch x.repeat {
		case "count":
			value = "{ for i, d in fake_disk." + x.name + " : tostring(i) => d.id }"
		case "for_each":
			value = "{ for k, d in fake_disk." + x.name + " : k => d.id }"
		}
		out = append(out, txtar.File{Name: x.name + "/main.tf", Data: []byte(inner + block + "output \"all\" {\n  value = " + value + "\n}\n")})
	}
	return append(out, txtar.File{Name: "main.tf", Data: []byte(b.String())})
}

func at(all []thing, i int) string {
	if i < 0 {
		return ""
	}
	return all[i].name
}

func refOf(all []thing, i int) string {
	if i < 0 {
		return ""
	}
	return all[i].ref()
}

// drawThings draws the resources of one step. What others refer to has an
// instance to refer to.
func drawThings(t *rapid.T) []thing {
	n := rapid.IntRange(1, 6).Draw(t, "things")
	var all []thing
	for i := range n {
		if rapid.IntRange(0, 5).Draw(t, "gone") == 0 && i > 0 {
			continue
		}
		x := thing{name: fmt.Sprintf("r%d", i), from: -1, notes: -1, after: -1, size: rapid.IntRange(0, 1).Draw(t, "size")}
		x.repeat = rapid.SampledFrom([]string{"", "", "count", "for_each"}).Draw(t, "repeat")
		x.n = rapid.IntRange(1, 3).Draw(t, "n")
		x.first = rapid.IntRange(0, 3).Draw(t, "first") == 0
		x.data = rapid.IntRange(0, 4).Draw(t, "data") == 0
		if x.inModule = rapid.IntRange(0, 3).Draw(t, "module") == 0; x.inModule {
			x.many = rapid.IntRange(0, 2).Draw(t, "modules")
		}
		if len(all) > 0 {
			x.from = rapid.IntRange(-1, len(all)-1).Draw(t, "from")
			x.notes = rapid.IntRange(-1, len(all)-1).Draw(t, "notes")
			x.after = rapid.IntRange(-2, len(all)-1).Draw(t, "after")
		}
		all = append(all, x)
	}
	return all
}

const honest = `
resource fake_disk
  id   string computed
  name string required
  size number optional replace
  from string optional replace
  note string optional
data fake_image
  id   string computed
  name string required
`

// drawScript draws a provider that fails now and then.
func drawScript(t *rapid.T) string {
	head, tail, _ := strings.Cut(honest, "data fake_image")
	for range rapid.IntRange(0, 3).Draw(t, "failures") {
		name := fmt.Sprintf("r%d%s", rapid.IntRange(0, 5).Draw(t, "of"), rapid.SampledFrom([]string{"", "-0", "-1", "-k0"}).Draw(t, "key"))
		head += fmt.Sprintf("  on %s %q %s once \"scripted\"\n", rapid.SampledFrom([]string{"create", "update", "delete"}).Draw(t, "verb"), name,
			rapid.SampledFrom([]string{"fail", "partial"}).Draw(t, "action"))
	}
	return head + "data fake_image" + tail
}

// drawMishaps draws what happens behind the engine's back.
func drawMishaps(t *rapid.T) string {
	out := ""
	for range rapid.IntRange(0, 2).Draw(t, "mishaps") {
		id := fmt.Sprintf("r%d%s-%d", rapid.IntRange(0, 5).Draw(t, "of"), rapid.SampledFrom([]string{"", "-0", "-1", "-k0"}).Draw(t, "key"), rapid.IntRange(1, 2).Draw(t, "made"))
		if rapid.Bool().Draw(t, "lost") {
			out += "lose fake_disk " + id + "\n"
			continue
		}
		out += "drift fake_disk " + id + " note \"drifted\"\n"
	}
	return out
}

// drawFlag draws an option of a command.
func drawFlag(t *rapid.T) string {
	name := fmt.Sprintf("r%d", rapid.IntRange(0, 5).Draw(t, "named"))
	return rapid.SampledFrom([]string{"", "", "", " -target=fake_disk." + name, " -target=module." + name, " -target=fake_disk." + name + "[0]",
		" -exclude=fake_disk." + name, " -halt=fake_disk." + name, " -replace=fake_disk." + name, " -destroy -target=fake_disk." + name, " -destroy", " -refresh-only"}).Draw(t, "flag")
}

// TestLifecycle takes drawn configurations through drawn failures and deaths of
// the disk. Whatever happens, the state is whole and knows every object that exists; nothing is
// destroyed under what is made from it, nothing made from what is gone; and
// without failures the next plan has nothing to do.
func TestLifecycle(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		a := &txtar.Archive{Comment: []byte("A lifecycle that a property found.\n\n"), Files: []txtar.File{{Name: "provider", Data: []byte(honest)}}}
		run := ""
		for step := range rapid.IntRange(1, 4).Draw(rt, "steps") {
			name := fmt.Sprint(step + 1)
			for _, f := range configurationOf(drawThings(rt)) {
				a.Files = append(a.Files, txtar.File{Name: name + "/" + f.Name, Data: f.Data})
			}
			a.Files = append(a.Files, txtar.File{Name: "script " + name, Data: []byte(drawScript(rt))})
			run += "config " + name + "\nvalidate\nscript " + name + "\n" + drawMishaps(rt) + "apply" + drawFlag(rt) + "\nscript honest\n"
			if rapid.IntRange(0, 2).Draw(rt, "dies") == 0 {
				run += fmt.Sprintf("apply -cut=%d\n", rapid.IntRange(0, 1500).Draw(rt, "after"))
			}
			run += "apply\n"
		}
		run += "destroy\n"
		a.Files = append(a.Files, txtar.File{Name: "script honest", Data: []byte(honest)}, txtar.File{Name: "run", Data: []byte(run)})
		s := newStory("", a)
		live(t, rt, s, rapid.SampledFrom([]int{1, 1, 8}).Draw(rt, "parallelism"))
	})
}

// live runs a drawn story and checks the world after every command.
func live(t *testing.T, rt *rapid.T, s *story, parallelism int) {
	t.Helper()
	tl := newTeller(t, s, parallelism)
	fail := func(format string, args ...any) {
		rt.Fatalf(format+"\n%s\n%s", append(args, txtar.Format(s.archive), tl.out.String())...)
	}
	honest, strays := true, 0
	for i, c := range s.run {
		tl.command(i)
		if c.has("cut") {
			strays += creates(journal.Unresolved(journal.Read(tl.disk.bytes).Edits))
			tl.world.forget(tl.disk.recovered())
			continue
		}
		if c.verb == "script" {
			honest = c.args[0] == "honest"
		}
		if c.verb == "validate" && len(tl.ended[i].Errors()) > 0 {
			fail("%s: %v", c.text, tl.diagnostics(tl.ended[i].Errors()))
		}
		if c.verb == "lose" {
			delete(tl.world.from, c.args[1])
		}
		if !c.operates() {
			continue
		}
		if errs := tl.ended[i].Errors(); honest && len(errs) > 0 {
			fail("%s: %v", c.text, tl.diagnostics(errs))
		}
		for _, err := range tl.disk.stored.Check() {
			fail("%s: %s", c.text, err)
		}
		exist, known := tl.remotes[i], 0
		for o := range tl.disk.stored.Objects() {
			if o.Instance.Resource.Mode == addr.Managed {
				known++
			}
		}
		// A deletion may succeed and tell of an error, and what was being created
		// when the disk died may exist.
		if exist > known+strays || honest && exist < known {
			fail("%s: %d objects exist, the state has %d", c.text, exist, known)
		}
		if c.has("target") || c.has("exclude") {
			tl.world.crimes = nil // dependants are left alone, as was asked for
		}
		if len(tl.world.crimes) > 0 {
			fail("%s: %s", c.text, strings.Join(tl.world.crimes, "; "))
		}
		if c.verb == "apply" && honest {
			tl.disk.start()
			tl.perform(command{text: "plan", verb: "plan", flags: map[string][]string{}})
			if tl.doc == nil || changesAnything(tl.doc) {
				fail("%s: the plan after it is not empty", c.text)
			}
		}
	}
	if tl.disk.stored.Count() > 0 {
		fail("objects are left")
	}
}

func changesAnything(d *plan.Document) bool {
	for _, c := range d.Changes {
		if c.Action != plan.NoOp {
			return true
		}
	}
	return d.Applyable
}
