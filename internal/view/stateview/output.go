package stateview

import (
	"fmt"
	"io"
	"strings"

	"github.com/plumb-iac/plumb/diag"
	"github.com/plumb-iac/plumb/internal/lang/valuetext"
	"github.com/plumb-iac/plumb/internal/view"
	"github.com/plumb-iac/plumb/state"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/convert"
)

// Outputs writes all root output values, a line or more each. It writes
// nothing when there are none.
func Outputs(out io.Writer, s *state.Snapshot) error {
	var b strings.Builder
	for name, o := range s.Outputs() {
		text := "<sensitive>"
		if !o.Sensitive {
			text = valuetext.Format(o.Value, 0)
		}
		b.WriteString(name + " = " + text + "\n")
	}
	_, err := io.WriteString(out, b.String())
	return err
}

// Closing writes the outputs as they stand behind an apply.
func Closing(out io.Writer, s *state.Snapshot, style view.Style) error {
	for range s.Outputs() {
		if _, err := io.WriteString(out, "\n"+style.Paint("Outputs:", view.Bold, view.Green)+"\n\n"); err != nil {
			return err
		}
		return Outputs(out, s)
	}
	return nil
}

// Output writes one value that was asked for by name.
func Output(out io.Writer, v cty.Value) error {
	_, err := io.WriteString(out, valuetext.Format(v, 0)+"\n")
	return err
}

// Raw writes one value for a shell: a string, number or truth value without
// quotes or line break.
func Raw(out io.Writer, name string, v cty.Value) diag.List {
	if !v.Type().IsPrimitiveType() && v.Type() != cty.DynamicPseudoType {
		return diag.Errs("Unsupported value for raw output", fmt.Sprintf(
			"The -raw option prints strings, numbers and boolean values only, but output value %q is %s.\n\nUse the -json option to get values of any type in a form that programs can read.",
			name, v.Type().FriendlyName()))
	}
	s, err := convert.Convert(v, cty.String)
	if err != nil || s.IsNull() || !s.IsKnown() {
		return diag.Errs("Unsupported value for raw output", fmt.Sprintf(
			"Output value %q is null, which the -raw option has no way to print.", name))
	}
	if _, err := io.WriteString(out, s.AsString()); err != nil {
		return diag.Errs("Output not written", "The value could not be written: "+err.Error()+".")
	}
	return nil
}
