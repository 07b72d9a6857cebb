package docs

import (
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

const root = "../.."

// pages are the documents for people, by path from the root.
func pages(t *testing.T) map[string]string {
	t.Helper()
	out := map[string]string{}
	for _, pattern := range []string{"*.md", "docs/*.md", "test/acceptance/testdata/*.md"} {
		names, err := filepath.Glob(filepath.Join(root, pattern))
		if err != nil || len(names) == 0 {
			t.Fatalf("%s: %v", pattern, err)
		}
		for _, name := range names {
			text, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			rel, _ := filepath.Rel(root, name)
			out[filepath.ToSlash(rel)] = string(text)
		}
	}
	return out
}

var (
	link    = regexp.MustCompile(`\]\(([^)\s]+)\)`)
	heading = regexp.MustCompile(`(?m)^#+ (.*)$`)
	ticked  = regexp.MustCompile("`([^`\n]+)`")
	fenced  = regexp.MustCompile("(?ms)^```.*?^```$")
	ours    = regexp.MustCompile(`^(internal|test|engine|provider|config|state|plan|addr|value|schema|diag|event|cmd|examples|tools|docs|\.ci)(/[\w.-]+)+$`)
	notSlug = regexp.MustCompile(`[^\w\- ]`)
)

// TestLinks follows every link within the repository, to the heading.
func TestLinks(t *testing.T) {
	all := pages(t)
	for name, text := range all {
		for _, m := range link.FindAllStringSubmatch(fenced.ReplaceAllString(text, ""), -1) {
			if strings.Contains(m[1], "://") {
				continue
			}
			file, anchor, _ := strings.Cut(m[1], "#")
			target := name
			if file != "" {
				target = path.Join(path.Dir(name), file)
			}
			if _, err := os.Stat(filepath.Join(root, target)); err != nil {
				t.Errorf("%s: the link %s leads nowhere", name, m[1])
			}
			if anchor != "" && !slices.Contains(anchors(all[target]), anchor) {
				t.Errorf("%s: %s has no heading #%s", name, target, anchor)
			}
		}
	}
}

func anchors(text string) []string {
	var out []string
	for _, m := range heading.FindAllStringSubmatch(fenced.ReplaceAllString(text, ""), -1) {
		slug := notSlug.ReplaceAllString(strings.ToLower(m[1]), "")
		out = append(out, strings.ReplaceAll(slug, " ", "-"))
	}
	return out
}

// TestPaths looks for what is named in the form of a path.
func TestPaths(t *testing.T) {
	for name, text := range pages(t) {
		for _, m := range ticked.FindAllStringSubmatch(fenced.ReplaceAllString(text, ""), -1) {
			at := strings.TrimSuffix(m[1], "/...")
			if !ours.MatchString(at) || rule.MatchString(at) {
				continue
			}
			if _, err := os.Stat(filepath.Join(root, at)); err != nil {
				t.Errorf("%s names %s, which is not there", name, m[1])
			}
		}
	}
}

var (
	// rule is the name of a rule or duty, or of all of a kind.
	rule = regexp.MustCompile(`^(wire|upgrade|move|import|imported|read|data|plan|final|apply|open|function|engine|verify)/[a-z-]*\*?$`)
	cell = regexp.MustCompile("(?m)^\\| (?:\\*\\*)?P[WCEV]\\d+(?:\\*\\*)? \\| `?([a-z]+/[a-z-]+)`? \\|")
	row  = regexp.MustCompile(`(?m)^\| ([a-z][^|]*) \|`)
	said = regexp.MustCompile(`(?:^|[ |])\*([^*|]+)\*`)
)

// TestLifecycle holds docs/lifecycle.md to the tables and tests of the program, both
// ways: what the page names exists, and every row of the contract keeps something that
// the page promises.
func TestLifecycle(t *testing.T) {
	all := pages(t)
	page := all["docs/lifecycle.md"]
	known := map[string]bool{}
	for _, m := range cell.FindAllStringSubmatch(all["docs/rules.md"]+all["docs/verify.md"], -1) {
		known[m[1]] = false
	}
	if len(known) < 200 {
		t.Fatalf("the tables have %d rows", len(known))
	}
	rows := map[string]bool{}
	for _, m := range row.FindAllStringSubmatch(all["docs/rules.md"], -1) {
		rows[m[1]] = true
	}
	tests := tested(t)
	for _, m := range ticked.FindAllStringSubmatch(page, -1) {
		switch name := m[1]; {
		case rule.MatchString(name):
			if !mark(known, name) {
				t.Errorf("there is no rule %s", name)
			}
		case strings.HasPrefix(name, "Test"), strings.HasSuffix(name, ".txtar"):
			if !tests[name] {
				t.Errorf("there is no test %s", name)
			}
		}
	}
	for _, m := range said.FindAllStringSubmatch(page, -1) {
		if !rows[m[1]] {
			t.Errorf("no table of docs/rules.md has the row %q", m[1])
		}
	}
	for name, used := range known {
		if !used {
			t.Errorf("docs/lifecycle.md has no promise that %s keeps", name)
		}
	}
}

// mark notes that a rule, or all that a name with a star stands for, is used.
func mark(known map[string]bool, name string) bool {
	found := false
	start, all := strings.CutSuffix(name, "*")
	for id := range known {
		if id == name || all && strings.HasPrefix(id, start) {
			known[id], found = true, true
		}
	}
	return found
}

var testName = regexp.MustCompile(`(?m)^func (Test\w+)\(`)

// tested are the names of all tests and stories.
func tested(t *testing.T) map[string]bool {
	t.Helper()
	out := map[string]bool{}
	err := filepath.WalkDir(root, func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && strings.HasPrefix(d.Name(), ".") && name != root:
			return fs.SkipDir
		case strings.HasSuffix(name, ".txtar"):
			out[d.Name()] = true
		case strings.HasSuffix(name, "_test.go"):
			text, err := os.ReadFile(name)
			if err != nil {
				return err
			}
			for _, m := range testName.FindAllStringSubmatch(string(text), -1) {
				out[m[1]] = true
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}
