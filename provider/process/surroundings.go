package process

import (
	"crypto/sha256"
	"path/filepath"
	"slices"
	"strings"
)

// surroundings stand for the name and the environment that a program runs under.
// Some providers have other schemas where a variable asks for a beta feature, and
// one program may be several providers by its name, so an answer serves the
// surroundings that it was given in.
type surroundings [16]byte

// indifferent are variables that no schema depends on but that differ from one
// terminal, directory or run to the next. A name that ends with _ stands for
// all that begin like it.
var indifferent = []string{
	"PWD", "OLDPWD", "SHLVL", "_", "TERM", "COLUMNS", "LINES", "WINDOWID", "TMPDIR",
	"SSH_", "TMUX_", "TF_VAR_", "TF_CLI_", "TF_LOG_", "TF_LOG", "TF_DATA_DIR", "TF_WORKSPACE", "TF_INPUT",
}

func surroundingsOf(program string, environ []string) surroundings {
	kept := slices.DeleteFunc(slices.Clone(environ), func(v string) bool {
		name, _, _ := strings.Cut(v, "=")
		return slices.ContainsFunc(indifferent, func(i string) bool {
			return name == i || len(i) > 1 && strings.HasSuffix(i, "_") && strings.HasPrefix(name, i)
		})
	})
	slices.Sort(kept)
	sum := sha256.Sum256([]byte(filepath.Base(program) + "\x00" + strings.Join(kept, "\x00")))
	return surroundings(sum[:16])
}
