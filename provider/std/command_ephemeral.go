package std

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/action"
	actionschema "github.com/hashicorp/terraform-plugin-framework/action/schema"
	"github.com/hashicorp/terraform-plugin-framework/ephemeral"
	"github.com/hashicorp/terraform-plugin-framework/ephemeral/schema"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"
)

// commandEphemeral is the ephemeral std_command: what a program prints, stored
// nowhere. It asks a password manager, for instance.
type commandEphemeral struct{}

// commandAction is the action std_command: a program run for what it does.
type commandAction struct{}

type commandCall struct {
	surroundings
	Program types.Dynamic `tfsdk:"program"`
}

type commandEphemeralModel struct {
	commandCall
	Stdout   types.String `tfsdk:"stdout"`
	Stderr   types.String `tfsdk:"stderr"`
	ExitCode types.Int64  `tfsdk:"exit_code"`
}

const programText = "The command: one string for the interpreter, or a list of a program and its arguments."

func (commandEphemeral) Metadata(_ context.Context, req ephemeral.MetadataRequest, resp *ephemeral.MetadataResponse) {
	resp.TypeName = req.ProviderTypeName + "_command"
}

func (commandEphemeral) Schema(_ context.Context, _ ephemeral.SchemaRequest, resp *ephemeral.SchemaResponse) {
	resp.Schema = schema.Schema{
		MarkdownDescription: "Runs a program in every plan and apply and gives what it prints, which is stored nowhere.",
		Attributes: map[string]schema.Attribute{
			"program":            schema.DynamicAttribute{MarkdownDescription: programText, Required: true, Validators: []validator.Dynamic{commandRule{}}},
			"interpreter":        schema.ListAttribute{MarkdownDescription: commandText["interpreter"], Optional: true, ElementType: types.StringType},
			"environment":        schema.MapAttribute{MarkdownDescription: commandText["environment"], Optional: true, ElementType: types.StringType},
			"working_dir":        schema.StringAttribute{MarkdownDescription: commandText["working_dir"], Optional: true},
			"stdin":              schema.StringAttribute{MarkdownDescription: commandText["stdin"], Optional: true},
			"success_exit_codes": schema.ListAttribute{MarkdownDescription: commandText["success_exit_codes"], Optional: true, ElementType: types.Int64Type},
			"timeout":            schema.StringAttribute{MarkdownDescription: commandText["timeout"], Optional: true, Validators: []validator.String{durationText()}},
			"stdout":             schema.StringAttribute{MarkdownDescription: commandText["stdout"], Computed: true, Sensitive: true},
			"stderr":             schema.StringAttribute{MarkdownDescription: commandText["stderr"], Computed: true},
			"exit_code":          schema.Int64Attribute{MarkdownDescription: commandText["exit_code"], Computed: true},
		},
	}
}

// Open runs the program.
func (commandEphemeral) Open(ctx context.Context, req ephemeral.OpenRequest, resp *ephemeral.OpenResponse) {
	var model commandEphemeralModel
	resp.Diagnostics.Append(req.Config.Get(ctx, &model)...)
	if resp.Diagnostics.HasError() {
		return
	}
	out, _, diags := model.perform(ctx, path.Root("program"), model.Program, nil)
	resp.Diagnostics.Append(diags...)
	if resp.Diagnostics.HasError() {
		return
	}
	model.Stdout, model.Stderr = types.StringValue(out.stdout), types.StringValue(out.stderr)
	model.ExitCode = types.Int64Value(int64(out.code))
	resp.Diagnostics.Append(resp.Result.Set(ctx, model)...)
}

func (commandAction) Metadata(_ context.Context, req action.MetadataRequest, resp *action.MetadataResponse) {
	resp.TypeName = req.ProviderTypeName + "_command"
}

func (commandAction) Schema(_ context.Context, _ action.SchemaRequest, resp *action.SchemaResponse) {
	resp.Schema = actionschema.Schema{
		MarkdownDescription: "Runs a program for what it does. What it prints is reported as progress.",
		Attributes: map[string]actionschema.Attribute{
			"program":            actionschema.DynamicAttribute{MarkdownDescription: programText, Required: true, Validators: []validator.Dynamic{commandRule{}}},
			"interpreter":        actionschema.ListAttribute{MarkdownDescription: commandText["interpreter"], Optional: true, ElementType: types.StringType},
			"environment":        actionschema.MapAttribute{MarkdownDescription: commandText["environment"], Optional: true, ElementType: types.StringType},
			"working_dir":        actionschema.StringAttribute{MarkdownDescription: commandText["working_dir"], Optional: true},
			"stdin":              actionschema.StringAttribute{MarkdownDescription: commandText["stdin"], Optional: true},
			"success_exit_codes": actionschema.ListAttribute{MarkdownDescription: commandText["success_exit_codes"], Optional: true, ElementType: types.Int64Type},
			"timeout":            actionschema.StringAttribute{MarkdownDescription: commandText["timeout"], Optional: true, Validators: []validator.String{durationText()}},
		},
	}
}

// Invoke runs the program.
func (commandAction) Invoke(ctx context.Context, req action.InvokeRequest, resp *action.InvokeResponse) {
	var call commandCall
	resp.Diagnostics.Append(req.Config.Get(ctx, &call)...)
	if resp.Diagnostics.HasError() {
		return
	}
	out, _, diags := call.perform(ctx, path.Root("program"), call.Program, nil)
	if out.stdout != "" {
		resp.SendProgress(action.InvokeProgressEvent{Message: out.stdout})
	}
	resp.Diagnostics.Append(diags...)
}
