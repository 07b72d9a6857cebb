package cli

import "github.com/plumb-iac/plumb/internal/cli/command"

// examples are lines that people type, by their commands; help shows them.
var examples = map[string][]string{
	"init":             {"init", "init -upgrade", "init -migrate-state"},
	"plan":             {"plan", "plan -out=tfplan", "plan -var-file=prod.tfvars -target=module.net", "plan -detailed-exitcode"},
	"apply":            {"apply", "apply tfplan", "apply -replace='aws_instance.web[\"a\"]'", "apply -refresh-only"},
	"destroy":          {"destroy", "destroy -target=module.net"},
	"validate":         {"validate", "validate -json"},
	"import":           {"import aws_instance.web i-0123456789abcdef0", "import 'aws_instance.web[\"a\"]' i-0123456789abcdef0"},
	"explain":          {"explain aws_instance.web", "explain 'aws_instance.web[\"a\"]' tfplan", "explain -html aws_instance.web > why.html"},
	"output":           {"output", "output -raw address", "output -json"},
	"show":             {"show", "show tfplan", "show -json tfplan"},
	"console":          {"console", "echo 'cidrsubnet(\"10.0.0.0/8\", 8, 1)' | plumb console"},
	"graph":            {"graph | dot -Tsvg > graph.svg", "graph -format=mermaid"},
	"fmt":              {"fmt -recursive", "fmt -check -diff"},
	"test":             {"test", "test -filter=tests/net.tftest.hcl -verbose"},
	"state list":       {"state list", "state list module.net", "state list -id=i-0123456789abcdef0"},
	"state show":       {"state show 'aws_instance.web[\"a\"]'"},
	"state mv":         {"state mv -dry-run aws_instance.web aws_instance.front", "state mv aws_instance.web module.net.aws_instance.web"},
	"state rm":         {"state rm -dry-run module.net", "state rm 'aws_instance.web[\"a\"]'"},
	"workspace new":    {"workspace new staging"},
	"workspace select": {"workspace select -or-create staging"},
	"provider verify":  {"provider verify ./terraform-provider-mine", "provider verify -allow-apply -type=mine_disk ./terraform-provider-mine"},
}

// withExamples gives the commands their examples.
func withExamples(commands []command.Command) []command.Command {
	for i := range commands {
		commands[i].Examples = examples[commands[i].Name]
	}
	return commands
}
