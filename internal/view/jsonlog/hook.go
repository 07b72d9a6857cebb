package jsonlog

import (
	"math"
	"slices"
	"strings"
	"time"

	"github.com/plumb-iac/plumb/addr"
	"github.com/plumb-iac/plumb/event"
	"github.com/plumb-iac/plumb/internal/view/human"
	"github.com/plumb-iac/plumb/plan/planjson/jsonout"
)

// job is an operation on an object.
type job struct {
	object addr.Object
	op     event.Op
	detail string
}

// run is a job that has begun.
type run struct {
	job
	since, told time.Time
}

// wording is how the lines of an operation are typed and worded.
type wording struct {
	// family is the first part of the type: apply_start and so on.
	family string
	// action is the action of the hook, empty for none.
	action                   string
	begin, end, still, erred string
	idAtBegin, idAtEnd       bool
}

var words = map[event.Op]wording{
	event.Refresh:        {family: "refresh", begin: "Refreshing state...", end: "Refresh complete", idAtBegin: true, idAtEnd: true},
	event.Create:         {family: "apply", action: "create", begin: "Creating...", end: "Creation complete", still: "creating", erred: "Creation errored", idAtEnd: true},
	event.Update:         {family: "apply", action: "update", begin: "Modifying...", end: "Modifications complete", still: "modifying", erred: "Modifications errored", idAtBegin: true, idAtEnd: true},
	event.Delete:         {family: "apply", action: "delete", begin: "Destroying...", end: "Destruction complete", still: "destroying", erred: "Destruction errored", idAtBegin: true},
	event.ReadData:       {family: "apply", action: "read", begin: "Refreshing...", end: "Refresh complete", still: "refreshing", idAtEnd: true},
	event.Open:           {family: "ephemeral_op", action: "open", begin: "Opening...", end: "Opening complete", still: "opening", erred: "Opening errored"},
	event.Renew:          {family: "ephemeral_op", action: "renew", begin: "Renewing...", end: "Renewing complete", still: "renewing", erred: "Renewing errored"},
	event.CloseEphemeral: {family: "ephemeral_op", action: "close", begin: "Closing...", end: "Closing complete", still: "closing", erred: "Closing errored"},
	event.Provision:      {family: "provision"},
	event.Action:         {family: "action"},
}

// Observe writes one event. It never asks for a stop.
func (l *Log) Observe(e event.Event) event.Verdict {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.tally.Observe(e)
	switch e := e.(type) {
	case event.Begun:
		l.begun(e)
	case event.Ended:
		l.ended(e)
	case event.Failed:
		l.failed(e)
	case event.Output:
		l.output(e)
	}
	return event.Continue
}

// Tick tells the log the time: operations that take long are mentioned again.
func (l *Log) Tick(now time.Time) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, r := range l.order {
		w := words[r.op]
		if w.still == "" || now.Sub(r.told) < human.StillEvery {
			continue
		}
		r.told = now
		took := now.Sub(r.since)
		text := r.object.Instance.String() + ": Still " + w.still + "... [" + took.Round(time.Second).String() + " elapsed]"
		l.at(now, "info", text, w.family+"_progress", func(out *jsonout.Writer) {
			hook(out, r.object, func() {
				out.KeyString("action", w.action)
				elapsed(out, took)
			})
		})
	}
}

func (l *Log) begun(e event.Begun) {
	j := job{e.Object, e.Op, e.Detail}
	r := &run{job: j, since: e.Time, told: e.Time}
	l.running[j] = r
	l.order = append(l.order, r)
	w := words[e.Op]
	name := e.Object.Instance.String()
	switch {
	case e.Op == event.Provision:
		l.hook(e.Time, name+": Provisioning with '"+e.Detail+"'...", "provision_start", e.Object, func(out *jsonout.Writer) {
			out.KeyString("provisioner", e.Detail)
		})
	case e.Op == event.Action:
		l.action(e.Time, "Action started: "+trigger(e.Object, e.Detail), "action_start", e.Object, e.Detail, nil)
	case w.begin != "":
		text := name + ": " + w.begin
		if w.idAtBegin {
			text += ident(e.IDKey, e.IDValue)
		}
		l.hook(e.Time, text, w.family+"_start", e.Object, func(out *jsonout.Writer) {
			out.KeyFilled("action", w.action)
			if w.idAtBegin {
				writeID(out, e.IDKey, e.IDValue)
			}
		})
	}
}

func (l *Log) ended(e event.Ended) {
	l.forget(job{e.Object, e.Op, e.Detail})
	w := words[e.Op]
	name := e.Object.Instance.String()
	switch {
	case e.Op == event.Provision:
		l.hook(e.Time, name+": ("+e.Detail+") Provisioning complete", "provision_complete", e.Object, func(out *jsonout.Writer) {
			out.KeyString("provisioner", e.Detail)
		})
	case e.Op == event.Action:
		l.action(e.Time, "Action complete: "+trigger(e.Object, e.Detail), "action_complete", e.Object, e.Detail, nil)
	case e.Op == event.Refresh:
		l.hook(e.Time, name+": "+w.end+ident(e.IDKey, e.IDValue), "refresh_complete", e.Object, func(out *jsonout.Writer) {
			writeID(out, e.IDKey, e.IDValue)
		})
	case w.end != "":
		text := name + ": " + w.end + " after " + e.Elapsed.Round(time.Second).String()
		if w.idAtEnd {
			text += ident(e.IDKey, e.IDValue)
		}
		l.hook(e.Time, text, w.family+"_complete", e.Object, func(out *jsonout.Writer) {
			out.KeyString("action", w.action)
			if w.idAtEnd {
				writeID(out, e.IDKey, e.IDValue)
			}
			elapsed(out, e.Elapsed)
		})
	}
}

func (l *Log) failed(e event.Failed) {
	l.forget(job{e.Object, e.Op, e.Detail})
	w := words[e.Op]
	name := e.Object.Instance.String()
	switch {
	case e.Op == event.Provision:
		l.hook(e.Time, name+": ("+e.Detail+") Provisioning errored", "provision_errored", e.Object, func(out *jsonout.Writer) {
			out.KeyString("provisioner", e.Detail)
		})
	case e.Op == event.Action:
		l.action(e.Time, "Action failed: "+trigger(e.Object, e.Detail)+" - "+e.Message, "action_errored", e.Object, e.Detail, func(out *jsonout.Writer) {
			out.KeyString("error", e.Message)
		})
	case w.erred != "":
		l.hook(e.Time, name+": "+w.erred+" after "+e.Elapsed.Round(time.Second).String(), w.family+"_errored", e.Object, func(out *jsonout.Writer) {
			out.KeyString("action", w.action)
			elapsed(out, e.Elapsed)
		})
	}
}

func (l *Log) output(e event.Output) {
	if _, ok := l.running[job{e.Object, event.Action, e.Detail}]; ok {
		l.action(e.Time, "Action "+trigger(e.Object, e.Detail)+": "+e.Text, "action_progress", e.Object, e.Detail, func(out *jsonout.Writer) {
			out.KeyString("message", e.Text)
		})
		return
	}
	text := strings.TrimRight(e.Text, "\r\n")
	if text == "" {
		return // a blank line tells programs nothing
	}
	l.hook(e.Time, e.Object.Instance.String()+": ("+e.Detail+"): "+text, "provision_progress", e.Object, func(out *jsonout.Writer) {
		out.KeyString("provisioner", e.Detail)
		out.KeyString("output", text)
	})
}

func (l *Log) forget(j job) {
	if r := l.running[j]; r != nil {
		delete(l.running, j)
		if i := slices.Index(l.order, r); i >= 0 {
			l.order = slices.Delete(l.order, i, i+1)
		}
	}
}

func (l *Log) hook(t time.Time, message, kind string, o addr.Object, rest func(*jsonout.Writer)) {
	l.at(t, "info", message, kind, func(w *jsonout.Writer) {
		hook(w, o, func() { rest(w) })
	})
}

func hook(w *jsonout.Writer, o addr.Object, rest func()) {
	w.Key("hook")
	w.Begin()
	w.Key("resource")
	resource(w, o.Instance)
	rest()
	w.End()
}

func (l *Log) action(t time.Time, message, kind string, o addr.Object, name string, rest func(*jsonout.Writer)) {
	l.at(t, "info", message, kind, func(w *jsonout.Writer) {
		w.Key("hook")
		w.Begin()
		w.Key("action")
		actionAddr(w, name)
		if o != (addr.Object{}) {
			w.Key("resource")
			resource(w, o.Instance)
		}
		if rest != nil {
			rest(w)
		}
		w.End()
	})
}

func trigger(o addr.Object, name string) string {
	if o == (addr.Object{}) {
		return name + " (triggered by CLI)"
	}
	return name + " (triggered by " + o.String() + ")"
}

// resource writes an address in parts.
func resource(w *jsonout.Writer, a addr.AbsInstance) {
	w.Begin()
	w.KeyString("addr", a.String())
	w.KeyString("module", a.Module.String())
	w.KeyString("resource", a.Resource.String()+a.Key.String())
	w.KeyString("implied_provider", implied(a.Resource.Type))
	w.KeyString("resource_type", a.Resource.Type)
	w.KeyString("resource_name", a.Resource.Name)
	w.Key("resource_key")
	writeKey(w, a.Key)
	w.KeyTrue("resource_key_unknown", a.Key.IsAny())
	w.End()
}

// implied is the provider name that a resource type begins with.
func implied(typeName string) string {
	name, _, _ := strings.Cut(typeName, "_")
	return name
}

func writeID(w *jsonout.Writer, key, val string) {
	if key != "" && val != "" {
		w.KeyString("id_key", key)
		w.KeyString("id_value", val)
	}
}

func ident(key, val string) string {
	if key == "" || val == "" {
		return ""
	}
	return " [" + key + "=" + val + "]"
}

func elapsed(w *jsonout.Writer, d time.Duration) {
	w.KeyInt("elapsed_seconds", int64(math.Round(d.Seconds())))
}
