package addr

import (
	"fmt"
	"strings"
)

// ParsePattern reads an address that may have wildcards, for commands that
// select many objects:
//
//	aws_instance.web_*         * in a type or name is any run of characters
//	module.net[*].aws_subnet.* [*] is any key, or none
//	aws_instance.web[eu-*]     a key in brackets, without quotes, may have wildcards
//	**.aws_iam_role.*          ** is any path of modules, the root module included
//
// A quoted key stands for itself. Without wildcards ParsePattern is ParseTarget.
func ParsePattern(s string) (Target, error) {
	if !strings.Contains(unquoted(s), "*") {
		return ParseTarget(s)
	}
	p := parser{src: s}
	g, ok := p.pattern()
	if !ok {
		return Target{}, fmt.Errorf("%q is not a valid pattern: an address is expected in which * stands for a part of a type, a name or a [key], and ** for any path of modules", s)
	}
	return Target{HasResource: g.name != "", text: s, pattern: g}, nil
}

// unquoted is s without what stands in quotes.
func unquoted(s string) string {
	parts := strings.Split(s, `"`)
	var b strings.Builder
	for i := 0; i < len(parts); i += 2 {
		b.WriteString(parts[i])
	}
	return b.String()
}

// pattern is a target with wildcards.
type pattern struct {
	steps []stepPattern
	mode  Mode
	// kind and name are empty when modules are selected.
	kind, name string
	key        keyPattern
}

// stepPattern matches one step of a module path; deep matches any number of
// steps.
type stepPattern struct {
	deep bool
	name string
	key  keyPattern
}

// keyPattern matches an instance key: the one key, or what the wildcard text
// says, or anything when it is empty.
type keyPattern struct {
	exact bool
	one   InstanceKey
	text  string
}

func (k keyPattern) anything() bool { return !k.exact && (k.text == "" || k.text == "*") }

func (k keyPattern) matches(key InstanceKey) bool {
	switch {
	case k.anything():
		return true
	case k.exact:
		return k.one == key
	}
	s, ok := key.Str()
	return ok && wild(k.text, s)
}

// wild says whether the wildcard text matches s: each * stands for any run of characters.
func wild(text, s string) bool {
	head, rest, more := strings.Cut(text, "*")
	if !more {
		return s == text
	}
	if !strings.HasPrefix(s, head) {
		return false
	}
	for s = s[len(head):]; ; s = s[len(head):] {
		head, rest, more = strings.Cut(rest, "*")
		if !more {
			return strings.HasSuffix(s, head)
		}
		i := strings.Index(s, head)
		if i < 0 {
			return false
		}
		s = s[i:]
	}
}

func (p *parser) pattern() (*pattern, bool) {
	g := &pattern{mode: Managed}
	for {
		step, is, ok := p.stepPattern()
		if !ok {
			return nil, false
		}
		if !is {
			break
		}
		if n := len(g.steps); !step.deep || n == 0 || !g.steps[n-1].deep {
			g.steps = append(g.steps, step)
		}
		if p.done() {
			return g, true
		}
		if !p.eat('.') {
			return nil, false
		}
	}
	return g, p.resourcePattern(g)
}

// stepPattern reads a module step or **, if one stands here.
func (p *parser) stepPattern() (step stepPattern, is, ok bool) {
	if strings.HasPrefix(p.src[p.pos:], "**") {
		p.pos += 2
		return stepPattern{deep: true}, true, true
	}
	save := p.pos
	if !p.word("module") || !p.eat('.') {
		p.pos = save
		return step, false, true
	}
	step.name = p.wildName()
	step.key, ok = p.keyPattern()
	return step, true, ok && step.name != ""
}

func (p *parser) resourcePattern(g *pattern) bool {
	first := p.wildName()
	if mode, ok := modes[first]; ok {
		g.mode = mode
		if !p.eat('.') {
			return false
		}
		first = p.wildName()
	}
	if first == "" || !p.eat('.') {
		return false
	}
	g.kind, g.name = first, p.wildName()
	key, ok := p.keyPattern()
	g.key = key
	return ok && g.name != "" && p.done()
}

// wildName reads an identifier that may have wildcards.
func (p *parser) wildName() string {
	start := p.pos
	for {
		n := p.pos
		p.ident()
		for p.pos > start && p.pos < len(p.src) && (p.src[p.pos] == '-' || '0' <= p.src[p.pos] && p.src[p.pos] <= '9') {
			p.pos++ // what may not begin an identifier may follow a wildcard
		}
		for p.eat('*') {
		}
		if p.pos == n {
			return p.src[start:p.pos]
		}
	}
}

// keyPattern reads a key, with wildcards or without; none matches anything.
func (p *parser) keyPattern() (keyPattern, bool) {
	if p.pos >= len(p.src) || p.src[p.pos] != '[' {
		return keyPattern{}, true
	}
	if key, ok := p.key(); ok {
		return keyPattern{exact: true, one: key}, true
	}
	end := strings.IndexByte(p.src[p.pos:], ']')
	if end < 0 {
		return keyPattern{}, false
	}
	text := p.src[p.pos+1 : p.pos+end]
	p.pos += end + 1
	return keyPattern{text: text}, strings.Contains(text, "*") && !strings.Contains(text, `"`)
}

// resource says whether the resource's own part matches.
func (g *pattern) resource(r Resource) bool {
	return g.mode == r.Mode && wild(g.kind, r.Type) && wild(g.name, r.Name)
}

// contains says whether the pattern selects an instance.
func (g *pattern) contains(i AbsInstance) bool {
	if g.name == "" {
		return matchSteps(g.steps, i.Module.Steps(), true)
	}
	return g.resource(i.Resource) && g.key.matches(i.Key) && matchSteps(g.steps, i.Module.Steps(), false)
}

// containsConfig says whether the pattern can select an instance of r.
func (g *pattern) containsConfig(r ConfigResource) bool {
	steps := make([]stepPattern, len(g.steps))
	for i, s := range g.steps {
		steps[i] = stepPattern{deep: s.deep, name: s.name}
	}
	var have []ModuleStep
	for _, name := range r.Module.Names() {
		have = append(have, ModuleStep{Name: name})
	}
	return (g.name == "" || g.resource(r.Resource)) && matchSteps(steps, have, g.name == "")
}

// keyed says whether the pattern takes some instances of a resource only.
func (g *pattern) keyed() bool {
	for _, s := range g.steps {
		if !s.key.anything() {
			return true
		}
	}
	return !g.key.anything()
}

// matchSteps says whether the steps match a module path; below allows the path to
// go on after them.
func matchSteps(steps []stepPattern, have []ModuleStep, below bool) bool {
	if len(steps) == 0 {
		return below || len(have) == 0
	}
	s := steps[0]
	if s.deep {
		for n := range len(have) + 1 {
			if matchSteps(steps[1:], have[n:], below) {
				return true
			}
		}
		return false
	}
	return len(have) > 0 && wild(s.name, have[0].Name) && s.key.matches(have[0].Key) && matchSteps(steps[1:], have[1:], below)
}
