package lockfile

import (
	"slices"
	"sort"
	"strings"

	"github.com/hashicorp/hcl/v2/hclwrite"
	"github.com/plumb-iac/plumb/addr"
	"github.com/zclconf/go-cty/cty"
)

// Name is the file's name in a working directory.
const Name = ".terraform.lock.hcl"

const (
	header     = "# This file is maintained automatically by \"terraform init\".\n"
	tofuHeader = "# This file is maintained automatically by \"tofu init\".\n"
	headerTail = "# Manual edits may be lost in future updates.\n"
)

// Lock is the choice of one provider.
type Lock struct {
	Provider addr.Provider
	Version  string
	// Constraints are those that the version was chosen by, normalised.
	Constraints string
	// Hashes are sorted and unique: h1: of the unpacked package, zh: of the
	// archive.
	Hashes []string
}

// File is a lock file. The zero value is not usable; see [New] and [Parse].
type File struct {
	locks map[addr.Provider]Lock
	// tofu is set for a file that OpenTofu began.
	tofu bool
}

// New is a lock file without choices.
func New() *File { return &File{locks: map[addr.Provider]Lock{}} }

// Lock is the choice of a provider.
func (f *File) Lock(p addr.Provider) (Lock, bool) {
	l, ok := f.locks[p]
	return l, ok
}

// Locks are all choices, sorted by host, namespace and type.
func (f *File) Locks() []Lock {
	out := make([]Lock, 0, len(f.locks))
	for _, l := range f.locks {
		out = append(out, l)
	}
	sort.Slice(out, func(i, j int) bool { return less(out[i].Provider, out[j].Provider) })
	return out
}

func less(a, b addr.Provider) bool {
	if a.Host != b.Host {
		return a.Host < b.Host
	}
	if a.Namespace != b.Namespace {
		return a.Namespace < b.Namespace
	}
	return a.Type < b.Type
}

// With is f with a choice added or replaced.
func (f *File) With(l Lock) *File {
	if l.Provider.IsBuiltin() {
		return f
	}
	l.Hashes = unique(l.Hashes)
	out := f.copy()
	out.locks[l.Provider] = l
	return out
}

// InStyleOf is f with the heading of another file.
func (f *File) InStyleOf(o *File) *File {
	out := f.copy()
	out.tofu = o.tofu
	return out
}

func (f *File) copy() *File {
	out := &File{locks: make(map[addr.Provider]Lock, len(f.locks)+1), tofu: f.tofu}
	for p, l := range f.locks {
		out.locks[p] = l
	}
	return out
}

// Equal says whether two files hold the same choices.
func (f *File) Equal(o *File) bool {
	if len(f.locks) != len(o.locks) {
		return false
	}
	for p, l := range f.locks {
		m, ok := o.locks[p]
		if !ok || l.Version != m.Version || l.Constraints != m.Constraints || !slices.Equal(l.Hashes, m.Hashes) {
			return false
		}
	}
	return true
}

// SameProviders says whether two files are about the same providers.
func (f *File) SameProviders(o *File) bool {
	for p := range f.locks {
		if _, ok := o.locks[p]; !ok {
			return false
		}
	}
	return len(f.locks) == len(o.locks)
}

// Bytes is the file's text.
func (f *File) Bytes() []byte {
	var b strings.Builder
	if f.tofu {
		b.WriteString(tofuHeader)
	} else {
		b.WriteString(header)
	}
	b.WriteString(headerTail)
	for _, l := range f.Locks() {
		b.WriteString("\nprovider " + quote(l.Provider.String()) + " {\n")
		if l.Constraints != "" {
			b.WriteString("  version     = " + quote(l.Version) + "\n  constraints = " + quote(l.Constraints) + "\n")
		} else {
			b.WriteString("  version = " + quote(l.Version) + "\n")
		}
		if len(l.Hashes) > 0 {
			b.WriteString("  hashes = [\n")
			for _, h := range l.Hashes {
				b.WriteString("    " + quote(h) + ",\n")
			}
			b.WriteString("  ]\n")
		}
		b.WriteString("}\n")
	}
	return []byte(b.String())
}

func quote(s string) string {
	return string(hclwrite.TokensForValue(cty.StringVal(s)).Bytes())
}

func unique(in []string) []string {
	out := slices.Clone(in)
	slices.Sort(out)
	return slices.Compact(out)
}
