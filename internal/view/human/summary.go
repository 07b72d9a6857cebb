package human

import (
	"fmt"
	"strings"

	"github.com/plumb-iac/plumb/internal/view"
)

// Applied is the line that closes an apply, without colour and line break.
func Applied(t view.Tally) string {
	var b strings.Builder
	b.WriteString("Apply complete! Resources: ")
	if t.Imported > 0 {
		fmt.Fprintf(&b, "%d imported, ", t.Imported)
	}
	fmt.Fprintf(&b, "%d added, %d changed, %d destroyed", t.Added, t.Changed, t.Destroyed)
	if t.Forgotten > 0 {
		fmt.Fprintf(&b, ", %d forgotten", t.Forgotten)
	}
	b.WriteString(".")
	b.WriteString(invoked(t))
	return b.String()
}

func invoked(t view.Tally) string {
	if t.Invoked+t.InvokeFailed == 0 {
		return ""
	}
	text := fmt.Sprintf(" Actions: %d invoked", t.Invoked)
	if t.InvokeFailed > 0 {
		text += fmt.Sprintf(", %d failed", t.InvokeFailed)
	}
	return text + "."
}

// Destroyed is the line that closes a destroy.
func Destroyed(t view.Tally) string {
	return fmt.Sprintf("Destroy complete! Resources: %d destroyed.", t.Destroyed)
}
