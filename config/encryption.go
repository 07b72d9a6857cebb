package config

import (
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/plumb-iac/plumb/diag"
	"github.com/plumb-iac/plumb/internal/hcldiag"
)

// EncryptionVariable is the environment variable whose text [ParseEncryption]
// reads, and the file name of its ranges.
const EncryptionVariable = "TF_ENCRYPTION"

// EncryptionSchema is what stands in an encryption block.
func EncryptionSchema() *hcl.BodySchema {
	return schemaOf(nil, block("key_provider", "type", "name"), block("method", "type", "name"),
		block("state"), block("plan"), block("remote_state_data_sources"))
}

// ParseEncryption reads what stands in the environment about encryption: the
// inside of an encryption block, in native syntax or in JSON. It is nil for a
// blank text.
func ParseEncryption(text string) (hcl.Body, diag.List) {
	trimmed := strings.TrimSpace(text)
	if trimmed == "" {
		return nil, nil
	}
	parse := parseNative
	if trimmed[0] == '{' || trimmed[0] == '[' {
		parse = parseJSON
	}
	f, diags := parse([]byte(text), EncryptionVariable)
	if f == nil {
		return nil, hcldiag.List(diags)
	}
	return f.Body, hcldiag.List(diags)
}
