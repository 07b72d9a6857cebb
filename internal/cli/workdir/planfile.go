package workdir

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"

	"github.com/plumb-iac/plumb/diag"
	"github.com/plumb-iac/plumb/internal/encryption"
	"github.com/plumb-iac/plumb/internal/osfiles"
	"github.com/plumb-iac/plumb/plan/planfile"
)

// WritePlan writes a plan file, encrypted as plans are here. It may hold values
// in the clear, so nobody but the owner may read it.
func (d *Dir) WritePlan(ctx context.Context, name string, c *planfile.Content) diag.List {
	err := osfiles.Replace(name, osfiles.Replacement{Private: true, Content: func(w io.Writer) error {
		how := d.crypt.Plan()
		if how.Plain() {
			return planfile.Write(w, c)
		}
		var plain bytes.Buffer
		if err := planfile.Write(&plain, c); err != nil {
			return err
		}
		sealed, err := how.Seal(ctx, plain.Bytes())
		if err == nil {
			_, err = w.Write(sealed)
		}
		return err
	}})
	if err != nil {
		return diag.List{diag.Err("Failed to write plan file", "The plan file could not be written, and what was there is as it was: "+err.Error()+".").By(diag.Operator)}
	}
	return nil
}

// IsPlan says whether a file is a plan file by how it looks.
func IsPlan(name string) bool {
	f, err := os.Open(name)
	if err != nil {
		return false
	}
	defer f.Close()
	head := make([]byte, 2)
	if n, _ := io.ReadFull(f, head); n == 0 || planfile.Looks(head[:n]) {
		return n > 0
	}
	src, err := os.ReadFile(name)
	return err == nil && encryption.FormOf(src) == encryption.EncryptedPlan
}

// ReadPlan reads a plan file that was written by this version of the program.
func (d *Dir) ReadPlan(ctx context.Context, name, version string) (*planfile.Content, diag.List) {
	refused := func(detail string) (*planfile.Content, diag.List) {
		return nil, diag.List{diag.Err("Failed to load \""+name+"\" as a plan file", detail).By(diag.Operator)}
	}
	info, err := os.Stat(name)
	switch {
	case err != nil:
		return refused("Error: " + err.Error())
	case info.IsDir():
		return refused("The path is a directory and not a plan file. To work in this directory, use the global option -chdir.")
	}
	f, err := os.Open(name)
	if err != nil {
		return refused("Error: " + err.Error())
	}
	defer f.Close()
	plain, size, diags := d.plainPlan(ctx, f, info.Size())
	if diags.HasErrors() {
		return nil, diags
	}
	content, err := planfile.Read(plain, size, version)
	var not *planfile.NotPlan
	if errors.As(err, &not) {
		return refused(not.Reason)
	}
	if err != nil {
		return refused("Error: " + err.Error())
	}
	return content, diags
}

// plainPlan decrypts a plan file, and refuses one that is in the clear where it
// should not be.
func (d *Dir) plainPlan(ctx context.Context, f *os.File, size int64) (io.ReaderAt, int64, diag.List) {
	asked, diags := d.encryptAsHere()
	head := make([]byte, 2)
	_, _ = f.ReadAt(head, 0)
	if planfile.Looks(head) && !asked {
		return f, size, nil // the plan has its own configuration, whatever is wrong with the one here
	}
	if diags.HasErrors() {
		return nil, 0, diags
	}
	src, err := io.ReadAll(io.NewSectionReader(f, 0, size))
	if err != nil {
		return nil, 0, diag.List{diag.Err("Failed to read the plan file", err.Error()+".").By(diag.Operator)}
	}
	if d.crypt.Plan() == nil && encryption.FormOf(src) != encryption.NotEncrypted {
		return nil, 0, diag.List{diag.Err("The plan file is encrypted", "The given plan file is encrypted and requires a valid encryption configuration to decrypt: the encryption block, or the TF_ENCRYPTION, that it was made with.").By(diag.Operator)}
	}
	opened, err := d.crypt.Plan().Open(ctx, src)
	if err != nil {
		return nil, 0, encryption.Diags(err, "")
	}
	return bytes.NewReader(opened.Plain), int64(len(opened.Plain)), diags
}
