package command

import (
	"strings"

	"github.com/mitchellh/go-wordwrap"
)

// Program is the name of the command as people type it.
const Program = "plumb"

const (
	helpIndent = 2
	helpColumn = 25
	helpWidth  = 78
	// Below helpNarrow columns what an option does stands below its name; helpLeast
	// is what is not worth breaking lines for.
	helpNarrow = 60
	helpLeast  = 30
)

// helpPage is where help is written, and how wide and from which column on it says
// what an option does.
type helpPage struct {
	strings.Builder
	width, column int
}

// Help is a command's help text for a terminal of so many columns, 0 for none. It is
// never wider than prose is good to read.
func (c Command) Help(children []Command, columns int) string {
	b := helpPage{width: helpWidth, column: helpColumn}
	if columns > 0 {
		b.width = max(min(columns, helpWidth), helpLeast)
	}
	if b.width < helpNarrow {
		b.column = 3 * helpIndent
	}
	b.WriteString("Usage: " + Program + " [global options] " + c.Name)
	if c.Args != "" {
		b.WriteString(" " + c.Args)
	}
	b.WriteString("\n\n")
	for _, p := range strings.Split(strings.TrimSpace(c.About), "\n\n") {
		writeParagraph(&b, p)
	}
	writeExamples(&b, c.Examples)
	if len(children) > 0 {
		writeChildren(&b, c.Name, children)
		if c.New != nil {
			b.WriteByte('\n')
		}
	}
	if c.New != nil {
		f := NewFlags(c.Name)
		c.Declare(f)
		writeRows(&b, append(f.Rows(), commonRows...))
	}
	return b.String()
}

var commonRows = []Row{
	{"no-color", "", "Write no colour codes."},
}

func writeParagraph(b *helpPage, text string) {
	if strings.HasPrefix(text, "  ") {
		b.WriteString(text + "\n\n")
		return
	}
	text = strings.Join(strings.Fields(text), " ")
	for _, line := range strings.Split(wordwrap.WrapString(text, uint(b.width-helpIndent)), "\n") {
		b.WriteString(strings.Repeat(" ", helpIndent) + line + "\n")
	}
	b.WriteByte('\n')
}

func writeExamples(b *helpPage, lines []string) {
	if len(lines) == 0 {
		return
	}
	b.WriteString("Examples:\n\n")
	for _, l := range lines {
		if !strings.Contains(l, "| "+Program) {
			l = Program + " " + l
		}
		b.WriteString(strings.Repeat(" ", 2*helpIndent) + l + "\n")
	}
	b.WriteByte('\n')
}

func writeChildren(b *helpPage, parent string, children []Command) {
	b.WriteString("Subcommands:\n")
	width := 0
	for _, c := range children {
		width = max(width, len(c.Name)-len(parent)-1)
	}
	for _, c := range children {
		name := c.Name[len(parent)+1:]
		b.WriteString("    " + name + strings.Repeat(" ", width-len(name)+4) + c.Synopsis + "\n")
	}
}

func writeRows(b *helpPage, rows []Row) {
	if len(rows) > 0 && rows[0].Name != "" {
		b.WriteString("Options:\n\n")
	}
	for _, r := range rows {
		if r.Name == "" {
			b.WriteString(r.Text + ":\n\n")
			continue
		}
		writeRow(b, r)
	}
}

func writeRow(b *helpPage, r Row) {
	head := strings.Repeat(" ", helpIndent) + "-" + r.Name
	if r.Arg != "" {
		head += "=" + r.Arg
	}
	lines := strings.Split(wordwrap.WrapString(r.Text, uint(b.width-b.column)), "\n")
	if len(head) >= b.column-1 {
		b.WriteString(head + "\n")
		head = ""
	}
	for _, l := range lines {
		b.WriteString(head + strings.Repeat(" ", b.column-len(head)) + l + "\n")
		head = ""
	}
	b.WriteByte('\n')
}
