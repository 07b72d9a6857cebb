package settings

import (
	"io/fs"
	"path"
	"slices"
	"sort"
	"strings"

	"github.com/plumb-iac/plumb/addr"
	"github.com/plumb-iac/plumb/diag"
)

// Files reads files. os.ReadFile and os.ReadDir have its shape.
type Files interface {
	ReadFile(name string) ([]byte, error)
	ReadDir(name string) ([]fs.DirEntry, error)
}

// CLI is the CLI configuration.
type CLI struct {
	// Methods are the provider_installation methods in order. Nil when there is
	// no such block: see [ImpliedDirs].
	Methods []Method
	// DevOverrides are directories with providers under development.
	DevOverrides map[addr.Provider]string
	// PluginCacheDir holds packages shared between working directories.
	PluginCacheDir          string
	PluginCacheMayBreakLock bool
	// Tokens are the credentials by host.
	Tokens map[string]string
	Helper *CredentialsHelper
	// Services override what hosts say about themselves.
	Services map[string]map[string]string
	Network  Network
	// Dialect is the dialect asked for, "" for none.
	Dialect string
	// Files are those that were read.
	Files []string
}

// CredentialsHelper is a program that knows credentials: terraform-credentials- and
// its name, with what it is told before the question.
type CredentialsHelper struct {
	Name string
	Args []string
}

// MethodKind is a way of obtaining provider packages.
type MethodKind uint8

// The kinds. The zero value is invalid.
const (
	InvalidMethod MethodKind = iota
	Direct
	FilesystemMirror
	NetworkMirror
	OCIMirror
)

// String is the block type.
func (k MethodKind) String() string {
	return [...]string{"invalid", "direct", "filesystem_mirror", "network_mirror", "oci_mirror"}[k]
}

// Method is one provider installation method.
type Method struct {
	Kind MethodKind
	// Location is the directory, URL or repository template.
	Location         string
	Include, Exclude []Pattern
}

// Takes says whether the method is to be asked for a provider.
func (m Method) Takes(p addr.Provider) bool {
	matching := func(x Pattern) bool { return x.Matches(p) }
	return !slices.ContainsFunc(m.Exclude, matching) && (len(m.Include) == 0 || slices.ContainsFunc(m.Include, matching))
}

// Pattern selects providers; "*" stands for any part.
type Pattern struct{ Host, Namespace, Type string }

// ParsePattern reads [HOST/]NAMESPACE/TYPE with wildcards.
func ParsePattern(s, defaultHost string) (Pattern, bool) {
	parts := strings.Split(strings.ToLower(s), "/")
	p := Pattern{Host: defaultHost}
	switch len(parts) {
	case 1:
		p.Namespace, p.Type = "hashicorp", parts[0]
		if parts[0] == "*" {
			p = Pattern{"*", "*", "*"}
		}
	case 2:
		p.Namespace, p.Type = parts[0], parts[1]
		if parts[0] == "*" {
			p.Host = "*"
		}
	case 3:
		p = Pattern{parts[0], parts[1], parts[2]}
	default:
		return p, false
	}
	return p, p.Host != "" && p.Namespace != "" && p.Type != ""
}

// Matches says whether the pattern selects p.
func (x Pattern) Matches(p addr.Provider) bool {
	same := func(pattern, s string) bool { return pattern == "*" || pattern == s }
	return same(x.Host, p.Host) && same(x.Namespace, p.Namespace) && same(x.Type, p.Type)
}

// Load finds and reads the CLI configuration files.
func Load(files Files, env Environment, goos, defaultHost string) (CLI, diag.List) {
	cli := CLI{DevOverrides: map[addr.Provider]string{}, Tokens: map[string]string{}, Services: map[string]map[string]string{}, Network: defaultNetwork()}
	var diags diag.List
	for _, name := range candidates(files, env, goos) {
		src, err := files.ReadFile(name.path)
		if err != nil {
			if name.named {
				diags = diags.Append(diag.Warn("Unable to open CLI configuration file", "The file "+name.path+", which TF_CLI_CONFIG_FILE names, cannot be read: "+err.Error()+". It is ignored.").By(diag.Operator))
			}
			continue
		}
		cli.Files = append(cli.Files, name.path)
		r := reader{cli: &cli, env: env, defaultHost: defaultHost}
		r.read(name.path, src)
		diags = diags.With(r.diags)
	}
	if dir := env.PluginCacheDir(); dir != "" {
		cli.PluginCacheDir = dir
	}
	if env.truth("TF_PLUGIN_CACHE_MAY_BREAK_DEPENDENCY_LOCK_FILE", false) {
		cli.PluginCacheMayBreakLock = true
	}
	cli.Network.override(env)
	return cli, diags
}

type candidate struct {
	path string
	// named files have to exist.
	named bool
}

// candidates are the files to read, in order.
func candidates(files Files, env Environment, goos string) []candidate {
	if name := env.first("TF_CLI_CONFIG_FILE", "TERRAFORM_CONFIG"); name != "" {
		return []candidate{{name, true}}
	}
	var out []candidate
	for _, name := range mainFiles(env, goos) {
		if _, err := files.ReadFile(name); err == nil {
			out = append(out, candidate{path: name})
			break
		}
	}
	dir := ConfigDir(env, goos)
	if dir == "" {
		return out
	}
	entries, err := files.ReadDir(dir)
	if err != nil {
		return out
	}
	var names []string
	for _, e := range entries {
		if n := e.Name(); !e.IsDir() && (strings.HasSuffix(n, ".tfrc") || strings.HasSuffix(n, ".tfrc.json")) {
			names = append(names, n)
		}
	}
	sort.Strings(names)
	for _, n := range names {
		out = append(out, candidate{path: path.Join(dir, n)})
	}
	return out
}

func mainFiles(env Environment, goos string) []string {
	if goos == "windows" {
		if dir := env.Get("APPDATA"); dir != "" {
			return []string{path.Join(dir, "plumb.rc"), path.Join(dir, "terraform.rc"), path.Join(dir, "tofu.rc")}
		}
		return nil
	}
	home := env.Get("HOME")
	if home == "" {
		return nil
	}
	config := env.Get("XDG_CONFIG_HOME")
	if config == "" {
		config = path.Join(home, ".config")
	}
	return []string{path.Join(home, ".plumbrc"), path.Join(home, ".terraformrc"), path.Join(home, ".tofurc"), path.Join(config, "opentofu", "tofurc")}
}

// ConfigDir is the directory of further configuration files and of the
// credentials that login stores.
func ConfigDir(env Environment, goos string) string {
	if goos == "windows" {
		if dir := env.Get("APPDATA"); dir != "" {
			return path.Join(dir, "terraform.d")
		}
		return ""
	}
	if home := env.Get("HOME"); home != "" {
		return path.Join(home, ".terraform.d")
	}
	return ""
}

// ImpliedDirs are the directories that are mirrors of providers where no
// provider_installation block says otherwise. What is found there is not
// looked for in registries.
func ImpliedDirs(env Environment, goos string) []string {
	out := []string{"terraform.d/plugins"}
	if dir := ConfigDir(env, goos); dir != "" {
		out = append(out, path.Join(dir, "plugins"))
	}
	home := env.Get("HOME")
	switch {
	case goos == "windows":
		return out
	case goos == "darwin" && home != "":
		return append(out, path.Join(home, "Library/Application Support/io.terraform/plugins"), "/Library/Application Support/io.terraform/plugins")
	}
	data := env.Get("XDG_DATA_HOME")
	if data == "" && home != "" {
		data = path.Join(home, ".local/share")
	}
	dirs := strings.Split(env.Get("XDG_DATA_DIRS"), ":")
	if env.Get("XDG_DATA_DIRS") == "" {
		dirs = []string{"/usr/local/share", "/usr/share"}
	}
	for _, dir := range append([]string{data}, dirs...) {
		if dir != "" {
			out = append(out, path.Join(dir, "terraform/plugins"), path.Join(dir, "opentofu/plugins"))
		}
	}
	return out
}
