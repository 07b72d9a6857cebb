package provisioner

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/plumb-iac/plumb/diag"
	"github.com/plumb-iac/plumb/schema"
	"github.com/zclconf/go-cty/cty"
)

// fileCopy puts files or a text onto another machine.
type fileCopy struct{ Options }

func (fileCopy) Schema() *schema.Block {
	return schema.NewBlock([]*schema.Attribute{
		attribute("source", cty.String, false),
		attribute("content", cty.String, false),
		attribute("destination", cty.String, true),
	}, nil)
}

// Judge wants one of two arguments.
func (fileCopy) Judge(written func(string) bool) diag.List {
	switch source, content := written("source"), written("content"); {
	case source && content:
		return diag.Errs("Cannot set both 'source' and 'content'", "What is to be put there is either the file or directory \"source\", or the text \"content\". Take one of them out.")
	case !source && !content:
		return diag.Errs("Must provide one of 'source' or 'content'", "Nothing says what is to be put there. Set \"source\" to a file or directory, or \"content\" to a text.")
	}
	return nil
}

func (c fileCopy) Run(ctx context.Context, config, connection cty.Value, output func(string)) diag.List {
	if err := c.run(ctx, fields{config}, connection, output); err != nil {
		return diag.Errs("file provisioner error", err.Error())
	}
	return nil
}

func (c fileCopy) run(ctx context.Context, f fields, connection cty.Value, output func(string)) error {
	to := f.text("destination")
	if wrong := c.Judge(f.set); wrong.HasErrors() {
		return errors.New(wrong[0].Detail)
	}
	if to == "" {
		return errors.New("the destination must be a non-empty string")
	}
	t, err := newTarget(connection, c.Env)
	if err != nil {
		return err
	}
	client, err := t.connect(ctx, output)
	if err != nil {
		return err
	}
	defer client.Close()
	m := machine{client}
	if f.set("content") {
		return m.put(ctx, to, "", strings.NewReader(f.text("content")))
	}
	return m.copy(ctx, c.in(f.text("source")), to)
}

// copy uploads a file or a directory. Of a directory whose name ends in a
// slash the content goes into the destination, else the directory itself.
func (m machine) copy(ctx context.Context, from, to string) error {
	info, err := os.Stat(from)
	if err != nil {
		return err
	}
	if !info.IsDir() {
		return m.upload(ctx, from, to)
	}
	if !strings.HasSuffix(from, "/") {
		to = path.Join(to, filepath.Base(from))
	}
	return filepath.WalkDir(from, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(from, name)
		if err != nil {
			return err
		}
		there := path.Join(to, filepath.ToSlash(rel))
		if d.IsDir() {
			return m.quiet(ctx, "mkdir -p "+shellQuote(there), nil)
		}
		return m.upload(ctx, name, there)
	})
}

func (m machine) upload(ctx context.Context, from, to string) error {
	src, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	return m.put(ctx, to, "", bytes.NewReader(src))
}
