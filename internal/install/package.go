package install

import (
	"archive/zip"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"sort"
	"strings"

	"github.com/plumb-iac/plumb/addr"
	"golang.org/x/mod/sumdb/dirhash"
)

// Package is a provider's package in the working directory.
type Package struct {
	Provider addr.Provider
	// Version is "" for a provider under development.
	Version    string
	Dir        string
	Executable string
	// Hash is the h1 hash of the package's files, "" where it was not checked.
	Hash string

	// vouched are the hashes that the package's origin gives.
	vouched []string
}

// packageDir is the place of a package below a directory of packages.
func packageDir(base string, p addr.Provider, version, platform string) string {
	return filepath.Join(base, p.Host, p.Namespace, p.Type, version, platform)
}

// hashDir is the h1 hash of a package's files.
func hashDir(dir string) (string, error) {
	real, err := filepath.EvalSymlinks(dir)
	if err != nil {
		return "", err
	}
	return dirhash.HashDir(real, "", dirhash.Hash1)
}

// executable finds the program in a package: terraform-provider-TYPE, with
// anything behind an underscore or a dot.
func executable(dir string, p addr.Provider) (string, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return "", err
	}
	var names []string
	for _, e := range entries {
		rest, ok := strings.CutPrefix(e.Name(), "terraform-provider-"+p.Type)
		if ok && !e.IsDir() && (rest == "" || rest[0] == '_' || rest[0] == '.') {
			names = append(names, e.Name())
		}
	}
	if len(names) == 0 {
		return "", fmt.Errorf("there is no file named terraform-provider-%s* in %s", p.Type, dir)
	}
	sort.Strings(names)
	return filepath.Join(dir, names[0]), nil
}

// place puts a package at target: a link to an unpacked one, else the files of
// an archive. Whatever was there is replaced.
func place(f found, target string) error {
	if err := os.MkdirAll(filepath.Dir(target), 0o755); err != nil {
		return err
	}
	if f.unpacked {
		return link(f.path, target)
	}
	temp, err := os.MkdirTemp(filepath.Dir(target), ".new-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(temp)
	if err := extract(f.path, temp); err != nil {
		return err
	}
	if err := os.Chmod(temp, 0o755); err != nil {
		return err
	}
	if err := os.RemoveAll(target); err != nil {
		return err
	}
	return os.Rename(temp, target)
}

// link makes target a link to a directory, or a copy where links are not to be
// had.
func link(dir, target string) error {
	abs, err := filepath.Abs(dir)
	if err != nil {
		return err
	}
	if real, err := filepath.EvalSymlinks(target); err == nil {
		if same, err := filepath.EvalSymlinks(abs); err == nil && same == real {
			return nil
		}
	}
	if err := os.RemoveAll(target); err != nil {
		return err
	}
	if err := os.Symlink(abs, target); err == nil {
		return nil
	}
	return os.CopyFS(target, os.DirFS(abs))
}

const maxEntry = 4 << 30

// copyAtMost copies a text of at most n bytes; a longer one is an error, since a part
// of it is worth nothing.
func copyAtMost(to io.Writer, from io.Reader, n int64) error {
	got, err := io.Copy(to, io.LimitReader(from, n+1))
	if err == nil && got > n {
		err = fmt.Errorf("it has more than %d MiB", n>>20)
	}
	return err
}

// extract unpacks an archive into dir and nowhere else.
func extract(archive, dir string) error {
	z, err := zip.OpenReader(archive)
	if err != nil {
		return fmt.Errorf("the archive %s cannot be read: %w", archive, err)
	}
	defer z.Close()
	root, err := os.OpenRoot(dir)
	if err != nil {
		return err
	}
	defer root.Close()
	for _, f := range z.File {
		if err := extractFile(root, f); err != nil {
			return fmt.Errorf("%s in the archive %s: %w", f.Name, archive, err)
		}
	}
	return nil
}

func extractFile(root *os.Root, f *zip.File) error {
	name := filepath.FromSlash(strings.ReplaceAll(f.Name, `\`, "/"))
	if !filepath.IsLocal(name) {
		return errors.New("the path leads out of the package")
	}
	if f.FileInfo().IsDir() {
		return root.MkdirAll(name, 0o755)
	}
	if !f.Mode().IsRegular() {
		return errors.New("only files and directories can be in a package")
	}
	if err := root.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		return err
	}
	in, err := f.Open()
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := root.OpenFile(name, os.O_CREATE|os.O_EXCL|os.O_WRONLY, f.Mode().Perm()|0o644)
	if err != nil {
		return err
	}
	return errors.Join(copyAtMost(out, in, maxEntry), out.Close())
}
