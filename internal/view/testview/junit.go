package testview

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"io"
	"strconv"
	"time"

	"github.com/plumb-iac/plumb/diag"
	"github.com/plumb-iac/plumb/engine/suite"
	"github.com/plumb-iac/plumb/internal/view/diagview"
)

// The elements of the report.
type (
	junitSuites struct {
		XMLName xml.Name     `xml:"testsuites"`
		Suites  []junitSuite `xml:"testsuite"`
	}
	junitSuite struct {
		Name     string      `xml:"name,attr"`
		Tests    int         `xml:"tests,attr"`
		Skipped  int         `xml:"skipped,attr"`
		Failures int         `xml:"failures,attr"`
		Errors   int         `xml:"errors,attr"`
		Cases    []junitCase `xml:"testcase"`
		Err      *junitText  `xml:"system-err"`
	}
	junitCase struct {
		Name      string       `xml:"name,attr"`
		Class     string       `xml:"classname,attr"`
		Time      string       `xml:"time,attr,omitempty"`
		Timestamp string       `xml:"timestamp,attr,omitempty"`
		Skipped   *junitReason `xml:"skipped"`
		Failure   *junitReason `xml:"failure"`
		Error     *junitReason `xml:"error"`
		Err       *junitText   `xml:"system-err"`
	}
	junitReason struct {
		Message string `xml:"message,attr"`
		Text    string `xml:",cdata"`
	}
	junitText struct {
		Text string `xml:",cdata"`
	}
)

// WriteJUnit writes the report of tests. Source is where diagnostics quote from.
func WriteJUnit(w io.Writer, r *suite.Result, source diagview.Source) error {
	report := junitSuites{}
	for _, f := range r.Files {
		report.Suites = append(report.Suites, suiteOf(f, source))
	}
	if _, err := io.WriteString(w, `<?xml version="1.0" encoding="UTF-8"?>`); err != nil {
		return err
	}
	e := xml.NewEncoder(w)
	e.Indent("", "  ")
	if err := e.Encode(report); err != nil {
		return err
	}
	return e.Close()
}

func suiteOf(f *suite.File, source diagview.Source) junitSuite {
	out := junitSuite{Name: f.Name(), Tests: len(f.Runs)}
	broken := ""
	for _, r := range f.Runs {
		c := caseOf(f, r, source)
		switch r.Status {
		case suite.Skip, suite.Pending:
			out.Skipped++
			c.Skipped = skipped(broken)
		case suite.Fail:
			out.Failures++
		case suite.Error:
			out.Errors++
			broken = r.Name()
		}
		out.Cases = append(out.Cases, c)
	}
	if text := plainText(f.Diags.Warnings(), source); text != "" {
		out.Err = &junitText{text}
	}
	out.besides("(file)", plainText(f.Diags.Errors(), source))
	for _, l := range f.Left {
		out.besides("(cleanup after "+l.Run.Name()+")", plainText(l.Diags, source)+leftText(l))
	}
	return out
}

// besides adds a case for what went wrong and is no run's: who reads the report
// alone has to see it.
func (s *junitSuite) besides(name, text string) {
	if text == "" {
		return
	}
	s.Tests++
	s.Errors++
	s.Cases = append(s.Cases, junitCase{Name: name, Class: s.Name, Error: &junitReason{"Encountered an error", text}})
}

func leftText(l *suite.Leftover) string {
	if len(l.Objects) == 0 {
		return ""
	}
	text := "\nLeft over:\n"
	for _, o := range l.Objects {
		text += "  - " + o.String() + "\n"
	}
	return text
}

func caseOf(f *suite.File, r *suite.TestRun, source diagview.Source) junitCase {
	c := junitCase{Name: r.Name(), Class: f.Name()}
	if !r.Began.IsZero() {
		c.Time, c.Timestamp = strconv.FormatFloat(r.Took.Seconds(), 'f', -1, 64), r.Began.UTC().Format(time.RFC3339)
	}
	if text := plainText(r.Diags.Warnings(), source); text != "" {
		c.Err = &junitText{text}
	}
	text := plainText(r.Diags.Errors(), source)
	switch r.Status {
	case suite.Fail:
		c.Failure = &junitReason{failure(r), text}
	case suite.Error:
		c.Error = &junitReason{"Encountered an error", text}
	}
	return c
}

// failure says of a failed run what went wrong first.
func failure(r *suite.TestRun) string {
	of := fmt.Sprintf("%d of %d assertions failed", len(r.Failed), len(r.Config.Asserts))
	switch len(r.Failed) {
	case 0:
		return "Test run failed"
	case 1:
		return of + ": " + r.Failed[0]
	}
	return of + ", including: " + r.Failed[0]
}

func skipped(broken string) *junitReason {
	if broken == "" {
		return &junitReason{"Testcase skipped", "The tests were stopped before this one, or its file could not be used."}
	}
	return &junitReason{"Testcase skipped due to a previous testcase error",
		fmt.Sprintf("The run %q before this one could not be carried out, so the runs behind it were skipped.", broken)}
}

func plainText(l diag.List, source diagview.Source) string {
	var b bytes.Buffer
	_ = diagview.Write(&b, l, diagview.Options{Plain: true, Source: source, All: true}) // a Buffer takes all
	return b.String()
}
