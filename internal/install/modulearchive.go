package install

import (
	"archive/tar"
	"compress/bzip2"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"strings"
)

// archiveForms are the forms of archives by the ends of their names.
var archiveForms = []struct{ end, form string }{
	{".zip", "zip"}, {".tar.gz", "tar.gz"}, {".tgz", "tar.gz"}, {".tar.bz2", "tar.bz2"}, {".tbz2", "tar.bz2"},
	{".tar.xz", "tar.xz"}, {".txz", "tar.xz"}, {".tar", "tar"},
}

// archiveForm is a form of [archiveForms], or "" when the address is not of an
// archive.
func archiveForm(from moduleSource) string {
	name := from.url.Path
	if from.archive != "" {
		name = "." + from.archive
	}
	for _, f := range archiveForms {
		if strings.HasSuffix(name, f.end) {
			return f.form
		}
	}
	return ""
}

// unpack unpacks an archive of a form into a directory that is made for it.
func (f fetcher) unpack(name, form, target string) error {
	if form == "" {
		return errors.New("the file is no archive (.zip, .tar.gz, .tar.bz2, .tar.xz)")
	}
	if err := os.MkdirAll(target, 0o755); err != nil {
		return err
	}
	if form == "zip" {
		return extract(name, target)
	}
	in, err := os.Open(name)
	if err != nil {
		return err
	}
	defer in.Close()
	switch form {
	case "tar.gz":
		z, err := gzip.NewReader(in)
		if err != nil {
			return fmt.Errorf("the archive cannot be read: %w", err)
		}
		return extractTar(z, target)
	case "tar.bz2":
		return extractTar(bzip2.NewReader(in), target)
	case "tar.xz":
		return f.unpackXZ(in, target)
	}
	return extractTar(in, target)
}

// unpackXZ has the program xz decompress.
func (f fetcher) unpackXZ(in io.Reader, target string) error {
	cmd := exec.CommandContext(f.ctx, "xz", "--decompress", "--stdout")
	cmd.Stdin, cmd.Env = in, f.env
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if errors.Is(err, exec.ErrNotFound) {
		return errors.New("the program xz is needed to unpack the module and is not installed")
	}
	if err != nil {
		return err
	}
	err = extractTar(out, target)
	if _, rest := io.Copy(io.Discard, out); err == nil {
		err = rest
	}
	return errors.Join(err, cmd.Wait())
}

// extractTar unpacks a tar file into dir and nowhere else.
func extractTar(in io.Reader, dir string) error {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return err
	}
	defer root.Close()
	for t := tar.NewReader(in); ; {
		h, err := t.Next()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return fmt.Errorf("the archive cannot be read: %w", err)
		}
		if err := extractTarFile(root, h, t); err != nil {
			return fmt.Errorf("%s in the archive: %w", h.Name, err)
		}
	}
}

func extractTarFile(root *os.Root, h *tar.Header, in io.Reader) error {
	name := filepath.FromSlash(path.Clean(h.Name))
	if name == "." || h.Typeflag == tar.TypeXGlobalHeader {
		return nil
	}
	if !filepath.IsLocal(name) {
		return errors.New("the path leads out of the package")
	}
	switch h.Typeflag {
	case tar.TypeDir:
		return root.MkdirAll(name, 0o755)
	case tar.TypeSymlink:
		return root.Symlink(h.Linkname, name)
	case tar.TypeReg:
	default:
		return nil
	}
	if err := root.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		return err
	}
	out, err := root.OpenFile(name, os.O_CREATE|os.O_TRUNC|os.O_WRONLY, 0o644|os.FileMode(h.Mode)&0o111)
	if err != nil {
		return err
	}
	return errors.Join(copyAtMost(out, in, maxEntry), out.Close())
}
