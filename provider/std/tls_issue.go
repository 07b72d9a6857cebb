package std

import (
	"context"
	"crypto"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"math/big"
	"net"
	"net/url"
	"strings"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/types"
)

type tlsCertModel struct {
	PrivateKeyPEM       types.String  `tfsdk:"private_key_pem"`
	Subject             *subjectModel `tfsdk:"subject"`
	DNSNames            types.List    `tfsdk:"dns_names"`
	IPAddresses         types.List    `tfsdk:"ip_addresses"`
	URIs                types.List    `tfsdk:"uris"`
	ValidityPeriodHours types.Int64   `tfsdk:"validity_period_hours"`
	EarlyRenewalHours   types.Int64   `tfsdk:"early_renewal_hours"`
	AllowedUses         types.List    `tfsdk:"allowed_uses"`
	IsCA                types.Bool    `tfsdk:"is_ca"`
	CACertPEM           types.String  `tfsdk:"ca_cert_pem"`
	CAPrivateKeyPEM     types.String  `tfsdk:"ca_private_key_pem"`
	ID                  types.String  `tfsdk:"id"`
	Serial              types.String  `tfsdk:"serial"`
	CertPEM             types.String  `tfsdk:"cert_pem"`
	KeyAlgorithm        types.String  `tfsdk:"key_algorithm"`
	ValidityStartTime   types.String  `tfsdk:"validity_start_time"`
	ValidityEndTime     types.String  `tfsdk:"validity_end_time"`
	ReadyForRenewal     types.Bool    `tfsdk:"ready_for_renewal"`
}

type subjectModel struct {
	CommonName         types.String `tfsdk:"common_name"`
	Organization       types.String `tfsdk:"organization"`
	OrganizationalUnit types.String `tfsdk:"organizational_unit"`
	Country            types.String `tfsdk:"country"`
	Province           types.String `tfsdk:"province"`
	Locality           types.String `tfsdk:"locality"`
	PostalCode         types.String `tfsdk:"postal_code"`
	SerialNumber       types.String `tfsdk:"serial_number"`
	StreetAddress      types.List   `tfsdk:"street_address"`
}

// keyUse is one row of allowed_uses: a bit of the key usage or an extended one.
type keyUse struct {
	name     string
	bit      x509.KeyUsage
	extended x509.ExtKeyUsage
}

var keyUses = []keyUse{
	{name: "digital_signature", bit: x509.KeyUsageDigitalSignature},
	{name: "content_commitment", bit: x509.KeyUsageContentCommitment},
	{name: "key_encipherment", bit: x509.KeyUsageKeyEncipherment},
	{name: "data_encipherment", bit: x509.KeyUsageDataEncipherment},
	{name: "key_agreement", bit: x509.KeyUsageKeyAgreement},
	{name: "cert_signing", bit: x509.KeyUsageCertSign},
	{name: "crl_signing", bit: x509.KeyUsageCRLSign},
	{name: "encipher_only", bit: x509.KeyUsageEncipherOnly},
	{name: "decipher_only", bit: x509.KeyUsageDecipherOnly},
	{name: "any_extended", extended: x509.ExtKeyUsageAny},
	{name: "server_auth", extended: x509.ExtKeyUsageServerAuth},
	{name: "client_auth", extended: x509.ExtKeyUsageClientAuth},
	{name: "code_signing", extended: x509.ExtKeyUsageCodeSigning},
	{name: "email_protection", extended: x509.ExtKeyUsageEmailProtection},
	{name: "timestamping", extended: x509.ExtKeyUsageTimeStamping},
	{name: "ocsp_signing", extended: x509.ExtKeyUsageOCSPSigning},
}

func useNames() string {
	names := make([]string, len(keyUses))
	for i, use := range keyUses {
		names[i] = "`" + use.name + "`"
	}
	return strings.Join(names, ", ")
}

func knownUse() textRule {
	names := make([]string, len(keyUses))
	for i, use := range keyUses {
		names[i] = use.name
	}
	return oneOfText(names...)
}

// uses translates allowed_uses, or the default of the kind of certificate.
func (m tlsCertModel) uses(allowed []string) (x509.KeyUsage, []x509.ExtKeyUsage) {
	if allowed == nil && m.IsCA.ValueBool() {
		allowed = []string{"cert_signing", "crl_signing"}
	}
	if allowed == nil {
		allowed = []string{"digital_signature", "key_encipherment", "server_auth"}
	}
	wanted := map[string]bool{}
	for _, name := range allowed {
		wanted[name] = true
	}
	var bits x509.KeyUsage
	var extended []x509.ExtKeyUsage
	for _, use := range keyUses {
		switch {
		case !wanted[use.name]:
		case use.bit != 0:
			bits |= use.bit
		default:
			extended = append(extended, use.extended)
		}
	}
	return bits, extended
}

// issuer is who signs: a certificate and its key.
type issuer struct {
	cert *x509.Certificate
	key  crypto.Signer
}

// issued makes the certificate and fills in everything that follows from it.
func (m tlsCertModel) issued(ctx context.Context, now time.Time) (tlsCertModel, diag.Diagnostics) {
	var diags diag.Diagnostics
	key, err := parseKey(m.PrivateKeyPEM.ValueString())
	if err != nil {
		diags.AddAttributeError(path.Root("private_key_pem"), "Unreadable private key", "The subject's key cannot be used: "+err.Error()+".")
		return m, diags
	}
	template := m.template(ctx, now, &diags)
	signer := m.signer(issuer{cert: template, key: key}, &diags)
	if diags.HasError() {
		return m, diags
	}
	der, err := x509.CreateCertificate(rand.Reader, template, signer.cert, key.Public(), signer.key)
	if err != nil {
		diags.AddError("Cannot sign certificate", "The certificate could not be made from these arguments: "+err.Error()+".")
		return m, diags
	}
	m.CertPEM = types.StringValue(encodePEM("CERTIFICATE", der))
	m.Serial = types.StringValue(template.SerialNumber.String())
	m.ID = m.Serial
	m.KeyAlgorithm = types.StringValue(keyAlgorithm(key.Public()))
	m.ValidityStartTime = types.StringValue(template.NotBefore.Format(time.RFC3339))
	m.ValidityEndTime = types.StringValue(template.NotAfter.Format(time.RFC3339))
	m.ReadyForRenewal = types.BoolValue(due(now, m.ValidityEndTime, m.EarlyRenewalHours))
	return m, diags
}

// signer is the authority, or the subject itself when none is given.
func (m tlsCertModel) signer(self issuer, diags *diag.Diagnostics) issuer {
	if m.CACertPEM.IsNull() || m.CAPrivateKeyPEM.IsNull() {
		return self
	}
	cert, err := parseCertificate(m.CACertPEM.ValueString())
	if err != nil {
		diags.AddAttributeError(path.Root("ca_cert_pem"), "Unreadable certificate", "The authority's certificate cannot be used: "+err.Error()+".")
	} else if !cert.IsCA {
		diags.AddAttributeError(path.Root("ca_cert_pem"), "Not an authority", "The certificate in ca_cert_pem may not sign others; it was made without is_ca.")
	}
	key, err := parseKey(m.CAPrivateKeyPEM.ValueString())
	if err != nil {
		diags.AddAttributeError(path.Root("ca_private_key_pem"), "Unreadable private key", "The authority's key cannot be used: "+err.Error()+".")
	}
	return issuer{cert: cert, key: key}
}

func (m tlsCertModel) template(ctx context.Context, now time.Time, diags *diag.Diagnostics) *x509.Certificate {
	start := now.UTC().Truncate(time.Second)
	bits, extended := m.uses(texts(ctx, m.AllowedUses, diags))
	template := &x509.Certificate{
		SerialNumber:          serialNumber(),
		Subject:               m.Subject.name(ctx, diags),
		NotBefore:             start,
		NotAfter:              start.Add(time.Duration(m.ValidityPeriodHours.ValueInt64()) * time.Hour),
		KeyUsage:              bits,
		ExtKeyUsage:           extended,
		IsCA:                  m.IsCA.ValueBool(),
		BasicConstraintsValid: true,
		DNSNames:              texts(ctx, m.DNSNames, diags),
	}
	for _, text := range texts(ctx, m.IPAddresses, diags) {
		template.IPAddresses = append(template.IPAddresses, net.ParseIP(text))
	}
	for _, text := range texts(ctx, m.URIs, diags) {
		uri, err := url.Parse(text)
		if err != nil {
			diags.AddAttributeError(path.Root("uris"), "Invalid value", "uris must be absolute URIs: "+err.Error()+".")
			continue
		}
		template.URIs = append(template.URIs, uri)
	}
	return template
}

// serialNumber draws 127 bits, so that the number is positive and short enough
// for every reader.
func serialNumber() *big.Int {
	b := randomBytes(16)
	b[0] &= 0x7f
	return new(big.Int).SetBytes(b)
}

func (s *subjectModel) name(ctx context.Context, diags *diag.Diagnostics) pkix.Name {
	if s == nil {
		return pkix.Name{}
	}
	one := func(v types.String) []string {
		if v.ValueString() == "" {
			return nil
		}
		return []string{v.ValueString()}
	}
	return pkix.Name{
		CommonName:         s.CommonName.ValueString(),
		Organization:       one(s.Organization),
		OrganizationalUnit: one(s.OrganizationalUnit),
		Country:            one(s.Country),
		Province:           one(s.Province),
		Locality:           one(s.Locality),
		PostalCode:         one(s.PostalCode),
		SerialNumber:       s.SerialNumber.ValueString(),
		StreetAddress:      texts(ctx, s.StreetAddress, diags),
	}
}

// texts is a list of strings, nil if it is null.
func texts(ctx context.Context, list types.List, diags *diag.Diagnostics) []string {
	var out []string
	if !list.IsNull() && !list.IsUnknown() {
		diags.Append(list.ElementsAs(ctx, &out, false)...)
	}
	return out
}
