package command

import (
	"fmt"
	"strings"
	"testing"
)

func TestReadLine(t *testing.T) {
	for in, want := range map[string]string{
		"":                            "words=[]",
		"plan -out=x":                 "words=[plan -out=x]",
		"-chdir=a/b plan":             "chdir=a/b words=[plan]",
		"--chdir=a plan":              "chdir=a words=[plan]",
		"-help":                       "help words=[]",
		"plan -h":                     "help words=[plan -h]",
		"plan -v":                     "version words=[plan -v]",
		"plan -- -help":               "words=[plan -- -help]",
		"-json plan":                  "before=[-json] words=[plan]",
		"-nosuch":                     "before=[-nosuch] words=[]",
		"-chdir plan":                 "error",
		"-chdir= plan":                "error",
		"-chdir=a -chdir=b plan":      "error",
		"state mv --version a b":      "version words=[state mv --version a b]",
		"-version -chdir=x something": "version chdir=x words=[something]",
	} {
		if got := describe(ReadLine(strings.Fields(in))); got != want {
			t.Errorf("%q: got %s, want %s", in, got, want)
		}
	}
}

func describe(l Line, err error) string {
	if err != nil {
		return "error"
	}
	out := ""
	if l.Help {
		out += "help "
	}
	if l.Version {
		out += "version "
	}
	if l.ChdirSet {
		out += "chdir=" + l.Chdir + " "
	}
	if l.Before != nil {
		out += fmt.Sprintf("before=%v ", l.Before)
	}
	return out + fmt.Sprintf("words=%v", l.Words)
}

func TestTakeCommon(t *testing.T) {
	for in, want := range map[string]string{
		"-no-color x -out=y":            "{true false false false} [x -out=y]",
		"x --no-color":                  "{true false false false} [x]",
		"-no-color=false":               "{false false false false} []",
		"-no-color=x":                   "{false false false false} [-no-color=x]",
		"-compact-warnings":             "{false true false false} []",
		"-consolidate-warnings=false":   "{false false true false} []",
		"-consolidate-errors":           "{false false false true} []",
		"-var no-color":                 "{false false false false} [-var no-color]",
		"a -- -no-color":                "{false false false false} [a -- -no-color]",
		"-no-colors -compact-warningsx": "{false false false false} [-no-colors -compact-warningsx]",
	} {
		c, rest := TakeCommon(strings.Fields(in))
		if got := fmt.Sprint(c, rest); got != want {
			t.Errorf("%q: got %s, want %s", in, got, want)
		}
	}
}

func TestFlags(t *testing.T) {
	for in, want := range map[string]string{
		"-b -s=x -l 1 --l=2 rest -b": "b=true s=x l=[1 2] n=7 args=[rest -b]",
		"-b=false -n 3":              "b=false s= l=[] n=3 args=[]",
		"-l=a=[1,2] -l=":             "b=false s= l=[a=[1,2] ] n=7 args=[]",
		"-old -s x":                  "b=false s=x l=[] n=7 args=[]",
		"-old=anything":              "b=false s= l=[] n=7 args=[]",
		"-- -b":                      "b=false s= l=[] n=7 args=[-b]",
		"-x":                         "flag provided but not defined: -x",
		"-s":                         "flag needs an argument: -s",
		"-n=x":                       `invalid value "x" for flag -n: parse error`,
		"-b=perhaps":                 `invalid boolean value "perhaps" for -b: parse error`,
	} {
		f := NewFlags("test")
		b, s, l, n := f.Bool("b", false, "B."), f.String("s", "S", "", "S."), f.List("l", "L", "L."), f.Int("n", 7, "N.")
		f.Old("old")
		args, err := f.Parse(strings.Fields(in))
		got := fmt.Sprintf("b=%v s=%s l=%v n=%d args=%v", *b, *s, *l, *n, args)
		if err != nil {
			got = err.Error()
		}
		if got != want {
			t.Errorf("%q: got %s, want %s", in, got, want)
		}
	}
}
