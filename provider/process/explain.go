package process

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"syscall"

	"github.com/plumb-iac/plumb/diag"
)

// Codes of the diagnostics of this package.
const (
	CodeNotStarted diag.Code = "PS01"
	CodeClosed     diag.Code = "PS02"
	CodeReattach   diag.Code = "PS03"
)

const failedToStart = "Failed to start provider plugin"

// reason is a way for a program not to become a provider.
type reason struct {
	applies func(err error, r *run) bool
	blame   diag.Blame
	say     string
}

// reasons are tried in order.
var reasons = []reason{
	{func(err error, _ *run) bool { return errors.Is(err, fs.ErrNotExist) }, diag.Operator,
		"There is no such program. Run init again to install it."},
	{func(err error, _ *run) bool { return errors.Is(err, fs.ErrPermission) }, diag.Operator,
		"The program may not be executed: its file, or a directory on the way to it, does not permit it, or the file system is mounted so that nothing on it may run."},
	{func(err error, _ *run) bool { return errors.Is(err, syscall.ENOEXEC) }, diag.Operator,
		"The file is not a program for this operating system and processor."},
	{func(err error, _ *run) bool { return errors.As(err, new(startError)) }, diag.Operator,
		"The operating system refused to run the program."},
	{func(err error, _ *run) bool { return says(err, "timeout while waiting") }, diag.Provider,
		"The program ran but did not say where it listens within the time allowed."},
	{func(err error, _ *run) bool { return says(err, "incompatible") && says(err, "version") }, diag.Provider,
		"The program speaks a version of the provider protocol that is not supported; versions 5 and 6 are. A newer or older release of the provider may speak one of them."},
	{func(_ error, r *run) bool { return r != nil && r.exitState() != "" && !r.wasKilled() }, diag.Provider,
		"The program ended before it was ready."},
	{func(err error, _ *run) bool { return says(err, "plugin exited before") }, diag.Provider,
		"The program ended before it was ready."},
	{func(err error, _ *run) bool { return says(err, "failed to read any lines") }, diag.Provider,
		"The program closed its output without the line by which a provider says where it listens."},
	{func(err error, _ *run) bool { return says(err, "unrecognized remote plugin message") }, diag.Provider,
		"The program's first line of output is not what a provider says when it starts, so it is probably not a provider, or prints something else first."},
	{func(error, *run) bool { return true }, diag.Provider,
		"The program started but no connection to it came about."},
}

func says(err error, text string) bool {
	return strings.Contains(strings.ToLower(err.Error()), text)
}

// explain says why a program did not become a provider.
func (l Launch) explain(err error, r *run, stderr *tail) diag.Diag {
	why := reasons[len(reasons)-1]
	for _, w := range reasons {
		if w.applies(err, r) {
			why = w
			break
		}
	}
	var b strings.Builder
	fmt.Fprintf(&b, "Provider %s cannot be used. %s\n\n  program: %s\n  error: %s", l.Provider.Display(), why.say, l.Path, strings.TrimSpace(err.Error()))
	if r != nil && r.exitState() != "" && !r.wasKilled() {
		fmt.Fprintf(&b, "\n  ended with: %s", r.exitState())
	}
	if words := stderr.lastWords(); words != "" {
		fmt.Fprintf(&b, "\n\nIt wrote to its standard error:\n\n%s", words)
	}
	d := diag.Err(failedToStart, b.String()).By(why.blame)
	d.Code = CodeNotStarted
	return d
}

func (l Launch) cancelled() diag.Diag {
	return diag.Err("Request cancelled", fmt.Sprintf("The start of provider %s was given up because the run was cancelled.", l.Provider.Display())).By(diag.Operator)
}

func (l Launch) closed() diag.Diag {
	d := diag.Err("Provider is closed", fmt.Sprintf("Provider %s was asked for something after it had been closed.", l.Provider.Display())).By(diag.Engine)
	d.Code = CodeClosed
	return d
}
