package std

import (
	"context"
	"strings"
	"time"
	"unicode"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/function"
	"github.com/hashicorp/terraform-plugin-framework/types"
)

// slugFunction is provider::std::slug.
type slugFunction struct{}

func (slugFunction) Metadata(_ context.Context, _ function.MetadataRequest, resp *function.MetadataResponse) {
	resp.Name = "slug"
}

func (slugFunction) Definition(_ context.Context, _ function.DefinitionRequest, resp *function.DefinitionResponse) {
	resp.Definition = function.Definition{
		Summary:             "Makes a name fit for hosts and paths",
		MarkdownDescription: "Lower case letters a to z and digits stay; every run of anything else becomes one hyphen, none at either end. `slug(\"My Service (v2)\")` is `\"my-service-v2\"`.",
		Parameters:          []function.Parameter{function.StringParameter{Name: "text", MarkdownDescription: "Any text."}},
		Return:              function.StringReturn{},
	}
}

func (slugFunction) Run(ctx context.Context, req function.RunRequest, resp *function.RunResponse) {
	var text string
	if resp.Error = req.Arguments.Get(ctx, &text); resp.Error == nil {
		resp.Error = resp.Result.Set(ctx, slug(text))
	}
}

func slug(text string) string {
	words := strings.FieldsFunc(strings.ToLower(text), func(r rune) bool {
		return r > unicode.MaxASCII || !unicode.IsLower(r) && !unicode.IsDigit(r)
	})
	return strings.Join(words, "-")
}

// shellQuoteFunction is provider::std::shell_quote.
type shellQuoteFunction struct{}

func (shellQuoteFunction) Metadata(_ context.Context, _ function.MetadataRequest, resp *function.MetadataResponse) {
	resp.Name = "shell_quote"
}

func (shellQuoteFunction) Definition(_ context.Context, _ function.DefinitionRequest, resp *function.DefinitionResponse) {
	resp.Definition = function.Definition{
		Summary:             "Quotes words for a POSIX shell",
		MarkdownDescription: "Joins words into a line that a POSIX shell splits into the same words again. `shell_quote([\"echo\", \"it's\"])` is `echo 'it'\\''s'`.",
		Parameters:          []function.Parameter{function.ListParameter{Name: "words", ElementType: types.StringType, MarkdownDescription: "A program and its arguments."}},
		Return:              function.StringReturn{},
	}
}

func (shellQuoteFunction) Run(ctx context.Context, req function.RunRequest, resp *function.RunResponse) {
	var words []string
	if resp.Error = req.Arguments.Get(ctx, &words); resp.Error == nil {
		resp.Error = resp.Result.Set(ctx, shellQuote(words))
	}
}

func shellQuote(words []string) string {
	quoted := make([]string, len(words))
	for i, word := range words {
		quoted[i] = quoteWord(word)
	}
	return strings.Join(quoted, " ")
}

func quoteWord(word string) string {
	plain := func(r rune) bool {
		return r <= unicode.MaxASCII && (unicode.IsLetter(r) || unicode.IsDigit(r) || strings.ContainsRune("_-./:=,@%+", r))
	}
	if word != "" && strings.IndexFunc(word, func(r rune) bool { return !plain(r) }) < 0 {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}

// certInfoFunction is provider::std::cert_info.
type certInfoFunction struct{}

type certInfo struct {
	Subject   string   `tfsdk:"subject"`
	Issuer    string   `tfsdk:"issuer"`
	Serial    string   `tfsdk:"serial"`
	NotBefore string   `tfsdk:"not_before"`
	NotAfter  string   `tfsdk:"not_after"`
	IsCA      bool     `tfsdk:"is_ca"`
	DNSNames  []string `tfsdk:"dns_names"`
	SHA256    string   `tfsdk:"sha256"`
}

func (certInfoFunction) Metadata(_ context.Context, _ function.MetadataRequest, resp *function.MetadataResponse) {
	resp.Name = "cert_info"
}

func (certInfoFunction) Definition(_ context.Context, _ function.DefinitionRequest, resp *function.DefinitionResponse) {
	resp.Definition = function.Definition{
		Summary:             "Tells what a certificate says",
		MarkdownDescription: "Reads the first certificate of a PEM text. `sha256` is the fingerprint in hexadecimal; the times are RFC 3339 in UTC.",
		Parameters:          []function.Parameter{function.StringParameter{Name: "pem", MarkdownDescription: "A certificate in PEM."}},
		Return: function.ObjectReturn{AttributeTypes: map[string]attr.Type{
			"subject": types.StringType, "issuer": types.StringType, "serial": types.StringType,
			"not_before": types.StringType, "not_after": types.StringType, "is_ca": types.BoolType,
			"dns_names": types.ListType{ElemType: types.StringType}, "sha256": types.StringType,
		}},
	}
}

func (certInfoFunction) Run(ctx context.Context, req function.RunRequest, resp *function.RunResponse) {
	var text string
	if resp.Error = req.Arguments.Get(ctx, &text); resp.Error != nil {
		return
	}
	cert, err := parseCertificate(text)
	if err != nil {
		resp.Error = function.NewArgumentFuncError(0, "The text cannot be read as a certificate: "+err.Error()+".")
		return
	}
	resp.Error = resp.Result.Set(ctx, certInfo{
		Subject:   cert.Subject.String(),
		Issuer:    cert.Issuer.String(),
		Serial:    cert.SerialNumber.String(),
		NotBefore: cert.NotBefore.UTC().Format(time.RFC3339),
		NotAfter:  cert.NotAfter.UTC().Format(time.RFC3339),
		IsCA:      cert.IsCA,
		DNSNames:  append([]string{}, cert.DNSNames...),
		SHA256:    sha256Hex(cert.Raw),
	})
}
