package explain

import (
	"html/template"

	"github.com/plumb-iac/plumb/internal/explain"
)

// pageData is what the page shows: only the stages that were passed.
type pageData struct {
	explain.Explanation
	Headline string
	// Mood colours the headline.
	Mood        string
	Stages      []string
	Loud, Quiet []pageLine
}

type pageLine struct {
	explain.Row
	Values []pageCell
	Class  string
}

// pageCell is a value and the stages that have it, which follow each other; and
// whether it is another one than the stage before had.
type pageCell struct {
	Text  string
	Names string
	Span  int
	Fresh bool
}

func pageOf(e explain.Explanation, all bool) pageData {
	d := pageData{Explanation: e, Headline: headline(e), Mood: "calm"}
	for _, a := range e.Action {
		switch a {
		case "delete":
			d.Mood = "ends"
		case "create", "update", "forget":
			if d.Mood == "calm" {
				d.Mood = "acts"
			}
		}
	}
	loud, quiet := sorted(e, all)
	var used []explain.Stage
	for _, s := range explain.Stages() {
		for _, r := range loud {
			if r.Cells[s] != "" {
				used = append(used, s)
				d.Stages = append(d.Stages, s.String())
				break
			}
		}
	}
	for _, r := range loud {
		d.Loud = append(d.Loud, lineOf(r, used))
	}
	for _, r := range quiet {
		d.Quiet = append(d.Quiet, pageLine{Row: r})
	}
	return d
}

func lineOf(r explain.Row, used []explain.Stage) pageLine {
	l := pageLine{Row: r}
	before := ""
	for i, s := range used {
		c := r.Cells[s]
		if n := len(l.Values); n > 0 && c == l.Values[n-1].Text && used[i-1] != explain.Configuration {
			l.Values[n-1].Span++
			l.Values[n-1].Names += ", " + s.String()
			continue
		}
		l.Values = append(l.Values, pageCell{Text: c, Names: s.String(), Span: 1, Fresh: before != "" && c != "" && c != before})
		if c != "" && s != explain.Configuration {
			before = c
		}
	}
	switch {
	case r.Forces:
		l.Class = "forces"
	case r.Changed:
		l.Class = "changed"
	}
	return l
}

var page = template.Must(template.New("page").Parse(`<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{{.Address}}</title>
<style>
:root { --ink: #1d2430; --soft: #667085; --line: #e4e8ee; --back: #fff; --raised: #f7f9fb; --fresh: #fff3d1; --red: #b42318; --amber: #93590a; --green: #15703f; --blue: #175cd3; }
@media (prefers-color-scheme: dark) { :root { --ink: #e2e7ef; --soft: #98a3b3; --line: #2a323f; --back: #12161c; --raised: #1a2029; --fresh: #3a3112; --red: #ff8f85; --amber: #ffc766; --green: #6fd6a0; --blue: #8ab8ff; } }
* { box-sizing: border-box; }
body { font: 15px/1.5 system-ui, sans-serif; margin: 0 auto; padding: 2.2rem 2rem; color: var(--ink); background: var(--back); max-width: 110rem; }
h1 { font: 600 1.35rem ui-monospace, monospace; margin: 0; overflow-wrap: anywhere; }
h2 { font-size: 1rem; margin: 2rem 0 .5rem; }
.by-whom { color: var(--soft); margin: .15rem 0 1rem; }
.what { display: inline-block; padding: .2rem .7rem; border: 1px solid; border-radius: 1rem; font-weight: 600; font-size: .9rem; }
.calm { color: var(--soft); } .acts { color: var(--green); } .ends { color: var(--red); }
.why { margin: 1rem 0 1.6rem; padding-left: 1.1rem; max-width: 60rem; } .why li { margin: .2rem 0; }
.scroll { overflow-x: auto; border: 1px solid var(--line); border-radius: .6rem; }
table { border-collapse: separate; border-spacing: 0; width: 100%; }
th, td { text-align: left; vertical-align: top; padding: .5rem .8rem; border-bottom: 1px solid var(--line); }
tbody tr:last-child > * { border-bottom: 0; }
thead th { background: var(--raised); color: var(--soft); font-weight: 600; font-size: .8rem; white-space: nowrap; }
tbody th { position: sticky; left: 0; background: var(--back); font: 600 .86rem ui-monospace, monospace; white-space: nowrap; border-left: 3px solid transparent; }
tr.forces th { color: var(--red); border-left-color: var(--red); } tr.changed th { color: var(--amber); border-left-color: var(--amber); }
td.v { font: .84rem/1.5 ui-monospace, monospace; min-width: 5rem; max-width: 24rem; overflow-wrap: anywhere; }
td.none { color: var(--line); } td.fresh { background: var(--fresh); }
td.v + td.v { border-left: 1px dotted var(--line); }
td.by { min-width: 13rem; font-size: .9rem; } .rule { color: var(--soft); font: .8rem ui-monospace, monospace; } .note { color: var(--amber); display: block; }
b.author { color: var(--blue); } b.provider { color: var(--green); } b.engine { color: var(--soft); }
summary { cursor: pointer; font-weight: 600; margin: 1.6rem 0 .6rem; }
.legend { color: var(--soft); font-size: .85rem; } .legend span { padding: 0 .3rem; } .legend .r { color: var(--red); } .legend .a { color: var(--amber); } .legend .f { background: var(--fresh); }
@media (max-width: 46rem) {
  body { padding: 1.2rem 1rem; }
  table, tbody, tr, tbody th, td { display: block; } thead { display: none; }
  th, td { padding: .3rem .8rem; border-bottom: 0; } tr { padding: .5rem 0; border-bottom: 1px solid var(--line); } tbody tr:last-child { border-bottom: 0; }
  tbody th { position: static; white-space: normal; overflow-wrap: anywhere; } tr, tr.forces, tr.changed { border-left: 3px solid transparent; } tbody th { border-left: 0; }
  tr.forces { border-left-color: var(--red); } tr.changed { border-left-color: var(--amber); }
  td.v { max-width: none; } td.v + td.v { border-left: 0; } td.none { display: none; }
  td.v[data-of]::before { content: attr(data-of); display: block; color: var(--soft); font: .8rem system-ui, sans-serif; }
}
@media print { body { max-width: none; padding: 0; } .scroll { overflow: visible; } }
</style>
</head>
<body>
<h1>{{.Address}}</h1>
<p class="by-whom">provider {{.Provider}}</p>
<p class="what {{.Mood}}">{{.Headline}}</p>
<ul class="why">{{range .Why}}<li>{{.}}</li>{{end}}</ul>
{{if .Loud}}<div class="scroll"><table>
<thead><tr><th>attribute</th>{{range .Stages}}<th>{{.}}</th>{{end}}<th>decided by</th></tr></thead>
<tbody>
{{range .Loud}}<tr class="{{.Class}}"><th scope="row">{{.Path}}</th>{{range .Values}}<td class="v{{if not .Text}} none{{else if .Fresh}} fresh{{end}}" data-of="{{.Names}}"{{if gt .Span 1}} colspan="{{.Span}}"{{end}}>{{or .Text "–"}}</td>{{end}}<td class="by">{{if .Side}}<b class="{{.Side}}">{{.Side}}</b> {{.Row.Origin.Text}} <span class="rule">{{.Rule}}</span>{{end}}{{range .Notes}}<span class="note">{{.}}</span>{{end}}</td></tr>
{{end}}</tbody>
</table></div>
<p class="legend"><span class="r">red</span> forces the replacement, <span class="a">amber</span> changes, <span class="f">shaded</span> is another value than the stage before had</p>
{{end}}{{if .Quiet}}<details open><summary>{{if .Loud}}The rest{{else}}Attributes{{end}} ({{len .Quiet}})</summary>
<div class="scroll"><table>
<thead><tr><th>attribute</th><th>value</th><th>decided by</th></tr></thead>
<tbody>
{{range .Quiet}}<tr><th scope="row">{{.Path}}</th><td class="v">{{.Row.Value}}</td><td class="by">{{if .Side}}<b class="{{.Side}}">{{.Side}}</b> {{.Row.Origin.Text}} <span class="rule">{{.Rule}}</span>{{end}}</td></tr>
{{end}}</tbody>
</table></div></details>
{{end}}</body>
</html>
`))
