package lockfile

import "slices"

// The schemes of hashes.
const (
	// UnpackedScheme is the hash of a package's files.
	UnpackedScheme = "h1:"
	// ArchiveScheme is the SHA-256 of a package's archive.
	ArchiveScheme = "zh:"
)

// Accepts says whether any of a package's hashes is one that is locked. A lock
// without hashes of the schemes given accepts nothing; one without any hashes
// accepts everything.
func (l Lock) Accepts(hashes ...string) bool {
	if len(l.Hashes) == 0 {
		return true
	}
	return slices.ContainsFunc(hashes, func(h string) bool { return slices.Contains(l.Hashes, h) })
}

// Learning is l with more hashes.
func (l Lock) Learning(hashes ...string) Lock {
	l.Hashes = unique(append(append([]string{}, l.Hashes...), hashes...))
	return l
}
