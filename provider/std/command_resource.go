package std

import (
	"context"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/int64planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/mapplanmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"
)

// commandResource is std_command: an object that commands create, read, update
// and delete.
type commandResource struct{}

var _ resource.ResourceWithModifyPlan = commandResource{}

type commandModel struct {
	surroundings
	Create         types.Dynamic `tfsdk:"create"`
	Read           types.Dynamic `tfsdk:"read"`
	Update         types.Dynamic `tfsdk:"update"`
	Delete         types.Dynamic `tfsdk:"delete"`
	Triggers       types.Map     `tfsdk:"triggers"`
	AbsentExitCode types.Int64   `tfsdk:"absent_exit_code"`
	ID             types.String  `tfsdk:"id"`
	Stdout         types.String  `tfsdk:"stdout"`
	Stderr         types.String  `tfsdk:"stderr"`
	ExitCode       types.Int64   `tfsdk:"exit_code"`
	Observed       types.String  `tfsdk:"observed"`
}

func (commandResource) Metadata(_ context.Context, req resource.MetadataRequest, resp *resource.MetadataResponse) {
	resp.TypeName = req.ProviderTypeName + "_command"
}

const commandResourceText = `An object that commands create, read, update and delete.

A command is one string, which the interpreter runs, or a list of a program and
its arguments. Besides ` + "`environment`" + ` it finds ` + "`STD_OPERATION`" + ` (create, read, update
or delete), ` + "`STD_ID`" + `, and, once they exist, ` + "`STD_STDOUT`" + ` and ` + "`STD_OBSERVED`" + `: what
the last create or update printed and what the last read printed, without the
final newline.

When ` + "`create`, `environment`, `stdin`, `working_dir` or `interpreter`" + ` changes, or when
` + "`read`" + ` prints something else than after the last run, the object is updated by
` + "`update`" + `, or replaced if there is no such command. A change of any other
argument is only recorded.`

func (commandResource) Schema(_ context.Context, _ resource.SchemaRequest, resp *resource.SchemaResponse) {
	command := func(description string) schema.DynamicAttribute {
		return schema.DynamicAttribute{MarkdownDescription: description, Optional: true, Validators: []validator.Dynamic{commandRule{}}}
	}
	create := command("Command that makes the object.")
	create.Optional, create.Required = false, true
	resp.Schema = schema.Schema{
		MarkdownDescription: commandResourceText,
		Attributes: map[string]schema.Attribute{
			"create": create,
			"read":   command("Command that looks at the object and prints what it finds; the comparison with what it printed before shows drift. Exit code 0 means the object is there, `absent_exit_code` that it is not, any other is an error."),
			"update": command("Command that changes the object. Without it, a change replaces the object."),
			"delete": command("Command that removes the object. Without it, the object is only forgotten."),
			"triggers": schema.MapAttribute{
				MarkdownDescription: "Arbitrary strings; when one changes, the object is replaced.",
				Optional:            true,
				ElementType:         types.StringType,
				PlanModifiers:       []planmodifier.Map{mapplanmodifier.RequiresReplace()},
			},
			"absent_exit_code": schema.Int64Attribute{
				MarkdownDescription: "Exit code by which `read` says that the object does not exist any more. Default 1.",
				Optional:            true,
				Validators:          []validator.Int64{between(1, 255)},
			},
			"interpreter": schema.ListAttribute{MarkdownDescription: commandText["interpreter"], Optional: true, ElementType: types.StringType},
			"environment": schema.MapAttribute{MarkdownDescription: commandText["environment"], Optional: true, ElementType: types.StringType},
			"working_dir": schema.StringAttribute{MarkdownDescription: commandText["working_dir"], Optional: true},
			"stdin":       schema.StringAttribute{MarkdownDescription: commandText["stdin"], Optional: true},
			"success_exit_codes": schema.ListAttribute{
				MarkdownDescription: commandText["success_exit_codes"] + " Applies to create, update and delete.",
				Optional:            true,
				ElementType:         types.Int64Type,
			},
			"timeout": schema.StringAttribute{
				MarkdownDescription: commandText["timeout"] + " Applies to each command.",
				Optional:            true,
				Validators:          []validator.String{durationText()},
			},
			"id":       settled("A random UUID that the commands find in `STD_ID`."),
			"stdout":   settled("What the last create or update printed."),
			"stderr":   settled("What the last create or update printed to its standard error."),
			"observed": settled("What the last read printed; null without `read`."),
			"exit_code": schema.Int64Attribute{
				MarkdownDescription: "Exit code of the last create or update.",
				Computed:            true,
				PlanModifiers:       []planmodifier.Int64{int64planmodifier.UseStateForUnknown()},
			},
		},
	}
}

// variables are what a command learns about its object. What is too long for an
// environment is left out.
func (m commandModel) variables(operation string) map[string]string {
	out := map[string]string{"STD_OPERATION": operation}
	for name, v := range map[string]types.String{"STD_ID": m.ID, "STD_STDOUT": m.Stdout, "STD_OBSERVED": m.Observed} {
		if v.IsNull() || v.IsUnknown() || len(v.ValueString()) > 64<<10 || strings.ContainsRune(v.ValueString(), 0) {
			continue
		}
		out[name] = strings.TrimRight(v.ValueString(), "\r\n")
	}
	return out
}

// after is the model with what a create or update left behind.
func (m commandModel) after(out outcome) commandModel {
	m.Stdout, m.Stderr = types.StringValue(out.stdout), types.StringValue(out.stderr)
	m.ExitCode = types.Int64Value(int64(out.code))
	return m
}

// sighting is what a read command said.
type sighting struct {
	observed types.String
	gone     bool
}

// look runs the read command, if there is one.
func (m commandModel) look(ctx context.Context) (sighting, diag.Diagnostics) {
	if absent(m.Read) {
		return sighting{observed: types.StringNull()}, nil
	}
	reading := m.surroundings
	gone := int64(1)
	if !m.AbsentExitCode.IsNull() {
		gone = m.AbsentExitCode.ValueInt64()
	}
	reading.SuccessExitCodes = types.ListNull(types.Int64Type)
	at := path.Root("read")
	out, started, diags := reading.perform(ctx, at, m.Read, m.variables("read"))
	if started && int64(out.code) == gone {
		return sighting{observed: types.StringNull(), gone: true}, nil
	}
	return sighting{observed: types.StringValue(out.stdout)}, diags
}

// observe looks at an object that was just made or changed.
func (m commandModel) observe(ctx context.Context) (commandModel, diag.Diagnostics) {
	seen, diags := m.look(ctx)
	m.Observed = seen.observed
	if seen.gone {
		diags.AddAttributeError(path.Root("read"), "Object not found", "The command ran, and yet read says by its exit code that the object does not exist.")
	}
	return m, diags
}

func (commandResource) Create(ctx context.Context, req resource.CreateRequest, resp *resource.CreateResponse) {
	var plan commandModel
	resp.Diagnostics.Append(req.Plan.Get(ctx, &plan)...)
	if resp.Diagnostics.HasError() {
		return
	}
	plan.ID = types.StringValue(newUUID())
	plan.Stdout, plan.Stderr, plan.Observed = types.StringNull(), types.StringNull(), types.StringNull()
	out, started, diags := plan.perform(ctx, path.Root("create"), plan.Create, plan.variables("create"))
	resp.Diagnostics.Append(diags...)
	if !started {
		return
	}
	plan = plan.after(out)
	if !diags.HasError() {
		plan, diags = plan.observe(ctx)
		resp.Diagnostics.Append(diags...)
	}
	// A failed command may have made half an object, so it is recorded too.
	resp.Diagnostics.Append(resp.State.Set(ctx, plan)...)
	resp.Diagnostics.Append(resp.Private.SetKey(ctx, baselineKey, baseline(plan.Observed))...)
}

func (commandResource) Read(ctx context.Context, req resource.ReadRequest, resp *resource.ReadResponse) {
	var state commandModel
	resp.Diagnostics.Append(req.State.Get(ctx, &state)...)
	if resp.Diagnostics.HasError() {
		return
	}
	seen, diags := state.look(ctx)
	resp.Diagnostics.Append(diags...)
	switch {
	case diags.HasError():
	case seen.gone:
		resp.State.RemoveResource(ctx)
	default:
		state.Observed = seen.observed
		resp.Diagnostics.Append(resp.State.Set(ctx, state)...)
	}
}

func (commandResource) Update(ctx context.Context, req resource.UpdateRequest, resp *resource.UpdateResponse) {
	var plan, state commandModel
	resp.Diagnostics.Append(req.Plan.Get(ctx, &plan)...)
	resp.Diagnostics.Append(req.State.Get(ctx, &state)...)
	if resp.Diagnostics.HasError() {
		return
	}
	if plan.Stdout.IsUnknown() {
		known := plan
		known.Stdout, known.Observed = state.Stdout, state.Observed
		out, _, diags := plan.perform(ctx, path.Root("update"), plan.Update, known.variables("update"))
		resp.Diagnostics.Append(diags...)
		if diags.HasError() {
			return // the state keeps what it said, and the next plan tries again
		}
		plan = plan.after(out)
	}
	if plan.Observed.IsUnknown() {
		var diags diag.Diagnostics
		plan, diags = plan.observe(ctx)
		resp.Diagnostics.Append(diags...)
		resp.Diagnostics.Append(resp.Private.SetKey(ctx, baselineKey, baseline(plan.Observed))...)
	}
	resp.Diagnostics.Append(resp.State.Set(ctx, plan)...)
}

func (commandResource) Delete(ctx context.Context, req resource.DeleteRequest, resp *resource.DeleteResponse) {
	var state commandModel
	resp.Diagnostics.Append(req.State.Get(ctx, &state)...)
	if resp.Diagnostics.HasError() || absent(state.Delete) {
		return
	}
	_, _, diags := state.perform(ctx, path.Root("delete"), state.Delete, state.variables("delete"))
	resp.Diagnostics.Append(diags...)
}
