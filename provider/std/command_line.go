package std

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"sort"
	"strings"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"
)

// surroundings are the arguments that everything that runs commands shares.
type surroundings struct {
	Interpreter      types.List   `tfsdk:"interpreter"`
	Environment      types.Map    `tfsdk:"environment"`
	WorkingDir       types.String `tfsdk:"working_dir"`
	Stdin            types.String `tfsdk:"stdin"`
	SuccessExitCodes types.List   `tfsdk:"success_exit_codes"`
	Timeout          types.String `tfsdk:"timeout"`
}

// commandText documents the shared arguments.
var commandText = map[string]string{
	"interpreter":        "What runs a command given as one string, which becomes the last argument. Default `[\"/bin/sh\", \"-c\"]`, on Windows `[\"cmd\", \"/C\"]`.",
	"environment":        "Environment variables, added to those of the engine.",
	"working_dir":        "Directory to run in. Default: the working directory of the engine.",
	"stdin":              "Text the command reads from its standard input.",
	"success_exit_codes": "Exit codes that mean success. Default `[0]`.",
	"timeout":            "How long the command may run before it is stopped, such as `\"90s\"`. Default: as long as it likes.",
	"stdout":             "What the command printed.",
	"stderr":             "What the command printed to its standard error.",
	"exit_code":          "The command's exit code.",
}

func defaultInterpreter() []string {
	if runtime.GOOS == "windows" {
		return []string{"cmd", "/C"}
	}
	return []string{"/bin/sh", "-c"}
}

// commandRule demands a command: one string, or a list of words.
type commandRule struct{}

const commandMust = "a command: one string for the interpreter, or a list of a program and its arguments"

func (commandRule) Description(context.Context) string         { return "must be " + commandMust }
func (commandRule) MarkdownDescription(context.Context) string { return "must be " + commandMust }

// ValidateDynamic implements validator.Dynamic.
func (commandRule) ValidateDynamic(_ context.Context, req validator.DynamicRequest, resp *validator.DynamicResponse) {
	if v := req.ConfigValue; v.IsNull() || v.IsUnknown() || v.IsUnderlyingValueUnknown() || v.IsUnderlyingValueNull() {
		return
	}
	if _, err := commandLine(req.ConfigValue, []string{"interpreter"}); err != nil && !errors.Is(err, errNotKnown) {
		resp.Diagnostics.AddAttributeError(req.Path, "Invalid command", fmt.Sprintf("%s must be %s; %s.", req.Path, commandMust, err))
	}
}

var errNotKnown = errors.New("it is not known yet")

// absent says that no command was given.
func absent(v types.Dynamic) bool { return v.IsNull() || v.IsUnderlyingValueNull() }

// commandLine is the program and its arguments.
func commandLine(v types.Dynamic, interpreter []string) ([]string, error) {
	var elements []attr.Value
	switch under := v.UnderlyingValue().(type) {
	case types.String:
		text, err := word(under)
		if err != nil {
			return nil, err
		}
		if strings.TrimSpace(text) == "" {
			return nil, errors.New("it is empty")
		}
		return append(slices.Clone(interpreter), text), nil
	case types.Tuple:
		elements = under.Elements()
	case types.List:
		elements = under.Elements()
	default:
		return nil, errors.New("it is neither")
	}
	return words(elements)
}

func words(elements []attr.Value) ([]string, error) {
	argv := make([]string, len(elements))
	for i, element := range elements {
		text, err := word(element)
		if err != nil {
			return nil, fmt.Errorf("of element %d, %w", i, err)
		}
		argv[i] = text
	}
	if len(argv) == 0 || argv[0] == "" {
		return nil, errors.New("it names no program")
	}
	return argv, nil
}

// word is an argument: a string, or a number or bool spelled as the language does.
func word(v attr.Value) (string, error) {
	switch {
	case v == nil || v.IsNull():
		return "", errors.New("it is null")
	case v.IsUnknown(): // before unwrapping: inside of it there is nothing
		return "", errNotKnown
	}
	if dynamic, wrapped := v.(types.Dynamic); wrapped {
		return word(dynamic.UnderlyingValue())
	}
	switch v := v.(type) {
	case types.String:
		return v.ValueString(), nil
	case types.Number:
		return v.ValueBigFloat().Text('f', -1), nil
	case types.Bool:
		return fmt.Sprint(v.ValueBool()), nil
	}
	return "", errors.New("it is not a string")
}

// invoke prepares a command in these surroundings, with further variables.
func (s surroundings) invoke(ctx context.Context, command types.Dynamic, extra map[string]string) (invocation, diag.Diagnostics) {
	var diags diag.Diagnostics
	interpreter := texts(ctx, s.Interpreter, &diags)
	if len(interpreter) == 0 {
		interpreter = defaultInterpreter()
	}
	argv, err := commandLine(command, interpreter)
	if err != nil {
		diags.AddError("Invalid command", "A command must be one string or a list of a program and its arguments; "+err.Error()+".")
	}
	environment := map[string]string{}
	if !s.Environment.IsNull() {
		diags.Append(s.Environment.ElementsAs(ctx, &environment, false)...)
	}
	timeout, _ := time.ParseDuration(s.Timeout.ValueString()) // validated; zero means none
	return invocation{
		argv:    argv,
		env:     append(entries(extra), entries(environment)...),
		dir:     s.WorkingDir.ValueString(),
		stdin:   s.Stdin.ValueString(),
		timeout: timeout,
	}, diags
}

func entries(variables map[string]string) []string {
	out := make([]string, 0, len(variables))
	for name, value := range variables {
		out = append(out, name+"="+value)
	}
	sort.Strings(out)
	return out
}

// succeeded compares an exit code with success_exit_codes.
func (s surroundings) succeeded(ctx context.Context, code int) bool {
	allowed := []int64{0}
	if !s.SuccessExitCodes.IsNull() && !s.SuccessExitCodes.IsUnknown() {
		allowed = nil
		s.SuccessExitCodes.ElementsAs(ctx, &allowed, false)
	}
	return slices.Contains(allowed, int64(code))
}

// perform runs a command to success. The outcome is what it left behind even
// when it failed; started says whether it may have done something.
func (s surroundings) perform(ctx context.Context, at path.Path, command types.Dynamic, extra map[string]string) (out outcome, started bool, diags diag.Diagnostics) {
	call, diags := s.invoke(ctx, command, extra)
	if diags.HasError() {
		return outcome{}, false, diags
	}
	out, err := call.run(ctx)
	switch {
	case err != nil:
		diags.AddAttributeError(at, "Command not completed", fmt.Sprintf("The command %s did not run to its end: %s.%s", call.argv[0], err, tail(out.stderr)))
	case !s.succeeded(ctx, out.code):
		diags.AddAttributeError(at, "Command failed", fmt.Sprintf("The command %s ended with exit code %d.%s", call.argv[0], out.code, tail(out.stderr)))
	}
	return out, !errors.Is(err, errNotStarted), diags
}

// tail is the end of what a failed command complained about.
func tail(stderr string) string {
	stderr = strings.TrimSpace(stderr)
	if stderr == "" {
		return " It printed no error message."
	}
	lines := strings.Split(stderr, "\n")
	return " Its last words:\n\n" + strings.Join(lines[max(0, len(lines)-20):], "\n")
}
