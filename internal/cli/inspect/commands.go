package inspect

import (
	"github.com/plumb-iac/plumb/internal/cli/command"
)

// Commands are the rows of this family.
func Commands() []command.Command {
	return []command.Command{
		{Name: "show", Args: "[options] [path]", Synopsis: "Show the state or a saved plan", New: show,
			About: "Shows the state, or with a path the plan or state in that file."},
		{Name: "output", Args: "[options] [NAME]", Synopsis: "Show output values", New: output,
			About: "Shows the output values of the root module as they are in the state, or the one named. A value asked for by name is shown even when it is sensitive."},
		{Name: "version", Args: "[options]", Synopsis: "Show versions", New: version,
			About: "Shows the version of the program and of the providers that the lock file selects."},
		{Name: "providers", Args: "[options]", Synopsis: "Show which providers are needed, and by whom", New: providers,
			About: "Shows which module asks for which provider, and which providers the state needs."},
		{Name: "providers schema", Args: "-json", Synopsis: "Write the schemas of the needed providers", New: providersSchema,
			About: "Writes the schemas of all providers of the configuration and the state as JSON. The option -json is required."},
		{Name: "providers lock", InLines: true, Args: "[options] [provider...]", Synopsis: "Add checksums for platforms to the lock file", New: providersLock,
			About: "Adds the checksums of packages for other platforms to the dependency lock file, so that it serves machines of all kinds. Nothing is installed."},
		{Name: "providers mirror", InLines: true, Args: "[options] DIR", Synopsis: "Copy the packages of the needed providers", New: providersMirror,
			About: "Puts the packages of all needed providers into a directory that can serve as a mirror for machines without access to the registries."},
		{Name: "modules", Args: "[options]", Synopsis: "List the modules that are called", New: modules,
			About: "Lists the modules that the configuration calls, with their sources."},
		{Name: "metadata", Args: "<subcommand> [options] [args]", Synopsis: "Facts about the language", Family: true, Group: command.Other,
			About: "Commands about the language itself."},
		{Name: "metadata functions", Args: "-json", Synopsis: "Write the signatures of the functions", New: functions,
			About: "Writes the signatures of all functions as JSON. The option -json is required."},
	}
}
