package process

import (
	"context"
	"log/slog"

	"github.com/hashicorp/go-hclog"
)

// logger gives go-plugin, which speaks hclog, a slog.Logger. What it does not
// define itself does nothing.
type logger struct {
	hclog.Logger
	to    *slog.Logger
	name  string
	level hclog.Level
}

// levelTrace is below slog's lowest named level.
const levelTrace = slog.LevelDebug - 4

var levels = map[hclog.Level]slog.Level{
	hclog.NoLevel: slog.LevelDebug,
	hclog.Trace:   levelTrace,
	hclog.Debug:   slog.LevelDebug,
	hclog.Info:    slog.LevelInfo,
	hclog.Warn:    slog.LevelWarn,
	hclog.Error:   slog.LevelError,
}

// newLogger adapts to, which may be nil. A logger that wants nothing is off,
// which spares the parsing of what providers write.
func newLogger(to *slog.Logger) hclog.Logger {
	l := &logger{Logger: hclog.NewNullLogger(), to: to, level: hclog.Off}
	if to == nil {
		return l
	}
	for level := hclog.Error; level >= hclog.Trace; level-- {
		if to.Enabled(context.Background(), levels[level]) {
			l.level = level
		}
	}
	return l
}

// Log implements hclog.Logger.
func (l *logger) Log(level hclog.Level, msg string, args ...any) {
	if l.to == nil || level < l.level {
		return
	}
	if l.name != "" {
		args = append(args, "module", l.name)
	}
	l.to.Log(context.Background(), levels[level], msg, args...)
}

// Trace implements hclog.Logger.
func (l *logger) Trace(msg string, args ...any) { l.Log(hclog.Trace, msg, args...) }

// Debug implements hclog.Logger.
func (l *logger) Debug(msg string, args ...any) { l.Log(hclog.Debug, msg, args...) }

// Info implements hclog.Logger.
func (l *logger) Info(msg string, args ...any) { l.Log(hclog.Info, msg, args...) }

// Warn implements hclog.Logger.
func (l *logger) Warn(msg string, args ...any) { l.Log(hclog.Warn, msg, args...) }

// Error implements hclog.Logger.
func (l *logger) Error(msg string, args ...any) { l.Log(hclog.Error, msg, args...) }

// IsTrace implements hclog.Logger.
func (l *logger) IsTrace() bool { return l.level <= hclog.Trace }

// IsDebug implements hclog.Logger.
func (l *logger) IsDebug() bool { return l.level <= hclog.Debug }

// IsInfo implements hclog.Logger.
func (l *logger) IsInfo() bool { return l.level <= hclog.Info }

// IsWarn implements hclog.Logger.
func (l *logger) IsWarn() bool { return l.level <= hclog.Warn }

// IsError implements hclog.Logger.
func (l *logger) IsError() bool { return l.level <= hclog.Error }

// GetLevel implements hclog.Logger.
func (l *logger) GetLevel() hclog.Level { return l.level }

// Name implements hclog.Logger.
func (l *logger) Name() string { return l.name }

// With implements hclog.Logger.
func (l *logger) With(args ...any) hclog.Logger {
	next := *l
	if l.to != nil {
		next.to = l.to.With(args...)
	}
	return &next
}

// Named implements hclog.Logger.
func (l *logger) Named(name string) hclog.Logger {
	if l.name != "" {
		name = l.name + "." + name
	}
	return l.ResetNamed(name)
}

// ResetNamed implements hclog.Logger.
func (l *logger) ResetNamed(name string) hclog.Logger {
	next := *l
	next.name = name
	return &next
}
