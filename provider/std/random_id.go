package std

import (
	"context"
	"encoding/base64"
	"encoding/hex"
	"math/big"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/int64planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/stringplanmodifier"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"
)

// randomID is std_random_id: random bytes in several spellings.
type randomID struct{ drawn }

var (
	_ resource.ResourceWithImportState = randomID{}
	_ resource.ResourceWithMoveState   = randomID{}
)

type randomIDModel struct {
	Keepers    types.Map    `tfsdk:"keepers"`
	ByteLength types.Int64  `tfsdk:"byte_length"`
	Prefix     types.String `tfsdk:"prefix"`
	ID         types.String `tfsdk:"id"`
	Hex        types.String `tfsdk:"hex"`
	Dec        types.String `tfsdk:"dec"`
	B64URL     types.String `tfsdk:"b64_url"`
	B64Std     types.String `tfsdk:"b64_std"`
}

func (randomID) Metadata(_ context.Context, req resource.MetadataRequest, resp *resource.MetadataResponse) {
	resp.TypeName = req.ProviderTypeName + "_random_id"
}

func (randomID) Schema(_ context.Context, _ resource.SchemaRequest, resp *resource.SchemaResponse) {
	resp.Schema = schema.Schema{
		MarkdownDescription: "Random bytes for unique names. Not a secret: the result is shown.",
		Attributes: map[string]schema.Attribute{
			"keepers": keepersAttribute(),
			"byte_length": schema.Int64Attribute{
				MarkdownDescription: "How many random bytes to draw. Changing it draws again.",
				Required:            true,
				Validators:          []validator.Int64{between(1, 65536)},
				PlanModifiers:       []planmodifier.Int64{int64planmodifier.RequiresReplace()},
			},
			"prefix": schema.StringAttribute{
				MarkdownDescription: "Text put before every spelling except `id`. Changing it draws again.",
				Optional:            true,
				PlanModifiers:       []planmodifier.String{stringplanmodifier.RequiresReplace()},
			},
			"id":      settled("The bytes in URL-safe base64 without padding and without the prefix."),
			"hex":     settled("The bytes in lower case hexadecimal, after the prefix."),
			"dec":     settled("The bytes as one big-endian number in decimal, after the prefix."),
			"b64_url": settled("The bytes in URL-safe base64 without padding, after the prefix."),
			"b64_std": settled("The bytes in standard base64, after the prefix."),
		},
	}
}

// settled is a computed string that stays what it was for as long as the object lives.
func settled(description string) schema.StringAttribute {
	return schema.StringAttribute{
		MarkdownDescription: description,
		Computed:            true,
		PlanModifiers:       []planmodifier.String{stringplanmodifier.UseStateForUnknown()},
	}
}

// secret is settled and never shown.
func secret(description string) schema.StringAttribute {
	a := settled(description)
	a.Sensitive = true
	return a
}

func (m randomIDModel) spelled(b []byte) randomIDModel {
	prefix := m.Prefix.ValueString()
	url := base64.RawURLEncoding.EncodeToString(b)
	m.ID = types.StringValue(url)
	m.Hex = types.StringValue(prefix + hex.EncodeToString(b))
	m.Dec = types.StringValue(prefix + new(big.Int).SetBytes(b).String())
	m.B64URL = types.StringValue(prefix + url)
	m.B64Std = types.StringValue(prefix + base64.StdEncoding.EncodeToString(b))
	return m
}

func (randomID) Create(ctx context.Context, req resource.CreateRequest, resp *resource.CreateResponse) {
	var plan randomIDModel
	resp.Diagnostics.Append(req.Plan.Get(ctx, &plan)...)
	if resp.Diagnostics.HasError() {
		return
	}
	b := randomBytes(int(plan.ByteLength.ValueInt64()))
	resp.Diagnostics.Append(resp.State.Set(ctx, plan.spelled(b))...)
}

// ImportState takes the id, or PREFIX,ID; a prefix may itself contain commas.
func (randomID) ImportState(ctx context.Context, req resource.ImportStateRequest, resp *resource.ImportStateResponse) {
	model := randomIDModel{Keepers: types.MapNull(types.StringType), Prefix: types.StringNull()}
	id := req.ID
	if comma := strings.LastIndex(id, ","); comma >= 0 {
		model.Prefix, id = types.StringValue(id[:comma]), id[comma+1:]
	}
	b, err := base64.RawURLEncoding.DecodeString(id)
	if err != nil || len(b) == 0 {
		resp.Diagnostics.AddError("Invalid import ID", "A std_random_id is imported by its id, which is URL-safe base64 without padding; with a prefix, as PREFIX,ID.")
		return
	}
	model.ByteLength = types.Int64Value(int64(len(b)))
	resp.Diagnostics.Append(resp.State.Set(ctx, model.spelled(b))...)
}

// MoveState carries over random_id.
func (randomID) MoveState(context.Context) []resource.StateMover {
	return movers(origin{provider: "hashicorp/random", resource: "random_id"})
}
