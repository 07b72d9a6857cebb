package std

import (
	"context"
	"unicode/utf8"

	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/booldefault"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/boolplanmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/int64default"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/int64planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/stringplanmodifier"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"golang.org/x/crypto/bcrypt"
)

// randomPassword is std_random_password: a secret kept in the state.
type randomPassword struct{ drawn }

var (
	_ resource.ResourceWithValidateConfig = randomPassword{}
	_ resource.ResourceWithImportState    = randomPassword{}
	_ resource.ResourceWithMoveState      = randomPassword{}
)

type randomPasswordModel struct {
	recipe
	Keepers    types.Map    `tfsdk:"keepers"`
	Result     types.String `tfsdk:"result"`
	BcryptHash types.String `tfsdk:"bcrypt_hash"`
}

func (randomPassword) Metadata(_ context.Context, req resource.MetadataRequest, resp *resource.MetadataResponse) {
	resp.TypeName = req.ProviderTypeName + "_random_password"
}

func (randomPassword) Schema(_ context.Context, _ resource.SchemaRequest, resp *resource.SchemaResponse) {
	resp.Schema = schema.Schema{
		MarkdownDescription: "A random password. It is never shown, but it is stored in the state; where that is too much, use the ephemeral resource of the same name.",
		Attributes: map[string]schema.Attribute{
			"keepers": keepersAttribute(),
			"length": schema.Int64Attribute{
				MarkdownDescription: recipeText["length"] + " Changing it draws again.",
				Required:            true,
				Validators:          []validator.Int64{between(1, 65536)},
				PlanModifiers:       []planmodifier.Int64{int64planmodifier.RequiresReplace()},
			},
			"upper":       passwordSwitch("upper"),
			"lower":       passwordSwitch("lower"),
			"numeric":     passwordSwitch("numeric"),
			"special":     passwordSwitch("special"),
			"min_upper":   passwordMinimum("min_upper"),
			"min_lower":   passwordMinimum("min_lower"),
			"min_numeric": passwordMinimum("min_numeric"),
			"min_special": passwordMinimum("min_special"),
			"override_special": schema.StringAttribute{
				MarkdownDescription: recipeText["override_special"] + " Changing it draws again.",
				Optional:            true,
				PlanModifiers:       []planmodifier.String{stringplanmodifier.RequiresReplaceIfConfigured()},
			},
			"result":      secret("The password."),
			"bcrypt_hash": secret("A bcrypt hash of the password's first 72 bytes, for files of accounts."),
		},
	}
}

func passwordSwitch(name string) schema.BoolAttribute {
	return schema.BoolAttribute{
		MarkdownDescription: recipeText[name] + " Changing it draws again.",
		Optional:            true,
		Computed:            true,
		Default:             booldefault.StaticBool(true),
		PlanModifiers:       []planmodifier.Bool{boolplanmodifier.RequiresReplace()},
	}
}

func passwordMinimum(name string) schema.Int64Attribute {
	return schema.Int64Attribute{
		MarkdownDescription: recipeText[name] + " Changing it draws again.",
		Optional:            true,
		Computed:            true,
		Default:             int64default.StaticInt64(0),
		Validators:          []validator.Int64{atLeast(0)},
		PlanModifiers:       []planmodifier.Int64{int64planmodifier.RequiresReplace()},
	}
}

// ValidateConfig refuses a recipe nothing can be made from.
func (randomPassword) ValidateConfig(ctx context.Context, req resource.ValidateConfigRequest, resp *resource.ValidateConfigResponse) {
	var config randomPasswordModel
	resp.Diagnostics.Append(req.Config.Get(ctx, &config)...)
	if resp.Diagnostics.HasError() {
		return
	}
	resp.Diagnostics.Append(config.check()...)
}

func (m randomPasswordModel) as(password string) (randomPasswordModel, error) {
	hash, err := bcryptHash(password, bcrypt.DefaultCost)
	m.Result, m.BcryptHash = types.StringValue(password), types.StringValue(hash)
	return m, err
}

func (randomPassword) Create(ctx context.Context, req resource.CreateRequest, resp *resource.CreateResponse) {
	var plan randomPasswordModel
	resp.Diagnostics.Append(req.Plan.Get(ctx, &plan)...)
	// The plan may have filled in what validation could not know.
	resp.Diagnostics.Append(plan.check()...)
	if resp.Diagnostics.HasError() {
		return
	}
	model, err := plan.as(plan.make())
	if err != nil {
		resp.Diagnostics.AddError("Cannot hash password", "bcrypt refused the password: "+err.Error()+".")
		return
	}
	resp.Diagnostics.Append(resp.State.Set(ctx, model)...)
}

// ImportState takes the password itself; its recipe is assumed to be the
// default one, which a configuration that says otherwise replaces.
func (randomPassword) ImportState(ctx context.Context, req resource.ImportStateRequest, resp *resource.ImportStateResponse) {
	if req.ID == "" {
		resp.Diagnostics.AddError("Invalid import ID", "A std_random_password is imported by the password itself, which must not be empty.")
		return
	}
	yes, zero := types.BoolValue(true), types.Int64Value(0)
	model, err := randomPasswordModel{
		Keepers: types.MapNull(types.StringType),
		recipe: recipe{
			Length: types.Int64Value(int64(utf8.RuneCountInString(req.ID))),
			Upper:  yes, Lower: yes, Numeric: yes, Special: yes,
			MinUpper: zero, MinLower: zero, MinNumeric: zero, MinSpecial: zero,
			OverrideSpecial: types.StringNull(),
		},
	}.as(req.ID)
	if err != nil {
		resp.Diagnostics.AddError("Cannot hash password", "bcrypt refused the password: "+err.Error()+".")
		return
	}
	resp.Diagnostics.Append(resp.State.Set(ctx, model)...)
}

// MoveState carries over random_password.
func (randomPassword) MoveState(context.Context) []resource.StateMover {
	return movers(origin{provider: "hashicorp/random", resource: "random_password"})
}
