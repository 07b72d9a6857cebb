package std

import (
	"context"
	"encoding/hex"
	"fmt"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/types"
)

// randomUUID is std_random_uuid: a UUID of version 4.
type randomUUID struct{ drawn }

var (
	_ resource.ResourceWithImportState = randomUUID{}
	_ resource.ResourceWithMoveState   = randomUUID{}
)

type randomUUIDModel struct {
	Keepers types.Map    `tfsdk:"keepers"`
	ID      types.String `tfsdk:"id"`
	Result  types.String `tfsdk:"result"`
}

func (randomUUID) Metadata(_ context.Context, req resource.MetadataRequest, resp *resource.MetadataResponse) {
	resp.TypeName = req.ProviderTypeName + "_random_uuid"
}

func (randomUUID) Schema(_ context.Context, _ resource.SchemaRequest, resp *resource.SchemaResponse) {
	resp.Schema = schema.Schema{
		MarkdownDescription: "A random UUID (RFC 9562, version 4).",
		Attributes: map[string]schema.Attribute{
			"keepers": keepersAttribute(),
			"id":      settled("The same as `result`."),
			"result":  settled("The UUID in its usual spelling, lower case."),
		},
	}
}

// newUUID sets the version and the variant among 122 random bits.
func newUUID() string {
	b := randomBytes(16)
	b[6] = b[6]&0x0f | 0x40
	b[8] = b[8]&0x3f | 0x80
	return spellUUID(b)
}

func spellUUID(b []byte) string {
	return fmt.Sprintf("%x-%x-%x-%x-%x", b[:4], b[4:6], b[6:8], b[8:10], b[10:16])
}

// parseUUID reads the usual spelling, of whatever version.
func parseUUID(s string) (string, bool) {
	b, err := hex.DecodeString(strings.ReplaceAll(s, "-", ""))
	if err != nil || len(b) != 16 {
		return "", false
	}
	spelled := spellUUID(b)
	return spelled, strings.EqualFold(spelled, s)
}

func (m randomUUIDModel) as(uuid string) randomUUIDModel {
	m.ID, m.Result = types.StringValue(uuid), types.StringValue(uuid)
	return m
}

func (randomUUID) Create(ctx context.Context, req resource.CreateRequest, resp *resource.CreateResponse) {
	var plan randomUUIDModel
	resp.Diagnostics.Append(req.Plan.Get(ctx, &plan)...)
	if resp.Diagnostics.HasError() {
		return
	}
	resp.Diagnostics.Append(resp.State.Set(ctx, plan.as(newUUID()))...)
}

// ImportState takes the UUID.
func (randomUUID) ImportState(ctx context.Context, req resource.ImportStateRequest, resp *resource.ImportStateResponse) {
	uuid, valid := parseUUID(req.ID)
	if !valid {
		resp.Diagnostics.AddError("Invalid import ID", fmt.Sprintf("A std_random_uuid is imported by the UUID itself, and %q is not one.", req.ID))
		return
	}
	model := randomUUIDModel{Keepers: types.MapNull(types.StringType)}
	resp.Diagnostics.Append(resp.State.Set(ctx, model.as(uuid))...)
}

// MoveState carries over random_uuid.
func (randomUUID) MoveState(context.Context) []resource.StateMover {
	return movers(
		origin{provider: "hashicorp/random", resource: "random_uuid"},
		origin{provider: "hashicorp/random", resource: "random_uuid4"},
	)
}
