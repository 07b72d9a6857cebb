package std

import (
	"context"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/int64default"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/int64planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/stringdefault"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/stringplanmodifier"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"
)

// randomPet is std_random_pet: a name people can say.
type randomPet struct{ drawn }

var _ resource.ResourceWithMoveState = randomPet{}

type randomPetModel struct {
	Keepers   types.Map    `tfsdk:"keepers"`
	Length    types.Int64  `tfsdk:"length"`
	Prefix    types.String `tfsdk:"prefix"`
	Separator types.String `tfsdk:"separator"`
	ID        types.String `tfsdk:"id"`
}

func (randomPet) Metadata(_ context.Context, req resource.MetadataRequest, resp *resource.MetadataResponse) {
	resp.TypeName = req.ProviderTypeName + "_random_pet"
}

func (randomPet) Schema(_ context.Context, _ resource.SchemaRequest, resp *resource.SchemaResponse) {
	resp.Schema = schema.Schema{
		MarkdownDescription: "A random name that is easy to say and to remember, such as `mellow-otter`. Unique enough for a handful of things; add a `std_random_id` where two must never meet.",
		Attributes: map[string]schema.Attribute{
			"keepers": keepersAttribute(),
			"length": schema.Int64Attribute{
				MarkdownDescription: "How many words: an animal, before it an adjective, before that adverbs. Default 2. Changing it draws again.",
				Optional:            true,
				Computed:            true,
				Default:             int64default.StaticInt64(2),
				Validators:          []validator.Int64{between(1, 64)},
				PlanModifiers:       []planmodifier.Int64{int64planmodifier.RequiresReplace()},
			},
			"prefix": schema.StringAttribute{
				MarkdownDescription: "Text put in front, followed by the separator. Changing it draws again.",
				Optional:            true,
				PlanModifiers:       []planmodifier.String{stringplanmodifier.RequiresReplace()},
			},
			"separator": schema.StringAttribute{
				MarkdownDescription: "What stands between two words. Default `\"-\"`. Changing it draws again.",
				Optional:            true,
				Computed:            true,
				Default:             stringdefault.StaticString("-"),
				PlanModifiers:       []planmodifier.String{stringplanmodifier.RequiresReplace()},
			},
			"id": settled("The name."),
		},
	}
}

// petWords draws adverbs, one adjective and one animal, n words in all.
func petWords(n int) []string {
	words := make([]string, 0, n)
	for len(words) < n-2 {
		words = append(words, draw(petAdverbs))
	}
	if n > 1 {
		words = append(words, draw(petAdjectives))
	}
	return append(words, draw(petAnimals))
}

func (randomPet) Create(ctx context.Context, req resource.CreateRequest, resp *resource.CreateResponse) {
	var plan randomPetModel
	resp.Diagnostics.Append(req.Plan.Get(ctx, &plan)...)
	if resp.Diagnostics.HasError() {
		return
	}
	words := petWords(int(plan.Length.ValueInt64()))
	if prefix := plan.Prefix.ValueString(); prefix != "" {
		words = append([]string{prefix}, words...)
	}
	plan.ID = types.StringValue(strings.Join(words, plan.Separator.ValueString()))
	resp.Diagnostics.Append(resp.State.Set(ctx, plan)...)
}

// MoveState carries over random_pet.
func (randomPet) MoveState(context.Context) []resource.StateMover {
	return movers(origin{provider: "hashicorp/random", resource: "random_pet"})
}
