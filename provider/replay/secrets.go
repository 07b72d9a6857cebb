package replay

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/plumb-iac/plumb/schema"
	"github.com/zclconf/go-cty/cty"
)

// Secrets are what must not be written, each with its placeholder. They are
// shared by all conversations of a recording. It is safe for concurrent use.
type Secrets struct {
	mu    sync.Mutex
	known map[string]string
	// longest are the secrets, longest first, so that one inside another does
	// not spoil it.
	longest []string
	// first is how many placeholders an earlier run has used.
	first int
}

// NewSecrets begins with those that are known from elsewhere.
func NewSecrets(known ...string) *Secrets {
	s := &Secrets{known: map[string]string{}}
	for _, text := range known {
		s.add(text)
	}
	return s
}

// add makes a text a secret. Text of no length hides nothing.
func (s *Secrets) add(text string) {
	if text == "" || placeholder.MatchString(text) {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.known[text] == "" {
		s.known[text] = fmt.Sprintf("$secret(%d)", s.first+len(s.known)+1)
		s.longest = append(s.longest, text)
		slices.SortStableFunc(s.longest, func(a, b string) int { return len(b) - len(a) })
	}
}

// after makes placeholders follow those of the conversations in a directory.
func (s *Secrets) after(dir string) {
	files, _ := filepath.Glob(filepath.Join(dir, "*.jsonl")) // the pattern is sound
	for _, name := range files {
		src, err := os.ReadFile(name)
		if err != nil {
			continue // it cannot be continued either, which is reported
		}
		for _, m := range placeholder.FindAllSubmatch(src, -1) {
			if n, err := strconv.Atoi(string(m[1])); err == nil {
				s.first = max(s.first, n)
			}
		}
	}
	for text := range s.known {
		var n int
		fmt.Sscanf(s.known[text], "$secret(%d)", &n)
		s.known[text] = fmt.Sprintf("$secret(%d)", s.first+n)
	}
}

// placeholder is how a secret is written.
var placeholder = regexp.MustCompile(`\$secret\((\d+)\)`)

// learn takes the texts at the sensitive and write-only places of a value.
func (s *Secrets) learn(b *schema.Block, v cty.Value) {
	if v == cty.NilVal || v.IsNull() || !v.IsKnown() || len(v.Type().TestConformance(b.Type())) > 0 {
		return
	}
	for _, p := range b.PathsWhere(v, func(a *schema.Attribute) bool { return a.Sensitive || a.WriteOnly }) {
		if at, err := p.Apply(v); err == nil {
			s.leaves(at)
		}
	}
}

func (s *Secrets) leaves(v cty.Value) {
	// The walk cannot fail: the callback never does.
	_ = cty.Walk(v, func(_ cty.Path, v cty.Value) (bool, error) {
		if v.IsNull() || !v.IsKnown() {
			return false, nil
		}
		switch v.Type() {
		case cty.String:
			s.add(v.AsString())
		case cty.Number:
			s.add(v.AsBigFloat().Text('g', -1))
		}
		return true, nil
	})
}

// shortest is the length from which a secret is looked for inside other texts;
// shorter ones, such as "a", are hidden where they stand alone.
const shortest = 6

// text is a text with placeholders.
func (s *Secrets) text(t string) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	if p := s.known[t]; p != "" {
		return p
	}
	for _, secret := range s.longest {
		if len(secret) >= shortest {
			t = strings.ReplaceAll(t, secret, s.known[secret])
		}
	}
	return t
}

// hide replaces secrets in a tree. Members that hold bytes are looked into.
func (s *Secrets) hide(x any) any {
	switch x := x.(type) {
	case string:
		if raw, err := base64.StdEncoding.DecodeString(x); err == nil && len(raw) >= shortest {
			if hidden := s.text(string(raw)); hidden != string(raw) {
				return base64.StdEncoding.EncodeToString([]byte(hidden))
			}
		}
		return s.text(x)
	case json.Number:
		if hidden := s.text(string(x)); len(x) >= shortest && hidden != string(x) {
			return hidden
		}
	case []any:
		for i := range x {
			x[i] = s.hide(x[i])
		}
	case map[string]any:
		for k, e := range x {
			if k == typeKey || k == unknownKey {
				continue
			}
			if hidden := s.text(k); hidden != k {
				delete(x, k)
				k = hidden
			}
			x[k] = s.hide(e)
		}
	}
	return x
}

// bindings are what the placeholders of a recording stand for in a replay.
type bindings map[string]string

// matches says whether an actual tree is the recorded one, with any text for a
// placeholder, and binds the placeholders.
func (b bindings) matches(recorded, actual any) bool {
	switch r := recorded.(type) {
	case string:
		return b.matchText(r, actual)
	case []any:
		a, ok := actual.([]any)
		if !ok || len(a) != len(r) {
			return false
		}
		for i := range r {
			if !b.matches(r[i], a[i]) {
				return false
			}
		}
		return true
	case map[string]any:
		a, ok := actual.(map[string]any)
		if !ok || len(a) != len(r) {
			return false
		}
		for k, e := range r {
			other, there := a[k]
			if !there && !placeholder.MatchString(k) || !b.matches(e, other) {
				return false
			}
		}
		return true
	}
	return recorded == actual
}

// agrees says whether no placeholder stands for something else in o.
func (b bindings) agrees(o bindings) bool {
	for m, text := range o {
		if to, bound := b[m]; bound && to != text {
			return false
		}
	}
	return true
}

func (b bindings) matchText(recorded string, actual any) bool {
	text, ok := actual.(string)
	if n, number := actual.(json.Number); number {
		text, ok = string(n), true
	}
	if !ok {
		return false
	}
	if recorded == text {
		return true
	}
	if raw, err := base64.StdEncoding.DecodeString(recorded); err == nil && placeholder.Match(raw) {
		return true // bytes that held a secret; nobody else can make sense of them
	}
	marks := placeholder.FindAllString(recorded, -1)
	if marks == nil {
		return false
	}
	pattern := "(?s)^"
	rest := recorded
	for _, m := range marks {
		before, after, _ := strings.Cut(rest, m)
		pattern += regexp.QuoteMeta(before) + "(.*)"
		rest = after
	}
	found := regexp.MustCompile(pattern + regexp.QuoteMeta(rest) + "$").FindStringSubmatch(text)
	if found == nil {
		return false
	}
	for i, m := range marks {
		b[m] = found[i+1]
	}
	return true
}

// put replaces placeholders by what they are bound to; unbound ones stay.
func (b bindings) put(x any) any {
	switch x := x.(type) {
	case string:
		return placeholder.ReplaceAllStringFunc(x, func(m string) string {
			if to, ok := b[m]; ok {
				return to
			}
			return m
		})
	case []any:
		out := make([]any, len(x))
		for i := range x {
			out[i] = b.put(x[i])
		}
		return out
	case map[string]any:
		out := make(map[string]any, len(x))
		for k, e := range x {
			out[b.put(k).(string)] = b.put(e)
		}
		return out
	}
	return x
}

// learnJSON takes the texts of a stored object under the names that the schema
// calls sensitive, at any depth: the object may be of another version.
func (r *Recorder) learnJSON(b *schema.Block, src []byte) {
	names := map[string]bool{}
	sensitiveNames(b, names)
	if x, err := parse(src); err == nil && len(names) > 0 {
		r.book.secrets.named(x, names, false)
	}
}

func (s *Secrets) named(x any, names map[string]bool, inside bool) {
	switch x := x.(type) {
	case string:
		if inside {
			s.add(x)
		}
	case []any:
		for _, e := range x {
			s.named(e, names, inside)
		}
	case map[string]any:
		for _, k := range keys(x) {
			s.named(x[k], names, inside || names[k])
		}
	}
}

// learnComputed takes the texts of everything that a provider made up.
func (r *Recorder) learnComputed(b *schema.Block, v cty.Value) {
	if v == cty.NilVal || v.IsNull() || !v.IsKnown() || len(v.Type().TestConformance(b.Type())) > 0 {
		return
	}
	for _, p := range b.PathsWhere(v, func(a *schema.Attribute) bool { return a.Computed }) {
		if at, err := p.Apply(v); err == nil {
			r.book.secrets.leaves(at)
		}
	}
}

func sensitiveNames(b *schema.Block, into map[string]bool) {
	for _, name := range b.AttrNames() {
		attributeNames(b.Attributes[name], into)
	}
	for _, name := range b.BlockNames() {
		sensitiveNames(b.Blocks[name].Block, into)
	}
}

func attributeNames(a *schema.Attribute, into map[string]bool) {
	if a.Sensitive || a.WriteOnly {
		into[a.Name] = true
	}
	if a.Nested != nil {
		for _, name := range a.Nested.Names() {
			attributeNames(a.Nested.Attributes[name], into)
		}
	}
}
