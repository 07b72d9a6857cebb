package std

import (
	"context"
	"encoding/base64"
	"encoding/pem"
	"fmt"
	"net"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/tfsdk"
	"github.com/hashicorp/terraform-plugin-framework/types"
)

// textRule is a demand on a string, or on each string of a list.
type textRule struct {
	must   string // completes "must be …"
	ok     func(string) bool
	secret bool // never quote the value
}

// Rules on text. Each is one sentence and one predicate.
func filled() textRule {
	return textRule{must: "a non-empty string", ok: func(s string) bool { return s != "" }}
}

func octalMode() textRule {
	mode := regexp.MustCompile(`^[0-7]{3,4}$`)
	return textRule{must: `three or four octal digits such as "0644"`, ok: mode.MatchString}
}

func base64Text() textRule {
	return textRule{must: "standard base64 with padding", secret: true, ok: func(s string) bool {
		_, err := base64.StdEncoding.DecodeString(s)
		return err == nil
	}}
}

func pemText() textRule {
	return textRule{must: "in PEM format (-----BEGIN …-----)", secret: true, ok: func(s string) bool {
		block, _ := pem.Decode([]byte(s))
		return block != nil
	}}
}

func ipText() textRule {
	return textRule{must: "an IPv4 or IPv6 address", ok: func(s string) bool { return net.ParseIP(s) != nil }}
}

func uriText() textRule {
	return textRule{must: "an absolute URI", ok: func(s string) bool {
		u, err := url.Parse(s)
		return err == nil && u.IsAbs()
	}}
}

func durationText() textRule {
	return textRule{must: `a positive duration such as "90s" or "5m"`, ok: func(s string) bool {
		d, err := time.ParseDuration(s)
		return err == nil && d > 0
	}}
}

func oneOfText(names ...string) textRule {
	return textRule{must: "one of " + strings.Join(names, ", "), ok: func(s string) bool { return slices.Contains(names, s) }}
}

func (r textRule) Description(context.Context) string         { return "must be " + r.must }
func (r textRule) MarkdownDescription(context.Context) string { return "must be " + r.must }

func (r textRule) check(at path.Path, v types.String, diags *diag.Diagnostics) {
	if v.IsNull() || v.IsUnknown() || r.ok(v.ValueString()) {
		return
	}
	detail := fmt.Sprintf("%s must be %s.", at, r.must)
	if !r.secret {
		detail = fmt.Sprintf("%s must be %s, and %q is not.", at, r.must, v.ValueString())
	}
	diags.AddAttributeError(at, "Invalid value", detail)
}

// ValidateString implements validator.String.
func (r textRule) ValidateString(_ context.Context, req validator.StringRequest, resp *validator.StringResponse) {
	r.check(req.Path, req.ConfigValue, &resp.Diagnostics)
}

// ValidateList implements validator.List: the rule holds for each element.
func (r textRule) ValidateList(_ context.Context, req validator.ListRequest, resp *validator.ListResponse) {
	for i, element := range req.ConfigValue.Elements() {
		at := req.Path.AtListIndex(i)
		text, isText := element.(types.String)
		if !isText || text.IsNull() {
			resp.Diagnostics.AddAttributeError(at, "Invalid value", fmt.Sprintf("%s must be %s, not null.", at, r.must))
			continue
		}
		r.check(at, text, &resp.Diagnostics)
	}
}

// numberRule is a demand on a whole number.
type numberRule struct {
	must string
	ok   func(int64) bool
}

func atLeast(least int64) numberRule {
	return numberRule{must: fmt.Sprintf("at least %d", least), ok: func(n int64) bool { return n >= least }}
}

func between(least, most int64) numberRule {
	return numberRule{must: fmt.Sprintf("between %d and %d", least, most), ok: func(n int64) bool { return least <= n && n <= most }}
}

func (r numberRule) Description(context.Context) string         { return "must be " + r.must }
func (r numberRule) MarkdownDescription(context.Context) string { return "must be " + r.must }

// ValidateInt64 implements validator.Int64.
func (r numberRule) ValidateInt64(_ context.Context, req validator.Int64Request, resp *validator.Int64Response) {
	v := req.ConfigValue
	if v.IsNull() || v.IsUnknown() || r.ok(v.ValueInt64()) {
		return
	}
	resp.Diagnostics.AddAttributeError(req.Path, "Invalid value",
		fmt.Sprintf("%s must be %s, and %d is not.", req.Path, r.must, v.ValueInt64()))
}

// exclusive names attributes of which at most one may be set.
type exclusive []string

func (e exclusive) Description(context.Context) string {
	return "at most one of " + strings.Join(e, ", ")
}

func (e exclusive) MarkdownDescription(ctx context.Context) string { return e.Description(ctx) }

func (e exclusive) check(ctx context.Context, config tfsdk.Config, diags *diag.Diagnostics) {
	set, _ := given(ctx, config, e, diags)
	if len(set) > 1 {
		diags.AddAttributeError(path.Root(set[1]), "Conflicting arguments",
			fmt.Sprintf("%s are set, and only one of them may be.", strings.Join(set, " and ")))
	}
}

// ValidateResource implements resource.ConfigValidator.
func (e exclusive) ValidateResource(ctx context.Context, req resource.ValidateConfigRequest, resp *resource.ValidateConfigResponse) {
	e.check(ctx, req.Config, &resp.Diagnostics)
}

// ValidateDataSource implements datasource.ConfigValidator.
func (e exclusive) ValidateDataSource(ctx context.Context, req datasource.ValidateConfigRequest, resp *datasource.ValidateConfigResponse) {
	e.check(ctx, req.Config, &resp.Diagnostics)
}

// together names attributes that are set all or not at all.
type together []string

func (t together) Description(context.Context) string {
	return "all or none of " + strings.Join(t, ", ")
}

func (t together) MarkdownDescription(ctx context.Context) string { return t.Description(ctx) }

// ValidateResource implements resource.ConfigValidator.
func (t together) ValidateResource(ctx context.Context, req resource.ValidateConfigRequest, resp *resource.ValidateConfigResponse) {
	set, missing := given(ctx, req.Config, t, &resp.Diagnostics)
	if len(set) > 0 && len(missing) > 0 {
		resp.Diagnostics.AddAttributeError(path.Root(set[0]), "Missing argument",
			fmt.Sprintf("%s works only together with %s.", strings.Join(set, " and "), strings.Join(missing, " and ")))
	}
}

// given sorts attributes into those known to be set and those known not to be;
// an unknown value is neither.
func given(ctx context.Context, config tfsdk.Config, names []string, diags *diag.Diagnostics) (set, missing []string) {
	for _, name := range names {
		var v attr.Value
		diags.Append(config.GetAttribute(ctx, path.Root(name), &v)...)
		switch {
		case v == nil || v.IsUnknown():
		case v.IsNull():
			missing = append(missing, name)
		default:
			set = append(set, name)
		}
	}
	return set, missing
}
