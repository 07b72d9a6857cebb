package planner

// effective is the configuration with what ignore_changes names taken from the
// prior state.
func (l *line) effective(d Desired, prior Refreshed) Desired {
	v, marks := l.Site.Resource.Effective(l.Schema.Block, d.value, d.marks, prior.value, prior.marks)
	return Desired{v, marks}
}
