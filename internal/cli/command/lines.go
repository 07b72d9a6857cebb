package command

import (
	"context"
	"os"

	"github.com/plumb-iac/plumb/diag"
	"github.com/plumb-iac/plumb/internal/cli/session"
)

// InLines gives a command that says what it does in plain text the options -json
// and -json-into, by which it says so in lines of JSON.
func InLines(c Command) Command {
	declare := c.New
	c.JSONLines = true
	c.New = func(f *Flags) Run {
		work := declare(f)
		asJSON := f.Bool("json", false, "Write lines of JSON for programs.")
		into := f.String("json-into", "FILE", "", "Write lines of JSON for programs to this file, and text for people to the terminal.")
		return func(ctx context.Context, s *session.Session, args []string) int {
			switch {
			case *asJSON && *into != "":
				return s.Misused("Invalid output format", "The options -json and -json-into exclude each other: one writes JSON instead of text, the other besides.")
			case *asJSON:
				s.SpeakLines(s.Stdout, false)
			case *into != "":
				out, err := os.OpenFile(*into, os.O_CREATE|os.O_TRUNC|os.O_WRONLY, 0o600)
				if err != nil {
					return s.Fail(diag.List{diag.Err("Failed to write lines of JSON", err.Error()).By(diag.Operator)})
				}
				defer out.Close()
				s.SpeakLines(out, true)
			}
			return work(ctx, s, args)
		}
	}
	return c
}
