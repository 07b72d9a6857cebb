package view

import "strings"

// DefaultWidth is the width of text that does not go to a terminal.
const DefaultWidth = 78

// Style says how text is coloured and how wide it may be. The zero value is
// plain text of DefaultWidth columns.
type Style struct {
	Color bool
	Width int
}

// Ink is a colour or weight of text.
type Ink string

// The inks.
const (
	Bold   Ink = "1"
	Red    Ink = "31"
	Green  Ink = "32"
	Yellow Ink = "33"
	Cyan   Ink = "36"
	Gray   Ink = "90"
)

// Columns is the width to wrap prose at.
func (s Style) Columns() int {
	if s.Width <= 0 {
		return DefaultWidth
	}
	return s.Width
}

// Paint gives text in the inks, or as it is when the style has no colour.
func (s Style) Paint(text string, inks ...Ink) string {
	if !s.Color || text == "" {
		return text
	}
	var b strings.Builder
	for _, i := range inks {
		b.WriteString("\x1b[" + string(i) + "m")
	}
	return b.String() + text + "\x1b[0m"
}

// Bold gives text in bold.
func (s Style) Bold(text string) string { return s.Paint(text, Bold) }

// Wrap breaks the lines of prose at the style's width. Lines that begin with
// blank space are examples and stay as they are.
func (s Style) Wrap(prose string) string { return Wrap(prose, s.Columns()) }

// Rule is the horizontal line between parts of a text.
func (s Style) Rule() string {
	return s.Paint(strings.Repeat("─", s.Columns()-1), Gray)
}
