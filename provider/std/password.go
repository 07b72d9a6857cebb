package std

import (
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"golang.org/x/crypto/bcrypt"
)

// recipe is what a password is made from; the managed and the ephemeral
// resource share it. A null argument has its default.
type recipe struct {
	Length          types.Int64  `tfsdk:"length"`
	Upper           types.Bool   `tfsdk:"upper"`
	Lower           types.Bool   `tfsdk:"lower"`
	Numeric         types.Bool   `tfsdk:"numeric"`
	Special         types.Bool   `tfsdk:"special"`
	MinUpper        types.Int64  `tfsdk:"min_upper"`
	MinLower        types.Int64  `tfsdk:"min_lower"`
	MinNumeric      types.Int64  `tfsdk:"min_numeric"`
	MinSpecial      types.Int64  `tfsdk:"min_special"`
	OverrideSpecial types.String `tfsdk:"override_special"`
}

const specialCharacters = "!@#$%&*()-_=+[]{}<>:?"

// characterClass is one kind of character a password may contain.
type characterClass struct {
	name       string
	use        types.Bool
	least      types.Int64
	characters string
}

func (c characterClass) used() bool {
	return c.use.IsNull() || c.use.IsUnknown() || c.use.ValueBool()
}

func (r recipe) classes() []characterClass {
	special := specialCharacters
	if r.OverrideSpecial.ValueString() != "" {
		special = r.OverrideSpecial.ValueString()
	}
	return []characterClass{
		{"upper", r.Upper, r.MinUpper, "ABCDEFGHIJKLMNOPQRSTUVWXYZ"},
		{"lower", r.Lower, r.MinLower, "abcdefghijklmnopqrstuvwxyz"},
		{"numeric", r.Numeric, r.MinNumeric, "0123456789"},
		{"special", r.Special, r.MinSpecial, special},
	}
}

// check refuses recipes nothing can be made from, as far as they are known.
func (r recipe) check() diag.Diagnostics {
	var diags diag.Diagnostics
	var least int64
	var used int
	for _, c := range r.classes() {
		least += c.least.ValueInt64()
		if c.used() {
			used++
		} else if c.least.ValueInt64() > 0 {
			diags.AddAttributeError(path.Root("min_"+c.name), "Conflicting arguments",
				fmt.Sprintf("min_%s asks for at least %d characters of a class that %s = false excludes.", c.name, c.least.ValueInt64(), c.name))
		}
	}
	if used == 0 {
		diags.AddError("Nothing to draw from", "Every class of characters is excluded. Allow at least one of upper, lower, numeric and special.")
	}
	if known := !r.Length.IsNull() && !r.Length.IsUnknown(); known && least > r.Length.ValueInt64() {
		diags.AddAttributeError(path.Root("length"), "Password too short",
			fmt.Sprintf("The minimums add up to %d characters, and length allows %d.", least, r.Length.ValueInt64()))
	}
	return diags
}

// make draws the demanded characters first, fills up from all classes and
// shuffles, so that a position says nothing about its class.
func (r recipe) make() string {
	var all, password []rune
	for _, c := range r.classes() {
		if !c.used() {
			continue
		}
		characters := []rune(c.characters)
		all = append(all, characters...)
		for range c.least.ValueInt64() {
			password = append(password, draw(characters))
		}
	}
	for int64(len(password)) < r.Length.ValueInt64() {
		password = append(password, draw(all))
	}
	shuffle(password)
	return string(password)
}

// bcryptHash hashes the first 72 bytes, which is all bcrypt ever looks at.
func bcryptHash(password string, cost int) (string, error) {
	hash, err := bcrypt.GenerateFromPassword([]byte(password)[:min(len(password), 72)], cost)
	return string(hash), err
}

// recipeText documents the arguments that both kinds of password share.
var recipeText = map[string]string{
	"length":           "How many characters.",
	"upper":            "Whether upper case letters may occur. Default true.",
	"lower":            "Whether lower case letters may occur. Default true.",
	"numeric":          "Whether digits may occur. Default true.",
	"special":          "Whether special characters may occur. Default true.",
	"min_upper":        "How many upper case letters occur at least. Default 0.",
	"min_lower":        "How many lower case letters occur at least. Default 0.",
	"min_numeric":      "How many digits occur at least. Default 0.",
	"min_special":      "How many special characters occur at least. Default 0.",
	"override_special": "The special characters to choose from, instead of `" + specialCharacters + "`.",
}
