package scenario

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/plumb-iac/plumb/addr"
	"github.com/plumb-iac/plumb/config"
	"github.com/plumb-iac/plumb/diag"
	"github.com/plumb-iac/plumb/engine"
	"github.com/plumb-iac/plumb/event"
	explained "github.com/plumb-iac/plumb/internal/cli/explain"
	"github.com/plumb-iac/plumb/internal/explain"
	"github.com/plumb-iac/plumb/internal/settings"
	"github.com/plumb-iac/plumb/plan"
	"github.com/plumb-iac/plumb/plan/planfile"
	"github.com/plumb-iac/plumb/state"
	"github.com/plumb-iac/plumb/state/journal"
	v4 "github.com/plumb-iac/plumb/state/v4"
	"github.com/plumb-iac/plumb/value"
	"github.com/zclconf/go-cty/cty"
	ctyjson "github.com/zclconf/go-cty/cty/json"
)

// teller runs the commands of a story and writes down what happens.
type teller struct {
	t     *testing.T
	story *story
	world *world
	disk  *disk
	// parallelism is used by commands that do not choose their own.
	parallelism int
	// saves sends every plan through a file.
	saves bool
	// files sends the state through its file before every command.
	files bool
	// kept is where states are kept instead of on the disk; nil for there.
	kept *kept
	// shell is where commands that plan or change the state are told; nil for here.
	shell *shell
	// defers allows deferral in every command, waits says that something was
	// deferred.
	defers, waits bool
	config        string
	doc           *plan.Document
	show          map[string]bool
	out           strings.Builder
	// after has the state after each command, errors the commands with errors.
	after []*state.Snapshot
	calls [][]string
	ended []diag.List
	plan  []string
	// plans are the changes, drift, outputs and checks that each command planned.
	plans [][]string
	// remotes counts the objects that exist after each command.
	remotes []int
	// journals are where the records end that each command wrote.
	journals [][]int
	// carried is the plan that the last command carried out, seen the events of that,
	// final the state it gave.
	carried *plan.Document
	seen    []event.Event
	final   *state.Snapshot
	// recovery is what the command found beside the state.
	recovery journal.Recovery
}

var clock = time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)

func newTeller(t *testing.T, s *story, parallelism int) *teller {
	t.Helper()
	first := state.New("lineage")
	if s.state != nil {
		var diags diag.List
		if first, diags = v4.Parse(s.state); diags.HasErrors() {
			t.Fatal(diags)
		}
	}
	tl := &teller{t: t, story: s, world: newWorld(t, s), disk: newDisk(first), parallelism: parallelism}
	tl.shows("changes outputs calls state")
	return tl
}

func (tl *teller) shows(sections string) {
	tl.show = map[string]bool{}
	for _, s := range strings.Fields(sections) {
		tl.show[s] = true
	}
}

// tell runs all commands and gives the transcript.
func (tl *teller) tell() string {
	for i := range tl.story.run {
		tl.command(i)
	}
	return tl.out.String()
}

// command runs one command.
func (tl *teller) command(i int) {
	c := tl.story.run[i]
	tl.disk.start()
	if tl.files {
		tl.refile()
	}
	diags := tl.perform(c)
	if tl.kept != nil {
		tl.kept.close()
		tl.disk.stored = tl.kept.present()
	}
	if tl.shell != nil {
		tl.disk.stored = tl.shell.present()
	}
	tl.after = append(tl.after, tl.disk.stored)
	tl.ended = append(tl.ended, diags)
	tl.plans = append(tl.plans, tl.plan)
	tl.plan = nil
	tl.remotes = append(tl.remotes, len(tl.remote()))
	tl.journals = append(tl.journals, tl.disk.ends)
	if len(tl.calls) <= i {
		tl.calls = append(tl.calls, nil)
	}
}

// refile is the state as its file gives it.
func (tl *teller) refile() {
	var b bytes.Buffer
	tl.must(v4.Write(&b, tl.disk.stored, v4.Options{}))
	s, diags := v4.Parse(b.Bytes())
	if diags.HasErrors() {
		tl.t.Fatal(diags)
	}
	tl.disk.stored = s
}

// took notes the calls of the present command.
func (tl *teller) took() []string {
	log := tl.world.takeLog()
	i := len(tl.after)
	for len(tl.calls) <= i {
		tl.calls = append(tl.calls, nil)
	}
	tl.calls[i] = append(tl.calls[i], log...)
	return log
}

func (tl *teller) perform(c command) diag.List {
	switch c.verb {
	case "show":
		tl.shows(strings.Join(c.args, " "))
		return nil
	case "config":
		tl.config = c.args[0]
		return nil
	}
	tl.line("> %s", c.text)
	switch {
	case tl.shell != nil && (c.operates() || c.verb == "validate"):
		return tl.shell.operate(tl, c)
	case tl.shell != nil && slices.Contains([]string{"taint", "untaint", "state-rm", "state-mv"}, c.verb):
		tl.shell.edit(c)
		return nil
	}
	switch c.verb {
	case "plan", "apply", "destroy", "refresh", "carry-out", "validate", "query", "explain":
		return tl.operate(c)
	case "test":
		return tl.test(c)
	case "script":
		if err := tl.world.fakes["fake"].Rescript(tl.story.scripts[c.args[0]]); err != nil {
			tl.t.Fatal(err)
		}
	case "taint", "untaint", "state-rm", "state-mv":
		tl.edit(c)
	case "place":
		tl.world.fakes["fake"].Place(c.args[0], c.args[1], c.args[2])
	case "lose":
		tl.world.fakes["fake"].Lose(c.args[0], c.args[1])
	case "drift":
		raw := []byte(strings.Join(c.args[3:], " "))
		ty, err := ctyjson.ImpliedType(raw)
		tl.must(err)
		v, err := ctyjson.Unmarshal(raw, ty)
		tl.must(err)
		tl.world.fakes["fake"].Drift(c.args[0], c.args[1], c.args[2], v)
	default:
		tl.t.Fatalf("unknown command %q", c.text)
	}
	return nil
}

func (tl *teller) must(err error) {
	tl.t.Helper()
	if err != nil {
		tl.t.Fatal(err)
	}
}

func (tl *teller) line(format string, args ...any) { fmt.Fprintf(&tl.out, format+"\n", args...) }

// section writes a titled list, if it is to be shown and there is any.
func (tl *teller) section(kind, title string, lines []string) {
	if kind != "" && !tl.show[kind] || len(lines) == 0 {
		return
	}
	tl.line("%s", title)
	for _, l := range lines {
		tl.line("    %s", l)
	}
}

// operate runs an engine for one command.
func (tl *teller) operate(c command) diag.List {
	ctx := context.Background()
	files := newFiles(tl.story.configs[tl.config])
	reading := config.Reading{Enabled: true, PreventDestroyExpression: true}
	if tl.story.dialect != settings.Terraform {
		reading = config.ReadingOf(tl.story.dialect)
	}
	tree, diags := config.Load(files, ".", config.LoadOptions{Query: c.verb == "query" || c.has("query"), Reading: reading})
	if diags.HasErrors() {
		tl.section("", "diagnostics", tl.diagnostics(diags))
		return diags
	}
	tl.recovery = tl.recover()
	for _, i := range tl.recovery.Unresolved {
		tl.line("unresolved: %s", i)
	}
	tl.carried, tl.seen, tl.final = nil, nil, nil
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	watch := &watcher{teller: tl, halt: c.flag("halt"), cancel: cancel}
	watch.haltAfter, _ = strconv.Atoi(c.flag("halt-after"))
	watch.cancelAfter, _ = strconv.Atoi(c.flag("cancel-after"))
	open := func() *engine.Engine {
		return engine.New(engine.Options{
			Dialect: tl.story.dialect,
			Config:  tree, Providers: tl.world, Files: files, Observer: watch, WorkDir: "/work",
			Provisioners: map[string]engine.Provisioner{"local-exec": provisioner{tl.world}},
			Parallelism:  tl.parallel(c), Now: func() time.Time { return clock },
		})
	}
	e := open()
	defer e.Close()
	if c.verb == "validate" {
		diags = diags.With(e.Validate(ctx))
		tl.owed(false)
		tl.section("calls", "calls", tl.took())
		tl.section("", "diagnostics", tl.diagnostics(diags))
		return diags
	}
	if c.verb == "query" {
		return tl.query(ctx, e, c)
	}
	if c.verb == "explain" {
		return tl.explain(ctx, e, c)
	}
	if c.verb != "carry-out" {
		var more diag.List
		tl.doc, more = e.Plan(ctx, tl.planOptions(c))
		diags = diags.With(more)
		tl.planned(watch, diags)
	}
	if c.verb == "plan" || tl.doc == nil || diags.HasErrors() {
		return diags
	}
	if tl.saves {
		tl.doc = tl.reread(tree)
		e = open()
		defer e.Close()
	}
	return tl.apply(ctx, e, c, watch)
}

// explain plans and tells why an object is planned as it is.
func (tl *teller) explain(ctx context.Context, e *engine.Engine, c command) diag.List {
	at, err := addr.ParsePlanned(c.args[0])
	tl.must(err)
	o := tl.planOptions(c)
	o.Explain = &engine.Artefacts{Object: addr.Object{Instance: at, Deposed: addr.DeposedKey(c.flag("deposed"))}}
	_, diags := e.Plan(ctx, o)
	tl.owed(false)
	tl.took()
	tl.section("", "diagnostics", tl.diagnostics(diags))
	if o.Explain.Schema == nil {
		tl.line("nothing to explain")
		return diags
	}
	var b strings.Builder
	tl.must(explained.Write(&b, explain.Explain(o.Explain), explained.Options{All: c.has("all")}))
	for line := range strings.Lines(strings.TrimSpace(b.String())) {
		tl.line("%s", strings.TrimRight("    "+line, " \n"))
	}
	return diags
}

// reread is the plan as a plan file gives it.
func (tl *teller) reread(tree *config.Tree) *plan.Document {
	var b bytes.Buffer
	tl.must(planfile.Write(&b, &planfile.Content{Document: tl.doc, Sources: tree.Sources}))
	content, err := planfile.Read(bytes.NewReader(b.Bytes()), int64(b.Len()), tl.doc.Version)
	tl.must(err)
	return content.Document
}

func (tl *teller) parallel(c command) int {
	if n, err := strconv.Atoi(c.flag("parallelism")); err == nil {
		return n
	}
	return tl.parallelism
}

func (tl *teller) planOptions(c command) engine.PlanOptions {
	o := engine.PlanOptions{State: tl.recovery.Snapshot, SkipRefresh: c.flag("refresh") == "false", Deferral: tl.defers || c.has("allow-deferral"), Variables: map[string]engine.Input{},
		GenerateConfig: c.has("generate")}
	switch {
	case c.verb == "destroy" || c.has("destroy"):
		o.Mode = plan.Destroy
	case c.verb == "refresh" || c.has("refresh-only"):
		o.Mode = plan.RefreshOnly
	}
	for _, text := range c.flags["target"] {
		t, err := addr.ParsePattern(text)
		tl.must(err)
		o.Targets = append(o.Targets, t)
	}
	for _, text := range c.flags["exclude"] {
		t, err := addr.ParsePattern(text)
		tl.must(err)
		o.Excludes = append(o.Excludes, t)
	}
	for _, text := range c.flags["replace"] {
		a, err := addr.ParseInstance(text)
		tl.must(err)
		o.Replace = append(o.Replace, a)
	}
	for _, text := range c.flags["invoke"] {
		a, err := addr.ParseAction(text)
		tl.must(err)
		o.Invoke = append(o.Invoke, a)
	}
	for _, text := range c.flags["var"] {
		name, v, _ := strings.Cut(text, "=")
		o.Variables[name] = engine.Input{Text: v, Source: engine.FromFlag}
	}
	return o
}

// apply carries out the plan.
func (tl *teller) apply(ctx context.Context, e *engine.Engine, c command, watch *watcher) diag.List {
	watch.applying = true
	tl.disk.storeFails = c.has("store-fails")
	if n, err := strconv.Atoi(c.flag("cut")); err == nil {
		tl.disk.cut = n
	}
	if n, err := strconv.Atoi(c.flag("journal-fails")); err == nil {
		tl.disk.records = n
	}
	if n, err := strconv.Atoi(c.flag("journal-stuck")); err == nil {
		tl.disk.stuck = n
	}
	variables := tl.planOptions(c).Variables
	tl.carried, tl.world.witness.planned, tl.world.witness.acts = tl.doc, tl.doc, nil
	options := engine.ApplyOptions{Store: tl.disk, Journal: tl.disk, Variables: variables, Stored: tl.disk.stored, Unresolved: tl.recovery.Unresolved}
	if tl.kept != nil {
		options.Store, options.Journal, options.Stored, options.Unresolved = tl.kept, tl.kept.opened.Journal, tl.kept.opened.Stored, nil
	}
	final, diags := e.Apply(ctx, tl.doc, options)
	tl.final, tl.world.witness.planned, tl.seen, tl.disk.storeFails = final, nil, watch.events, false
	if c.breaks() {
		tl.disk.revive()
	}
	tl.owed(true)
	tl.section("calls", "calls of the apply", tl.took())
	tl.section("events", "events of the apply", watch.take())
	tl.section("journal", "journal", tl.journal())
	tl.section("", "diagnostics of the apply", tl.diagnostics(diags))
	tl.section("state", "state", tl.state(final))
	tl.section("checks", "checks", checks(final.Checks()))
	tl.section("remote", "remote", tl.remote())
	if !tl.disk.stored.Equal(final) {
		tl.section("", "stored", tl.state(tl.disk.stored))
	}
	tl.doc = nil
	return diags
}

// planned tells what planning gave.
func (tl *teller) planned(watch *watcher, diags diag.List) {
	tl.owed(false)
	tl.section("calls", "calls of the plan", tl.took())
	tl.section("events", "events of the plan", watch.take())
	if tl.doc != nil {
		tl.plan = slices.Concat(tl.changes(tl.doc.Changes, false), tl.deferred(tl.doc.Deferred), tl.changes(tl.doc.Drift, true), outputs(tl.doc.Outputs), checks(tl.doc.Checks))
		tl.waits = tl.waits || len(tl.doc.Deferred) > 0
		tl.section("changes", "changes", tl.changes(tl.doc.Changes, false))
		tl.section("", "generated", generated(tl.doc.Changes))
		tl.section("changes", "deferred", tl.deferred(tl.doc.Deferred))
		tl.section("changes", "actions", invocations(tl.doc.Invocations))
		tl.section("changes", "deferred actions", deferredInvocations(tl.doc.DeferredInvocations))
		tl.section("drift", "drift", tl.changes(tl.doc.Drift, true))
		tl.section("relevant", "relevant", relevant(tl.doc.Relevant))
		tl.section("outputs", "outputs", outputs(tl.doc.Outputs))
		tl.section("checks", "checks of the plan", checks(tl.doc.Checks))
		if !tl.doc.Applyable && !tl.doc.Errored {
			tl.line("nothing to apply")
		}
	}
	tl.section("", "diagnostics of the plan", tl.diagnostics(diags))
}

// watcher writes events down and may ask for a stop.
type watcher struct {
	teller   *teller
	halt     string
	applying bool
	lines    []string
	// events are those of the apply; after haltAfter of them a stop is asked for,
	// after cancelAfter the context is cancelled; 0 for never.
	events                 []event.Event
	haltAfter, cancelAfter int
	cancel                 func()
}

func (w *watcher) take() []string { l := w.lines; w.lines = nil; return l }

// Observe implements event.Observer.
func (w *watcher) Observe(e event.Event) event.Verdict {
	if w.applying {
		w.events = append(w.events, e)
		if len(w.events) == w.cancelAfter {
			w.cancel()
		}
		if len(w.events) == w.haltAfter {
			return event.Halt
		}
	}
	line := ""
	switch e := e.(type) {
	case event.Begun:
		line = fmt.Sprintf("begin %s %s %s", e.Op, w.teller.object(e.Object), e.Detail)
		if w.applying && w.halt != "" && e.Object.String() == w.halt {
			w.lines = append(w.lines, strings.TrimSpace(line))
			return event.Halt
		}
	case event.Ended:
		line = fmt.Sprintf("end %s %s %s", e.Op, w.teller.object(e.Object), e.IDValue)
	case event.Failed:
		line = fmt.Sprintf("fail %s %s %s", e.Op, w.teller.object(e.Object), e.IDValue)
	case event.StateSaved:
		line = fmt.Sprintf("saved %s", w.teller.object(e.Object))
	case event.Output:
		line = fmt.Sprintf("output %s %s", w.teller.object(e.Object), e.Text)
	case event.Phase:
		line = "phase " + string(e.Name)
	default:
		line = fmt.Sprintf("%T", e)
	}
	w.lines = append(w.lines, strings.TrimSpace(line))
	return event.Continue
}

func sortedNames[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }

func bare(v value.V) cty.Value { return value.Strip(v).Cty() }
