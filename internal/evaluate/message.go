package evaluate

import (
	"strings"

	"github.com/plumb-iac/plumb/diag"
	"github.com/plumb-iac/plumb/internal/lang"
	"github.com/plumb-iac/plumb/value"
	"github.com/zclconf/go-cty/cty"
)

// message is the error message of a rule, with what is to be said of it.
type message struct {
	text string
	// broken says why it could not be evaluated; wrong, that it is no string;
	// secret, that it would show what is not shown. A rule of a variable tells the
	// last two when it fails, other rules at once.
	broken, wrong, secret diag.List
	unknown               bool
}

// unevaluated stands for a message that there is none of, in plans and states as the
// incumbents write it.
const unevaluated = "Failed to evaluate condition error message."

// hidden are the kinds of values that no message shows: how each is spoken of, and
// the function that makes something that can be shown.
var hidden = []struct {
	kind             value.Kind
	article, word    string
	function, caveat string
}{
	{value.Sensitive, "a", "sensitive", "nonsensitive", " where that is safe"},
	{value.Ephemeral, "an", "ephemeral", "ephemeralasnull", ""},
}

// message evaluates the error message of a rule.
func (r *Run) message(rule Rule, sc *lang.Scope, sub Subject) message {
	v, diags := rule.Message.Eval(sc, cty.DynamicPseudoType)
	bare := value.Strip(v).Cty()
	if diags.HasErrors() {
		return message{text: unevaluated, broken: diags}
	}
	text, problem := lang.AsText(bare)
	switch {
	case problem != "":
		return message{text: unevaluated, broken: diags, wrong: diag.List{diag.Err("Invalid error message", "An error message is a string: "+problem+".").At(rule.Message.Range())}}
	case !bare.IsKnown():
		return message{text: "The message of this condition is not known.", broken: diags, unknown: true}
	}
	for _, h := range hidden {
		if !value.Contains(v, h.kind) {
			continue
		}
		d := diag.Warn("Error message refers to "+h.word+" values",
			"The message of this condition is made of "+h.word+" values, so plumb does not show it. Leave them out, or use the "+h.function+" function"+h.caveat+".").At(rule.Message.Range())
		if sub.Kind == "var" {
			d.Severity = diag.Error
		}
		return message{text: "The message of this condition would show " + h.article + " " + h.word + " value.", broken: diags, secret: diag.List{d}}
	}
	return message{text: strings.TrimSpace(text), broken: diags}
}
