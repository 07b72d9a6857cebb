// Command terraform-provider-test serves the test provider. TEST_PROTOCOL=5
// serves protocol 5; TEST_START says how to go wrong at the start.
package main

import (
	"context"
	"fmt"
	"os"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/providerserver"
	"github.com/plumb-iac/plumb/test/testprovider"
)

func main() {
	if os.Getenv("TEST_START") == "flood" {
		for i := range 100000 {
			fmt.Fprintf(os.Stderr, "line %d %s\n", i, strings.Repeat("x", 80))
		}
	}
	newProvider := testprovider.New
	opts := providerserver.ServeOpts{Address: "registry.terraform.io/test/test", ProtocolVersion: 6}
	if os.Getenv("TEST_PROTOCOL") == "5" {
		opts.ProtocolVersion, newProvider = 5, testprovider.New5
	}
	if err := providerserver.Serve(context.Background(), newProvider, opts); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
