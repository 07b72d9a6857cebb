package planfile

import (
	"archive/zip"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/plumb-iac/plumb/plan"
	"github.com/plumb-iac/plumb/state"
	v4 "github.com/plumb-iac/plumb/state/v4"
)

// NotPlan is the error of a file that is no plan file of this program. Its
// text says what it is instead.
type NotPlan struct{ Reason string }

// Error is the reason.
func (e *NotPlan) Error() string { return e.Reason }

func notPlan(format string, args ...any) error { return &NotPlan{fmt.Sprintf(format, args...)} }

// Looks says whether a file may be a plan file by how it begins.
func Looks(head []byte) bool { return len(head) >= len(magic) && string(head[:len(magic)]) == magic }

// Read reads a plan file that was written by the same version of the program.
func Read(r io.ReaderAt, size int64, version string) (*Content, error) {
	head := make([]byte, len(magic))
	if n, _ := r.ReadAt(head, 0); !Looks(head[:n]) {
		return nil, notPlan("The file is not a plan file: it does not have the form that \"plan -out\" writes.")
	}
	z, err := zip.NewReader(r, size)
	if err != nil {
		return nil, notPlan("The file begins like a plan file and cannot be read as one (%s). It may be damaged or cut short.", err)
	}
	u := &unpacker{files: map[string]*zip.File{}}
	for _, f := range z.File {
		u.files[f.Name] = f
	}
	if err := u.recognise(); err != nil {
		return nil, err
	}
	return u.content(version)
}

// unpacker reads entries until the first error.
type unpacker struct {
	files map[string]*zip.File
	err   error
}

func (u *unpacker) recognise() error {
	switch {
	case u.files[entryPlan] != nil:
		return nil
	case u.files["tfplan"] != nil:
		return notPlan("The plan was made by Terraform or OpenTofu. Plan files are private to the program that makes them: plan again with plumb.")
	}
	return notPlan("The file is a zip archive, but not a plan file.")
}

func (u *unpacker) content(version string) (*Content, error) {
	var head documentRow
	u.json(entryPlan, &head)
	switch {
	case u.err != nil:
		return nil, u.err
	case head.Format != format:
		return nil, notPlan("The plan file has format %d and this is a program for format %d. Apply it with the version of plumb that made it (%s), or plan again.", head.Format, format, head.Version)
	case head.Version != version:
		return nil, notPlan("The plan was made by plumb %s and this is plumb %s. A plan is applied by the version that made it: plan again, or use that version.", head.Version, version)
	}
	d := &decoder{}
	var texts []string
	u.json(entryTypes, &texts)
	u.fail(d.readTypes(texts))
	c := &Content{Document: d.document(&head), Providers: head.Providers}
	c.Document.Changes = u.lines(entryChanges, d)
	c.Document.Drift = u.lines(entryDrift, d)
	u.fail(d.err)
	u.states(c.Document, head.SameState)
	u.sources(c)
	if u.err != nil {
		return nil, u.err
	}
	return c, nil
}

func (u *unpacker) fail(err error) {
	if u.err == nil && err != nil {
		u.err = notPlan("The plan file is damaged: %s.", err)
	}
}

func (u *unpacker) open(name string) io.ReadCloser {
	f := u.files[name]
	if f == nil {
		u.fail(fmt.Errorf("it has no entry %s", name))
	}
	if u.err != nil {
		return nil
	}
	r, err := f.Open()
	u.fail(err)
	return r
}

func (u *unpacker) json(name string, into any) {
	if r := u.open(name); r != nil {
		u.fail(json.NewDecoder(r).Decode(into))
		u.fail(r.Close())
	}
}

func (u *unpacker) bytes(name string) []byte {
	r := u.open(name)
	if r == nil {
		return nil
	}
	b, err := io.ReadAll(r)
	u.fail(err)
	u.fail(r.Close())
	return b
}

func (u *unpacker) lines(name string, d *decoder) []*plan.Change {
	r := u.open(name)
	if r == nil {
		return nil
	}
	var out []*plan.Change
	for in := json.NewDecoder(r); u.err == nil; {
		var row changeRow
		if err := in.Decode(&row); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			u.fail(err)
			break
		}
		out = append(out, d.change(&row))
		u.fail(d.err)
	}
	u.fail(r.Close())
	return out
}

func (u *unpacker) states(d *plan.Document, same bool) {
	d.Prior = u.state(entryPrior)
	d.PrevRun = d.Prior
	if !same {
		d.PrevRun = u.state(entryPrev)
	}
}

func (u *unpacker) state(name string) *state.Snapshot {
	if u.files[name] == nil {
		return nil
	}
	s, diags := v4.Parse(u.bytes(name))
	for _, d := range diags.Errors() {
		u.fail(fmt.Errorf("its state cannot be read: %s", d.Detail))
	}
	return s
}

func (u *unpacker) sources(c *Content) {
	var names []string
	u.json(dirConfig+"index.json", &names)
	c.Sources = make(map[string][]byte, len(names))
	for i, n := range names {
		c.Sources[n] = u.bytes(fmt.Sprintf("%s%d", dirConfig, i))
	}
	if u.files[entryModules] != nil {
		c.Modules = u.bytes(entryModules)
	}
	if u.files[entryLock] != nil {
		c.Lock = u.bytes(entryLock)
	}
}
