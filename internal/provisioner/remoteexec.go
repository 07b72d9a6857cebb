package provisioner

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/plumb-iac/plumb/diag"
	"github.com/plumb-iac/plumb/schema"
	"github.com/zclconf/go-cty/cty"
)

// remoteExec runs commands or scripts on another machine.
type remoteExec struct{ Options }

func (remoteExec) Schema() *schema.Block {
	return schema.NewBlock([]*schema.Attribute{
		attribute("inline", cty.List(cty.String), false),
		attribute("script", cty.String, false),
		attribute("scripts", cty.List(cty.String), false),
	}, nil)
}

// Judge wants one of three arguments.
func (remoteExec) Judge(written func(string) bool) diag.List {
	given := 0
	for _, name := range []string{"inline", "script", "scripts"} {
		if written(name) {
			given++
		}
	}
	if given == 1 {
		return nil
	}
	return diag.Errs("Invalid remote-exec provisioner configuration", "What is to be run is in exactly one of \"inline\", \"script\" and \"scripts\".")
}

func (r remoteExec) Run(ctx context.Context, config, connection cty.Value, output func(string)) diag.List {
	if err := r.run(ctx, fields{config}, connection, output); err != nil {
		return diag.Errs("remote-exec provisioner error", err.Error())
	}
	return nil
}

func (r remoteExec) run(ctx context.Context, f fields, connection cty.Value, output func(string)) error {
	scripts, err := r.scripts(f)
	if err != nil {
		return err
	}
	t, err := newTarget(connection, r.Env)
	if err != nil {
		return err
	}
	client, err := t.connect(ctx, output)
	if err != nil {
		return err
	}
	defer client.Close()
	m := machine{client}
	for _, text := range scripts {
		if err := m.script(ctx, t.scriptPath, text, output); err != nil {
			return err
		}
	}
	return nil
}

// scripts are the texts to run, in order.
func (r remoteExec) scripts(f fields) ([]string, error) {
	if wrong := r.Judge(f.set); wrong.HasErrors() {
		return nil, errors.New(wrong[0].Detail)
	}
	lines, ok := f.texts("inline")
	files, ok2 := f.texts("scripts")
	switch {
	case !ok || !ok2:
		return nil, errors.New("an element of the list is null")
	case f.set("inline"):
		text := strings.Join(lines, "\n") + "\n"
		if !strings.HasPrefix(text, "#!") {
			text = "#!/bin/sh\n" + text
		}
		return []string{text}, nil
	case f.set("script"):
		files = []string{f.text("script")}
	}
	var out []string
	for _, name := range files {
		src, err := os.ReadFile(r.in(name))
		if err != nil {
			return nil, fmt.Errorf("cannot read the script: %w", err)
		}
		out = append(out, string(src))
	}
	return out, nil
}

// script uploads a script, runs it and removes it.
func (m machine) script(ctx context.Context, pattern, text string, output func(string)) error {
	name := strings.ReplaceAll(pattern, "%RAND%", rand.Text()[:10])
	if err := m.put(ctx, name, "0700", strings.NewReader(text)); err != nil {
		return err
	}
	p := &printer{output: output}
	err := m.session(ctx, shellQuote(name), nil, p)
	_ = m.quiet(context.WithoutCancel(ctx), "rm -f "+shellQuote(name), nil)
	if err != nil {
		return fmt.Errorf("the script failed: %w", err)
	}
	return nil
}
