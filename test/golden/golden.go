package golden

import (
	"flag"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/aymanbagabas/go-udiff"
	"golang.org/x/tools/txtar"
)

var update = flag.Bool("update", false, "write the expected texts")

// File holds got against the text of a file.
func File(t testing.TB, file, got string) {
	t.Helper()
	if *update {
		write(t, file, []byte(got))
		return
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	differ(t, file, string(want), got)
}

// Part holds got against the part of a file, which has other text as well, between
// the lines "<!-- name: begin -->" and "<!-- name: end -->".
func Part(t testing.TB, file, name, got string) {
	t.Helper()
	src, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	begin, end := "<!-- "+name+": begin -->\n", "<!-- "+name+": end -->\n"
	before, rest, begun := strings.Cut(string(src), begin)
	_, after, ended := strings.Cut(rest, end)
	if !begun || !ended {
		t.Fatalf("%s has lost the marks around its %s", file, name)
	}
	File(t, file, before+begin+got+end+after)
}

// Paragraphs tells the paragraphs of a file. Lines that begin with > are what
// is to come of those before them in the paragraph; tell gets these and gives
// the others.
func Paragraphs(t *testing.T, file string, tell func(given []string) []string) {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, p := range strings.Split(strings.TrimSpace(string(text)), "\n\n") {
		given := slices.DeleteFunc(strings.Split(p, "\n"), func(line string) bool { return strings.HasPrefix(line, ">") })
		out = append(out, strings.Join(append(given, tell(given)...), "\n"))
	}
	File(t, file, strings.Join(out, "\n\n")+"\n")
}

// Stories tells every txtar file that the pattern matches, as a subtest each:
// tell makes a text of the archive, and the archive's file "want" is to be that
// text.
func Stories(t *testing.T, pattern string, tell func(*testing.T, *txtar.Archive) string) {
	t.Helper()
	files, err := filepath.Glob(pattern)
	if err != nil || len(files) == 0 {
		t.Fatal("no stories: ", pattern, err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) { story(t, file, tell) })
	}
}

func story(t *testing.T, file string, tell func(*testing.T, *txtar.Archive) string) {
	a, err := txtar.ParseFile(file)
	if err != nil {
		t.Fatal(err)
	}
	given, want := a.Files, ""
	for i, f := range a.Files {
		if f.Name == "want" {
			given, want = append(a.Files[:i:i], a.Files[i+1:]...), string(f.Data)
		}
	}
	a.Files = given
	got := tell(t, a)
	if *update {
		a.Files = append(given, txtar.File{Name: "want", Data: []byte(got)})
		write(t, file, txtar.Format(a))
		return
	}
	differ(t, file, want, got)
}

// FS is the archive as a file system.
func FS(a *txtar.Archive) fstest.MapFS {
	files := fstest.MapFS{}
	for _, f := range a.Files {
		files[f.Name] = &fstest.MapFile{Data: f.Data}
	}
	return files
}

func write(t testing.TB, file string, text []byte) {
	t.Helper()
	if err := os.WriteFile(file, text, 0o644); err != nil {
		t.Fatal(err)
	}
}

func differ(t testing.TB, file, want, got string) {
	t.Helper()
	if got != want {
		t.Errorf("%s says otherwise; -update writes it anew:\n%s", file, udiff.Unified("want", "got", want, got))
	}
}
