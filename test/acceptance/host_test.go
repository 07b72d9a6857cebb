package acceptance

import (
	"testing"

	"github.com/hashicorp/go-plugin"
	"github.com/plumb-iac/plumb/test/acceptance/cloud"
	"github.com/plumb-iac/plumb/test/acceptance/modern"
)

// TestOpenTofusHost has a provider run for OpenTofu's registry alone, as it does in
// suites with TF_ACC_PROVIDER_HOST: an address without a host is of that registry.
func TestOpenTofusHost(t *testing.T) {
	t.Parallel()
	s := newStage(t, nil)
	running := serve(t, "modern", modern.Beside6(cloud.New())())
	s.env = append(s.env, "TF_REATTACH_PROVIDERS="+reattach(t, map[string]*plugin.ReattachConfig{"registry.opentofu.org/hashicorp/modern": running}))
	s.write(`resource "modern_planned" "a" { name = "one" }`)
	s.must("init", "-no-color")
	if got := s.plan()["modern_planned.a"].done(); got != "created" {
		t.Errorf("modern_planned.a is %s", got)
	}
}
