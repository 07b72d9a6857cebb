package contract

import (
	"strings"
	"testing"

	"github.com/plumb-iac/plumb/addr"
	"github.com/plumb-iac/plumb/diag"
	"github.com/plumb-iac/plumb/schema"
	"github.com/zclconf/go-cty/cty"
)

func TestDiagSaysWhatWhereWhoAndWhatToDo(t *testing.T) {
	s := schema.NewBlock([]*schema.Attribute{
		{Name: "open", Type: cty.String, Optional: true},
		{Name: "secret", Type: cty.String, Optional: true, Sensitive: true},
		{Name: "marked", Type: cty.String, Optional: true},
	}, nil)
	object := func(v string) cty.Value {
		return cty.ObjectVal(map[string]cty.Value{"open": cty.StringVal(v), "secret": cty.StringVal(v), "marked": cty.StringVal(v)})
	}
	found := Check(Plan, Facts{Schema: s, Config: object("wanted"), Answer: object("given"), Hidden: []cty.Path{cty.GetAttrPath("marked")}})
	diags := found.Diags(Subject{Addr: "aws_vpc.main", Provider: addr.Provider{Host: addr.DefaultHost, Namespace: "hashicorp", Type: "aws"}})
	if len(diags) != 3 {
		t.Fatalf("%d diagnostics, want 3", len(diags))
	}
	for _, d := range diags {
		hidden := d.Attribute != ".open"
		if hidden == strings.Contains(d.Detail, "given") || hidden == strings.Contains(d.Detail, "wanted") {
			t.Errorf("%s quotes the wrong things:\n%s", d.Attribute, d.Detail)
		}
		for _, part := range []string{"hashicorp/aws", "aws_vpc.main" + d.Attribute, "plan/configured-kept", "report it"} {
			if !strings.Contains(d.Detail, part) {
				t.Errorf("%s does not say %q:\n%s", d.Attribute, part, d.Detail)
			}
		}
		if d.Summary != "Provider produced invalid plan" || d.Blame != diag.Provider || d.Severity != diag.Error {
			t.Errorf("%+v", d)
		}
	}
}
