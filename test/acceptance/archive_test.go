package acceptance

import (
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/tfversion"
	"github.com/plumb-iac/plumb/test/acceptance/cloud"
	"github.com/plumb-iac/plumb/test/acceptance/modern"
)

// TestStateStore goes through the life of workspaces in a state store, and through two
// runs that want one lock.
func TestStateStore(t *testing.T) {
	const config = `
terraform {
  required_providers {
    modern = { source = "registry.terraform.io/hashicorp/modern" }
  }
  state_store "modern_archive" {
    provider "modern" { region = "north" }
    shelf = "upper"
  }
}`
	w := cloud.New()
	t.Setenv("TF_ENABLE_PLUGGABLE_STATE_STORAGE", "1") // for programs that keep it behind this
	resource.Test(t, resource.TestCase{
		TerraformVersionChecks:   []tfversion.TerraformVersionCheck{tfversion.SkipBelow(tfversion.Version1_15_0)},
		ProtoV6ProviderFactories: servers6{"modern": modern.Server6(w)},
		Steps:                    []resource.TestStep{{StateStore: true, VerifyStateStoreLock: true, Config: config}},
	})
	w.Delete("state", "default") // an empty one, which cannot be deleted
	if left := w.Left(); len(left) > 0 {
		t.Errorf("the test left %v behind", left)
	}
}
