package testview_test

import (
	"bytes"
	"encoding/xml"
	"strings"
	"testing"
	"time"

	"github.com/plumb-iac/plumb/addr"
	"github.com/plumb-iac/plumb/config"
	"github.com/plumb-iac/plumb/diag"
	"github.com/plumb-iac/plumb/engine/suite"
	"github.com/plumb-iac/plumb/internal/view"
	"github.com/plumb-iac/plumb/internal/view/testview"
)

func run(name string, s suite.Status, l ...diag.Diag) *suite.TestRun {
	return &suite.TestRun{Config: &config.TestRun{Name: name}, Status: s, Diags: l}
}

func result() *suite.Result {
	stuck := run("stuck", suite.Pass)
	stuck.Began, stuck.Took = time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC), 20*time.Microsecond
	f := &suite.File{
		Config: &config.TestFile{Name: "a.tftest.hcl"}, Status: suite.Error,
		Runs: []*suite.TestRun{
			stuck, run("fails", suite.Fail, diag.Warn("Careful", "W."), diag.Err("Test assertion failed", "Not <so> ]]> at all.")),
			run("cannot", suite.Error, diag.Err("Broken", "B.")), run("behind", suite.Skip),
		},
	}
	at := addr.Object{Instance: addr.AbsInstance{Resource: addr.Resource{Mode: addr.Managed, Type: "t", Name: "x"}}}
	f.Left = []*suite.Leftover{{Run: stuck, Diags: diag.Errs("Still in use", ""), Objects: []addr.Object{at}, Kept: "kept.tfstate"}}
	return &suite.Result{Status: suite.Error, Files: []*suite.File{f}, Passed: 1, Failed: 1, Errored: 1, Skipped: 1}
}

// The report is XML whatever the texts are, and counts what is left over.
func TestJUnit(t *testing.T) {
	var b bytes.Buffer
	if err := testview.WriteJUnit(&b, result(), nil); err != nil {
		t.Fatal(err)
	}
	var back struct {
		Suites []struct {
			Tests    int `xml:"tests,attr"`
			Failures int `xml:"failures,attr"`
			Errors   int `xml:"errors,attr"`
			Skipped  int `xml:"skipped,attr"`
			Cases    []struct {
				Name    string  `xml:"name,attr"`
				Time    string  `xml:"time,attr"`
				Failure *string `xml:"failure"`
				Error   *string `xml:"error"`
			} `xml:"testcase"`
		} `xml:"testsuite"`
	}
	if err := xml.Unmarshal(b.Bytes(), &back); err != nil {
		t.Fatal(err, b.String())
	}
	s := back.Suites[0]
	if s.Tests != 5 || s.Failures != 1 || s.Errors != 2 || s.Skipped != 1 || len(s.Cases) != 5 {
		t.Errorf("%+v", s)
	}
	if got := s.Cases[1].Failure; got == nil || !strings.Contains(*got, "Not <so> ]]> at all.") {
		t.Errorf("failure %v", got)
	}
	if got := s.Cases[4].Error; got == nil || !strings.Contains(*got, "Still in use") || !strings.Contains(*got, "- t.x") {
		t.Errorf("left over %v", got)
	}
	if s.Cases[0].Time != "0.00002" {
		t.Errorf("time %s", s.Cases[0].Time)
	}
}

func TestView(t *testing.T) {
	var out, errs bytes.Buffer
	v := testview.New(&out, testview.Options{Style: view.Style{Color: true}, Diagnose: func(diag.List) {}, Errors: &errs})
	r := result()
	f := r.Files[0]
	v.File(f, suite.Starting)
	for _, one := range f.Runs {
		v.Run(f, one, suite.Starting)
		v.Run(f, one, suite.Complete)
	}
	v.File(f, suite.TearingDown)
	v.Left(f, f.Left[0])
	v.File(f, suite.Complete)
	v.Ended(r)
	want := "a.tftest.hcl... \x1b[90min progress\x1b[0m\n" +
		"  run \"stuck\"... \x1b[32mpass\x1b[0m\n" +
		"  run \"fails\"... \x1b[31mfail\x1b[0m\n\n" +
		"  run \"cannot\"... \x1b[31mfail\x1b[0m\n" +
		"  run \"behind\"... \x1b[90mskip\x1b[0m\n" +
		"a.tftest.hcl... \x1b[90mtearing down\x1b[0m\n" +
		"a.tftest.hcl... \x1b[31mfail\x1b[0m\n" +
		"\n\x1b[1m\x1b[31mFailure!\x1b[0m 1 passed, 2 failed, 1 skipped.\n"
	if out.String() != want {
		t.Errorf("got  %q\nwant %q", out.String(), want)
	}
	for _, part := range []string{"error destroying resources", "  - t.x\n", "kept.tfstate"} {
		if !strings.Contains(errs.String(), part) {
			t.Errorf("%q is missing in %s", part, errs.String())
		}
	}
}
