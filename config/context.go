package config

import (
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hcled"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/hashicorp/hcl/v2/json"
)

// BlockContext names the top-level block around a byte of a source file, such
// as `resource "x" "y"`, or "" when there is none. The file need not be valid.
func BlockContext(src []byte, filename string, at int) string {
	var file *hcl.File
	if strings.HasSuffix(filename, ".json") {
		file, _ = json.Parse(src, filename)
	} else {
		file, _ = hclsyntax.ParseConfig(src, filename, hcl.InitialPos)
	}
	if file == nil {
		return ""
	}
	return hcled.ContextString(file, at)
}
