// Command terraform-provider-nonsense serves package nonsense: NONSENSE_WORLD is
// its world, NONSENSE_STAGE and NONSENSE_KIND what it does wrong.
package main

import (
	"fmt"
	"os"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6/tf6server"
	"github.com/plumb-iac/plumb/test/acceptance/nonsense"
)

func main() {
	p := &nonsense.Provider{World: os.Getenv("NONSENSE_WORLD"), Stage: os.Getenv("NONSENSE_STAGE"), Kind: os.Getenv("NONSENSE_KIND")}
	if err := tf6server.Serve("registry.terraform.io/hashicorp/nonsense", func() tfprotov6.ProviderServer { return p }); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
