package config

import (
	"path"
	"strings"

	"github.com/plumb-iac/plumb/addr"
)

// SameSource says whether a source as the manifest records it is the source
// that a call names.
func SameSource(recorded, called string) bool {
	return recorded == called || NormalSource(recorded, "") == NormalSource(called, "")
}

// NormalSource is a source in the form of the manifest: local paths cleaned,
// registry addresses with their host.
func NormalSource(source, defaultHost string) string {
	if IsLocalSource(source) {
		s := path.Clean(slashed(source))
		if !strings.HasPrefix(s, "..") {
			s = "./" + strings.TrimPrefix(s, "./")
		}
		return s
	}
	if defaultHost == "" {
		defaultHost = addr.DefaultHost
	}
	if IsRegistrySource(source) && strings.Count(beforeSubdir(source), "/") == 2 {
		return defaultHost + "/" + source
	}
	if path.IsAbs(source) {
		return "file://" + source
	}
	return source
}

// IsRegistrySource says whether a source is an address in a module registry:
// [HOST/]NAMESPACE/NAME/SYSTEM, with //SUBDIR behind it or not.
func IsRegistrySource(source string) bool {
	if IsLocalSource(source) || strings.ContainsAny(source, ":?@ ") {
		return false
	}
	parts := strings.Split(beforeSubdir(source), "/")
	switch len(parts) {
	case 3:
	case 4:
		if !strings.Contains(parts[0], ".") && !strings.Contains(parts[0], ":") {
			return false
		}
		parts = parts[1:]
	default:
		return false
	}
	for _, p := range parts {
		if p == "" || strings.Contains(p, ".") {
			return false
		}
	}
	return true
}

// isNoSource says whether nothing can be made of a source, whoever fetches it:
// it has no form of an address and no well-known host.
func isNoSource(source string) bool {
	if IsLocalSource(source) || IsRegistrySource(source) || strings.ContainsAny(source, ":") || strings.HasPrefix(source, "/") {
		return false
	}
	host, _, _ := strings.Cut(source, "/")
	return !strings.Contains(host, ".")
}

func beforeSubdir(source string) string {
	s, _, _ := strings.Cut(source, "//")
	return s
}
