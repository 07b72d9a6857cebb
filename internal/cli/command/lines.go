package command

import (
	"context"
	"os"

	"github.com/plumb-iac/plumb/diag"
	"github.com/plumb-iac/plumb/internal/cli/session"
)

// NotBoth is what is wrong with giving both options about lines of JSON.
func NotBoth() diag.Diag {
	return diag.Err("Invalid output format", "The options -json and -json-into exclude each other: one writes JSON instead of text, the other besides.").By(diag.Operator)
}

// inLines declares the options -json and -json-into, by which what work says in
// plain text is said in lines of JSON.
func inLines(f *Flags, work Run) Run {
	asJSON := f.Bool("json", false, "Write lines of JSON for programs.")
	into := f.String("json-into", "FILE", "", "Write lines of JSON for programs to this file, and text for people to the terminal.")
	return func(ctx context.Context, s *session.Session, args []string) int {
		switch {
		case *asJSON && *into != "":
			wrong := NotBoth()
			return s.Misused(wrong.Summary, wrong.Detail)
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
