package settings

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/mattn/go-shellwords"
)

// Environment is the process environment, read for what concerns plumb.
type Environment struct{ vars map[string]string }

// NewEnvironment reads an environment in the form NAME=VALUE; the last value
// of a name counts.
func NewEnvironment(environ []string) Environment {
	vars := make(map[string]string, len(environ))
	for _, e := range environ {
		if name, value, ok := strings.Cut(e, "="); ok && name != "" {
			vars[name] = value
		}
	}
	return Environment{vars}
}

// Get is the value of a variable, "" when it is not set.
func (e Environment) Get(name string) string { return e.vars[name] }

// Lookup is the value of a variable and whether it is set.
func (e Environment) Lookup(name string) (string, bool) {
	v, ok := e.vars[name]
	return v, ok
}

// first is the first value set and not empty among names.
func (e Environment) first(names ...string) string {
	for _, n := range names {
		if v := e.vars[n]; v != "" {
			return v
		}
	}
	return ""
}

// DataDir is where a working directory keeps what init made: TF_DATA_DIR or
// .terraform.
func (e Environment) DataDir() string {
	if d := e.Get("TF_DATA_DIR"); d != "" {
		return d
	}
	return ".terraform"
}

// Input says whether people may be asked: TF_INPUT.
func (e Environment) Input() bool { return e.truth("TF_INPUT", true) }

// Workspace is TF_WORKSPACE, "" when the selection of the directory counts.
func (e Environment) Workspace() string { return e.Get("TF_WORKSPACE") }

// InAutomation says whether hints on what to run next are unwanted.
func (e Environment) InAutomation() bool { return e.Get("TF_IN_AUTOMATION") != "" }

// NoColor says whether colour is unwanted or would not be understood: NO_COLOR,
// or a terminal that is [Environment.Dumb].
func (e Environment) NoColor() bool { return e.Get("NO_COLOR") != "" || e.Dumb() }

// Dumb says whether the terminal knows no escape sequences: TERM.
func (e Environment) Dumb() bool { return e.Get("TERM") == "dumb" }

// Dialect is PLUMB_DIALECT, "" when it is not set.
func (e Environment) Dialect() string { return e.Get("PLUMB_DIALECT") }

// shortestPersist is the least that TF_STATE_PERSIST_INTERVAL may say, and the
// default.
const shortestPersist = 20 * time.Second

// PersistInterval is TF_STATE_PERSIST_INTERVAL, in seconds: how often a state that
// is kept elsewhere is stored while an apply goes on.
func (e Environment) PersistInterval() time.Duration {
	n, err := strconv.Atoi(e.Get("TF_STATE_PERSIST_INTERVAL"))
	if err != nil {
		return shortestPersist
	}
	return max(time.Duration(n)*time.Second, shortestPersist)
}

// Encryption is TF_ENCRYPTION: configuration of state and plan encryption.
func (e Environment) Encryption() string { return e.Get("TF_ENCRYPTION") }

// DisablePluginTLS says whether providers are talked to without encryption.
func (e Environment) DisablePluginTLS() bool { return e.Get("TF_DISABLE_PLUGIN_TLS") != "" }

// PluginCacheDir is TF_PLUGIN_CACHE_DIR.
func (e Environment) PluginCacheDir() string { return e.Get("TF_PLUGIN_CACHE_DIR") }

func (e Environment) truth(name string, otherwise bool) bool {
	v := e.Get(name)
	if v == "" {
		return otherwise
	}
	b, err := strconv.ParseBool(v)
	return b || err != nil
}

// Args are the additional arguments of a command, TF_CLI_ARGS_command before
// TF_CLI_ARGS: where both say something, the latter counts, as in the incumbents. The
// words of a nested command are joined by underscores.
func (e Environment) Args(command ...string) ([]string, error) {
	var out []string
	for _, name := range []string{"TF_CLI_ARGS_" + strings.Join(command, "_"), "TF_CLI_ARGS"} {
		v := e.Get(name)
		if v == "" {
			continue
		}
		words, err := shellwords.Parse(v)
		if err != nil {
			return nil, fmt.Errorf("the environment variable %s cannot be split into arguments: %w", name, err)
		}
		out = append(out, words...)
	}
	return out, nil
}

// Variables are the values of TF_VAR_name by name.
func (e Environment) Variables() map[string]string { return e.prefixed("TF_VAR_") }

func (e Environment) prefixed(prefix string) map[string]string {
	out := map[string]string{}
	for name, v := range e.vars {
		if rest, ok := strings.CutPrefix(name, prefix); ok && rest != "" {
			out[rest] = v
		}
	}
	return out
}

// Token is the token for a host given as TF_TOKEN_host, with underscores for
// dots and double ones for hyphens.
func (e Environment) Token(host string) string {
	for name, v := range e.prefixed("TF_TOKEN_") {
		h := strings.ReplaceAll(name, "__", "-")
		if strings.ReplaceAll(h, "_", ".") == host {
			return v
		}
	}
	return ""
}

// LogLevel says how much providers log and where to.
type LogLevel struct {
	// Provider is TRACE, DEBUG, INFO, WARN, ERROR or "".
	Provider string
	JSON     bool
	// Path is a file that log lines are appended to.
	Path string
}

// Log reads TF_LOG, TF_LOG_PROVIDER and TF_LOG_PATH.
func (e Environment) Log() LogLevel {
	l := LogLevel{Path: e.Get("TF_LOG_PATH")}
	l.Provider, l.JSON = level(e.first("TF_LOG_PROVIDER", "TF_LOG"))
	return l
}

// level reads a value of TF_LOG, and whether it asks for JSON. What is no level is the
// most detailed one.
func level(s string) (name string, asJSON bool) {
	switch s = strings.ToUpper(s); s {
	case "", "OFF":
		return "", false
	case "JSON":
		return "TRACE", true
	case "TRACE", "DEBUG", "INFO", "WARN", "ERROR":
		return s, false
	}
	return "TRACE", false
}
