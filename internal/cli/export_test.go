package cli

// Names are the names of all commands, in the order of the table.
func Names() []string {
	var names []string
	for _, c := range table() {
		names = append(names, c.Name)
	}
	return names
}
