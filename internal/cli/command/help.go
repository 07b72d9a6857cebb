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
)

// Help is a command's help text.
func (c Command) Help(children []Command) string {
	var b strings.Builder
	b.WriteString("Usage: " + Program + " [global options] " + c.Name)
	if c.Args != "" {
		b.WriteString(" " + c.Args)
	}
	b.WriteString("\n\n")
	for _, p := range strings.Split(strings.TrimSpace(c.About), "\n\n") {
		writeParagraph(&b, p)
	}
	if len(children) > 0 {
		writeChildren(&b, c.Name, children)
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

func writeParagraph(b *strings.Builder, text string) {
	if strings.HasPrefix(text, "  ") {
		b.WriteString(text + "\n\n")
		return
	}
	text = strings.Join(strings.Fields(text), " ")
	for _, line := range strings.Split(wordwrap.WrapString(text, helpWidth-helpIndent), "\n") {
		b.WriteString(strings.Repeat(" ", helpIndent) + line + "\n")
	}
	b.WriteByte('\n')
}

func writeChildren(b *strings.Builder, parent string, children []Command) {
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

func writeRows(b *strings.Builder, rows []Row) {
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

func writeRow(b *strings.Builder, r Row) {
	head := strings.Repeat(" ", helpIndent) + "-" + r.Name
	if r.Arg != "" {
		head += "=" + r.Arg
	}
	lines := strings.Split(wordwrap.WrapString(r.Text, helpWidth-helpColumn), "\n")
	if len(head) >= helpColumn-1 {
		b.WriteString(head + "\n")
		head = ""
	}
	for _, l := range lines {
		b.WriteString(head + strings.Repeat(" ", helpColumn-len(head)) + l + "\n")
		head = ""
	}
	b.WriteByte('\n')
}
