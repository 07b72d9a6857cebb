package main

import (
	"flag"
	"log"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6/tf6server"
	"github.com/plumb-iac/plumb/provider/std"
)

// version is set by the linker when a release is built.
var version = "dev"

func main() {
	debug := flag.Bool("debug", false, "wait for a debugger and print how an engine reattaches to this process")
	address := flag.String("address", "terraform.io/builtin/std", "address under which engines know the provider, such as registry.terraform.io/plumb-iac/std; used with -debug")
	flag.Parse()

	var options []tf6server.ServeOpt
	if *debug {
		options = append(options, tf6server.WithManagedDebug())
	}
	err := tf6server.Serve(*address, std.Server(version), options...)
	if err != nil {
		log.Fatal(err)
	}
}
