package event

// Stamp gives e with header h.
func Stamp(e Event, h Header) Event {
	switch e := e.(type) {
	case Begun:
		e.Header = h
		return e
	case Ended:
		e.Header = h
		return e
	case Failed:
		e.Header = h
		return e
	case Output:
		e.Header = h
		return e
	case StateSaved:
		e.Header = h
		return e
	case Phase:
		e.Header = h
		return e
	}
	return e
}
