package provisioner

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"slices"
	"time"

	"github.com/plumb-iac/plumb/diag"
	"github.com/plumb-iac/plumb/internal/processgroup"
	"github.com/plumb-iac/plumb/schema"
	"github.com/zclconf/go-cty/cty"
)

// grace is how long a cancelled command may take to end by itself.
const grace = 5 * time.Second

// localExec runs a command on this machine.
type localExec struct{ Options }

func (localExec) Schema() *schema.Block {
	return schema.NewBlock([]*schema.Attribute{
		attribute("command", cty.String, true),
		attribute("interpreter", cty.List(cty.String), false),
		attribute("working_dir", cty.String, false),
		attribute("environment", cty.Map(cty.String), false),
		attribute("quiet", cty.Bool, false),
	}, nil)
}

func (l localExec) Run(ctx context.Context, config, _ cty.Value, output func(string)) diag.List {
	f := fields{config}
	command := f.text("command")
	if command == "" {
		return diag.Errs("Invalid local-exec provisioner command", "The command must be a non-empty string.")
	}
	args, ok := f.texts("interpreter")
	if !ok {
		return diag.Errs("Invalid local-exec provisioner interpreter", "An element of the interpreter list is null.")
	}
	if len(args) == 0 {
		args = l.interpreter()
	}
	args = append(args, command)
	if f.yes("quiet") {
		output("local-exec: Executing: Suppressed by quiet=true")
	} else {
		output(fmt.Sprintf("Executing: %q", args))
	}
	p := &printer{output: output}
	err := l.run(ctx, args, f, p)
	switch {
	case err == nil:
		return nil
	case ctx.Err() != nil:
		return diag.Errs("local-exec provisioner error", fmt.Sprintf("The command '%s' was stopped, because the run was. Output: %s", command, p.end()))
	}
	return diag.Errs("local-exec provisioner error", fmt.Sprintf("Error running command '%s': %v. Output: %s", command, err, p.end()))
}

func (l localExec) interpreter() []string {
	if l.GOOS == "windows" {
		return []string{"cmd", "/C"}
	}
	return []string{"/bin/sh", "-c"}
}

func (l localExec) run(ctx context.Context, args []string, f fields, p *printer) error {
	r, w, err := os.Pipe()
	if err != nil {
		return err
	}
	defer r.Close()
	cmd := exec.CommandContext(ctx, args[0], args[1:]...)
	cmd.Dir = l.in(f.text("working_dir"))
	cmd.Env = append(slices.Clone(l.Env), environment(f)...)
	cmd.Stdout, cmd.Stderr = w, w
	processgroup.Own(cmd)
	cmd.WaitDelay = grace
	err = cmd.Start()
	if closed := w.Close(); err == nil && closed != nil {
		err = closed
	}
	if err != nil {
		return err
	}
	read := make(chan struct{})
	go func() {
		p.read(r)
		close(read)
	}()
	err = cmd.Wait()
	if ctx.Err() != nil {
		processgroup.Kill(cmd)
		err = errors.Join(ctx.Err(), err)
	}
	select {
	case <-read:
	case <-ctx.Done():
	}
	return err
}

func environment(f fields) []string {
	v, ok := f.get("environment")
	if !ok || !v.CanIterateElements() {
		return nil
	}
	vars := v.AsValueMap()
	var out []string
	for _, name := range slices.Sorted(maps.Keys(vars)) {
		if e := vars[name]; !e.IsNull() && e.IsKnown() && e.Type() == cty.String {
			out = append(out, name+"="+e.AsString())
		}
	}
	return out
}
