package human

import (
	"fmt"
	"time"

	"github.com/plumb-iac/plumb/event"
	"github.com/plumb-iac/plumb/internal/view"
)

// wording is how the progress of one operation is told.
type wording struct {
	// begin and end follow the address; an empty one is not told.
	begin, end string
	// still continues "Still …"; empty for operations that are not timed.
	still string
	// The id is shown at the beginning and at the end.
	idAtBegin, idAtEnd bool
	// timed ends carry the time it took.
	timed bool
}

// words are the operations that are told.
var words = map[event.Op]wording{
	event.Refresh:        {begin: "Refreshing state...", idAtBegin: true},
	event.Create:         {begin: "Creating...", end: "Creation complete", still: "creating", idAtEnd: true, timed: true},
	event.Update:         {begin: "Modifying...", end: "Modifications complete", still: "modifying", idAtBegin: true, idAtEnd: true, timed: true},
	event.Delete:         {begin: "Destroying...", end: "Destruction complete", still: "destroying", idAtBegin: true, timed: true},
	event.ReadData:       {begin: "Reading...", end: "Read complete", still: "reading", idAtEnd: true, timed: true},
	event.Import:         {begin: "Importing...", end: "Import complete", still: "importing", idAtBegin: true, idAtEnd: true},
	event.Open:           {begin: "Opening...", end: "Opening complete", still: "opening", timed: true},
	event.Renew:          {begin: "Renewing...", end: "Renewal complete", still: "renewing", timed: true},
	event.CloseEphemeral: {begin: "Closing...", end: "Closing complete", still: "closing", timed: true},
}

// preparing is the wording of imports while planning.
var preparing = wording{begin: "Preparing import...", idAtBegin: true}

// idWidth bounds how much of an id is shown.
const idWidth = 80

// ident is " [id=x]", or nothing.
func ident(key, val string) string {
	if key == "" || val == "" {
		return ""
	}
	return " [" + key + "=" + Shorten(view.Harmless(val), idWidth) + "]"
}

// Shorten cuts the middle out of text that takes more than width columns.
func Shorten(text string, width int) string {
	if view.Width(text) <= width {
		return text
	}
	const dots = "..."
	if width <= len(dots)+1 {
		return dots[:max(0, min(width, len(dots)))]
	}
	keep := width - len(dots)
	runes := []rune(text)
	head, tail := 0, len(runes)
	for room := (keep + 1) / 2; ; head++ {
		if room -= view.Width(string(runes[head])); room < 0 {
			break
		}
	}
	for room := keep / 2; ; tail-- {
		if room -= view.Width(string(runes[tail-1])); room < 0 {
			break
		}
	}
	return string(runes[:head]) + dots + string(runes[tail:])
}

// seconds is a duration as ends show it.
func seconds(d time.Duration) string { return d.Round(time.Second).String() }

// clock is a duration as running operations show it: "00m10s".
func clock(d time.Duration) string {
	d = d.Round(time.Second)
	if h := int(d.Hours()); h > 0 {
		return fmt.Sprintf("%02dh%02dm%02ds", h, int(d.Minutes())%60, int(d.Seconds())%60)
	}
	return fmt.Sprintf("%02dm%02ds", int(d.Minutes()), int(d.Seconds())%60)
}
