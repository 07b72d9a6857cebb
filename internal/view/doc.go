// Package view owns what people and tools are shown: text and JSON made from
// diagnostics, plans, states and events. It and its subpackages write to an
// io.Writer they are handed and decide nothing else.
//
// It must never know flags, the environment, a terminal's file descriptor or
// how a result came to be.
//
// The entry points:
//
//	view.Style{Color, Width}               how text is coloured and wrapped; the zero value is plain, 78 columns
//	view.Tally                             fold over events: how many objects were added, changed, destroyed …
//
//	diagview.Write(w, diag.List, diagview.Options{Style, Source, Compact})
//	                                       boxed diagnostics; sorts, groups similar warnings
//	diagview.WriteJSON(*jsontext.Encoder, *diag.Diag, Source)
//	                                       one diagnostic object
//	diagview.Validate(w, diag.List, Source)          `validate -json`
//	diagview.ValidateText(w, diag.List, Options)     `validate`
//
//	planview.Write(w, *plan.Document, planview.Options{Style, …})
//	                                       the whole plan: drift, legend, stanzas, summary, outputs
//	planview.Saved(w, file, …), planview.NotSaved(w, …)
//	                                       the notes behind a plan
//
//	human.New(w, human.Options{Style, Live}) *human.View
//	    Observe(event.Event) event.Verdict Tick(time.Time), Close(): progress lines
//	human.Applied(w, Tally, Style), human.Destroyed(w, Tally, Style)
//	                                       "Apply complete! Resources: …"
//
//	jsonlog.New(w, jsonlog.Options{Version, Now, Source}) *jsonlog.Log
//	    Observe, Tick: events as lines
//	    Version, Plan(*plan.Document), Applied(Tally), Outputs(*state.Snapshot),
//	    Diagnostics(diag.List), Info(message): the other lines
//
//	stateview.Show(w, *state.Snapshot, planjson.Schemas, Options)    `show`
//	stateview.Instance(w, *state.Snapshot, addr.AbsInstance, …)      `state show`
//	stateview.Outputs(w, *state.Snapshot, Options)                   `output`, and the block behind an apply
//	stateview.Output(w, cty.Value), stateview.Raw(w, cty.Value)      `output NAME`, `output -raw NAME`
//
//	planjson.WritePlan(w, *plan.Document, planjson.Options{Version, Schemas, Configuration})
//	planjson.WriteState(w, *state.Snapshot, planjson.Options)        `show -json`
//	planjson.WriteInstance(w, …)                                     `state show -json`
//	planjson.WriteOutputs(w, *state.Snapshot), planjson.WriteOutput  `output -json`
//	configjson.Write(*jsontext.Encoder, *config.Tree, planjson.Schemas)
//	                                       the configuration part of a plan; pass it as Options.Configuration
//	schemajson.WriteProviders(w, map[addr.Provider]provider.Schemas) `providers schema -json`
//	schemajson.WriteFunctions(w, …)                                  `metadata functions -json`
//	schemajson.WriteVersion(w, …)                                    `version -json`
//
// Invariants:
//
//	W1. The same input gives the same bytes.
//	W2. Nothing sensitive is written unless the reader asked for JSON or for
//	    one output by name.
//	W3. Time and memory grow with what is shown.
//
// Read first: [Style], [Tally], and the subpackage's own page.
package view
