package verify

import (
	"regexp"
	"strings"

	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/convert"
)

// pools are texts to try for an argument by its name, most plausible first.
var pools = []struct {
	name  *regexp.Regexp
	texts []string
}{
	{regexp.MustCompile(`cidr`), []string{"10.0.0.0/16", "192.168.7.0/24"}},
	{regexp.MustCompile(`(^|_)ip(_|$|v4)|address`), []string{"192.0.2.10", "192.0.2.11"}},
	{regexp.MustCompile(`ipv6`), []string{"2001:db8::1"}},
	{regexp.MustCompile(`ur[il]|endpoint|href`), []string{"https://example.com/", "https://example.com/other"}},
	{regexp.MustCompile(`e?mail`), []string{"someone@example.com"}},
	{regexp.MustCompile(`domain|host|dns`), []string{"example.com", "www.example.com"}},
	{regexp.MustCompile(`file|path|dir`), []string{"verify-one.txt", "verify/two.txt"}},
	{regexp.MustCompile(`rfc3339|timestamp|_at$|_time$`), []string{"2024-01-02T03:04:05Z"}},
	{regexp.MustCompile(`command|program|script|^(create|read|update|delete)$`), []string{"true"}},
	{regexp.MustCompile(`duration|timeout|interval|period|^(create|read|update|delete)$`), []string{"10ms", "20ms", "1s", "30s"}},
	{regexp.MustCompile(`json|policy`), []string{`{"a":1}`, `[]`}},
	{regexp.MustCompile(`base64`), []string{"aGVsbG8=", "YQ=="}},
	{regexp.MustCompile(`permission|mode`), []string{"0644", "0600"}},
	{regexp.MustCompile(`zone|region|location`), []string{"us-east-1"}},
}

// anyText and anyNumber are what is tried for every other argument.
var (
	anyText   = []string{"a", "some-name", "Some Text", "b2", "ünï"}
	anyNumber = []int64{1, 2, 10, 0, 24, 2048, 3600, 65535}
)

// texts are the texts to try for an argument.
func texts(name string) []string {
	var out []string
	for _, p := range pools {
		if p.name.MatchString(strings.ToLower(name)) {
			out = append(out, p.texts...)
		}
	}
	return append(out, anyText...)
}

// candidates are the values to try for a primitive argument.
func candidates(name string, t cty.Type) []cty.Value {
	var out []cty.Value
	switch t {
	case cty.Bool:
		return []cty.Value{cty.True, cty.False}
	case cty.Number:
		for _, n := range anyNumber {
			out = append(out, cty.NumberIntVal(n))
		}
	default:
		for _, s := range texts(name) {
			out = append(out, cty.StringVal(s))
		}
	}
	return out
}

var (
	quoted  = regexp.MustCompile("\"([^\"\n]{0,80})\"|`([^`\n]{1,80})`|'([^'\n]{1,80})'")
	listed  = regexp.MustCompile(`\[([^\]\n]{1,200})\]`)
	choices = regexp.MustCompile(`(?i)one of:? ([^.;\n]{1,300})`)
	numbers = regexp.MustCompile(`-?\b\d+\b`)
)

// words are what a provider's complaint quotes: often the values it would
// accept.
func words(text string) []string {
	var out []string
	for _, m := range quoted.FindAllStringSubmatch(text, -1) {
		out = append(out, m[1]+m[2]+m[3])
	}
	for _, m := range listed.FindAllStringSubmatch(text, -1) {
		out = append(out, strings.FieldsFunc(m[1], func(r rune) bool { return r == ',' || r == ' ' || r == '"' })...)
	}
	for _, m := range choices.FindAllStringSubmatch(text, -1) {
		out = append(out, strings.FieldsFunc(m[1], func(r rune) bool { return strings.ContainsRune(", \"'`[]", r) })...)
	}
	return append(out, numbers.FindAllString(text, -1)...)
}

// suggested are the words of a complaint as values of a type.
func suggested(text string, t cty.Type) []cty.Value {
	if !t.IsPrimitiveType() {
		return nil
	}
	var out []cty.Value
	for _, w := range words(text) {
		if v, err := convert.Convert(cty.StringVal(w), t); err == nil {
			out = append(out, v)
		}
	}
	return out
}
