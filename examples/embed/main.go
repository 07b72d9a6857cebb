// Command embed brings the infrastructure of a directory to what its configuration
// says, and prints what it does. It is what a program needs that embeds the engine:
//
//	embed DIRECTORY [NAME=VALUE]...
//
// It plans twice. If the second plan still finds something to do, a provider does not
// keep its word, and the exit status is 2.
package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"strings"

	"github.com/plumb-iac/plumb/diag"
	"github.com/plumb-iac/plumb/engine"
	"github.com/plumb-iac/plumb/engine/disk"
	"github.com/plumb-iac/plumb/event"
	"github.com/plumb-iac/plumb/plan"
	"github.com/plumb-iac/plumb/provider/embedded"
)

func main() {
	if len(os.Args) < 2 {
		fmt.Fprintln(os.Stderr, "usage: embed DIRECTORY [NAME=VALUE]...")
		os.Exit(1)
	}
	variables := map[string]engine.Input{}
	for _, arg := range os.Args[2:] {
		name, text, _ := strings.Cut(arg, "=")
		variables[name] = engine.Input{Text: text, Source: engine.FromCaller}
	}
	os.Exit(converge(os.Args[1], variables))
}

// converge plans and applies, and plans again.
func converge(dir string, variables map[string]engine.Input) int {
	ctx := context.Background()
	if err := embedded.Quiet(); err != nil { // the provider in this process has a logger
		fmt.Fprintln(os.Stderr, err)
	}
	d, diags := disk.Open(ctx, disk.Options{Dir: dir, Env: os.Environ(), Operation: "converge"})
	if failed(diags) {
		return 1
	}
	defer func() { failed(d.Close()) }()

	options := d.Engine()
	options.Observer = event.Func(watch)
	e := engine.New(options)
	defer e.Close()
	defer stopOnInterrupt(e)()

	doc, diags := e.Plan(ctx, engine.PlanOptions{State: d.State(), Variables: variables})
	if failed(diags) {
		return 1
	}
	if !doc.Applyable {
		fmt.Println("nothing to do")
		return 0
	}
	if _, diags = e.Apply(ctx, doc, d.Apply()); failed(diags) {
		return 1
	}
	again, diags := e.Plan(ctx, engine.PlanOptions{State: d.State(), Variables: variables})
	if failed(diags) {
		return 1
	}
	if again.Applyable {
		for _, c := range again.Changes {
			if c.Action != plan.NoOp {
				fmt.Println("still to do:", c.Action.Names(), c.Addr)
			}
		}
		return 2
	}
	return 0
}

// watch prints what was done.
func watch(ev event.Event) {
	if ev, ok := ev.(event.Ended); ok {
		switch ev.Op {
		case event.Create, event.Update, event.Delete:
			fmt.Println(ev.Op, ev.Object)
		}
	}
}

// stopOnInterrupt lets what is under way come to its end, so that the state stays
// true.
func stopOnInterrupt(e *engine.Engine) (done func()) {
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, os.Interrupt)
	go func() {
		for range signals {
			e.Stop()
		}
	}()
	return func() { signal.Stop(signals); close(signals) }
}

// failed prints diagnostics and says whether there are errors.
func failed(diags diag.List) bool {
	for _, d := range diags {
		fmt.Fprintf(os.Stderr, "%s: %s\n  %s\n", d.Severity, d.Summary, d.Detail)
	}
	return diags.HasErrors()
}
