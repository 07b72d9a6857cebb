package fake

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"github.com/plumb-iac/plumb/schema"
	"github.com/zclconf/go-cty/cty"
)

// line is a line of a script with what stands indented below it.
type line struct {
	number   int
	text     string
	children []*line
}

// outline arranges a script's lines by their indentation. Empty lines and
// comments are left out.
func outline(script string) []*line {
	root := &line{}
	type level struct {
		indent int
		at     *line
	}
	stack := []level{{-1, root}}
	for i, raw := range strings.Split(script, "\n") {
		text := strings.TrimSpace(raw)
		if text == "" || text[0] == '#' {
			continue
		}
		indent := len(strings.ReplaceAll(raw, "\t", "    ")) - len(strings.TrimLeft(strings.ReplaceAll(raw, "\t", "    "), " "))
		for stack[len(stack)-1].indent >= indent {
			stack = stack[:len(stack)-1]
		}
		l := &line{number: i + 1, text: text}
		parent := stack[len(stack)-1].at
		parent.children = append(parent.children, l)
		stack = append(stack, level{indent, l})
	}
	return root.children
}

func (l *line) errorf(format string, args ...any) error {
	return fmt.Errorf("line %d: %s: %s", l.number, l.text, fmt.Sprintf(format, args...))
}

// kindWords are the statements that declare a type.
var kindWords = map[string]bool{"resource": true, "data": true, "ephemeral": true, "action": true, "list": true}

// model is what a type is and does.
type model struct {
	resource *schema.Resource
	legacy   bool
	// remote says that an object that the world never heard of is gone.
	remote   bool
	identity []string
	// replace and volatile are the names of attributes with these flags.
	replace, volatile map[string]bool
	rules             []*rule
}

// rule is one scripted deviation. What it has done with is spent.
type rule struct {
	verb, object, action string
	attribute, text      string
	once, spent          bool
	// later and alternately leave out times; uses counts them by object, total in
	// all.
	later, alternately bool
	uses               map[string]int
	total              int
}

// skips counts a use and says whether it is one that is left out.
func (r *rule) skips(object string) bool {
	if r.uses == nil {
		r.uses = map[string]int{}
	}
	r.uses[object]++
	r.total++
	return r.later && r.uses[object] == 1 || r.alternately && r.total%2 == 1
}

func parseModel(l *line) (*model, error) {
	m := &model{replace: map[string]bool{}, volatile: map[string]bool{}}
	var body []*line
	for _, c := range l.children {
		first, rest, _ := strings.Cut(c.text, " ")
		switch first {
		case "on":
			r, err := parseRule(c, rest)
			if err != nil {
				return nil, err
			}
			m.rules = append(m.rules, r)
		case "identity":
			m.identity = strings.Fields(rest)
		default:
			body = append(body, c)
		}
	}
	block, err := m.block(body, true)
	if err != nil {
		return nil, err
	}
	m.resource = &schema.Resource{Block: block}
	for _, word := range strings.Fields(l.text) {
		if v, ok := strings.CutPrefix(word, "version="); ok {
			m.resource.Version, _ = strconv.ParseInt(v, 10, 64)
		}
		m.legacy = m.legacy || word == "legacy"
		m.remote = m.remote || word == "remote"
	}
	return m, m.identify(l)
}

func (m *model) identify(l *line) error {
	var attrs []*schema.Attribute
	for _, name := range m.identity {
		a := m.resource.Block.Attributes[name]
		if a == nil {
			return l.errorf("identity names the unknown attribute %q", name)
		}
		attrs = append(attrs, &schema.Attribute{Name: name, Type: a.Type, Required: true})
	}
	if attrs != nil {
		m.resource.Identity = schema.NewObject(schema.Single, attrs)
	}
	return nil
}

func (m *model) block(body []*line, top bool) (*schema.Block, error) {
	var attrs []*schema.Attribute
	var nested []*schema.Nested
	for _, c := range body {
		if rest, ok := strings.CutPrefix(c.text, "block "); ok {
			n, err := m.nested(c, strings.Fields(rest))
			if err != nil {
				return nil, err
			}
			nested = append(nested, n)
			continue
		}
		a, err := m.attribute(c, top)
		if err != nil {
			return nil, err
		}
		attrs = append(attrs, a)
	}
	return schema.NewBlock(attrs, nested), nil
}

var nestings = map[string]schema.Nesting{
	"single": schema.Single, "group": schema.Group, "list": schema.List, "set": schema.Set, "map": schema.Map,
}

func (m *model) nested(l *line, words []string) (*schema.Nested, error) {
	if len(words) < 2 || nestings[words[1]] == schema.InvalidNesting {
		return nil, l.errorf("a block is: block NAME single|group|list|set|map [min=N] [max=N] [computed]")
	}
	b, err := m.block(l.children, false)
	if err != nil {
		return nil, err
	}
	n := &schema.Nested{Name: words[0], Nesting: nestings[words[1]], Block: b}
	for _, w := range words[2:] {
		key, v, _ := strings.Cut(w, "=")
		count, _ := strconv.Atoi(v)
		switch key {
		case "min":
			n.MinItems = count
		case "max":
			n.MaxItems = count
		case "computed":
			n.Computed = true
		default:
			return nil, l.errorf("unknown flag %q", w)
		}
	}
	return n, nil
}

func (m *model) attribute(l *line, top bool) (*schema.Attribute, error) {
	name, rest, _ := strings.Cut(l.text, " ")
	p := &typeParser{strings.TrimSpace(rest)}
	a := &schema.Attribute{Name: name}
	if inner, ok := strings.CutPrefix(p.rest, "nested("); ok {
		word, after, _ := strings.Cut(inner, ")")
		p.rest = after
		var attrs []*schema.Attribute
		for _, c := range l.children {
			n, err := m.attribute(c, false)
			if err != nil {
				return nil, err
			}
			attrs = append(attrs, n)
		}
		a.Nested = schema.NewObject(nestings[word], attrs)
	} else {
		a.Type = p.parse()
	}
	if a.Type == cty.NilType && (a.Nested == nil || a.Nested.Nesting == schema.InvalidNesting) {
		return nil, l.errorf("an attribute is: NAME TYPE FLAG...")
	}
	for _, flag := range strings.Fields(p.rest) {
		switch flag {
		case "required":
			a.Required = true
		case "optional":
			a.Optional = true
		case "computed":
			a.Computed = true
		case "sensitive":
			a.Sensitive = true
		case "write_only":
			a.WriteOnly = true
		case "deprecated":
			a.Deprecated = true
		case "replace":
			m.replace[name] = top
		case "volatile":
			m.volatile[name] = top
		default:
			return nil, l.errorf("unknown flag %q", flag)
		}
	}
	return a, nil
}

// typeParser reads string, number, bool, any, list(T), set(T), map(T) and
// object(NAME T, …) from the front of a text.
type typeParser struct{ rest string }

func (p *typeParser) word() string {
	p.rest = strings.TrimLeft(p.rest, " ,")
	end := strings.IndexAny(p.rest, " (),")
	if end < 0 {
		end = len(p.rest)
	}
	w := p.rest[:end]
	p.rest = p.rest[end:]
	return w
}

func (p *typeParser) parse() cty.Type {
	word := p.word()
	if t, ok := map[string]cty.Type{"string": cty.String, "number": cty.Number, "bool": cty.Bool, "any": cty.DynamicPseudoType}[word]; ok {
		return t
	}
	if !strings.HasPrefix(p.rest, "(") {
		return cty.NilType
	}
	p.rest = p.rest[1:]
	defer func() { p.rest = strings.TrimPrefix(strings.TrimLeft(p.rest, " "), ")") }()
	if word == "object" {
		attrs := map[string]cty.Type{}
		for p.rest != "" && p.rest[0] != ')' {
			attrs[p.word()] = p.parse()
		}
		return cty.Object(attrs)
	}
	element := p.parse()
	switch {
	case element == cty.NilType:
	case word == "list":
		return cty.List(element)
	case word == "set":
		return cty.Set(element)
	case word == "map":
		return cty.Map(element)
	}
	return cty.NilType
}

// parseRule reads what stands behind "on".
func parseRule(l *line, text string) (*rule, error) {
	r := &rule{}
	r.verb, text, _ = strings.Cut(text, " ")
	text = strings.TrimSpace(text)
	if strings.HasPrefix(text, `"`) {
		var rest string
		r.object, rest = quoted(text)
		text = strings.TrimSpace(rest)
	}
	r.action, text, _ = strings.Cut(text, " ")
	if r.later, r.alternately = r.action == "later", r.action == "alternately"; r.later || r.alternately {
		r.action, text, _ = strings.Cut(strings.TrimSpace(text), " ")
	}
	text = strings.TrimSpace(text)
	if after, ok := strings.CutPrefix(text, "once"); ok {
		r.once, text = true, strings.TrimSpace(after)
	}
	switch r.action {
	case "fail", "partial", "warn", "progress":
		var rest string
		if r.text, rest = quoted(text); rest != "" || r.text == "" {
			return nil, l.errorf("a message in quotes is missing")
		}
	case "set":
		name, v, ok := strings.Cut(text, "=")
		if r.attribute, r.text = strings.TrimSpace(name), strings.TrimSpace(v); !ok || !json.Valid([]byte(r.text)) {
			return nil, l.errorf("it is: set ATTRIBUTE = JSON")
		}
	case "unknown", "replace", "doubt", "blame":
		r.attribute = text
	case "defer":
		if _, known := reasons[text]; !known {
			return nil, l.errorf("it is: defer [once] [config|provider|unexplained|anyway]")
		}
		r.text = text
	case "gone", "crash", "cut", "error", "garble", "anonymous", "touch", "keep":
	default:
		return nil, l.errorf("unknown action %q", r.action)
	}
	return r, nil
}

// quoted reads a quoted string from the front of a text.
func quoted(text string) (content, rest string) {
	prefix, err := strconv.QuotedPrefix(text)
	if err != nil {
		return "", text
	}
	content, _ = strconv.Unquote(prefix)
	return content, text[len(prefix):]
}

// signature is a scripted function.
type signature struct {
	function *schema.Function
	returns  string
	fails    string
	// varies and tells are what it does instead.
	varies, tells bool
}

// parseFunction reads "NAME(T, …) T returns JSON" and what may stand in its place.
func parseFunction(l *line, text string) (string, *signature, error) {
	name, rest, ok := strings.Cut(text, "(")
	if !ok {
		return "", nil, l.errorf("a function is: function NAME(TYPE, ...) TYPE returns JSON")
	}
	p := &typeParser{rest}
	f := &signature{function: &schema.Function{Summary: name}}
	for p.rest != "" && p.rest[0] != ')' {
		t := p.parse()
		if t == cty.NilType {
			return "", nil, l.errorf("unknown parameter type")
		}
		f.function.Parameters = append(f.function.Parameters, schema.Parameter{Name: fmt.Sprintf("p%d", len(f.function.Parameters)+1), Type: t})
	}
	p.rest = strings.TrimPrefix(p.rest, ")")
	if f.function.Return = p.parse(); f.function.Return == cty.NilType {
		return "", nil, l.errorf("unknown result type")
	}
	rest = strings.TrimSpace(p.rest)
	for {
		word, after, _ := strings.Cut(rest, " ")
		if word != "takes_null" && word != "takes_unknown" {
			break
		}
		for i := range f.function.Parameters {
			f.function.Parameters[i].AllowNull = f.function.Parameters[i].AllowNull || word == "takes_null"
			f.function.Parameters[i].AllowUnknown = f.function.Parameters[i].AllowUnknown || word == "takes_unknown"
		}
		rest = strings.TrimSpace(after)
	}
	f.varies, f.tells = rest == "varies", rest == "tells"
	if v, ok := strings.CutPrefix(rest, "returns "); ok {
		f.returns = v
	} else if v, ok := strings.CutPrefix(rest, "fails "); ok {
		f.fails, _ = quoted(v)
	}
	return name, f, nil
}
