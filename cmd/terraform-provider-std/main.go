package main

import (
	"context"
	"flag"
	"log"

	"github.com/hashicorp/terraform-plugin-framework/providerserver"

	"github.com/plumb-iac/plumb/provider/std"
)

// version is set by the linker when a release is built.
var version = "dev"

func main() {
	debug := flag.Bool("debug", false, "wait for a debugger and print how an engine reattaches to this process")
	address := flag.String("address", "terraform.io/builtin/std", "address under which engines know the provider, such as registry.terraform.io/plumb-iac/std; used with -debug")
	flag.Parse()

	err := providerserver.Serve(context.Background(), std.New(version), providerserver.ServeOpts{
		Address:         *address,
		Debug:           *debug,
		ProtocolVersion: 6,
	})
	if err != nil {
		log.Fatal(err)
	}
}
