// Package view owns what people and tools are shown: text and JSON made from
// diagnostics, plans, states and events. It and its subpackages write to an
// io.Writer they are handed and decide nothing else.
//
// It must never know flags, the environment, a terminal's file descriptor or
// how a result came to be.
//
// The entry points:
//
//	view.Style{Color, Width, Name}         how text is coloured and wrapped, and who speaks; the zero value is plain, 78 columns, Plumb
//	view.Tally                             fold over events: how many objects were added, changed, destroyed …
//
//	diagview.Write(w, diag.List, diagview.Options{Style, Source, Plain, Compact, All, GroupErrors})
//	                                       boxed diagnostics; sorts, groups similar warnings
//	diagview.One(diag.Diag, Options)       one of them as a string
//	diagview.WriteJSON(*jsonout.Writer, *diag.Diag, *Quotes)
//	                                       QuotesOf(Source) cuts for any number of diagnostics
//	diagview.Validate(w, diag.List, Source)          `validate -json`
//	diagview.ValidateText(w, diag.List, Options)     `validate`
//	diagview.SourceOf(*config.Tree)        the Source of a configuration
//
//	planview.Write(w, *plan.Document, planview.Options{Style, Automation, ShowSensitive, Forgotten})
//	                                       the whole plan: drift, legend, stanzas, summary, outputs
//	planview.Saved(w, file, Options), planview.NotSaved(w, Options)
//	                                       the notes behind a plan
//	planview.Count(*plan.Document), planview.Summary(Counts, forgotten bool)
//
//	human.New(w, human.Options{Style, Live, Concise, Importing}) *human.View
//	    Observe(event.Event) event.Verdict, Tick(time.Time), Tally(), Say(text), Close(): progress lines
//	human.Applied(Tally), human.Destroyed(Tally)     "Apply complete! Resources: …" as strings
//
//	jsonlog.New(w, jsonlog.Options{Product, Version, Now, Source}) *jsonlog.Log
//	    writes the version line; Observe, Tick: events as lines;
//	    Plan(*plan.Document), Drift, Changes, Applied(Tally, destroy bool),
//	    Outputs(*state.Snapshot), Diagnostics(diag.List), Info, Said, Complaint(message),
//	    Item(kind, name): the other lines
//
//	testview.New(w, testview.Options{Style, Verbose, Diagnose, …}) *testview.View
//	    a suite.Observer: lines about tests; testview.WriteJUnit(w, *suite.Result, Source)
//	jsonlog.Tests{Log, Verbose, …}         the same as lines of JSON
//
//	stateview.Show(w, *state.Snapshot, planjson.Schemas, Style)      `show`
//	stateview.Instance(w, *state.Snapshot, addr.AbsInstance, planjson.Schemas, Style)
//	                                       `state show`; false when there is none
//	stateview.Outputs(w, *state.Snapshot)  `output`; stateview.Closing the block behind an apply
//	stateview.Output(w, cty.Value), stateview.Raw(w, name, cty.Value)
//	                                       `output NAME`, `output -raw NAME`
//
//	planjson.WritePlan(w, *plan.Document, planjson.Options{Version, Schemas, Configuration})
//	planjson.WriteState(w, *state.Snapshot, planjson.Schemas)        `show -json`
//	planjson.WriteInstance(w, *state.Snapshot, addr.AbsInstance, planjson.Schemas)
//	                                       `state show -json`; false when there is none
//	planjson.WriteOutputs(w, *state.Snapshot), planjson.WriteOutput(w, cty.Value)
//	                                       `output -json`
//	configjson.Write(*jsonout.Writer, *config.Tree, configjson.Options)
//	                                       the configuration part of a plan; call it in Options.Configuration
//	schemajson.WriteProviders(w, map[addr.Provider]provider.Schemas) `providers schema -json`
//	schemajson.WriteFunctions(w, map[string]lang.Signature)          `metadata functions -json`
//	schemajson.WriteVersion(w, schemajson.Version)                   `version -json`
//
//	diff and diffview are what planview and stateview are made of.
//
// Invariants:
//
//	W1. The same input gives the same bytes.
//	W2. Nothing sensitive is written unless the reader asked for JSON or for
//	    one output by name.
//	W3. No value, message or source gives a terminal orders: see [Harmless].
//	W4. Time and memory grow with what is shown.
//
// Read first: [Style], [Tally], and the subpackage's own page.
package view
