package scenario

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/aymanbagabas/go-udiff"
	"github.com/plumb-iac/plumb/internal/settings"
	"golang.org/x/tools/txtar"
)

var update = flag.Bool("update", false, "write what the stories tell into their files")

// story is an archive, taken apart.
type story struct {
	file    string
	archive *txtar.Archive
	// configs are the files of each configuration by its name, "" being the one
	// to begin with; scripts the provider scripts by section name.
	configs   map[string]map[string][]byte
	providers map[string]string
	scripts   map[string]string
	state     []byte
	dialect   settings.Dialect
	run       []command
	want      string
}

// command is a line of the run section.
type command struct {
	text  string
	verb  string
	args  []string
	flags map[string][]string
}

func (c command) has(flag string) bool { return len(c.flags[flag]) > 0 }

// flag is the last value of a flag.
func (c command) flag(name string) string {
	if v := c.flags[name]; len(v) > 0 {
		return v[len(v)-1]
	}
	return ""
}

func readStory(t *testing.T, file string) *story {
	t.Helper()
	a, err := txtar.ParseFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return newStory(file, a)
}

func newStory(file string, a *txtar.Archive) *story {
	s := &story{file: file, archive: a, configs: map[string]map[string][]byte{"": {}},
		providers: map[string]string{}, scripts: map[string]string{}}
	for _, f := range a.Files {
		s.section(f)
	}
	return s
}

func (s *story) section(f txtar.File) {
	word, name, _ := strings.Cut(f.Name, " ")
	switch word {
	case "provider":
		if name == "" {
			name = "fake"
		}
		s.providers[name] = string(f.Data)
	case "script":
		s.scripts[name] = string(f.Data)
	case "state":
		s.state = f.Data
	case "dialect":
		s.dialect, _ = settings.ParseDialect(name)
	case "run":
		for _, line := range strings.Split(string(f.Data), "\n") {
			if c, ok := parseCommand(line); ok {
				s.run = append(s.run, c)
			}
		}
	case "want":
		s.want = string(f.Data)
	default:
		s.configFile(f)
	}
}

// configFile puts a configuration file where its first directory says, if that is a
// number.
func (s *story) configFile(f txtar.File) {
	dir, rest, ok := strings.Cut(f.Name, "/")
	if !ok || strings.Trim(dir, "0123456789") != "" {
		dir, rest = "", f.Name
	}
	if s.configs[dir] == nil {
		s.configs[dir] = map[string][]byte{}
	}
	s.configs[dir][rest] = f.Data
}

func parseCommand(line string) (command, bool) {
	c := command{text: strings.TrimSpace(line), flags: map[string][]string{}}
	words := strings.Fields(line)
	if len(words) == 0 || strings.HasPrefix(words[0], "#") {
		return c, false
	}
	c.verb = words[0]
	for _, w := range words[1:] {
		if !strings.HasPrefix(w, "-") {
			c.args = append(c.args, w)
			continue
		}
		name, v, _ := strings.Cut(strings.TrimPrefix(w, "-"), "=")
		c.flags[name] = append(c.flags[name], v)
	}
	return c, true
}

// save writes the transcript into the archive.
func (s *story) save(t *testing.T, got string) {
	t.Helper()
	for i := range s.archive.Files {
		if s.archive.Files[i].Name == "want" {
			s.archive.Files[i].Data = []byte(got)
			got = ""
		}
	}
	if got != "" {
		s.archive.Files = append(s.archive.Files, txtar.File{Name: "want", Data: []byte(got)})
	}
	if err := os.WriteFile(s.file, txtar.Format(s.archive), 0o644); err != nil {
		t.Fatal(err)
	}
}

// each runs f on every story, as a subtest.
func each(t *testing.T, f func(t *testing.T, s *story)) {
	t.Helper()
	files, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatal("no stories", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			t.Parallel()
			f(t, readStory(t, file))
		})
	}
}

// TestStories tells every story, one call at a time.
func TestStories(t *testing.T) {
	each(t, func(t *testing.T, s *story) {
		got := newTeller(t, s, 1).tell()
		if *update {
			s.save(t, got)
			return
		}
		if got != s.want {
			t.Errorf("the story goes differently:\n%s", udiff.Unified("want", "got", s.want, got))
		}
	})
}
