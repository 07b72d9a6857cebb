package install

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"

	"github.com/apparentlymart/go-versions/versions"
	"github.com/plumb-iac/plumb/internal/settings"
)

// credentials give the token for a host, "" for none.
type credentials func(ctx context.Context, host string) (string, error)

// fixed are credentials that are written down.
func fixed(token func(host string) string) credentials {
	return func(_ context.Context, host string) (string, error) { return token(host), nil }
}

// or asks others where c has none.
func (c credentials) or(others credentials) credentials {
	return func(ctx context.Context, host string) (string, error) {
		if token, err := c(ctx, host); err != nil || token != "" {
			return token, err
		}
		return others(ctx, host)
	}
}

// helped are the credentials that a program knows, which is in one of the directories
// of plugins. It is asked once for each host.
func helped(h *settings.CredentialsHelper, plugins []string) credentials {
	if h == nil {
		return fixed(func(string) string { return "" })
	}
	p := &helper{name: "terraform-credentials-" + h.Name, args: h.Args, dirs: plugins, answers: map[string]func() (string, error){}}
	return p.token
}

// helper is a program that knows credentials. Its protocol is Terraform's: it gets a
// verb and a host as its last arguments, and answers with the attributes of a
// credentials block in JSON.
type helper struct {
	name       string
	args, dirs []string

	mu      sync.Mutex
	answers map[string]func() (string, error)
}

func (h *helper) token(ctx context.Context, host string) (string, error) {
	h.mu.Lock()
	answer, asked := h.answers[host]
	if !asked {
		answer = sync.OnceValues(func() (string, error) { return h.ask(ctx, host) })
		h.answers[host] = answer
	}
	h.mu.Unlock()
	return answer()
}

func (h *helper) ask(ctx context.Context, host string) (string, error) {
	program, err := h.find()
	if err != nil {
		return "", err
	}
	var said bytes.Buffer
	cmd := exec.CommandContext(ctx, program, append(append([]string{}, h.args...), "get", host)...)
	cmd.Stderr = &said
	out, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("the credentials helper %s has no answer for %s: %s", h.name, host, cmp.Or(strings.TrimSpace(said.String()), err.Error()))
	}
	var answer struct{ Token string }
	if err := json.Unmarshal(out, &answer); err != nil {
		return "", fmt.Errorf("the answer of the credentials helper %s for %s is no JSON object with a token", h.name, host) // it may have a secret
	}
	return answer.Token, nil
}

// find is the program: in a directory of plugins or in that of the platform there,
// the newest one of those that have a version in their names.
func (h *helper) find() (string, error) {
	for _, dir := range h.dirs {
		for _, at := range []string{dir, filepath.Join(dir, runtime.GOOS+"_"+runtime.GOARCH)} {
			if program := h.in(at); program != "" {
				return program, nil
			}
		}
	}
	return "", fmt.Errorf("the credentials helper %s, which the CLI configuration names, is in none of the directories where plugins are looked for: %s", h.name, strings.Join(h.dirs, ", "))
}

func (h *helper) in(dir string) string {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return ""
	}
	best, program := versions.Unspecified, ""
	for _, e := range entries {
		rest, is := strings.CutPrefix(strings.TrimSuffix(e.Name(), ".exe"), h.name)
		if !is || e.IsDir() {
			continue
		}
		if rest == "" {
			return filepath.Join(dir, e.Name())
		}
		v, err := versions.ParseVersion(strings.TrimPrefix(rest, "_v"))
		if err == nil && strings.HasPrefix(rest, "_v") && (program == "" || v.GreaterThan(best)) {
			best, program = v, filepath.Join(dir, e.Name())
		}
	}
	return program
}
