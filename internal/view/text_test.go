package view_test

import (
	"slices"
	"testing"

	"github.com/plumb-iac/plumb/internal/view"
)

func TestWidth(t *testing.T) {
	for text, want := range map[string]int{
		"":                          0,
		"plain":                     5,
		"漢字":                        4,
		"ｆｕｌｌ":                      8,
		"e\u0301":                   1,
		"é":                         1,
		"🎉":                         2,
		"─":                         1,
		"\x1b[1m\x1b[31mred\x1b[0m": 3,
	} {
		if got := view.Width(text); got != want {
			t.Errorf("%q: got %d, want %d", text, got, want)
		}
	}
}

func TestHarmless(t *testing.T) {
	for text, want := range map[string]string{
		"lines\n\tand tabs":          "lines\n\tand tabs",
		"\x1b[2Jgone":                "␛[2Jgone",
		"50%\rdone":                  "50%␍done",
		"\x7f\u009b31m":              "␡␡31m",
		"admin\u202eresu":            `admin\u202eresu`,
		"漢字 👨\u200d👩 e\u0301 \u00a0": "漢字 👨\u200d👩 e\u0301 \u00a0",
	} {
		if got := view.Harmless(text); got != want {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
}

func TestWrapCountsColumns(t *testing.T) {
	for in, want := range map[string]string{
		"漢字 漢字 漢字":                         "漢字 漢字\n漢字",
		"\x1b[1mbold\x1b[0m text here":     "\x1b[1mbold\x1b[0m text\nhere",
		"漢字かな漢字かな漢字":                       "漢字かな漢\n字かな漢字",
		"see https://example.com/some/way": "see\nhttps://example.com/some/way",
	} {
		if got := view.Wrap(in, 10); got != want {
			t.Errorf("%q: got %q, want %q", in, got, want)
		}
	}
}

func TestWrapItems(t *testing.T) {
	in := "The things to do are these:\n\n  * choose another number, which is more\n  12. second things come second\n\n    resource \"x\" \"example\" { stays as it is }\n- and some -x and more of it"
	want := "The things to do are\nthese:\n\n  * choose another\n    number, which is\n    more\n  12. second things come second\n\n    resource \"x\" \"example\" { stays as it is }\n- and some -x and more\n  of it"
	if got := view.WrapItems(in, 24); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestFold(t *testing.T) {
	for in, want := range map[string][]string{
		"short":                             {"short"},
		"0123456789 0123456789 x":           {"0123456789 ", "0123456789 x"},
		"x 0123456789012345678901234567890": {"x 012345678901234567", "8901234567890"},
		"\t\tindented by two":               {"\t\tinde", "nted by two"},
		"漢字かな漢字かな漢字かな":                      {"漢字かな漢字かな漢字", "かな"},
	} {
		if got := view.Fold(in, 20); !slices.Equal(got, want) {
			t.Errorf("%q: got %q, want %q", in, got, want)
		}
	}
}

func TestForeign(t *testing.T) {
	for text, want := range map[string]string{
		"plain":                                "plain",
		"\x1b[31mred\x1b[0m and \x1b[1mbold":   "\x1b[31mred\x1b[0m and \x1b[1mbold\x1b[0m",
		"\x1b[2A\x1b[Kup":                      "up",
		"\x1b]0;title\x07text\x1b]8;;u\x1b\\x": "textx",
		"10%\r50%\r100%\r":                     "100%",
		"a\x1b":                                "a",
		"a\x1b[12":                             "a",
		"bell\x07":                             "bell␇",
	} {
		if got := (view.Style{Color: true}).Foreign(text); got != want {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
}
