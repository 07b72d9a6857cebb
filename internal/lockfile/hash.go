package lockfile

import "strings"

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
	for _, h := range hashes {
		for _, known := range l.Hashes {
			if h == known {
				return true
			}
		}
	}
	return false
}

// Knows says whether the lock has hashes of a scheme.
func (l Lock) Knows(scheme string) bool {
	for _, h := range l.Hashes {
		if strings.HasPrefix(h, scheme) {
			return true
		}
	}
	return false
}

// Learning is l with more hashes.
func (l Lock) Learning(hashes ...string) Lock {
	l.Hashes = unique(append(append([]string{}, l.Hashes...), hashes...))
	return l
}
