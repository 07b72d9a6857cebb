package wire

import (
	"context"
	"errors"
	"fmt"

	"github.com/plumb-iac/plumb/addr"
	"github.com/plumb-iac/plumb/diag"
	"github.com/plumb-iac/plumb/provider/wire/tfplugin6"
	"github.com/plumb-iac/plumb/value"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
)

// Codes of the diagnostics that this package makes. Those that a provider
// makes have none.
const (
	CodeCancelled   diag.Code = "PW01"
	CodeDied        diag.Code = "PW02"
	CodeUnsupported diag.Code = "PW03"
	CodeFailed      diag.Code = "PW04"
	CodeGarbled     diag.Code = "PW05"
	CodeUnfit       diag.Code = "PW06"
	CodeSchema      diag.Code = "PW07"
	CodeNoType      diag.Code = "PW08"
)

// failure is a way for a call not to come through.
type failure struct {
	code    diag.Code
	summary string
	blame   diag.Blame
	// detail takes the provider, the method and the error's text.
	detail string
	// lastWords says that the provider's standard error may explain it.
	lastWords bool
}

var (
	cancelled = failure{CodeCancelled, "Request cancelled", diag.Operator,
		"The call of %[2]s to provider %[1]s was given up because the run was cancelled. If it was changing something, the provider may have finished or not.", false}
	died = failure{CodeDied, "Plugin did not respond", diag.Provider,
		"Provider %[1]s ended or closed its connection while it was answering %[2]s. This is a bug in the provider, which should be reported in the provider's own issue tracker.", true}
	unsupported = failure{CodeUnsupported, "Unsupported plugin method", diag.Provider,
		"Provider %[1]s does not know the call %[2]s. A newer version of the provider may.", false}
	failed = failure{CodeFailed, "Plugin error", diag.Provider,
		"Provider %[1]s answered %[2]s with an unexpected error: %[3]s.", true}
)

// failureOf tells what an error of gRPC means. Code Canceled without a
// cancelled context is how a dying process sometimes looks.
func failureOf(ctx context.Context, err error) failure {
	code := status.Code(err)
	switch {
	case ctx.Err() != nil || errors.Is(err, context.Canceled):
		return cancelled
	case code == codes.Unavailable || code == codes.Canceled:
		return died
	case code == codes.Unimplemented:
		return unsupported
	}
	return failed
}

// failed notes that a call did not come through.
func (x *exchange) failed(ctx context.Context, err error) {
	x.diags = x.diags.Append(x.client.failure(ctx, x.rpc.name(x.protocol), err))
}

func (c *Client) failure(ctx context.Context, method string, err error) diag.Diag {
	f := failureOf(ctx, err)
	d := f.diag(c.options.Provider, method, status.Convert(err).Message())
	if words := c.link.LastWords(); f.lastWords && words != "" {
		d.Detail += "\n\nIts last words were:\n\n" + words
	}
	return d
}

// diag is the diagnostic; the verbs of the detail name their arguments.
func (f failure) diag(p addr.Provider, method, text string) diag.Diag {
	d := diag.Err(f.summary, fmt.Sprintf(f.detail, p.Display(), method, text)).By(f.blame)
	d.Code = f.code
	return d
}

// Cancelled is the diagnostic of a call that was given up because its context ended.
func Cancelled(p addr.Provider, method string) diag.Diag { return cancelled.diag(p, method, "") }

// Failed is the diagnostic of a call that ended in an error that no diagnostic tells.
func Failed(p addr.Provider, method, text string) diag.Diag { return failed.diag(p, method, text) }

// garbled is an answer that does not decode.
func (x *exchange) garbled(what string, err error) diag.Diag {
	d := diag.Err(garbledSummary, fmt.Sprintf(
		"Provider %s answered %s%s with a value (%s) that does not fit its own schema: %s.\n\nAn answer has exactly the attributes and blocks of its schema, with values of their types. This is rule %s (%s) of the contract between plumb and its providers, and holds at every stage.\n\nThis is a bug in the provider, which should be reported in the provider's own issue tracker.",
		x.client.options.Provider.Display(), x.rpc.name(x.protocol), x.about(), what, err, typeRule, CodeGarbled)).By(diag.Provider)
	d.Code = CodeGarbled
	return d
}

// unfit is a request that does not fit the schema.
func (x *exchange) unfit(what string, err error) diag.Diag {
	d := diag.Err("Value does not fit the provider's schema", fmt.Sprintf(
		"The value (%s) that %s%s of provider %s needs does not fit its schema: %s.",
		what, x.rpc.name(x.protocol), x.about(), x.client.options.Provider.Display(), err)).By(diag.Engine)
	d.Code = CodeUnfit
	return d
}

func (x *exchange) about() string {
	if x.typeName == "" {
		return ""
	}
	return " for " + x.typeName
}

func unknownType(p addr.Provider, k kind, typeName string) diag.Diag {
	d := diag.Err("Invalid resource type", fmt.Sprintf("Provider %s does not have the %s %q.", p.Display(), kinds[k].noun, typeName))
	d.Code = CodeNoType
	return d
}

// diagnostics are a provider's own words.
func diagnostics(from []*tfplugin6.Diagnostic) diag.List {
	var out diag.List
	for _, d := range from {
		to := diag.Err(d.GetSummary(), d.GetDetail())
		switch d.GetSeverity() {
		case tfplugin6.Diagnostic_WARNING:
			to.Severity = diag.Warning
		case tfplugin6.Diagnostic_INVALID:
			to.Severity = diag.Unspecified
		}
		if to.Summary == "" {
			to.Summary = "Problem reported by the provider"
		}
		if path := decodePath(d.GetAttribute()); len(path) > 0 {
			to.Path, to.Attribute = path, value.PathString(path)
		}
		out = append(out, to)
	}
	return out
}

// torn is a state of which a part is missing: there are so many bytes where there
// should be others.
func (x *exchange) torn(got, want int64) diag.Diag {
	d := diag.Err("Plugin error", fmt.Sprintf("Provider %s gave a part of the state only in its answer to %s%s: %d bytes came where there should be %d. Nothing of it is used.",
		x.client.options.Provider.Display(), x.rpc.name(x.protocol), x.about(), got, want)).By(diag.Provider)
	d.Code = CodeFailed
	return d
}

// incomplete is a stream that ended before its last event.
func (x *exchange) incomplete() diag.Diag {
	d := diag.Err("Plugin error", fmt.Sprintf("Provider %s ended its answer to %s%s without saying how it came out.",
		x.client.options.Provider.Display(), x.rpc.name(x.protocol), x.about())).By(diag.Provider)
	d.Code = CodeFailed
	return d
}
