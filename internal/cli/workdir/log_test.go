package workdir

import (
	"bytes"
	"context"
	"encoding/json"
	"log/slog"
	"strings"
	"testing"
)

// Log lines have the keys and the names of levels that tools look for.
func TestLogLines(t *testing.T) {
	var lines, text bytes.Buffer
	const trace = slog.LevelDebug - 4
	slog.New(slog.NewJSONHandler(&lines, &slog.HandlerOptions{Level: trace, ReplaceAttr: asTools})).Log(context.Background(), trace, "m", "k", 1)
	slog.New(slog.NewTextHandler(&text, &slog.HandlerOptions{Level: trace, ReplaceAttr: named})).Log(context.Background(), trace, "m")
	var got map[string]any
	if err := json.Unmarshal(lines.Bytes(), &got); err != nil {
		t.Fatal(err)
	}
	if got["@level"] != "trace" || got["@message"] != "m" || got["@timestamp"] == nil || got["k"] != 1.0 {
		t.Error(got)
	}
	if !strings.Contains(text.String(), "level=TRACE msg=m") {
		t.Error(text.String())
	}
}
