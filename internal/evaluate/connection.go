package evaluate

import (
	"github.com/plumb-iac/plumb/schema"
	"github.com/zclconf/go-cty/cty"
)

// ConnectionSchema is the body of a connection block: the arguments of ssh and
// winrm together.
var ConnectionSchema = connectionSchema()

func connectionSchema() *schema.Block {
	var attrs []*schema.Attribute
	add := func(t cty.Type, names ...string) {
		for _, n := range names {
			attrs = append(attrs, &schema.Attribute{Name: n, Type: t, Optional: true})
		}
	}
	attrs = append(attrs, &schema.Attribute{Name: "host", Type: cty.String, Required: true})
	add(cty.String, "type", "user", "password", "timeout", "script_path", "target_platform",
		"private_key", "certificate", "host_key", "agent_identity",
		"proxy_scheme", "proxy_host", "proxy_user_name", "proxy_user_password",
		"bastion_host", "bastion_host_key", "bastion_user", "bastion_password", "bastion_private_key", "bastion_certificate",
		"cacert")
	add(cty.Number, "port", "proxy_port", "bastion_port")
	add(cty.Bool, "agent", "https", "insecure", "use_ntlm")
	return schema.NewBlock(attrs, nil)
}
