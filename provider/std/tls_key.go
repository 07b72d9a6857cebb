package std

import (
	"context"
	"crypto"
	"crypto/ecdsa"
	"crypto/rsa"
	"crypto/x509"
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/int64planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/stringplanmodifier"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"
)

// tlsKey is std_tls_key: a private key in the forms programs ask for.
type tlsKey struct{ drawn }

var (
	_ resource.ResourceWithValidateConfig = tlsKey{}
	_ resource.ResourceWithModifyPlan     = tlsKey{}
	_ resource.ResourceWithImportState    = tlsKey{}
	_ resource.ResourceWithMoveState      = tlsKey{}
)

type tlsKeyModel struct {
	Algorithm   types.String `tfsdk:"algorithm"`
	RSABits     types.Int64  `tfsdk:"rsa_bits"`
	ECDSACurve  types.String `tfsdk:"ecdsa_curve"`
	ID          types.String `tfsdk:"id"`
	PrivatePEM  types.String `tfsdk:"private_key_pem"`
	PKCS8PEM    types.String `tfsdk:"private_key_pem_pkcs8"`
	PrivateSSH  types.String `tfsdk:"private_key_openssh"`
	PublicPEM   types.String `tfsdk:"public_key_pem"`
	PublicSSH   types.String `tfsdk:"public_key_openssh"`
	Fingerprint types.String `tfsdk:"public_key_fingerprint_sha256"`
}

const (
	defaultRSABits = 2048
	defaultCurve   = "P256"
)

func (tlsKey) Metadata(_ context.Context, req resource.MetadataRequest, resp *resource.MetadataResponse) {
	resp.TypeName = req.ProviderTypeName + "_tls_key"
}

func (tlsKey) Schema(_ context.Context, _ resource.SchemaRequest, resp *resource.SchemaResponse) {
	resp.Schema = schema.Schema{
		MarkdownDescription: "A private key for TLS or SSH. It is never shown, but it is stored in the state: for production, prefer keys that never leave the machine that uses them.",
		Attributes: map[string]schema.Attribute{
			"algorithm": schema.StringAttribute{
				MarkdownDescription: "`RSA`, `ECDSA` or `ED25519`. Changing it makes another key.",
				Required:            true,
				Validators:          []validator.String{oneOfText(algorithmRSA, algorithmECDSA, algorithmED25519)},
				PlanModifiers:       []planmodifier.String{stringplanmodifier.RequiresReplace()},
			},
			"rsa_bits": schema.Int64Attribute{
				MarkdownDescription: "Size of an RSA key. Default 2048; null for other algorithms. Changing it makes another key.",
				Optional:            true,
				Computed:            true,
				Validators:          []validator.Int64{between(1024, 16384)},
				PlanModifiers:       []planmodifier.Int64{int64planmodifier.UseStateForUnknown(), int64planmodifier.RequiresReplace()},
			},
			"ecdsa_curve": schema.StringAttribute{
				MarkdownDescription: "Curve of an ECDSA key: `P224`, `P256`, `P384` or `P521`. Default `P256`; null for other algorithms. Changing it makes another key.",
				Optional:            true,
				Computed:            true,
				Validators:          []validator.String{oneOfText(curveNames()...)},
				PlanModifiers:       []planmodifier.String{stringplanmodifier.UseStateForUnknown(), stringplanmodifier.RequiresReplace()},
			},
			"id":                            settled("SHA-256 digest of the public key in hexadecimal."),
			"private_key_pem":               secret("The private key in PEM, in the algorithm's own form: PKCS #1 for RSA, SEC 1 for ECDSA, PKCS #8 for ED25519."),
			"private_key_pem_pkcs8":         secret("The private key in PEM, as PKCS #8."),
			"private_key_openssh":           secret("The private key in OpenSSH's form; null for curve P224, which OpenSSH does not know."),
			"public_key_pem":                settled("The public key in PEM."),
			"public_key_openssh":            settled("The public key as a line of `authorized_keys`; null for curve P224."),
			"public_key_fingerprint_sha256": settled("The fingerprint that `ssh-keygen -l` prints; null for curve P224."),
		},
	}
}

// ValidateConfig refuses parameters of another algorithm.
func (tlsKey) ValidateConfig(ctx context.Context, req resource.ValidateConfigRequest, resp *resource.ValidateConfigResponse) {
	var config tlsKeyModel
	resp.Diagnostics.Append(req.Config.Get(ctx, &config)...)
	if resp.Diagnostics.HasError() || config.Algorithm.IsUnknown() {
		return
	}
	for _, parameter := range []struct {
		name, algorithm string
		set             bool
	}{
		{"rsa_bits", algorithmRSA, !config.RSABits.IsNull()},
		{"ecdsa_curve", algorithmECDSA, !config.ECDSACurve.IsNull()},
	} {
		if parameter.set && config.Algorithm.ValueString() != parameter.algorithm {
			resp.Diagnostics.AddAttributeError(path.Root(parameter.name), "Conflicting arguments",
				fmt.Sprintf("%s applies to algorithm %s only; this key is %s.", parameter.name, parameter.algorithm, config.Algorithm.ValueString()))
		}
	}
}

// ModifyPlan plans the parameters of a new key; those of a key that exists are
// what they are.
func (tlsKey) ModifyPlan(ctx context.Context, req resource.ModifyPlanRequest, resp *resource.ModifyPlanResponse) {
	if req.Plan.Raw.IsNull() || !req.State.Raw.IsNull() {
		return
	}
	var config, plan tlsKeyModel
	resp.Diagnostics.Append(req.Config.Get(ctx, &config)...)
	resp.Diagnostics.Append(req.Plan.Get(ctx, &plan)...)
	if resp.Diagnostics.HasError() || plan.Algorithm.IsUnknown() {
		return
	}
	if config.RSABits.IsNull() {
		plan.RSABits = rsaBits(plan.Algorithm)
	}
	if config.ECDSACurve.IsNull() {
		plan.ECDSACurve = ecdsaCurve(plan.Algorithm)
	}
	resp.Diagnostics.Append(resp.Plan.Set(ctx, plan)...)
}

// rsaBits is the default of rsa_bits, null where it does not apply.
func rsaBits(algorithm types.String) types.Int64 {
	if algorithm.ValueString() == algorithmRSA {
		return types.Int64Value(defaultRSABits)
	}
	return types.Int64Null()
}

// ecdsaCurve is the default of ecdsa_curve, null where it does not apply.
func ecdsaCurve(algorithm types.String) types.String {
	if algorithm.ValueString() == algorithmECDSA {
		return types.StringValue(defaultCurve)
	}
	return types.StringNull()
}

// generate makes the key. Parameters that planning could not settle, because
// the algorithm was unknown, are settled now.
func (m tlsKeyModel) generate() (crypto.Signer, error) {
	if m.RSABits.IsUnknown() || m.RSABits.IsNull() {
		m.RSABits = rsaBits(m.Algorithm)
	}
	if m.ECDSACurve.IsUnknown() || m.ECDSACurve.IsNull() {
		m.ECDSACurve = ecdsaCurve(m.Algorithm)
	}
	return generateKey(m.Algorithm.ValueString(), int(m.RSABits.ValueInt64()), m.ECDSACurve.ValueString())
}

func (tlsKey) Create(ctx context.Context, req resource.CreateRequest, resp *resource.CreateResponse) {
	var plan tlsKeyModel
	resp.Diagnostics.Append(req.Plan.Get(ctx, &plan)...)
	if resp.Diagnostics.HasError() {
		return
	}
	key, err := plan.generate()
	if err != nil {
		resp.Diagnostics.AddError("Cannot generate key", "No key was made: "+err.Error()+".")
		return
	}
	model, err := plan.holding(key)
	if err != nil {
		resp.Diagnostics.AddError("Cannot encode key", "The key that was made cannot be written down: "+err.Error()+".")
		return
	}
	resp.Diagnostics.Append(resp.State.Set(ctx, model)...)
}

// holding is the model with everything that follows from the key.
func (m tlsKeyModel) holding(key crypto.Signer) (tlsKeyModel, error) {
	public, err := x509.MarshalPKIXPublicKey(key.Public())
	if err != nil {
		return m, err
	}
	traditional, err := traditionalPEM(key)
	if err != nil {
		return m, err
	}
	pkcs8, err := pkcs8PEM(key)
	if err != nil {
		return m, err
	}
	m = m.parameters(key)
	m.ID = types.StringValue(sha256Hex(public))
	m.PublicPEM = types.StringValue(encodePEM("PUBLIC KEY", public))
	m.PrivatePEM, m.PKCS8PEM = types.StringValue(traditional), types.StringValue(pkcs8)
	m.PrivateSSH, m.PublicSSH, m.Fingerprint = types.StringNull(), types.StringNull(), types.StringNull()
	if s, known := opensshKey(key); known {
		m.PrivateSSH, m.PublicSSH, m.Fingerprint = types.StringValue(s.private), types.StringValue(s.public), types.StringValue(s.fingerprint)
	}
	return m, nil
}

func (m tlsKeyModel) parameters(key crypto.Signer) tlsKeyModel {
	m.Algorithm = types.StringValue(keyAlgorithm(key.Public()))
	m.RSABits, m.ECDSACurve = types.Int64Null(), types.StringNull()
	switch k := key.(type) {
	case *rsa.PrivateKey:
		m.RSABits = types.Int64Value(int64(k.N.BitLen()))
	case *ecdsa.PrivateKey:
		m.ECDSACurve = types.StringValue(curveName(k.Curve))
	}
	return m
}

// ImportState takes the path of a file that holds a private key.
func (tlsKey) ImportState(ctx context.Context, req resource.ImportStateRequest, resp *resource.ImportStateResponse) {
	found, err := readFile(req.ID)
	if err != nil {
		resp.Diagnostics.AddError("Cannot read key", "A std_tls_key is imported by the path of a file that holds the private key: "+err.Error()+".")
		return
	}
	key, err := parseKey(string(found.content))
	if err != nil {
		resp.Diagnostics.AddError("Cannot read key", fmt.Sprintf("The file %s does not hold a key that can be imported: %s.", req.ID, err))
		return
	}
	model, err := tlsKeyModel{}.holding(key)
	if err != nil {
		resp.Diagnostics.AddError("Cannot encode key", "The imported key cannot be written down: "+err.Error()+".")
		return
	}
	resp.Diagnostics.Append(resp.State.Set(ctx, model)...)
}

// MoveState carries over tls_private_key, whose parameters are set for every
// algorithm, and here only for their own.
func (tlsKey) MoveState(context.Context) []resource.StateMover {
	return movers(origin{provider: "hashicorp/tls", resource: "tls_private_key", fix: func(attrs map[string]any) {
		if attrs["algorithm"] != algorithmRSA {
			attrs["rsa_bits"] = nil
		}
		if attrs["algorithm"] != algorithmECDSA {
			attrs["ecdsa_curve"] = nil
		}
	}})
}
