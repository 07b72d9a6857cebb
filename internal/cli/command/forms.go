package command

import (
	"context"
	"io"
	"os"

	"github.com/plumb-iac/plumb/diag"
	"github.com/plumb-iac/plumb/internal/cli/session"
)

// Forms are the forms in which a command gives its result.
type Forms struct {
	// Text says that people are to see it.
	Text bool
	// JSON takes what programs are to read, nil for nothing.
	JSON io.Writer
}

// InForms declares the options -json, which asks for JSON instead of text, and
// -json-into, which asks for both.
func InForms(f *Flags, work func(ctx context.Context, s *session.Session, args []string, forms Forms) int) Run {
	asJSON := f.Bool("json", false, "Write JSON for programs.")
	into := declareInto(f)
	return func(ctx context.Context, s *session.Session, args []string) int {
		switch {
		case *asJSON && *into != "":
			wrong := NotBoth()
			return s.Misused(wrong.Summary, wrong.Detail)
		case *asJSON:
			return work(ctx, s, args, Forms{JSON: s.Stdout})
		}
		return withInto(s, *into, func(out io.Writer) int { return work(ctx, s, args, Forms{Text: true, JSON: out}) })
	}
}

// InText declares the option -json-into for a command whose text has no JSON to
// stand in its place: besides the text it may be said in lines of JSON.
func InText(f *Flags, work Run) Run {
	into := declareInto(f)
	return func(ctx context.Context, s *session.Session, args []string) int {
		return withInto(s, *into, func(out io.Writer) int {
			if out != nil {
				s.SpeakLines(out, true)
			}
			return work(ctx, s, args)
		})
	}
}

// inLines lets work be said in lines of JSON, where it says it in plain text.
func inLines(f *Flags, work Run) Run {
	return InForms(f, func(ctx context.Context, s *session.Session, args []string, forms Forms) int {
		if forms.JSON != nil {
			s.SpeakLines(forms.JSON, forms.Text)
		}
		return work(ctx, s, args)
	})
}

// NotBoth is what is wrong with giving both options.
func NotBoth() diag.Diag {
	return diag.Err("Invalid output format", "The options -json and -json-into exclude each other: one writes JSON instead of text, the other besides.").By(diag.Operator)
}

func declareInto(f *Flags) *string {
	return f.String("json-into", "FILE", "", "Write JSON for programs to this file, and text for people to the terminal.")
}

// withInto runs work with the file of -json-into, nil for none.
func withInto(s *session.Session, path string, work func(io.Writer) int) int {
	if path == "" {
		return work(nil)
	}
	out, diags := OpenInto(path)
	if diags.HasErrors() {
		return s.Fail(diags)
	}
	status := work(out)
	if err := out.Close(); err != nil {
		return s.Fail(unwritable(err))
	}
	return status
}

// OpenInto opens the file of -json-into, which nobody else may read.
func OpenInto(path string) (io.WriteCloser, diag.List) {
	out, err := os.OpenFile(path, os.O_CREATE|os.O_TRUNC|os.O_WRONLY, 0o600)
	if err != nil {
		return nil, unwritable(err)
	}
	return out, nil
}

func unwritable(err error) diag.List {
	return diag.List{diag.Err("Failed to write JSON", "The file of -json-into cannot be written: "+err.Error()+".").By(diag.Operator)}
}
