package cli

// Version is the program's version, Language the level of the Terraform
// language that it offers to configurations and tools.
const (
	Version  = "0.1.0"
	Language = "1.16.0"
)
