package std

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/ephemeral"
	"github.com/hashicorp/terraform-plugin-framework/ephemeral/schema"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"golang.org/x/crypto/bcrypt"
)

// passwordEphemeral is the ephemeral std_random_password: a secret drawn anew
// each time and stored nowhere.
type passwordEphemeral struct{}

var _ ephemeral.EphemeralResourceWithValidateConfig = passwordEphemeral{}

type passwordEphemeralModel struct {
	recipe
	Result     types.String `tfsdk:"result"`
	BcryptHash types.String `tfsdk:"bcrypt_hash"`
}

func (passwordEphemeral) Metadata(_ context.Context, req ephemeral.MetadataRequest, resp *ephemeral.MetadataResponse) {
	resp.TypeName = req.ProviderTypeName + "_random_password"
}

func (passwordEphemeral) Schema(_ context.Context, _ ephemeral.SchemaRequest, resp *ephemeral.SchemaResponse) {
	attributes := map[string]schema.Attribute{
		"length": schema.Int64Attribute{
			MarkdownDescription: recipeText["length"],
			Required:            true,
			Validators:          []validator.Int64{between(1, 65536)},
		},
		"override_special": schema.StringAttribute{MarkdownDescription: recipeText["override_special"], Optional: true},
		"result":           schema.StringAttribute{MarkdownDescription: "The password.", Computed: true, Sensitive: true},
		"bcrypt_hash":      schema.StringAttribute{MarkdownDescription: "A bcrypt hash of the password's first 72 bytes.", Computed: true, Sensitive: true},
	}
	for _, c := range (recipe{}).classes() {
		least := "min_" + c.name
		attributes[c.name] = schema.BoolAttribute{MarkdownDescription: recipeText[c.name], Optional: true}
		attributes[least] = schema.Int64Attribute{MarkdownDescription: recipeText[least], Optional: true, Validators: []validator.Int64{atLeast(0)}}
	}
	resp.Schema = schema.Schema{
		MarkdownDescription: "A random password that is drawn anew in every run and never stored: for write-only arguments.",
		Attributes:          attributes,
	}
}

// ValidateConfig refuses a recipe nothing can be made from.
func (passwordEphemeral) ValidateConfig(ctx context.Context, req ephemeral.ValidateConfigRequest, resp *ephemeral.ValidateConfigResponse) {
	var config passwordEphemeralModel
	resp.Diagnostics.Append(req.Config.Get(ctx, &config)...)
	if resp.Diagnostics.HasError() {
		return
	}
	resp.Diagnostics.Append(config.check()...)
}

// Open draws a password.
func (passwordEphemeral) Open(ctx context.Context, req ephemeral.OpenRequest, resp *ephemeral.OpenResponse) {
	var model passwordEphemeralModel
	resp.Diagnostics.Append(req.Config.Get(ctx, &model)...)
	resp.Diagnostics.Append(model.check()...)
	if resp.Diagnostics.HasError() {
		return
	}
	password := model.make()
	hash, err := bcryptHash(password, bcrypt.DefaultCost)
	if err != nil {
		resp.Diagnostics.AddError("Cannot hash password", "bcrypt refused the password: "+err.Error()+".")
		return
	}
	model.Result, model.BcryptHash = types.StringValue(password), types.StringValue(hash)
	resp.Diagnostics.Append(resp.Result.Set(ctx, model)...)
}
