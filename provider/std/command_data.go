package std

import (
	"context"
	"encoding/json"

	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/datasource/schema"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"
)

// commandData is the data source std_command: what a program prints.
type commandData struct{}

var _ datasource.DataSourceWithConfigValidators = commandData{}

type commandDataModel struct {
	surroundings
	Program  types.Dynamic `tfsdk:"program"`
	Query    types.Map     `tfsdk:"query"`
	ID       types.String  `tfsdk:"id"`
	Stdout   types.String  `tfsdk:"stdout"`
	Stderr   types.String  `tfsdk:"stderr"`
	ExitCode types.Int64   `tfsdk:"exit_code"`
	Result   types.Map     `tfsdk:"result"`
}

func (commandData) Metadata(_ context.Context, req datasource.MetadataRequest, resp *datasource.MetadataResponse) {
	resp.TypeName = req.ProviderTypeName + "_command"
}

func (commandData) Schema(_ context.Context, _ datasource.SchemaRequest, resp *datasource.SchemaResponse) {
	resp.Schema = schema.Schema{
		MarkdownDescription: "Runs a program and gives what it prints. The program should change nothing: it runs in every plan.",
		Attributes: map[string]schema.Attribute{
			"program": schema.DynamicAttribute{
				MarkdownDescription: "The command: one string for the interpreter, or a list of a program and its arguments.",
				Required:            true,
				Validators:          []validator.Dynamic{commandRule{}},
			},
			"query": schema.MapAttribute{
				MarkdownDescription: "If set, the program gets these strings as a JSON object on its standard input and must print a JSON object of strings, which becomes `result`.",
				Optional:            true,
				ElementType:         types.StringType,
			},
			"interpreter":        schema.ListAttribute{MarkdownDescription: commandText["interpreter"], Optional: true, ElementType: types.StringType},
			"environment":        schema.MapAttribute{MarkdownDescription: commandText["environment"], Optional: true, ElementType: types.StringType},
			"working_dir":        schema.StringAttribute{MarkdownDescription: commandText["working_dir"], Optional: true},
			"stdin":              schema.StringAttribute{MarkdownDescription: commandText["stdin"] + " Not together with `query`.", Optional: true},
			"success_exit_codes": schema.ListAttribute{MarkdownDescription: commandText["success_exit_codes"], Optional: true, ElementType: types.Int64Type},
			"timeout":            schema.StringAttribute{MarkdownDescription: commandText["timeout"], Optional: true, Validators: []validator.String{durationText()}},
			"id":                 schema.StringAttribute{MarkdownDescription: "SHA-256 digest of what the command printed.", Computed: true},
			"stdout":             schema.StringAttribute{MarkdownDescription: commandText["stdout"], Computed: true},
			"stderr":             schema.StringAttribute{MarkdownDescription: commandText["stderr"], Computed: true},
			"exit_code":          schema.Int64Attribute{MarkdownDescription: commandText["exit_code"], Computed: true},
			"result":             schema.MapAttribute{MarkdownDescription: "The strings the program answered `query` with, else null.", Computed: true, ElementType: types.StringType},
		},
	}
}

func (commandData) ConfigValidators(context.Context) []datasource.ConfigValidator {
	return []datasource.ConfigValidator{exclusive{"query", "stdin"}}
}

func (commandData) Read(ctx context.Context, req datasource.ReadRequest, resp *datasource.ReadResponse) {
	var model commandDataModel
	resp.Diagnostics.Append(req.Config.Get(ctx, &model)...)
	if resp.Diagnostics.HasError() {
		return
	}
	asked := model.surroundings
	if !model.Query.IsNull() {
		query := map[string]*string{}
		resp.Diagnostics.Append(model.Query.ElementsAs(ctx, &query, false)...)
		encoded, err := json.Marshal(query)
		if err != nil || resp.Diagnostics.HasError() {
			return
		}
		asked.Stdin = types.StringValue(string(encoded))
	}
	out, _, diags := asked.perform(ctx, path.Root("program"), model.Program, nil)
	resp.Diagnostics.Append(diags...)
	if resp.Diagnostics.HasError() {
		return
	}
	model.ID = types.StringValue(sha256Hex([]byte(out.stdout)))
	model.Stdout, model.Stderr = types.StringValue(out.stdout), types.StringValue(out.stderr)
	model.ExitCode = types.Int64Value(int64(out.code))
	model.Result = types.MapNull(types.StringType)
	if !model.Query.IsNull() {
		answer := map[string]string{}
		if err := json.Unmarshal([]byte(out.stdout), &answer); err != nil {
			resp.Diagnostics.AddAttributeError(path.Root("program"), "Unexpected answer", "Asked with query, the program must print one JSON object whose values are strings, and it did not: "+err.Error()+".")
			return
		}
		result, diags := types.MapValueFrom(ctx, types.StringType, answer)
		resp.Diagnostics.Append(diags...)
		model.Result = result
	}
	resp.Diagnostics.Append(resp.State.Set(ctx, model)...)
}
