package explain

import (
	"html/template"
	"strings"

	"github.com/plumb-iac/plumb/internal/explain"
)

// pageData is what the page shows: only the stages that were passed.
type pageData struct {
	explain.Explanation
	Headline string
	Stages   []string
	Lines    []pageLine
}

type pageLine struct {
	explain.Row
	Values []pageCell
	Class  string
	Said   string
}

// pageCell is a value, and whether it is another one than the stage before had.
type pageCell struct {
	Text  string
	Fresh bool
}

func pageOf(e explain.Explanation) pageData {
	d := pageData{Explanation: e, Headline: headline(e)}
	var used []explain.Stage
	for _, s := range explain.Stages() {
		for _, r := range e.Rows {
			if r.Cells[s] != "" {
				used = append(used, s)
				d.Stages = append(d.Stages, s.String())
				break
			}
		}
	}
	for _, r := range e.Rows {
		l := pageLine{Row: r, Said: strings.Join(r.Notes, "; ")}
		before := ""
		for _, s := range used {
			c := r.Cells[s]
			l.Values = append(l.Values, pageCell{c, before != "" && c != "" && c != before})
			if c != "" {
				before = c
			}
		}
		switch {
		case r.Forces:
			l.Class = "forces"
		case r.Changed:
			l.Class = "changed"
		}
		d.Lines = append(d.Lines, l)
	}
	return d
}

var page = template.Must(template.New("page").Parse(`<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>{{.Address}}</title>
<style>
body { font: 15px/1.45 system-ui, sans-serif; margin: 2rem; color: #1d2430; background: #fff; }
h1 { font-size: 1.3rem; margin: 0; } code, td { font-family: ui-monospace, monospace; font-size: .86rem; }
p.head { color: #5a6472; margin: .2rem 0 1rem; } .scroll { overflow-x: auto; }
table { border-collapse: collapse; } th { text-align: left; font-weight: 600; }
th, td { border-bottom: 1px solid #dde2e9; padding: .35rem .7rem; vertical-align: top; }
thead th { position: sticky; top: 0; background: #f4f6f9; }
td.fresh { background: #fff4d6; } tr.forces th { color: #b3261e; } tr.changed th { color: #8a5a00; }
td.empty { color: #b6bec9; } td.by { font-family: inherit; min-width: 18rem; }
.rule { color: #5a6472; } .note { color: #8a5a00; }
@media (prefers-color-scheme: dark) {
 body { background: #14181f; color: #dfe5ee; } thead th { background: #1e242e; } th, td { border-color: #2c3441; }
 td.fresh { background: #3b3212; } tr.forces th { color: #ff8a80; } tr.changed th { color: #ffc766; } .note { color: #ffc766; }
 p.head, .rule { color: #98a3b3; } td.empty { color: #4b5564; }
}
</style>
</head>
<body>
<h1>{{.Address}}</h1>
<p class="head">provider {{.Provider}} · {{.Headline}}</p>
<ul>{{range .Why}}<li>{{.}}</li>{{end}}</ul>
<div class="scroll"><table>
<thead><tr><th>attribute</th>{{range .Stages}}<th>{{.}}</th>{{end}}<th>decided by</th></tr></thead>
<tbody>
{{range .Lines}}<tr class="{{.Class}}"><th><code>{{.Path}}</code></th>{{range .Values}}<td{{if .Fresh}} class="fresh"{{else if not .Text}} class="empty"{{end}}>{{if .Text}}{{.Text}}{{else}}–{{end}}</td>{{end}}<td class="by">{{if .Side}}<strong>{{.Side}}</strong>: {{.Row.Origin.Text}} <span class="rule">({{.Rule}})</span>{{end}}{{if .Said}}<br><span class="note">{{.Said}}</span>{{end}}</td></tr>
{{end}}</tbody>
</table></div>
<p class="head">Red: forces the replacement. Amber: changes. A shaded value differs from the one before it.</p>
</body>
</html>
`))
