package scenario

import (
	"fmt"
	"slices"
	"strings"

	"github.com/plumb-iac/plumb/addr"
	"golang.org/x/tools/txtar"
)

// thing is a drawn resource. What it is made from is another object's id, and
// another id means another object; what it notes can change in place. The others are
// named; a name that leads nowhere is none.
type thing struct {
	name   string
	repeat string // "", "count", "for_each", "unknown"
	n      int
	// module is how often the thing's own module is there, "none" where it stands in
	// the root module; pair adds a second resource to the module, made from the first.
	module string // "none", "", "count", "for_each"
	many   int
	pair   bool

	from, notes, after, trigger string
	via                         bool // reach from and notes through a data source

	size                   int
	first, prevent, ignore bool
	begins, ends           bool // provisioners at the creation and at the end
	secret                 bool // a write-only argument from an ephemeral resource
	late                   bool // served by the provider that is configured with another's id
	acts                   bool // an action runs around its changes
}

func (x thing) inModule() bool { return x.module != "none" }

// site is the address of the declaration, for depends_on and targets.
func (x thing) site() string {
	if x.inModule() {
		return "module." + x.name
	}
	return "fake_disk." + x.name
}

// keysOf are the keys of a repetition, as an address has them.
func keysOf(repeat string, n int, word string) []string {
	var out []string
	for i := range n {
		switch repeat {
		case "count", "unknown":
			out = append(out, fmt.Sprintf("[%d]", i))
		case "for_each":
			out = append(out, fmt.Sprintf("[%q]", fmt.Sprint(word, i)))
		}
	}
	if repeat == "" || repeat == "none" {
		return []string{""}
	}
	return out
}

// addresses are those of the instances.
func (x thing) addresses() []string {
	var out []string
	modules := []string{""}
	if x.inModule() {
		modules = nil
		for _, k := range keysOf(x.module, x.many, "m") {
			modules = append(modules, "module."+x.name+k+".")
		}
	}
	for _, m := range modules {
		for _, k := range keysOf(x.repeat, x.n, "k") {
			out = append(out, m+"fake_disk."+x.name+k)
		}
		if x.inModule() && x.pair {
			out = append(out, m+"fake_disk."+x.name+"b")
		}
	}
	return out
}

// labelOf is the name that the object at an address is given. It tells the address
// and has no quotes.
func labelOf(a addr.AbsInstance) string {
	key := func(k addr.InstanceKey) string {
		if s, ok := k.Str(); ok {
			return "_" + s
		}
		if n, ok := k.Int(); ok {
			return fmt.Sprintf("_%d", n)
		}
		return ""
	}
	out := ""
	for _, s := range a.Module.Steps() {
		out += "m" + key(s.Key) + "."
	}
	return out + a.Resource.Name + key(a.Key)
}

// ref is an expression for the id of the first instance of a thing.
func (x thing) ref() string {
	at, empty := "fake_disk."+x.name, x.repeat != "" && x.n == 0 || x.module != "" && x.inModule() && x.many == 0 || x.repeat == "unknown"
	switch {
	case x.inModule():
		at = "one(slice(values(module." + x.name + first(keysOf(x.module, 1, "m")) + ".all), 0, 1))"
	default:
		at += first(keysOf(x.repeat, 1, "k")) + ".id"
	}
	if empty {
		return "try(" + at + ", \"none\")"
	}
	return at
}

func first(of []string) string { return of[0] }

// drawn is a configuration.
type drawn struct {
	things []thing
	// host is the thing that the provider "late" is configured with.
	host string
	// statements are moved, removed and import blocks.
	statements []string
}

func (d *drawn) find(name string) (thing, bool) {
	i := slices.IndexFunc(d.things, func(x thing) bool { return x.name == name })
	if i < 0 {
		return thing{}, false
	}
	return d.things[i], true
}

// before says whether a thing may refer to another one.
func (d *drawn) before(name string, x thing) bool {
	for _, y := range d.things {
		switch y.name {
		case x.name:
			return false
		case name:
			return true
		}
	}
	return false
}

// settle clears references that lead nowhere.
func (d *drawn) settle() {
	for i := range d.things {
		x := &d.things[i]
		for _, at := range []*string{&x.from, &x.notes, &x.after, &x.trigger} {
			if !d.before(*at, *x) {
				*at = ""
			}
		}
		if t, ok := d.find(x.trigger); x.inModule() || ok && t.inModule() {
			x.trigger = ""
		}
		x.late = x.late && d.before(d.host, *x)
	}
}

// files are the configuration.
func (d *drawn) files() []txtar.File {
	d.settle()
	var b strings.Builder
	region := `"nowhere"`
	if h, ok := d.find(d.host); ok {
		region = h.ref()
	}
	fmt.Fprintf(&b, "provider \"fake\" {\n  alias  = \"late\"\n  region = %s\n}\nephemeral \"fake_session\" \"s\" {\n  name = \"s\"\n}\n", region)
	b.WriteString(strings.Join(d.statements, ""))
	var out []txtar.File
	for _, x := range d.things {
		for _, name := range slices.Compact([]string{x.from, x.notes}) {
			if y, ok := d.find(name); ok && x.via {
				fmt.Fprintf(&b, "data \"fake_image\" \"%s_%s\" {\n  name = %s\n}\n", x.name, name, y.ref())
			}
		}
		fmt.Fprintf(&b, "output %q {\n  value = %s\n}\n", x.name, x.ref())
		if x.acts && !x.inModule() {
			fmt.Fprintf(&b, "action \"fake_note\" %q {\n  config {\n    text = %q\n  }\n}\n", x.name, x.name)
		}
		if x.inModule() {
			b.WriteString(d.call(x))
			out = append(out, txtar.File{Name: x.name + "/main.tf", Data: []byte(d.inside(x))})
			continue
		}
		b.WriteString(d.block(x, d.reach(x, x.from), d.reach(x, x.notes)))
	}
	return append(out, txtar.File{Name: "main.tf", Data: []byte(b.String())})
}

// reach is how a thing refers to another; "" for none.
func (d *drawn) reach(x thing, name string) string {
	y, ok := d.find(name)
	switch {
	case !ok:
		return ""
	case x.via:
		return fmt.Sprintf("data.fake_image.%s_%s.name", x.name, name)
	}
	return y.ref()
}

// call is the block that calls a thing's module.
func (d *drawn) call(x thing) string {
	var b strings.Builder
	fmt.Fprintf(&b, "module %q {\n  source = \"./%s\"\n", x.name, x.name)
	switch x.module {
	case "count":
		fmt.Fprintf(&b, "  count = %d\n  at = \"m_${count.index}\"\n", x.many)
	case "for_each":
		fmt.Fprintf(&b, "  for_each = toset([for i in range(%d) : \"m${i}\"])\n  at = \"m_${each.key}\"\n", x.many)
	}
	if y, ok := d.find(x.after); ok {
		fmt.Fprintf(&b, "  depends_on = [%s]\n", y.site())
	}
	for _, arg := range [][2]string{{"from", x.from}, {"note", x.notes}} {
		if to := d.reach(x, arg[1]); to != "" {
			fmt.Fprintf(&b, "  %s = %s\n", arg[0], to)
		}
	}
	if x.late {
		b.WriteString("  providers = {\n    fake = fake.late\n  }\n")
	}
	b.WriteString("}\n")
	return b.String()
}

// inside is a thing's module.
func (d *drawn) inside(x thing) string {
	text := "variable \"at\" {\n  default = \"m\"\n}\nvariable \"from\" {\n  default = null\n}\nvariable \"note\" {\n  default = null\n}\n"
	if x.secret {
		text += "ephemeral \"fake_session\" \"s\" {\n  name = \"s\"\n}\n"
	}
	text += d.block(x, "var.from", "var.note")
	own := "fake_disk." + x.name
	value := "{ only = " + own + ".id }"
	switch x.repeat {
	case "count", "unknown":
		value = "{ for i, d in " + own + " : tostring(i) => d.id }"
	case "for_each":
		value = "{ for k, d in " + own + " : k => d.id }"
	}
	if x.pair {
		inner := x
		inner.module = "none"
		text += fmt.Sprintf("resource \"fake_disk\" \"%sb\" {\n  name = \"${var.at}.%sb\"\n  size = 0\n  from = %s\n}\n", x.name, x.name, inner.ref())
	}
	return text + "output \"all\" {\n  value = " + value + "\n}\n"
}

// block is a thing's resource block.
func (d *drawn) block(x thing, from, note string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "resource \"fake_disk\" %q {\n", x.name)
	label := x.name
	switch x.repeat {
	case "count":
		fmt.Fprintf(&b, "  count = %d\n", x.n)
		label += "_${count.index}"
	case "unknown":
		fmt.Fprintf(&b, "  count = %s != \"\" ? %d : 0\n", orNone(from), x.n)
		label += "_${count.index}"
	case "for_each":
		fmt.Fprintf(&b, "  for_each = toset([for i in range(%d) : \"k${i}\"])\n", x.n)
		label += "_${each.key}"
	}
	if x.inModule() {
		label = "${var.at}." + label
	}
	fmt.Fprintf(&b, "  name = \"%s\"\n  size = %d\n", label, x.size)
	if from != "" {
		fmt.Fprintf(&b, "  from = %s\n", from)
	}
	if note != "" {
		fmt.Fprintf(&b, "  note = %s\n", note)
	}
	if x.secret {
		b.WriteString("  secret = ephemeral.fake_session.s.token\n")
	}
	if x.late && !x.inModule() {
		b.WriteString("  provider = fake.late\n")
	}
	if y, ok := d.find(x.after); ok && !x.inModule() {
		fmt.Fprintf(&b, "  depends_on = [%s]\n", y.site())
	}
	if x.begins {
		b.WriteString("  provisioner \"local-exec\" {\n    command = \"made ${self.id}\"\n  }\n")
	}
	if x.ends {
		b.WriteString("  provisioner \"local-exec\" {\n    when    = destroy\n    command = \"end ${self.id}\"\n  }\n")
	}
	b.WriteString(x.lifecycle())
	b.WriteString("}\n")
	return b.String()
}

func orNone(expression string) string {
	if expression == "" || strings.HasPrefix(expression, "var.") {
		return `"none"`
	}
	return expression
}

func (x thing) lifecycle() string {
	var b strings.Builder
	for _, line := range []struct {
		there bool
		text  string
	}{
		{x.first, "create_before_destroy = true"}, {x.prevent, "prevent_destroy = true"}, {x.ignore, "ignore_changes = [note]"},
		{x.trigger != "", "replace_triggered_by = [fake_disk." + x.trigger + "]"},
		{x.acts && !x.inModule(), "action_trigger {\n      events  = [before_create, after_update, before_destroy]\n      actions = [action.fake_note." + x.name + "]\n    }"},
	} {
		if line.there {
			b.WriteString("    " + line.text + "\n")
		}
	}
	if b.Len() == 0 {
		return ""
	}
	return "  lifecycle {\n" + b.String() + "  }\n"
}
