package inspect

import (
	"context"
	"errors"

	"github.com/plumb-iac/plumb/diag"
	"github.com/plumb-iac/plumb/internal/cli/command"
	"github.com/plumb-iac/plumb/internal/cli/inputs"
	"github.com/plumb-iac/plumb/internal/cli/session"
	"github.com/plumb-iac/plumb/internal/cli/workdir"
	"github.com/plumb-iac/plumb/internal/view/stateview"
	"github.com/plumb-iac/plumb/plan/planjson"
	"github.com/plumb-iac/plumb/state"
)

func output(f *command.Flags) command.Run {
	raw := f.Bool("raw", false, "Write a string, number or truth value without quotes and line break.")
	path := f.String("state", "FILE", "", "Use this local state file instead of the configured one.")
	f.Old("show-sensitive")
	vars := inputs.Declare(f)
	return command.InForms(f, func(ctx context.Context, s *session.Session, args []string, forms command.Forms) int {
		if len(args) == 1 && args[0] == "" { // a script's empty variable
			args = nil
		}
		switch {
		case len(args) > 1:
			return s.Misused("Unexpected argument", "The output command takes the name of one output value, or no argument to show all of them.")
		case *raw && !forms.Text:
			return s.Misused("Invalid output format", "The options -raw and -json exclude each other.")
		case *raw && len(args) == 0:
			return s.Misused("Output name required", "The option -raw is for one output value, whose name is needed.")
		}
		snapshot, diags := stored(ctx, s, workdir.StatePaths{State: *path, Vars: vars, Looks: true})
		if diags.HasErrors() {
			return s.Fail(diags)
		}
		if len(args) == 0 {
			return allOutputs(s, snapshot, forms, diags)
		}
		return oneOutput(s, snapshot, args[0], forms, *raw)
	})
}

func stored(ctx context.Context, s *session.Session, paths workdir.StatePaths) (*state.Snapshot, diag.List) {
	storage, diags := workdir.OpenStorage(ctx, s, paths)
	if diags.HasErrors() {
		return nil, diags
	}
	snapshot, more := storage.Read(ctx)
	return snapshot, diags.With(more)
}

func allOutputs(s *session.Session, snapshot *state.Snapshot, forms command.Forms, diags diag.List) int {
	var err error
	if forms.JSON != nil {
		err = planjson.WriteOutputs(forms.JSON, snapshot)
	}
	switch {
	case !forms.Text:
	case len(outputNames(snapshot)) == 0:
		s.Report(diags.With(none()))
	default:
		s.Report(diags)
		err = errors.Join(err, stateview.Outputs(s.Stdout, snapshot))
	}
	return written(s, err)
}

// written is the exit status of a command whose result was written, or not.
func written(s *session.Session, err error) int {
	if err != nil {
		s.Complain("%s\n", err)
		return 1
	}
	return 0
}

func outputNames(s *state.Snapshot) []string {
	var names []string
	for name := range s.Outputs() {
		names = append(names, name)
	}
	return names
}

func none() diag.List {
	return diag.List{diag.Warn("No outputs found", "The state has no output values. They get there when a configuration that declares some is applied; a value that is null is not kept.")}
}

func oneOutput(s *session.Session, snapshot *state.Snapshot, name string, forms command.Forms, raw bool) int {
	o, found := snapshot.Output(name)
	switch {
	case !found && len(outputNames(snapshot)) == 0 && forms.Text:
		s.Report(none())
		return 0
	case !found:
		return s.Fail(diag.List{diag.Err("Output \""+name+"\" not found", "The state has no output value of this name. One that is new in the configuration gets there with the next \"plumb apply\".").By(diag.Operator)})
	}
	var err error
	if forms.JSON != nil {
		err = planjson.WriteOutput(forms.JSON, o.Value)
	}
	switch {
	case raw && err == nil:
		return s.Done(stateview.Raw(s.Stdout, name, o.Value))
	case forms.Text:
		err = errors.Join(err, stateview.Output(s.Stdout, o.Value))
	}
	return written(s, err)
}
