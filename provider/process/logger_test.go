package process

import (
	"bytes"
	"log/slog"
	"strings"
	"testing"

	"github.com/hashicorp/go-hclog"
)

func TestLogger(t *testing.T) {
	var out bytes.Buffer
	drop := func(_ []string, a slog.Attr) slog.Attr {
		if a.Key == slog.TimeKey {
			return slog.Attr{}
		}
		return a
	}
	l := newLogger(slog.New(slog.NewTextHandler(&out, &slog.HandlerOptions{Level: slog.LevelInfo, ReplaceAttr: drop})))
	if l.GetLevel() != hclog.Info || l.IsDebug() || !l.IsWarn() {
		t.Errorf("level is %s", l.GetLevel())
	}
	l.Debug("unheard")
	l.Named("a").Named("b").With("k", 1).Warn("heard", "x", "y z")
	if got, want := out.String(), "level=WARN msg=heard k=1 x=\"y z\" module=a.b\n"; got != want {
		t.Errorf("got %s", got)
	}
	if off := newLogger(nil); off.GetLevel() != hclog.Off || off.IsError() {
		t.Error("no logger is not off")
	}
}

// TestEnviron: a program is told how much to log, unless the user said so.
func TestEnviron(t *testing.T) {
	info := slog.New(slog.NewTextHandler(&bytes.Buffer{}, nil))
	for _, c := range []struct {
		l    Launch
		want string
	}{
		{Launch{Environ: []string{"A=b"}}, "A=b TF_LOG_SDK=OFF TF_LOG_PROVIDER=OFF"},
		{Launch{Environ: []string{"TF_LOG_SDK=TRACE"}}, "TF_LOG_SDK=TRACE TF_LOG_PROVIDER=OFF"},
		{Launch{Logger: info}, "TF_LOG_SDK=INFO TF_LOG_PROVIDER=INFO"},
	} {
		if got := strings.Join(c.l.environ(), " "); got != c.want {
			t.Errorf("got %s, want %s", got, c.want)
		}
	}
}
