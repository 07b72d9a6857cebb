package std

import (
	"context"
	"fmt"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/booldefault"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/boolplanmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/int64default"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/int64planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/listplanmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/objectplanmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/stringplanmodifier"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"
)

// tlsCert is std_tls_cert: a certificate, signed by its own key or by a given
// authority, that is replaced before it runs out.
type tlsCert struct{ now clock }

var (
	_ resource.ResourceWithConfigValidators = tlsCert{}
	_ resource.ResourceWithValidateConfig   = tlsCert{}
	_ resource.ResourceWithModifyPlan       = tlsCert{}
)

func (tlsCert) Metadata(_ context.Context, req resource.MetadataRequest, resp *resource.MetadataResponse) {
	resp.TypeName = req.ProviderTypeName + "_tls_cert"
}

func (tlsCert) Schema(_ context.Context, _ resource.SchemaRequest, resp *resource.SchemaResponse) {
	resp.Schema = schema.Schema{
		MarkdownDescription: "A certificate, signed by its own key, or by the authority given with `ca_cert_pem` and `ca_private_key_pem`. Every change but that of `early_renewal_hours` makes another one, and so does the first plan after the renewal window begins.",
		Attributes: map[string]schema.Attribute{
			"private_key_pem": certPEM("The private key of the certificate's subject, unencrypted PEM in any usual form.", pemForm{required: true, secret: true}),
			"subject":         subjectAttribute(),
			"dns_names":       certNames("Host names the certificate is valid for. Programs look here and not at `common_name`.", filled()),
			"ip_addresses":    certNames("IP addresses the certificate is valid for.", ipText()),
			"uris":            certNames("URIs the certificate is valid for, such as SPIFFE ids.", uriText()),
			"validity_period_hours": schema.Int64Attribute{
				MarkdownDescription: "For how many hours the certificate is valid, from its creation.",
				Required:            true,
				Validators:          []validator.Int64{between(1, 24*366*100)},
				PlanModifiers:       []planmodifier.Int64{int64planmodifier.RequiresReplace()},
			},
			"early_renewal_hours": schema.Int64Attribute{
				MarkdownDescription: "How many hours before its end the certificate is due for replacement. Default 0. May be changed without replacing the certificate.",
				Optional:            true,
				Computed:            true,
				Default:             int64default.StaticInt64(0),
				Validators:          []validator.Int64{atLeast(0)},
			},
			"allowed_uses": certNames("What the key may be used for: "+useNames()+". Default: `cert_signing` and `crl_signing` for an authority, else `digital_signature`, `key_encipherment` and `server_auth`.", knownUse()),
			"is_ca": schema.BoolAttribute{
				MarkdownDescription: "Whether the certificate is an authority that may sign others. Default false.",
				Optional:            true,
				Computed:            true,
				Default:             booldefault.StaticBool(false),
				PlanModifiers:       []planmodifier.Bool{boolplanmodifier.RequiresReplace()},
			},
			"ca_cert_pem":         certPEM("Certificate of the authority that signs, in PEM. Without it the certificate is signed by its own key.", pemForm{}),
			"ca_private_key_pem":  certPEM("Private key of the authority that signs, unencrypted PEM.", pemForm{secret: true}),
			"id":                  settled("The same as `serial`."),
			"serial":              settled("Serial number in decimal."),
			"cert_pem":            settled("The certificate in PEM."),
			"key_algorithm":       settled("Algorithm of the subject's key: `RSA`, `ECDSA` or `ED25519`."),
			"validity_start_time": settled("When the certificate begins to be valid (RFC 3339, UTC)."),
			"validity_end_time":   settled("When the certificate ends to be valid (RFC 3339, UTC)."),
			"ready_for_renewal": schema.BoolAttribute{
				MarkdownDescription: "Whether the renewal window has begun. The next plan then replaces the certificate.",
				Computed:            true,
			},
		},
	}
}

// pemForm is how an argument in PEM is taken.
type pemForm struct{ required, secret bool }

// certPEM is an argument in PEM that the certificate is made from.
func certPEM(description string, form pemForm) schema.StringAttribute {
	return schema.StringAttribute{
		MarkdownDescription: description,
		Required:            form.required,
		Optional:            !form.required,
		Sensitive:           form.secret,
		Validators:          []validator.String{pemText()},
		PlanModifiers:       []planmodifier.String{stringplanmodifier.RequiresReplace()},
	}
}

// certNames is an optional list of strings that the certificate is made from.
func certNames(description string, rule textRule) schema.ListAttribute {
	return schema.ListAttribute{
		MarkdownDescription: description,
		Optional:            true,
		ElementType:         types.StringType,
		Validators:          []validator.List{rule},
		PlanModifiers:       []planmodifier.List{listplanmodifier.RequiresReplace()},
	}
}

func subjectAttribute() schema.SingleNestedAttribute {
	text := func(description string) schema.StringAttribute {
		return schema.StringAttribute{MarkdownDescription: description, Optional: true}
	}
	return schema.SingleNestedAttribute{
		MarkdownDescription: "Whom the certificate is about.",
		Optional:            true,
		PlanModifiers:       []planmodifier.Object{objectplanmodifier.RequiresReplace()},
		Attributes: map[string]schema.Attribute{
			"common_name":         text("Common name (CN)."),
			"organization":        text("Organization (O)."),
			"organizational_unit": text("Organizational unit (OU)."),
			"country":             text("Country (C), two letters."),
			"province":            text("State or province (ST)."),
			"locality":            text("Locality (L)."),
			"postal_code":         text("Postal code."),
			"serial_number":       text("Serial number of the subject, not of the certificate."),
			"street_address": schema.ListAttribute{
				MarkdownDescription: "Lines of the street address.",
				Optional:            true,
				ElementType:         types.StringType,
			},
		},
	}
}

func (tlsCert) ConfigValidators(context.Context) []resource.ConfigValidator {
	return []resource.ConfigValidator{together{"ca_cert_pem", "ca_private_key_pem"}}
}

// ValidateConfig refuses a window that would begin before the certificate does:
// every plan would replace it.
func (tlsCert) ValidateConfig(ctx context.Context, req resource.ValidateConfigRequest, resp *resource.ValidateConfigResponse) {
	var validity, early types.Int64
	resp.Diagnostics.Append(req.Config.GetAttribute(ctx, path.Root("validity_period_hours"), &validity)...)
	resp.Diagnostics.Append(req.Config.GetAttribute(ctx, path.Root("early_renewal_hours"), &early)...)
	if validity.IsNull() || validity.IsUnknown() || early.ValueInt64() < validity.ValueInt64() {
		return
	}
	resp.Diagnostics.AddAttributeError(path.Root("early_renewal_hours"), "Renewal window too long",
		fmt.Sprintf("A certificate valid for %d hours and due %d hours before its end would be replaced by every plan.", validity.ValueInt64(), early.ValueInt64()))
}

// due says whether the renewal window has begun.
func due(now time.Time, end types.String, early types.Int64) bool {
	ends, err := time.Parse(time.RFC3339, end.ValueString())
	if err != nil {
		return false
	}
	return !now.Before(ends.Add(-time.Duration(early.ValueInt64()) * time.Hour))
}

// ModifyPlan replaces a certificate whose renewal window has begun. The window
// is judged anew even when the object was not read before.
func (c tlsCert) ModifyPlan(ctx context.Context, req resource.ModifyPlanRequest, resp *resource.ModifyPlanResponse) {
	if req.Plan.Raw.IsNull() {
		return
	}
	ready := path.Root("ready_for_renewal")
	var early types.Int64
	resp.Diagnostics.Append(req.Plan.GetAttribute(ctx, path.Root("early_renewal_hours"), &early)...)
	if early.IsUnknown() || resp.Diagnostics.HasError() {
		resp.Diagnostics.Append(resp.Plan.SetAttribute(ctx, ready, types.BoolUnknown())...)
		return
	}
	var end types.String
	if !req.State.Raw.IsNull() {
		resp.Diagnostics.Append(req.State.GetAttribute(ctx, path.Root("validity_end_time"), &end)...)
	}
	if !due(c.now(), end, early) {
		resp.Diagnostics.Append(resp.Plan.SetAttribute(ctx, ready, types.BoolValue(false))...)
		return
	}
	resp.Diagnostics.Append(resp.Plan.SetAttribute(ctx, ready, types.BoolUnknown())...)
	resp.RequiresReplace.Append(ready)
}

func (c tlsCert) Create(ctx context.Context, req resource.CreateRequest, resp *resource.CreateResponse) {
	var plan tlsCertModel
	resp.Diagnostics.Append(req.Plan.Get(ctx, &plan)...)
	if resp.Diagnostics.HasError() {
		return
	}
	model, diags := plan.issued(ctx, c.now())
	resp.Diagnostics.Append(diags...)
	if resp.Diagnostics.HasError() {
		return
	}
	resp.Diagnostics.Append(resp.State.Set(ctx, model)...)
}

// Read only looks at the clock.
func (c tlsCert) Read(ctx context.Context, req resource.ReadRequest, resp *resource.ReadResponse) {
	var state tlsCertModel
	resp.Diagnostics.Append(req.State.Get(ctx, &state)...)
	if resp.Diagnostics.HasError() {
		return
	}
	state.ReadyForRenewal = types.BoolValue(due(c.now(), state.ValidityEndTime, state.EarlyRenewalHours))
	resp.Diagnostics.Append(resp.State.Set(ctx, state)...)
}

// Update records the new renewal window.
func (c tlsCert) Update(ctx context.Context, req resource.UpdateRequest, resp *resource.UpdateResponse) {
	var plan tlsCertModel
	resp.Diagnostics.Append(req.Plan.Get(ctx, &plan)...)
	if resp.Diagnostics.HasError() {
		return
	}
	if plan.ReadyForRenewal.IsUnknown() {
		plan.ReadyForRenewal = types.BoolValue(due(c.now(), plan.ValidityEndTime, plan.EarlyRenewalHours))
	}
	resp.Diagnostics.Append(resp.State.Set(ctx, plan)...)
}

// Delete forgets the certificate; nothing revokes it.
func (tlsCert) Delete(context.Context, resource.DeleteRequest, *resource.DeleteResponse) {}
