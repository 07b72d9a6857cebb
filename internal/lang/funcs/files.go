package funcs

import (
	"encoding/base64"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
	"strings"
	"unicode/utf8"

	"github.com/bmatcuk/doublestar/v4"
	"github.com/plumb-iac/plumb/value"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/function"
)

// files are the functions of paths and files.
func (o Options) files() map[string]function.Function {
	out := map[string]function.Function{
		"abspath":    text("path", func(s, _ string) (string, error) { return o.abs(s) }),
		"basename":   pure("path", filepath.Base),
		"dirname":    pure("path", filepath.Dir),
		"file":       o.reader("file", fileText),
		"filebase64": o.reader("filebase64", func(b []byte, _ string) (string, error) { return base64.StdEncoding.EncodeToString(b), nil }),
		"fileexists": o.fileExists(),
		"fileset":    o.fileSet(),
		"pathexpand": text("path", func(s, _ string) (string, error) { return o.expand(s) }),
	}
	for name, d := range digests {
		name = "file" + name
		out[name] = o.hasher(name, d)
	}
	return out
}

var errNoFiles = errors.New("files cannot be read here")

func (o Options) abs(p string) (string, error) {
	if o.Files == nil {
		return "", errNoFiles
	}
	out, err := o.Files.Abs(p)
	return filepath.ToSlash(out), err
}

// expand replaces a leading ~ by the home directory.
func (o Options) expand(p string) (string, error) {
	if !strings.HasPrefix(p, "~") {
		return p, nil
	}
	if len(p) > 1 && p[1] != '/' && p[1] != '\\' {
		return "", errors.New("cannot expand user-specific home dir")
	}
	if o.Files == nil {
		return "", errNoFiles
	}
	home, err := o.Files.Home()
	if err != nil {
		return "", err
	}
	return filepath.Join(home, p[1:]), nil
}

// locate is the path to use for a path given by the configuration.
func (o Options) locate(p string) (string, error) {
	if o.Files == nil {
		return "", errNoFiles
	}
	p, err := o.expand(p)
	if err != nil {
		return "", err
	}
	if !filepath.IsAbs(p) {
		p = filepath.Join(o.BaseDir, p)
	}
	return filepath.Clean(p), nil
}

func (o Options) read(p string) ([]byte, error) {
	at, err := o.locate(p)
	if err != nil {
		return nil, err
	}
	return o.Files.ReadFile(at)
}

// load is read with the errors of the functions that give a file's content.
func (o Options) load(v cty.Value, arg int) ([]byte, error) {
	p, _ := value.Peel(v)
	raw, err := o.read(p.AsString())
	switch {
	case err == nil:
		return raw, nil
	case errors.Is(err, fs.ErrNotExist):
		return nil, function.NewArgErrorf(arg, "no file exists at %s; a file that a resource of this configuration creates does not exist yet when functions run, so take its content from an attribute of that resource instead", shown(v))
	}
	return nil, function.NewArgErrorf(arg, "failed to read file: %s", err)
}

func fileText(raw []byte, shown string) (string, error) {
	if !utf8.Valid(raw) {
		return "", fmt.Errorf("contents of %s are not valid UTF-8; filebase64 gives the Base64 encoded contents, and filemd5, filesha256 and their like give hashes of them", shown)
	}
	return string(raw), nil
}

// observed makes a function whose results are recorded.
func (o Options) observed(name string, spec *function.Spec) function.Function {
	if o.Record == nil {
		return function.New(spec)
	}
	impl := spec.Impl
	spec.Impl = func(args []cty.Value, t cty.Type) (cty.Value, error) {
		v, err := impl(args, t)
		if err == nil {
			o.Record(name, args, v)
		}
		return v, err
	}
	return function.New(spec)
}

// reader makes a function of a file's content.
func (o Options) reader(name string, f func(raw []byte, shown string) (string, error)) function.Function {
	return o.observed(name, &function.Spec{
		Params:       []function.Parameter{{Name: "path", Type: cty.String, AllowMarked: true}},
		Type:         function.StaticReturnType(cty.String),
		RefineResult: notNull,
		Impl: func(args []cty.Value, _ cty.Type) (cty.Value, error) {
			raw, err := o.load(args[0], 0)
			if err != nil {
				return cty.UnknownVal(cty.String), err
			}
			s, err := f(raw, shown(args[0]))
			if err != nil {
				return cty.UnknownVal(cty.String), err
			}
			_, skin := value.Peel(args[0])
			return skin.On(cty.StringVal(s)), nil
		},
	})
}

// hasher makes a function of a file's digest.
func (o Options) hasher(name string, d digest) function.Function {
	return o.observed(name, &function.Spec{
		Params:       []function.Parameter{{Name: "path", Type: cty.String}},
		Type:         function.StaticReturnType(cty.String),
		RefineResult: notNull,
		Impl: func(args []cty.Value, _ cty.Type) (cty.Value, error) {
			raw, err := o.read(args[0].AsString())
			if err != nil {
				return cty.UnknownVal(cty.String), err
			}
			return cty.StringVal(d(raw)), nil
		},
	})
}

func (o Options) fileExists() function.Function {
	return o.observed("fileexists", &function.Spec{
		Params:       []function.Parameter{{Name: "path", Type: cty.String, AllowMarked: true}},
		Type:         function.StaticReturnType(cty.Bool),
		RefineResult: notNull,
		Impl: func(args []cty.Value, _ cty.Type) (cty.Value, error) {
			p, skin := value.Peel(args[0])
			at, err := o.locate(p.AsString())
			if err != nil {
				return cty.UnknownVal(cty.Bool), err
			}
			info, err := o.Files.Stat(at)
			switch {
			case errors.Is(err, fs.ErrNotExist):
				return skin.On(cty.False), nil
			case err != nil:
				return cty.UnknownVal(cty.Bool), fmt.Errorf("failed to stat %s: %w", shown(args[0]), err)
			case info.Mode().IsRegular():
				return skin.On(cty.True), nil
			case info.IsDir():
				return cty.UnknownVal(cty.Bool), fmt.Errorf("%s is a directory, not a file", shown(args[0]))
			}
			return cty.UnknownVal(cty.Bool), fmt.Errorf("%s is not a regular file", shown(args[0]))
		},
	})
}

func (o Options) fileSet() function.Function {
	return o.observed("fileset", &function.Spec{
		Params:       []function.Parameter{{Name: "path", Type: cty.String, AllowMarked: true}, {Name: "pattern", Type: cty.String, AllowMarked: true}},
		Type:         function.StaticReturnType(cty.Set(cty.String)),
		RefineResult: notNull,
		Impl: func(args []cty.Value, _ cty.Type) (cty.Value, error) {
			dir, skin := value.Peel(args[0])
			pattern, more := value.Peel(args[1])
			skin = skin.Plus(more)
			names, err := o.glob(dir.AsString(), pattern.AsString())
			if err != nil {
				return cty.UnknownVal(cty.Set(cty.String)), err
			}
			if len(names) == 0 {
				return skin.On(cty.SetValEmpty(cty.String)), nil
			}
			vals := make([]cty.Value, len(names))
			for i, n := range names {
				vals[i] = cty.StringVal(n)
			}
			return skin.On(cty.SetVal(vals)), nil
		},
	})
}

// glob finds the regular files below dir that match, by their path from dir.
func (o Options) glob(dir, pattern string) ([]string, error) {
	root, err := o.locate(dir)
	if err != nil {
		return nil, err
	}
	full := filepath.ToSlash(filepath.Join(root, pattern))
	base, rest := doublestar.SplitPattern(full)
	matches, err := doublestar.Glob(o.Files.Dir(base), rest)
	if err != nil {
		return nil, fmt.Errorf("failed to glob pattern %s: %w", pattern, err)
	}
	var out []string
	for _, m := range matches {
		at := path.Join(base, m)
		info, err := o.Files.Stat(filepath.FromSlash(at))
		if err != nil {
			return nil, fmt.Errorf("failed to stat (%s): %w", at, err)
		}
		if !info.Mode().IsRegular() {
			continue
		}
		rel, err := filepath.Rel(root, at)
		if err != nil {
			return nil, fmt.Errorf("failed to trim path of match (%s): %w", at, err)
		}
		out = append(out, filepath.ToSlash(rel))
	}
	return out, nil
}
